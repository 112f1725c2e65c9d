"""Pages of a project's judges: what is switched on, rounds of asking, and the audit of labels. For leads."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from proofing.errors import BadInput, Refused
from webapp.accounts.access import LEADS, fetch_or_404, may_administer, project_of_request, require_role
from webapp.judges import audit, selectors, services
from webapp.judges.forms import BeginForm, SettingsForm, SettleForm
from webapp.judges.models import Doubt, JudgeRun
from webapp.judges.operators import may_ask, offered
from webapp.records.models import Project
from webapp.review.problems import Unusable

#: Doubted labels on a page.
PAGE = 20


def _project(request: HttpRequest) -> Project:
    """Where texts go, and whose labels are doubted, is the leads' business."""
    project = project_of_request(request)
    require_role(project, request.user, LEADS)
    return project


def _at(name: str, project: Project) -> str:
    return f"{reverse(f'judges:{name}')}?project={project.slug}"


def _frame(request: HttpRequest, project: Project) -> dict[str, object]:
    administers = may_administer(project, request.user)
    return {"section": "projects", "project": project, "tab": "judges", "administers": administers}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """Which judges serve the project and how their votes are read; what they did this month; rounds."""
    project = _project(request)
    found = selectors.settings_of(project)
    trouble = ""
    try:
        rows = offered(found)
    except BadInput as error:  # the operator's file broke after the start
        rows, trouble = [], str(error)
    form = SettingsForm(request.POST if request.method == "POST" else None, found=found, offered=rows)
    if request.method == "POST" and form.is_valid():
        try:
            services.configure(project=project, actor=request.user, now=timezone.now(), **form.cleaned_data)
        except services.NotAgreed:
            form.add_error("agreed", _("Say that you agree to where the texts are sent."))
        except BadInput:
            form.add_error("names", _("Tick at least one judge, or leave judges off."))
        else:
            messages.success(request, _("Saved."))
            return redirect(_at("settings", project))
    context = {
        **_frame(request, project),
        "form": form,
        "found": found,
        "offered": rows,
        "trouble": trouble,
        "ticked": form["names"].value() or [],
        "asks": found.enabled and any(row.agreed for row in rows),
        "few": found.enabled and sum(row.agreed for row in rows) < found.least_votes,
        "usage": selectors.usage_of(project),
        "runs": selectors.runs_of(project)[:10],
    }
    return render(request, "judges/settings.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def begin(request: HttpRequest) -> HttpResponse:
    """Begin a round in the background; where one is under way, show that one."""
    project = _project(request)
    form = BeginForm(request.POST)
    if not form.is_valid():
        return redirect(_at("settings", project))
    kind = form.cleaned_data["kind"]
    with_judges = form.cleaned_data["with_judges"] or kind != JudgeRun.Kind.AUDIT
    try:
        run = services.request_run(
            project=project, kind=kind, now=timezone.now(), actor=request.user, with_judges=with_judges
        )
    except BadInput:
        messages.error(request, _("Judges are off in this project, so none was asked."))
        return redirect(_at("settings", project))
    return redirect("judges:round", run.pk)


@require_POST
@login_required
def fit(request: HttpRequest) -> HttpResponse:
    """Fit the threshold, and engine and votes together, on the project's labels."""
    project = _project(request)
    try:
        found = services.fit_on_labels(project=project, actor=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, _("Not fitted: %(why)s") % {"why": refusal})
    else:
        share = found.calibration["threshold"] if found.calibration else 0
        messages.success(request, _("Fitted: an answer counts as unsupported from a share of %(t)s on.") % {"t": share})
    return redirect(_at("settings", project))


# Rounds -------------------------------------------------------------------------------------------------------


@require_safe
@login_required
def round_page(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """One round; while it is under way, the page asks for its progress partial."""
    run = fetch_or_404(JudgeRun.objects.select_related("created_by"), request, roles=LEADS, pk=round_id)
    partial = "#progress" if request.headers.get("HX-Request") and not request.headers.get("HX-Boosted") else ""
    context = {**_frame(request, run.project), "run": run, "working": run.state in JudgeRun.UNFINISHED}
    return render(request, f"judges/round.html{partial}", context)


@require_POST
@login_required
def cancel(request: HttpRequest, round_id: UUID) -> HttpResponse:
    run = fetch_or_404(JudgeRun.objects.all(), request, roles=LEADS, pk=round_id)
    if services.cancel_run(run=run, actor=request.user, now=timezone.now()):
        messages.success(request, _("Called off. What was said until now is kept."))
    return redirect("judges:round", run.pk)


# Labels -------------------------------------------------------------------------------------------------------


@require_safe
@login_required
def labels(request: HttpRequest) -> HttpResponse:
    """Labels that engine or judges deny, most surprising first."""
    project = _project(request)
    state = request.GET.get("state", "")
    state = state if state in (Doubt.State.KEPT, Doubt.State.CHANGED) else Doubt.State.OPEN
    page = Paginator(selectors.doubts_of(project, state), PAGE).get_page(request.GET.get("page"))
    last = selectors.runs_of(project).filter(kind=JudgeRun.Kind.AUDIT).first()
    context = {
        **_frame(request, project),
        "page": page,
        "state": state,
        "last": last,
        "working": last is not None and last.state in JudgeRun.UNFINISHED,
        "asks": _may_ask(project),
    }
    return render(request, "judges/labels.html", context)


def _may_ask(project: Project) -> bool:
    try:
        return bool(may_ask(selectors.settings_of(project)))
    except BadInput:
        return False


@require_POST
@login_required
def settle(request: HttpRequest, doubt_id: int) -> HttpResponse:
    """Keep a doubted label, change it (which makes gold), or take that back."""
    doubt = fetch_or_404(Doubt.objects.select_related("item"), request, roles=LEADS, pk=doubt_id)
    form = SettleForm(request.POST)
    back = _at("audit", doubt.project)
    if not form.is_valid():
        messages.error(request, _("Nothing was changed: the note is too long."))
        return redirect(back)
    action, now = form.cleaned_data["action"], timezone.now()
    try:
        if action == "reopen":
            moved = audit.reopen(doubt=doubt, actor=request.user, now=now)
        else:
            note = form.cleaned_data["note"]
            moved = audit.settle(doubt=doubt, change=action == "change", actor=request.user, now=now, note=note)
    except Unusable:
        messages.error(request, _("Nothing was changed: the note cannot be stored."))
        return redirect(back)
    said = {
        "keep": _("The label stays. You find it under “kept”."),
        "change": _("The label was changed and is gold now. You find it under “changed”."),
        "reopen": _("Taken back; the label is open again."),
    }
    messages.info(request, said[action] if moved else _("Somebody else has settled this label already."))
    return redirect(back)
