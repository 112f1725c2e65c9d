"""Fetch and authorise in one step: what a person may not see does not exist for them (404)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.accounts.models import Membership, User
from webapp.review import selectors
from webapp.review.models import Claim, Decision, Item, Queue

REVIEWING = (Membership.Role.REVIEWER, Membership.Role.LEAD, Membership.Role.ADMIN)
#: Fields a person types into; a form that carries one is never answered by a log-in page alone.
TYPED = ("text", "reason")
LEADING = (Membership.Role.LEAD, Membership.Role.ADMIN)


def reviewer_of(request: HttpRequest) -> User:
    """The logged-in user; views behind `login_required` always have one."""
    return cast(User, request.user)


def reviewer_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Like `login_required`, but a script gets 401 instead of a log-in page in the middle of somebody's work.

    The page then says so, and what was typed stays where it is; without a script the answer shows it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if getattr(request, "htmx", False) or request.headers.get("X-Requested-With") == "fetch":
            return HttpResponse(status=401)
        if request.method == "POST" and any(request.POST.get(name) for name in TYPED):
            typed = {name: request.POST.get(name, "") for name in TYPED}
            return render(request, "review/logged_out.html", typed, status=401)
        return redirect_to_login(request.get_full_path() if request.method == "GET" else "/")

    return guarded


def _role(user: User, project_id: int) -> str:
    membership = Membership.objects.filter(user=user, project_id=project_id, project__archived_at__isnull=True).first()
    return membership.role if membership else ""


def get_queue_or_404(request: HttpRequest, queue_id: int) -> Queue:
    queue = selectors.queues_for(reviewer_of(request)).filter(pk=queue_id).first()
    if queue is None:
        raise Http404("no such queue")
    return queue


def get_item_or_404(request: HttpRequest, item_id: UUID) -> Item:
    """An item of a project in which the user reviews."""
    try:
        item = selectors.get_item(item_id)
    except Item.DoesNotExist as missing:
        raise Http404("no such item") from missing
    if _role(reviewer_of(request), item.queue.project_id) not in REVIEWING:
        raise Http404("no such item")
    return item


def get_claim_or_404(request: HttpRequest, item_id: UUID) -> Claim:
    """The user's newest claim on an item, open or ended: the services decide whether it still counts."""
    reviewer = reviewer_of(request)
    claims = Claim.objects.filter(item=item_id, reviewer=reviewer).select_related("item__queue__project")
    claim = claims.order_by("-issued_at").first()
    if claim is None or _role(reviewer, claim.item.queue.project_id) not in REVIEWING:
        raise Http404("you never held this item")
    claim.reviewer = reviewer
    return claim


def get_decision_or_404(request: HttpRequest, decision_id: UUID) -> Decision:
    """A decision the user may undo: their own, or anybody's where they lead."""
    decision = Decision.objects.select_related("item__queue__project").filter(pk=decision_id).first()
    if decision is None:
        raise Http404("no such decision")
    user = reviewer_of(request)
    role = _role(user, decision.item.queue.project_id)
    if role not in LEADING and (role not in REVIEWING or decision.reviewer_id != user.pk):
        raise Http404("no such decision")
    return decision
