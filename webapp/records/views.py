"""Pages of the answers: the list with its filter, and the history of one."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from webapp.accounts.access import LEADS, PEOPLE, fetch_or_404, is_lead, project_of_request, projects_of
from webapp.intake import services as intake
from webapp.records import selectors
from webapp.records.forms import FilterForm
from webapp.records.models import Answer
from webapp.records.retrieved import corpus_of
from webapp.review.templatetags.leads import ACTIONS


def get_answer_or_404(request: HttpRequest, answer_id: UUID, *, roles: tuple[str, ...] = PEOPLE) -> Answer:
    """An answer of a project the user is in."""
    rows = selectors.answer_with_everything(Answer.objects.all())
    return fetch_or_404(rows, request, roles=roles, pk=answer_id)


@require_safe
@login_required
def answers(request: HttpRequest) -> HttpResponse:
    """The project's answers, newest first."""
    project = project_of_request(request)
    form = FilterForm(request.GET, project=project)
    sort = form.sort_by()
    lead = is_lead(project, request.user)
    chosen = form.chosen() if lead else replace(form.chosen(), seen_by=request.user)
    page = selectors.answers_page(project=project, chosen=chosen, cursor=request.GET.get("cursor", ""), sort=sort)
    query = request.GET.copy()
    query.pop("cursor", None)
    context = {
        "section": "answers",
        "project": project,
        "projects": projects_of(request.user),
        "form": form,
        "filtered": bool(form.filters()),
        "filter": query.urlencode(),
        "lead": lead,
        "actions": ACTIONS,
        "answers": page.answers,
        "earlier": _address(request.GET, page.earlier),
        "later": _address(request.GET, page.later),
    }
    return render(request, "records/answers.html", context)


def _address(query: QueryDict, cursor: str | None) -> str | None:
    """The same filter at another place of the list."""
    if cursor is None:
        return None
    query = query.copy()
    query["cursor"] = cursor
    return f"?{query.urlencode()}"


@require_safe
@login_required
def answer(request: HttpRequest, answer_id: UUID) -> HttpResponse:
    """One answer with its inspections, decisions and everything that happened to it."""
    found = get_answer_or_404(request, answer_id)
    inspections = list(found.inspections.all())
    context = {
        "section": "answers",
        "answer": found,
        "lead": is_lead(found.project, request.user),
        # An audit item is judged without the machine's opinion, so the opinion stays hidden here as well.
        "hidden": selectors.is_blind(found),
        "inspections": inspections,
        "corpus": corpus_of(inspections[0].report) if inspections else None,
        "decisions": selectors.decisions_on(found, seen_by=request.user),
        "events": selectors.events_of(found, seen_by=request.user),
        "items": found.items.select_related("queue").order_by("created_at"),
    }
    return render(request, "records/answer.html", context)


@require_POST
@login_required
def retry(request: HttpRequest, answer_id: UUID) -> HttpResponse:
    """Have a failed answer proofread again."""
    found = get_answer_or_404(request, answer_id, roles=LEADS)
    if intake.retry_failed(answer=found, actor=request.user, now=timezone.now()):
        messages.success(request, _("It will be proofread again."))
    return redirect("records:answer", found.pk)
