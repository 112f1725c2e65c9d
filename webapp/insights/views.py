"""Read-only pages about a project as a whole."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from webapp.accounts.access import project_of_request, projects_of
from webapp.calibration.selectors import active_point
from webapp.insights import selectors


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Counts of routes, risks and decisions, and where answers drift."""
    project = project_of_request(request)
    context = {
        "section": "insights",
        "project": project,
        "projects": projects_of(request.user),
        "routes": selectors.routes(project),
        "risks": selectors.risks(project),
        "decisions": selectors.decisions(project),
        "healed_rate": selectors.healed_accept_rate(project),
        "drifting": selectors.drifting(project),
        "drift_sources": selectors.drift_by_source(project),
        "point": active_point(project=project, level="answer"),
    }
    return render(request, "insights/home.html", context)
