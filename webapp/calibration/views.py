"""Pages of labelled sets, calibration and exports."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from proofing.errors import BadInput
from proofing.learning.calibrate import LEAST_LABELLED, LEAST_OF_EACH_CLASS
from webapp.accounts.access import LEADS, fetch_or_404, project_of_lead, projects_led_by
from webapp.calibration import contents, curves, downloads, drawing, inputs, selectors, services
from webapp.calibration.forms import ChooseForm, ExportForm, RunForm, SetForm, chosen_by
from webapp.calibration.models import CalibrationRun, Export, LabelledSet, OperatingPoint
from webapp.calibration.run_forms import RangeForm


def get_export_or_404(request: HttpRequest, export_id: UUID) -> Export:
    return fetch_or_404(Export.objects.select_related("created_by", "labelled_set"), request, roles=LEADS, pk=export_id)


def get_set_or_404(request: HttpRequest, set_id: int) -> LabelledSet:
    return fetch_or_404(LabelledSet.objects.all(), request, roles=LEADS, pk=set_id)


# Exports -------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def exports(request: HttpRequest) -> HttpResponse:
    """The project's exports, and the form for a new one."""
    project = project_of_lead(request)
    form = ExportForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST" and form.is_valid():
        try:
            export = services.request_export(
                project=project,
                format=form.cleaned_data["format"],
                filters=form.filters(),
                labelled_set=form.cleaned_data["labelled_set"],
                user=request.user,
                now=timezone.now(),
            )
        except services.CannotExport as error:
            form.add_error(None, str(error))
        else:
            return redirect("calibration:export", export.pk)
    context = {
        "section": "exports",
        "project": project,
        "projects": projects_led_by(request.user),
        "form": form,
        "exports": selectors.exports_of(project)[:100],
    }
    return render(request, "calibration/exports.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def export(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """One export; while it is being written, the page asks for its progress partial."""
    found = get_export_or_404(request, export_id)
    working = found.state in (Export.State.REQUESTED, Export.State.RUNNING)
    partial = "#progress" if request.headers.get("HX-Request") and not request.headers.get("HX-Boosted") else ""
    context = {"section": "exports", "export": found, "working": working}
    return render(request, f"calibration/export.html{partial}", context)


@require_safe
@login_required
def download(request: HttpRequest, export_id: UUID) -> HttpResponseBase:
    """The export's file, streamed."""
    response = downloads.file_of(get_export_or_404(request, export_id), now=timezone.now())
    if response is None:
        raise Http404("no file")
    return response


@require_safe
@login_required
def manifest(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """The export's manifest."""
    response = downloads.manifest_of(get_export_or_404(request, export_id))
    if response is None:
        raise Http404("no manifest")
    return response


# Labelled sets -------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def sets(request: HttpRequest) -> HttpResponse:
    """The project's labelled sets, and the operating points chosen from them."""
    project = project_of_lead(request)
    form = SetForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.request_set(
                project=project,
                name=form.cleaned_data["name"],
                filters=form.filters(),
                user=request.user,
                now=timezone.now(),
            )
        except services.NothingChosen:
            form.add_error(
                None, _("Nothing is chosen by this: no decision that stands. Leave out a filter or widen it.")
            )
        except BadInput as error:
            form.add_error("name" if isinstance(error, services.NameTaken) else None, str(error))
        else:
            return redirect("calibration:set", made.pk)
    points = list(selectors.points_of(project))
    stale = curves.stale_points(project, points)
    context = {
        "section": "calibration",
        "project": project,
        "projects": projects_led_by(request.user),
        "form": form,
        "sets": selectors.sets_of(project),
        "points": points,
        "count": selectors.label_counts(project),
        "stale": stale,
        "any_stale": any(stale.values()),
        "inputs": inputs.input_notice(project),
        "least": LEAST_LABELLED,
        "least_each": LEAST_OF_EACH_CLASS,
    }
    return render(request, "calibration/sets.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def labelled_set(request: HttpRequest, set_id: int) -> HttpResponse:
    """One frozen set with its calibration runs; a POST asks for a new run."""
    found = get_set_or_404(request, set_id)
    if found.state != LabelledSet.State.FROZEN or request.headers.get("HX-Target") == "state":
        return _unfrozen(request, found)
    form = RunForm(request.POST if request.method == "POST" else None, labelled_set=found)
    if request.method == "POST" and form.is_valid():
        try:
            asked = services.request_calibration(
                labelled_set=found, user=request.user, now=timezone.now(), **form.cleaned_data
            )
        except BadInput as error:
            form.add_error(None, str(error))
        else:
            return redirect("calibration:run", asked.pk)
    runs = list(selectors.runs_of(found))
    unsupported, supported = contents.judged_marks(found)
    context = {
        "section": "calibration",
        "set": found,
        "chosen_by": chosen_by(found.filters),
        "negatives": found.rows - found.positives,
        "form": form,
        "choose": ChooseForm(),
        "missing": selectors.missing_answers(found),
        "missing_marks": selectors.LabelCounts(unsupported + supported, unsupported, supported).missing,
        "missing_to_fit": selectors.missing_to_fit(found),
        "runs": [(run, selectors.preview(run)) for run in runs],
        "others": selectors.frozen_sets(found.project).exclude(pk=found.pk)[:50],
        "working": any(run.state in (CalibrationRun.State.REQUESTED, CalibrationRun.State.RUNNING) for run in runs),
    }
    partial = "#runs" if request.headers.get("HX-Request") and not request.headers.get("HX-Boosted") else ""
    if not partial:
        context["contents"] = contents.contents_of(found)
    return render(request, f"calibration/set.html{partial}", context, status=422 if form.errors else 200)


def _unfrozen(request: HttpRequest, found: LabelledSet) -> HttpResponse:
    """A set whose rows are still being written, or that failed; the page asks again until it is there."""
    partial = "#state" if request.headers.get("HX-Request") and not request.headers.get("HX-Boosted") else ""
    context = {"section": "calibration", "set": found, "working": found.state in LabelledSet.UNFINISHED}
    return render(request, f"calibration/freezing.html{partial}", context)


@require_safe
@login_required
def compare_sets(request: HttpRequest, set_id: int) -> HttpResponse:
    """How a set differs from another one (``?with=``), or from the one frozen before it."""
    newer = get_set_or_404(request, set_id)
    if newer.state != LabelledSet.State.FROZEN:
        return redirect("calibration:set", newer.pk)
    others = selectors.frozen_sets(newer.project).exclude(pk=newer.pk)
    chosen = request.GET.get("with", "")
    older = (
        others.filter(pk=int(chosen)).first() if chosen.isascii() and chosen.isdigit() and len(chosen) < 10 else None
    )
    if older is None and not chosen:
        older = others.filter(pk__lt=newer.pk).order_by("-pk").first()
    if older is None and chosen:
        raise Http404("no such set")
    if older is None:
        return redirect("calibration:set", newer.pk)
    found = contents.compare(older, newer)
    titles = {"changed": _("Label changed"), "added": _("Added"), "removed": _("Removed")}
    parts = [(kind, title, found.first[kind], getattr(found, kind)) for kind, title in titles.items()]
    context = {"section": "calibration", "set": newer, "older": older, "found": found, "parts": parts}
    return render(request, "calibration/compare.html", context)


def get_run_or_404(request: HttpRequest, run_id: int) -> CalibrationRun:
    rows = CalibrationRun.objects.select_related("labelled_set__project", "created_by", "model")
    rows = rows.defer("model__content", "model__scores")
    return fetch_or_404(rows, request, roles=LEADS, project="labelled_set__project", pk=run_id)


@require_safe
@login_required
def run(request: HttpRequest, run_id: int) -> HttpResponse:
    """One calibration run: what its point costs and finds, the curves behind it, and the form to put it in force."""
    found = get_run_or_404(request, run_id)
    working = found.state in (CalibrationRun.State.REQUESTED, CalibrationRun.State.RUNNING)
    partial = request.headers.get("HX-Request") and not request.headers.get("HX-Boosted")
    context: dict[str, Any] = {"section": "calibration", "run": found, "working": working, "reload": partial}
    if partial:
        return render(request, "calibration/run.html#state", context)
    project = found.labelled_set.project
    context |= {"project": project, "choose": ChooseForm()}
    if found.result is not None:
        shown = curves.curves_of(found)
        threshold = float(found.result["threshold"])
        context |= {
            "result": found.result,
            "curves": shown,
            "cost_rows": shown.costs(),
            "plots": {
                "roc": drawing.receiver(shown, threshold),
                "pr": drawing.precision_recall(shown, threshold),
                "reliability": drawing.reliability(shown.bins),
                "histogram": drawing.scores_by_label(shown.bins, threshold),
                "costs": drawing.costs(shown, threshold),
            },
            "preview": selectors.preview(found),
            "changed": curves.changed_since(
                found.result,
                curves.engine_now(project),
                curves.bases_of(project) if found.level == "mark" else None,
            ),
            "active": found.points.filter(active=True).exists(),
        }
    return render(request, "calibration/run.html", context)


@require_safe
@login_required
def run_items(request: HttpRequest, run_id: int) -> HttpResponse:
    """The labelled answers behind one point or bar of a run."""
    found = get_run_or_404(request, run_id)
    form = RangeForm(request.GET)
    low, high = form.bounds()
    page = Paginator(curves.rows_between(found, low=low, high=high), 50).get_page(request.GET.get("page"))
    context = {"section": "calibration", "run": found, "low": low, "high": high, "page": page, "range": form.address()}
    return render(request, "calibration/run_items.html", context)


@require_POST
@login_required
def choose(request: HttpRequest, run_id: int) -> HttpResponse:
    """Put a run's point in force."""
    found = get_run_or_404(request, run_id)
    form = ChooseForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say why this point is chosen."))
        return redirect("calibration:run", found.pk)
    if found.result is None:
        messages.error(request, _("This run has no point to put in force."))
        return redirect("calibration:run", found.pk)
    services.choose_point(run=found, reason=form.cleaned_data["reason"], user=request.user, now=timezone.now())
    messages.success(request, _("The point is in force for answers proofread from now on."))
    return redirect("calibration:sets")


@require_POST
@login_required
def activate(request: HttpRequest, point_id: int) -> HttpResponse:
    """Put an older point in force again."""
    point = fetch_or_404(OperatingPoint.objects.all(), request, roles=LEADS, pk=point_id)
    services.activate_point(point=point, user=request.user, now=timezone.now())
    return redirect("calibration:sets")
