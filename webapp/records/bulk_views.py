"""One step over many answers: a preview that says what would happen, the step, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from webapp.accounts.access import LEADS, fetch_or_404, project_of_lead, projects_led_by
from webapp.accounts.models import User
from webapp.records import selectors
from webapp.records.forms import BulkForm, FilterForm
from webapp.records.models import Answer, Project
from webapp.review.models import BulkChange
from webapp.review.problems import Unusable
from webapp.review.services import bulk

#: Changes listed on the page of a project's bulk changes.
LISTED = 50


def _ticked(request: HttpRequest) -> list[UUID]:
    found = []
    for text in request.POST.getlist("answer")[: bulk.MOST]:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found


class UnreadableFilter(Exception):
    """A filter that cannot be read would let everything through."""


def _chosen(request: HttpRequest, project: Project) -> tuple[QuerySet[Answer], dict[str, str]]:
    """The answers that were ticked, or all that the filter lets through, in the order of the page.

    Raises:
        UnreadableFilter: all were asked for, and part of the filter cannot be read.
    """
    if "everything" in request.POST:
        form = FilterForm(QueryDict(request.POST.get("filter", "")), project=project)
        if not form.is_readable():
            raise UnreadableFilter
        return selectors.answers_in_order(project, form.chosen(), sort=form.sort_by()), form.filters()
    rows = selectors.answers_of(project).filter(pk__in=_ticked(request))
    return rows.order_by("-received_at", "-id"), {}


@require_POST
@login_required
def bulk_change(request: HttpRequest) -> HttpResponse:
    """What a step would do; with `confirmed` it is done, unless it would do something else by now."""
    project = project_of_lead(request)
    form = BulkForm(request.POST, project=project)
    try:
        rows, filters = _chosen(request, project)
    except UnreadableFilter:
        form.add_error(None, _("Nothing was changed: part of the filter cannot be read. Go back and mend it first."))
        return _preview(request, project, form, None, {}, status=422)
    if not form.is_valid():
        return _preview(request, project, form, None, filters, status=422)
    missing = form.lacks()
    options = form.options()
    if missing:
        # The first look asks for what the step needs; only a step to be done without it is an error.
        if form.cleaned_data["confirmed"] is not None:
            form.add_error(missing, _("This is needed."))
        return _preview(request, project, form, None, filters, status=422 if form.errors else 200, asks=missing)
    try:
        plan = bulk.plan(project=project, kind=form.cleaned_data["action"], chosen=rows, options=options)
    except Unusable as unusable:
        form.add_error(unusable.field if unusable.field in form.fields else None, unusable.reason)
        return _preview(request, project, form, None, filters, status=422)
    promised = form.cleaned_data["confirmed"]
    if promised is None or promised != plan.count or not plan.count:
        return _preview(request, project, form, plan, filters, changed=promised is not None)
    change = bulk.apply(
        project=project,
        kind=form.cleaned_data["action"],
        chosen=Answer.objects.filter(pk__in=plan.answers),
        options=options,
        actor=cast(User, request.user),
        now=timezone.now(),
        filters=filters,
        proofread_again=_proofread_again,
    )
    said = ngettext("Done: %(n)s changed.", "Done: %(n)s changed.", change.count) % {"n": change.count}
    messages.success(request, said)
    return redirect(f"{reverse('records:changes')}?project={project.slug}")


def _proofread_again(*, answers: Sequence[Any], actor: User, now: Any) -> None:
    from webapp.intake import again

    again.proofread_again(answers=answers, actor=actor, now=now)


def _preview(
    request: HttpRequest,
    project: Project,
    form: BulkForm,
    plan: bulk.Plan | None,
    filters: dict[str, str],
    *,
    status: int = 200,
    asks: str | None = None,
    changed: bool = False,
) -> HttpResponse:
    keys = plan.answers[: bulk.SHOWN] if plan else []
    shown = Answer.objects.filter(pk__in=keys).select_related("question").in_bulk()
    valid = form.is_valid() if form.is_bound else False
    context = {
        "section": "answers",
        "project": project,
        "form": form,
        "fields": [form[name] for name in form.wanted()] if valid else [form["action"]],
        "action": form.cleaned_data.get("action", "") if hasattr(form, "cleaned_data") else "",
        "plan": plan,
        "first": [shown[key] for key in keys if key in shown],
        "most": bulk.MOST,
        "asks": asks,
        "changed": changed,
        "everything": "everything" in request.POST,
        "ticked": [str(key) for key in _ticked(request)],
        "filter": request.POST.get("filter", "")[:4000],
        "filters": filters,
        "back": f"{reverse('records:answers')}?{request.POST.get('filter', '')[:4000]}",
    }
    return render(request, "records/bulk.html", context, status=status)


@require_safe
@login_required
def changes(request: HttpRequest) -> HttpResponse:
    """The newest steps over many answers, each with its way back."""
    project = project_of_lead(request)
    rows = BulkChange.objects.filter(project=project).select_related("actor", "undone_by").defer("before")
    context = {
        "section": "answers",
        "project": project,
        "projects": projects_led_by(request.user),
        "rows": rows.order_by("-at")[:LISTED],
    }
    return render(request, "records/changes.html", context)


@require_POST
@login_required
def undo_change(request: HttpRequest, change_id: UUID) -> HttpResponse:
    """Take a step back where nobody has gone on since."""
    change = fetch_or_404(BulkChange.objects.all(), request, roles=LEADS, pk=change_id)
    try:
        back = bulk.undo(change=change, actor=cast(User, request.user), now=timezone.now())
    except Unusable:
        messages.error(request, _("This cannot be taken back (any more)."))
    else:
        said = ngettext("Taken back: %(n)s of %(all)s.", "Taken back: %(n)s of %(all)s.", back)
        messages.success(request, said % {"n": back, "all": change.count})
    return redirect(f"{reverse('records:changes')}?project={change.project.slug}")
