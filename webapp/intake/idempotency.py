"""Requests that may be sent twice: with an Idempotency-Key the second one gets the first one's response.

The key belongs to the project. It is remembered with the operation and a hash of the body, so that a key that is
used for something else is an error and not somebody else's answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from webapp.intake.models import ApiRequest
from webapp.intake.problems import Problem
from webapp.records.models import Project

LONGEST_KEY = 200
#: After this long without a response the first request is taken for dead, and the next one does the work.
GIVEN_UP_AFTER = timedelta(seconds=60)


def key_of(request: HttpRequest) -> str | None:
    """The request's Idempotency-Key, if it carries one.

    Raises:
        Problem: it is too long or not printable.
    """
    key = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not key:
        return None
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise Problem(400, "idempotency-key", f"Idempotency-Key: at most {LONGEST_KEY} printable characters.")
    return key


def once(request: HttpRequest, project: Project, fingerprint: bytes, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Run `act`, or give the stored response of the same request that was sent before.

    Args:
        fingerprint: what makes two requests the same (the body; for uploads a hash of the file).

    Raises:
        Problem: 422 when the key was used for another request, 409 while the first one still runs.
    """
    key = key_of(request)
    if key is None:
        return act()
    operation = f"{request.method} {request.path}"[:100]
    # What the address asks for (?supersede=true) is part of the request as well.
    asked = urlencode(sorted((name, value) for name, values in request.GET.lists() for value in values))
    digest = hashlib.sha256(fingerprint + b"?" + asked.encode()).hexdigest()
    now = timezone.now()
    row, mine = ApiRequest.objects.get_or_create(
        project=project, key=key, defaults={"operation": operation, "body_sha256": digest, "created_at": now}
    )
    if not mine:
        if (row.operation, row.body_sha256) != (operation, digest):
            raise Problem(
                422, "idempotency-key-reused", "This Idempotency-Key was used for another request; use a new one."
            )
        if row.status is not None:
            response = _json(row.status, row.response)
            response["Idempotent-Replayed"] = "true"
            return response
        abandoned = ApiRequest.objects.filter(
            pk=row.pk, status__isnull=True, created_at__lt=now - GIVEN_UP_AFTER
        ).update(created_at=now)
        if not abandoned:
            raise Problem(
                409, "request-in-progress", "The same request is still being worked on.", headers={"Retry-After": "1"}
            )
    return _run(row, act)


def _run(row: ApiRequest, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Do the work and keep its response with it; what failed may be sent again under the same key."""
    try:
        with transaction.atomic():
            response = act()
            if response.status_code < 400:
                content = json.loads(response.content) if response.content else None
                ApiRequest.objects.filter(pk=row.pk).update(status=response.status_code, response=content)
    except BaseException:
        ApiRequest.objects.filter(pk=row.pk).delete()
        raise
    if response.status_code >= 400:
        ApiRequest.objects.filter(pk=row.pk).delete()
    return response


def _json(status: int, content: object) -> HttpResponse:
    body = "" if content is None else json.dumps(content, ensure_ascii=False)
    return HttpResponse(body, status=status, content_type="application/json")
