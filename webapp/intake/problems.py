"""Errors of the API in one shape: problem details as in RFC 9457."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse


class Problem(Exception):
    """An error that the caller can act on.

    Args:
        status: the HTTP status.
        kind: a short stable name; programs may compare it (it ends the problem's `type`).
        detail: one sentence for people: what, where, how to mend.
        errors: field and reason of each fault, for input that cannot be used.
        headers: what goes with the response, such as Retry-After.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.errors = list(errors)
        self.headers = dict(headers or {})
        self.more = more

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "type": f"urn:proofmark:problem:{self.kind}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        if self.errors:
            out["errors"] = [dict(error) for error in self.errors]
        return out | self.more

    def response(self) -> HttpResponse:
        body = json.dumps(self.to_dict(), ensure_ascii=False)
        response = HttpResponse(body, status=self.status, content_type="application/problem+json")
        for name, value in self.headers.items():
            response[name] = value
        return response
