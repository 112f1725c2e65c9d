"""Pages of a project's support models: what reads, refits on labelled sets, and what they came to. For leads."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from proofing.errors import BadInput
from proofing.learning.calibrate import LEAST_LABELLED, LEAST_OF_EACH_CLASS
from proofing.learning.refitting import AT_MOST, LEAST_HELD_OUT
from webapp.accounts.access import LEADS, fetch_or_404, project_of_lead, projects_led_by
from webapp.calibration import reading_models, refits
from webapp.calibration.forms import ReasonForm, RefitForm
from webapp.calibration.models import FittedModel, Refit
from webapp.calibration.refit_pages import figure_lines, held_out_of
from webapp.records.models import Project

#: Rows of the tables of refits and of choices.
SHOWN = 50


def get_refit_or_404(request: HttpRequest, refit_id: int) -> Refit:
    return fetch_or_404(Refit.objects.select_related("labelled_set", "created_by"), request, roles=LEADS, pk=refit_id)


def get_model_or_404(request: HttpRequest, model_id: int) -> FittedModel:
    rows = FittedModel.objects.select_related("refit").defer("content", "scores")
    return fetch_or_404(rows, request, roles=LEADS, pk=model_id)


def _at(project: Project) -> str:
    return f"{reverse('calibration:models')}?project={project.slug}"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def models(request: HttpRequest) -> HttpResponse:
    """Which model reads, those that were fitted, and who chose what; a POST asks for a refit."""
    project = project_of_lead(request)
    form = RefitForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST" and form.is_valid():
        try:
            asked = refits.request_refit(
                labelled_set=form.cleaned_data["labelled_set"], user=request.user, now=timezone.now()
            )
        except BadInput as error:
            form.add_error(None, str(error))
        else:
            return redirect("calibration:refit", asked.pk)
    chosen = reading_models.chosen_model(project)
    context = {
        "section": "calibration",
        "tab": "models",
        "project": project,
        "projects": projects_led_by(request.user),
        "form": form,
        "reason": ReasonForm(),
        "chosen": chosen,
        "readable": chosen is None or reading_models.is_readable(chosen),
        "shipped": reading_models.shipped_name(),
        "fitted": [(model, _auroc(model)) for model in reading_models.models_of(project)],
        "choices": reading_models.choices_of(project)[:SHOWN],
        "refits": Refit.objects.filter(project=project, model__isnull=True)
        .select_related("labelled_set", "created_by")
        .order_by("-pk")[:SHOWN],
        "least": LEAST_LABELLED,
        "least_each": LEAST_OF_EACH_CLASS,
        "least_held": LEAST_HELD_OUT,
        "most": sum(AT_MOST[project.tier]),
    }
    return render(request, "calibration/models.html", context, status=422 if form.errors else 200)


def _auroc(model: FittedModel) -> object:
    return (model.refit.result or {}).get("figures", {}).get("auroc")


@require_safe
@login_required
def refit(request: HttpRequest, refit_id: int) -> HttpResponse:
    """One refit: how far it is, or why it was refused, or both models beside each other."""
    found = get_refit_or_404(request, refit_id)
    partial = request.headers.get("HX-Request") and not request.headers.get("HX-Boosted")
    context: dict[str, object] = {
        "section": "calibration",
        "tab": "models",
        "project": found.project,
        "refit": found,
        "working": found.state in Refit.UNFINISHED,
        "reload": partial,
    }
    if partial:
        return render(request, "calibration/refit.html#state", context)
    model = FittedModel.objects.filter(refit=found).defer("content", "scores").first()
    if found.result is not None and model is not None:
        held_out = held_out_of(found)
        chosen = reading_models.chosen_model(found.project)
        context |= {
            "model": model,
            "result": found.result,
            "lines": figure_lines(found.result),
            "held_out": held_out,
            "plots": held_out.plots(),
            "active": chosen is not None and chosen.pk == model.pk,
            "readable": reading_models.is_readable(model),
            "reason": ReasonForm(),
        }
    return render(request, "calibration/refit.html", context)


@require_POST
@login_required
def cancel(request: HttpRequest, refit_id: int) -> HttpResponse:
    """Call a refit off."""
    found = get_refit_or_404(request, refit_id)
    if refits.cancel_refit(refit=found, user=request.user, now=timezone.now()):
        messages.success(request, _("Called off. Nothing was stored."))
    return redirect("calibration:refit", found.pk)


@require_POST
@login_required
def use(request: HttpRequest, model_id: int) -> HttpResponse:
    """Put a fitted model in force."""
    model = get_model_or_404(request, model_id)
    return _put(request, model.project, model)


@require_POST
@login_required
def use_shipped(request: HttpRequest) -> HttpResponse:
    """Go back to the model that ships."""
    return _put(request, project_of_lead(request), None)


def _put(request: HttpRequest, project: Project, model: FittedModel | None) -> HttpResponse:
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say why this model is put in force."))
        return redirect("calibration:refit", model.refit_id) if model else redirect(_at(project))
    try:
        reading_models.put_in_force(
            project=project, model=model, reason=form.cleaned_data["reason"], user=request.user, now=timezone.now()
        )
    except BadInput as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request,
            _("This model reads answers from now on. Points that were fitted with another one are stale."),
        )
    return redirect(_at(project))


@require_safe
@login_required
def download(request: HttpRequest, model_id: int) -> HttpResponse:
    """The model's file, as `proofmark read --model` takes it."""
    model = get_model_or_404(request, model_id)
    headers = {"Content-Disposition": f'attachment; filename="{model.name}.json"', "X-Content-SHA256": model.sha256}
    return HttpResponse(bytes(model.content), content_type="application/json", headers=headers)
