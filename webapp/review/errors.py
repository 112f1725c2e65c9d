"""What people see when something goes wrong: a plain page that says what to do next, inside htmx the same as a part."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def _page(request: HttpRequest, status: int) -> HttpResponse:
    response = render(request, "error.html", {"status": status}, status=status)
    response["HX-Retarget"] = "#main"
    response["HX-Reswap"] = "outerHTML"
    return response


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Without the database: what failed may be just that."""
    return HttpResponse(_static_page(), status=500)


def _static_page() -> str:
    from django.template.loader import render_to_string

    return render_to_string("500.html")
