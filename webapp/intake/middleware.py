"""Refuses addresses that no database can look up, once for all pages and calls."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse

from webapp.intake.problems import Problem

NUL = "\0"


class NoNulMiddleware:
    """An address with a NUL character is a bad request: PostgreSQL takes no such text. Bodies are checked by their
    forms and schemas."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        named = [text for name, values in request.GET.lists() for text in (name, *values)]
        if not any(NUL in text for text in (request.path, *named)):
            return self.get_response(request)
        if request.path.startswith("/api/"):
            return Problem(400, "unreadable", "The address holds a NUL character.").response()
        raise SuspiciousOperation("the address holds a NUL character")
