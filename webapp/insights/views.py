"""Read-only pages about a project as a whole."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from webapp.accounts.access import is_lead, project_of_lead, project_of_request, projects_led_by, projects_of
from webapp.calibration.inputs import input_notice
from webapp.calibration.selectors import active_point
from webapp.insights import charts, selectors
from webapp.insights.drift import RATE_WINDOW, WINDOW, drift_page, drift_rate
from webapp.insights.reviewers import PERIODS, progress_of
from webapp.insights.workers import operation_of
from webapp.review.lead_selectors import agreement_of


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Counts of routes, risks and decisions, routes day by day, and how much drifts."""
    project = project_of_request(request)
    drifted, compared = drift_rate(project)
    days = selectors.routes_by_day(project)
    context = {
        "section": "insights",
        "project": project,
        "projects": projects_of(request.user),
        "routes": selectors.routes(project),
        "risks": selectors.risks(project),
        "decisions": selectors.decisions(project),
        "healed_rate": selectors.healed_accept_rate(project),
        "days": days,
        "bars": charts.route_bars(days),
        "drifted": drifted,
        "compared": compared,
        "drift_share": drifted / compared if compared else None,
        "point": active_point(project=project, level="answer"),
        "inputs": input_notice(project) if is_lead(project, request.user) else None,
    }
    return render(request, "insights/home.html", context)


@require_safe
@login_required
def drift(request: HttpRequest) -> HttpResponse:
    """Answers that say something else than earlier ones to their question: since when, and what they share."""
    project = project_of_request(request)
    chosen = {name: request.GET.get(name, "")[:500].replace("\0", "") for name in ("question", "source")}
    page = drift_page(project, **chosen)
    context = {
        "section": "insights",
        "project": project,
        "projects": projects_of(request.user),
        "page": page,
        "line": charts.rate_line(page.steps),
        "chosen": chosen,
        "window": WINDOW,
        "rate_window": RATE_WINDOW,
    }
    return render(request, "insights/drift.html", context)


@require_safe
@login_required
def reviewers(request: HttpRequest) -> HttpResponse:
    """Who decided how much, by person and by day."""
    project = project_of_lead(request)
    asked = request.GET.get("days", "")
    days = int(asked) if asked in {str(period) for period in PERIODS} else PERIODS[1]
    progress = progress_of(project, days=days, now=timezone.now())
    context = {
        "section": "insights",
        "tab": "reviewers",
        "project": project,
        "projects": projects_led_by(request.user),
        "progress": progress,
        "bars": charts.day_bars(progress.days),
        "days": days,
        "periods": PERIODS,
    }
    return render(request, "insights/reviewers.html", context)


@require_safe
@login_required
def agreement(request: HttpRequest) -> HttpResponse:
    """How far reviewers agree beyond chance, for each two of them and over all."""
    project = project_of_lead(request)
    context = {
        "section": "insights",
        "tab": "agreement",
        "project": project,
        "projects": projects_led_by(request.user),
        "agreement": agreement_of(project),
    }
    return render(request, "insights/agreement.html", context)


@require_safe
@login_required
def workers(request: HttpRequest) -> HttpResponse:
    """Who proofreads, what waits, what was set aside; the page asks for its state again every few seconds."""
    project = project_of_lead(request)
    context = {
        "section": "insights",
        "tab": "workers",
        "project": project,
        "projects": projects_led_by(request.user),
        "operation": operation_of(project),
        "now": timezone.now(),
        "embedded": not settings.PRODUCTION,
    }
    partial = "#state" if request.headers.get("HX-Request") and not request.headers.get("HX-Boosted") else ""
    return render(request, f"insights/workers.html{partial}", context)
