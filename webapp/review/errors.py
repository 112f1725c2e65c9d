"""What people see when something goes wrong: a plain page that says what to do next, inside htmx the same as a part."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

#: Parts of names of fields that are never shown again.
SECRET = ("password", "csrf", "token", "secret", "key")


def _page(request: HttpRequest, status: int, **more: Any) -> HttpResponse:
    response = render(request, "error.html", {"status": status, **more}, status=status)
    response["HX-Retarget"] = "#main"
    response["HX-Reswap"] = "outerHTML"
    return response


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 403)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is none of this browser's: shows what was written in it, and the way back to its page."""
    came_from = urlsplit(request.headers.get("Referer", ""))
    back = came_from.path if came_from.netloc == request.get_host() else ""
    if back and came_from.query:
        back += f"?{came_from.query}"
    return _page(request, 403, stale=True, written=_written(request), back=back)


def _written(request: HttpRequest) -> list[str]:
    """What somebody wrote into the fields of a form, as far as it is words: values with a space in them."""
    named = ((name.casefold(), values) for name, values in request.POST.lists())
    plain = (values for name, values in named if not any(part in name for part in SECRET))
    return [value for values in plain for value in values if " " in value.strip()]


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Without the database: what failed may be just that."""
    return HttpResponse(_static_page(), status=500)


def _static_page() -> str:
    from django.template.loader import render_to_string

    return render_to_string("500.html")
