from django.http import HttpRequest, HttpResponse
from django.urls import path, re_path

from webapp.intake.api import api
from webapp.intake.problems import Problem


def unknown(request: HttpRequest) -> HttpResponse:
    """A program that mistyped an address reads JSON, not a page."""
    return Problem(404, "not-found", "No such address; /api/v1/openapi.json lists what there is.").response()


urlpatterns = [path("", api.urls), re_path(r"^.*$", unknown)]
