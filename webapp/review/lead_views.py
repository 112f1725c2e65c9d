"""Pages for those who lead: queues and their guidelines, where reviewers differ, gold, what was put aside."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from proofing.errors import BadInput
from webapp.accounts.access import LEADS, SESSION_KEY, fetch_or_404, project_of_lead, projects_led_by
from webapp.accounts.models import User
from webapp.records.models import Project
from webapp.records.retrieved import corpus_of
from webapp.review import lead_selectors, rendering_of, selectors
from webapp.review.access import reviewer_required
from webapp.review.lead_forms import GoldForm, GuidelinesForm, QueueForm
from webapp.review.models import Item, Queue
from webapp.review.problems import Unusable
from webapp.review.services import gold as gold_services
from webapp.review.services import queues as queue_services

#: Rows of a long list on one page.
PAGE = 50


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


def get_queue_of_lead_or_404(request: HttpRequest, queue_id: int) -> Queue:
    return fetch_or_404(Queue.objects.all(), request, roles=LEADS, pk=queue_id)


def get_item_of_lead_or_404(request: HttpRequest, item_id: UUID) -> Item:
    rows = Item.objects.select_related("queue", "answer__question", "inspection", "gold")
    return fetch_or_404(rows, request, roles=LEADS, project="queue__project", pk=item_id)


def _of_project(request: HttpRequest, project: Project, tab: str) -> dict[str, Any]:
    return {"section": "queues", "tab": tab, "project": project, "projects": projects_led_by(request.user)}


def _page_of(request: HttpRequest, rows: Any) -> Any:
    return Paginator(rows, PAGE).get_page(request.GET.get("page"))


# Queues ---------------------------------------------------------------------------------------------------------


@require_safe
@reviewer_required
def queues(request: HttpRequest) -> HttpResponse:
    """What is waiting where, for everybody; leads also get to what they can change."""
    rows = selectors.queue_rows(_user(request))
    led = list(projects_led_by(request.user))
    context = {
        "rows": rows,
        "leading": {project.pk for project in led},
        "led": led,
        "last": request.session.get(SESSION_KEY),
        "section": "queues",
        "tab": "queues",
    }
    return render(request, "review/queues.html", context)


@require_safe
@login_required
def queue(request: HttpRequest, queue_id: int) -> HttpResponse:
    """One queue: progress, by person; its guidelines; what can be done with it."""
    found = get_queue_of_lead_or_404(request, queue_id)
    people = lead_selectors.people_of(lead_selectors.decisions_in(found), newest=lead_selectors.IN_QUEUE)
    context = {
        "section": "queues",
        "queue": found,
        "progress": selectors.progress_of(found),
        "people": people,
        "newest": lead_selectors.IN_QUEUE if sum(row.made for row in people) == lead_selectors.IN_QUEUE else None,
        "assigned": found.reviewers.order_by("username"),
    }
    return render(request, "review/queue.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_queue(request: HttpRequest) -> HttpResponse:
    """A form for a new queue."""
    project = project_of_lead(request)
    form = QueueForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST" and form.is_valid():
        try:
            made = queue_services.create_queue(
                project=project, actor=_user(request), now=timezone.now(), **form.fields_of_queue()
            )
        except BadInput as error:
            _add_error(form, error)
        else:
            messages.success(request, _("The queue is there. Put answers into it from the answers page."))
            return redirect("review:queue", made.pk)
    context = {**_of_project(request, project, "queues"), "form": form}
    return render(request, "review/queue_form.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_queue(request: HttpRequest, queue_id: int) -> HttpResponse:
    """The settings of a queue."""
    found = get_queue_of_lead_or_404(request, queue_id)
    form = QueueForm(request.POST if request.method == "POST" else None, project=found.project, queue=found)
    if request.method == "POST" and form.is_valid():
        try:
            changed = queue_services.change_queue(
                queue=found, actor=_user(request), now=timezone.now(), **form.fields_of_queue()
            )
        except BadInput as error:
            _add_error(form, error)
        else:
            messages.success(request, _("Saved.") if changed else _("Nothing was changed."))
            return redirect("review:queue", found.pk)
    context = {"section": "queues", "queue": found, "project": found.project, "form": form}
    return render(request, "review/queue_form.html", context, status=422 if form.errors else 200)


def _add_error(form: QueueForm, error: BadInput) -> None:
    if isinstance(error, queue_services.NameTaken):
        form.add_error("name", _("There is a queue of this name already."))
    else:
        form.add_error(None, str(error))


@require_POST
@login_required
def pause(request: HttpRequest, queue_id: int) -> HttpResponse:
    """Stop dealing a queue's answers out, or go on."""
    found = get_queue_of_lead_or_404(request, queue_id)
    paused = request.POST.get("paused") == "1"
    queue_services.pause_queue(queue=found, paused=paused, actor=_user(request), now=timezone.now())
    said = _("Paused: nothing new is dealt out; who holds an answer may finish it.") if paused else _("It goes on.")
    messages.success(request, said)
    return redirect("review:queue", found.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def guidelines(request: HttpRequest, queue_id: int) -> HttpResponse:
    """The guidelines of a queue, with a look at how they will read, and their earlier versions."""
    found = get_queue_of_lead_or_404(request, queue_id)
    kept = {"text": found.guidelines, "version": found.guideline_version}
    form = GuidelinesForm(request.POST if request.method == "POST" else None, initial=kept)
    shown, preview = found.guidelines, False
    if request.method == "POST" and form.is_valid():
        shown, preview = form.cleaned_data["text"], "preview" in request.POST
        if not preview:
            try:
                made = queue_services.set_guidelines(
                    queue=found, actor=_user(request), now=timezone.now(), **form.cleaned_data
                )
            except queue_services.StaleGuidelines:
                return _stale(request, found, shown)
            said = _("Version %(n)s is in force from the next answer on.") % {"n": found.guideline_version}
            messages.success(request, said if made else _("Nothing was changed."))
            return redirect("review:guidelines", found.pk)
    context = {
        "section": "queues",
        "queue": found,
        "form": form,
        "shown": shown,
        "preview": preview,
        "versions": found.guideline_versions.select_related("author"),
    }
    return render(request, "review/guidelines.html", context, status=422 if form.errors else 200)


def _stale(request: HttpRequest, found: Queue, text: str) -> HttpResponse:
    """409: a colleague wrote another version meanwhile. What was typed stands in the box, theirs beside it."""
    found.refresh_from_db()
    context = {
        "section": "queues",
        "queue": found,
        "form": GuidelinesForm(initial={"text": text, "version": found.guideline_version}),
        "shown": found.guidelines,
        "stale": True,
        "versions": found.guideline_versions.select_related("author"),
    }
    return render(request, "review/guidelines.html", context, status=409)


# Where reviewers differ -----------------------------------------------------------------------------------------


@require_safe
@login_required
def disagreements(request: HttpRequest) -> HttpResponse:
    """Answers on which reviewers differ, to be settled by a lead."""
    project = project_of_lead(request)
    page = _page_of(request, lead_selectors.disagreements(project))
    context = {
        **_of_project(request, project, "disagreements"),
        "page": page,
        "compared": lead_selectors.compared_items(project).count(),
        "marks_differ": lead_selectors.with_differing_marks(page.object_list),
    }
    return render(request, "review/disagreements.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def resolve(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """The decisions on one answer beside each other, and the form that settles it."""
    item = get_item_of_lead_or_404(request, item_id)
    sides = lead_selectors.sides_of(item)
    marks = list(item.inspection.marks.all())
    form = GoldForm(
        request.POST if request.method == "POST" else None,
        decisions=[str(side.decision.pk) for side in sides],
        marks=[mark.index for mark in marks],
        initial=_settled_so_far(item, sides),
    )
    if request.method == "POST" and form.is_valid():
        try:
            _settle(request, item, form, sides)
        except Unusable as unusable:
            form.add_error(None, str(unusable))
        else:
            messages.success(request, _("Settled. Calibration and exports take this label from now on."))
            return redirect("review:disagreements")
    context = {
        "section": "queues",
        "item": item,
        "answer": rendering_of.answer_of(item),
        "sources": rendering_of.sources_of(item),
        "corpus": corpus_of(item.inspection.report),
        "sides": sides,
        "rows": [
            (
                mark,
                [(side.decision.reviewer, side.verdicts.get(mark.index, "")) for side in sides],
                form[f"mark_{mark.index}"],
            )
            for mark in marks
        ],
        "form": form,
        "own": GoldForm.SETTLED,
        "gold": getattr(item, "gold", None),
    }
    return render(request, "review/resolve.html", context, status=422 if form.errors else 200)


def _settled_so_far(item: Item, sides: list[lead_selectors.Side]) -> dict[str, Any]:
    """What the form starts with: an earlier gold, else what all reviewers agree on."""
    gold = getattr(item, "gold", None)
    if gold is not None:
        return {
            "settle": f"d:{gold.decision_id}" if gold.decision_id else gold.kind,
            "text": gold.final_text,
            "reason": gold.reason,
            **{f"mark_{index}": verdict for index, verdict in gold.verdicts.items()},
        }
    agreed: dict[str, Any] = {}
    for index in {index for side in sides for index in side.verdicts}:
        said = {side.verdicts.get(index) for side in sides}
        if len(said) == 1:
            agreed[f"mark_{index}"] = said.pop()
    return agreed


def _settle(request: HttpRequest, item: Item, form: GoldForm, sides: list[lead_selectors.Side]) -> None:
    chosen = form.cleaned_data["settle"]
    taken = next((side.decision for side in sides if chosen == f"d:{side.decision.pk}"), None)
    own_text = form.cleaned_data["text"] if chosen == "accept_edited" else item.answer.text if chosen == "keep" else ""
    gold_services.set_gold(
        item=item,
        kind=taken.kind if taken else chosen,
        actor=_user(request),
        now=timezone.now(),
        reason=form.cleaned_data["reason"],
        final_text=taken.final_text if taken else own_text,
        wording_only=taken.wording_only if taken else False,
        verdicts=form.verdicts(),
        added_marks=taken.added_marks if taken else [],
        decision=taken,
    )


@require_safe
@login_required
def gold(request: HttpRequest) -> HttpResponse:
    """Answers whose label a lead has settled."""
    project = project_of_lead(request)
    context = {**_of_project(request, project, "gold"), "page": _page_of(request, lead_selectors.golds(project))}
    return render(request, "review/gold.html", context)


@require_POST
@login_required
def clear_gold(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Let the decisions on an answer speak for themselves again."""
    item = get_item_of_lead_or_404(request, item_id)
    if gold_services.clear_gold(item=item, actor=_user(request), now=timezone.now()):
        messages.success(request, _("Taken back: its decisions speak for themselves again."))
    return redirect("review:gold")


# What was put aside ---------------------------------------------------------------------------------------------


@require_safe
@login_required
def aside(request: HttpRequest) -> HttpResponse:
    """Answers that were flagged or skipped, with the reasons."""
    project = project_of_lead(request)
    context = {
        **_of_project(request, project, "aside"),
        "flagged": lead_selectors.flagged(project),
        "skipped": lead_selectors.skipped(project),
    }
    return render(request, "review/aside.html", context)
