"""Thin doors to the desk: fetch and authorise, call a service, show the page. Every change is a POST.

With htmx an answer replaces <main> and carries the bar and the toast along; without it the same forms redirect.
Work in progress has its own doors in `draft_views`.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from webapp.review import forms, selectors, services
from webapp.review.access import (
    get_claim_or_404,
    get_decision_or_404,
    get_item_or_404,
    get_queue_or_404,
    reviewer_of,
    reviewer_required,
)
from webapp.review.models import Claim, Decision, Queue
from webapp.review.problems import CannotUndo, ClaimLapsed, NeedsConfirmation, Unusable, WasUndone
from webapp.review.showing import (
    confirmed_page,
    forget,
    is_htmx,
    item_context,
    item_page,
    lapsed_page,
    page,
    remember,
    shortcuts_of,
    shown_key,
    start_page,
    undo_offer,
)
from webapp.review.words import decision_sentence

# Pages ------------------------------------------------------------------------------------------------------------


@require_GET
@reviewer_required
def desk(request: HttpRequest) -> HttpResponse:
    """The start page: back to the item in hand, else what waits in the reviewer's queues."""
    user = reviewer_of(request)
    held = selectors.open_claims(reviewer=user).first()
    if held is not None and held.until > timezone.now():
        return redirect("review:item", held.item_id)
    return start_page(request)


@require_GET
@reviewer_required
def item(request: HttpRequest, item_id: UUID) -> HttpResponse:
    return item_page(request, get_item_or_404(request, item_id))


@require_GET
@reviewer_required
def ahead(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """<main> of the answer that comes after this one, for the script to show at once; nobody holds it by this.

    `X-Shown` names what the page was made from; it goes back with the decision, and where the next answer is another
    by then, or was proofread again, the decision is answered with that page instead.
    """
    claim = get_claim_or_404(request, item_id)
    found = services.item_after(item=claim.item, reviewer=claim.reviewer)
    if found is None:
        return HttpResponse(status=204)
    after = selectors.get_item(found.pk)
    shown = selectors.desk_item(item=after, reviewer=reviewer_of(request), ahead=True)
    response = render(request, "review/ahead.html", item_context(request, shown, held=True))
    response["X-Shown"] = shown_key(after)
    response["Cache-Control"] = "no-store"
    return response


# Claims -----------------------------------------------------------------------------------------------------------


@require_POST
@reviewer_required
def next_item(request: HttpRequest, queue_id: int) -> HttpResponse:
    return _show_next(request, get_queue_or_404(request, queue_id))


def _show_next(request: HttpRequest, queue: Queue, *, made: Decision | None = None) -> HttpResponse:
    """The next answer of a queue; `made` is the decision that leads to it."""
    claim = services.claim_next_item(queue=queue, reviewer=reviewer_of(request), now=timezone.now())
    if claim is not None and made is not None and request.POST.get("shown") == shown_key(claim.item):
        return confirmed_page(request, claim, made)
    return _show_claimed(request, claim, queue)


def _show_claimed(request: HttpRequest, claim: Claim | None, queue: Queue) -> HttpResponse:
    if not is_htmx(request):
        if claim is not None:
            return redirect("review:item", claim.item_id)
        messages.info(request, _("Nothing is left for you in %(queue)s.") % {"queue": queue.name})
        return redirect("desk")
    if claim is None:
        return start_page(request, finished=queue)
    return item_page(request, selectors.get_item(claim.item_id))


@require_POST
@reviewer_required
def claim(request: HttpRequest, item_id: UUID) -> HttpResponse:
    item = get_item_or_404(request, item_id)
    try:
        services.claim_item(item=item, reviewer=reviewer_of(request), now=timezone.now())
    except ClaimLapsed as lapsed:
        return lapsed_page(request, lapsed)
    return redirect("review:item", item.pk) if not is_htmx(request) else item_page(request, selectors.get_item(item.pk))


@require_POST
@reviewer_required
def renew(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Hold the item for longer; JSON, because only the script asks for it."""
    claim = get_claim_or_404(request, item_id)
    try:
        claim = services.renew_claim(claim=claim, now=timezone.now())
    except ClaimLapsed:
        return JsonResponse({"held": False}, status=409)
    return JsonResponse({"held": True, "seconds": int((claim.until - timezone.now()).total_seconds())})


@require_POST
@reviewer_required
def release(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Put the answer back undecided, with what was done kept for whenever one holds it again."""
    claim = get_claim_or_404(request, item_id)
    form = forms.TextForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    services.release_claim(claim=claim, reason=reason, now=timezone.now())
    messages.info(request, _("Put back: it waits again, and what you had done is kept."))
    return start_page(request) if is_htmx(request) else redirect("desk")


# Decisions --------------------------------------------------------------------------------------------------------


@require_POST
@reviewer_required
def decide(request: HttpRequest, item_id: UUID) -> HttpResponse:
    claim = get_claim_or_404(request, item_id)
    form = forms.DecisionForm(request.POST)
    if not form.is_valid():
        return _sent_back(request, claim, form=form)
    try:
        decision = services.decide(claim=claim, choice=form.choice(), now=timezone.now())
    except ClaimLapsed as lapsed:
        return lapsed_page(request, lapsed)
    except Unusable as unusable:
        form.add_error(unusable.field if unusable.field in form.fields else None, unusable.reason)
        return _sent_back(request, claim, form=form)
    except WasUndone:
        messages.info(request, _("This decision was taken back; the answer waits for a new one."))
        return item_page(request, selectors.get_item(claim.item_id), status=409)
    except NeedsConfirmation as asks:
        return _sent_back(request, claim, asks=asks)
    remember(request, decision)
    return _show_next(request, claim.item.queue, made=decision)


def _sent_back(request: HttpRequest, claim: Claim, **why: Any) -> HttpResponse:
    """The item page again, with what was typed in its fields and the reason why nothing was decided."""
    edited = request.POST.get("kind") == Decision.Kind.ACCEPT_EDITED
    typed = {"typed": request.POST.get("text") if edited else None, "reason": request.POST.get("reason")}
    return item_page(request, selectors.get_item(claim.item_id), status=422, **typed, **why)


@require_POST
@reviewer_required
def undo(request: HttpRequest, decision_id: UUID) -> HttpResponse:
    """Take a decision back; the session's next step back is then the decision before it, whatever its answer."""
    decision = get_decision_or_404(request, decision_id)
    forget(request, decision)
    try:
        claim = services.undo_decision(decision=decision, reviewer=reviewer_of(request), now=timezone.now())
    except CannotUndo:
        shortcuts = shortcuts_of(reviewer_of(request).shortcuts)
        undo = undo_offer(request)
        context = {"decision": decision, "section": "desk", "undo": undo, "shortcuts": shortcuts}
        return page(request, "review/not_undone.html", context, url=reverse("desk"), status=409)
    said = {"what": decision_sentence(decision.kind)}
    messages.info(request, _("Taken back: “%(what)s” The answer is in your hands again.") % said)
    return _show_claimed(request, claim, decision.item.queue)
