from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path, re_path

from webapp.intake.api import api
from webapp.intake.problems import Problem


def unknown(request: HttpRequest) -> HttpResponse:
    """A program that mistyped an address reads JSON, not a page."""
    return Problem(404, "not-found", "No such address; /api/v1/openapi.json lists what there is.").response()


def _refusing_in_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The same view, but a method it does not know is a problem and not a page."""

    @wraps(view)
    def refusing(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        known = response["Allow"]
        said = f"{request.method} is not known at this address; use {known}."
        return Problem(405, "method-not-allowed", said, headers={"Allow": known}).response()

    return refusing


_addresses = api.urls  # made anew each time it is asked for
for _pattern in _addresses[0]:
    if isinstance(_pattern, URLPattern):
        _pattern.callback = _refusing_in_json(_pattern.callback)

urlpatterns = [path("", _addresses), re_path(r"^.*$", unknown)]
