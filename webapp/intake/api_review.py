"""The queue through the API: claim, decide, undo, by the same services as the desk."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Router

from webapp.accounts.models import User
from webapp.intake.api_access import READ, REVIEW, TokenRequest
from webapp.intake.api_answers import PROBLEMS, respond
from webapp.intake.api_schemas import (
    ClaimedOut,
    DecisionIn,
    DecisionOut,
    NextIn,
    ProblemOut,
    QueueItemOut,
    QueueOut,
)
from webapp.intake.idempotency import key_of, once
from webapp.intake.problems import Problem
from webapp.records.retrieved import sources_of
from webapp.review import selectors, services
from webapp.review.models import Decision, Item, Queue
from webapp.review.problems import CannotUndo, ClaimLapsed, NeedsConfirmation, UnknownMark, Unusable, WasUndone

router = Router()
SHOWN = 100
MARK_INDEX = re.compile(r"[0-9]{1,9}")
ITEM_PROBLEMS: dict[int, Any] = {404: ProblemOut, 412: ProblemOut, **PROBLEMS}


@contextmanager
def _problems_of_the_desk() -> Iterator[None]:
    try:
        yield
    except ClaimLapsed as error:
        raise Problem(409, "claim-lapsed", "Somebody else holds or has decided this item.") from error
    except NeedsConfirmation as error:
        detail = "Words were called unsupported; send confirmed=true to call the answer right all the same."
        raise Problem(409, "needs-confirmation", detail, marks=error.marks) from error
    except CannotUndo as error:
        raise Problem(409, "cannot-undo", f"{error}.") from error
    except UnknownMark as error:
        raise Problem(422, "unknown-mark", f"{error}.") from error
    except Unusable as error:
        fault = {"field": error.field, "reason": error.reason}
        raise Problem(422, "invalid", f"{error}.", errors=[fault]) from error
    except WasUndone as error:
        raise Problem(409, "decision-undone", f"{error}.") from error


def _queue(request: TokenRequest, name: str | None) -> Queue:
    queues = Queue.objects.filter(project=request.auth.project).select_related("project").order_by("pk")
    if name:
        return get_object_or_404(queues, name=name)
    first = queues.first()
    if first is None:
        raise Problem(404, "no-queue", "This project has no queue yet.")
    return first


def _item(request: TokenRequest, item_id: UUID) -> Item:
    """The one way from an id to an item: within the token's project, and as the caller last saw it."""
    item = get_object_or_404(
        Item.objects.select_related("queue__project", "answer__question", "inspection"),
        pk=item_id,
        queue__project=request.auth.project,
    )
    wanted = [tag.strip() for tag in request.headers.get("If-Match", "*").split(",")]
    if "*" not in wanted and _tag(item) not in wanted:
        raise Problem(412, "changed", "The item has changed since you read it; read it again.")
    return item


def _reviewer(request: TokenRequest) -> User:
    if request.auth.acts_as is None:
        raise Problem(403, "no-reviewer", "This token acts for nobody; make a new one.")
    return request.auth.acts_as


def _tag(item: Item) -> str:
    return f'"{item.version}"'


def _item_dict(item: Item) -> dict[str, Any]:
    names = ("id", "answer_id", "state", "priority", "version", "held_until")
    return {name: getattr(item, name) for name in names} | {"external_id": item.answer.external_id or None}


def _claimed(item: Item) -> HttpResponse:
    item.refresh_from_db()
    sources = sources_of(item.inspection)
    content = _item_dict(item) | {
        "question": item.answer.question.text,
        "answer": item.answer.text,
        "sources": [{"id": s.source_key, "text": s.text, "title": s.title, "url": s.url} for s in sources],
        "report": item.inspection.report,
    }
    return respond(content, ETag=_tag(item))


@router.get("/queue", auth=READ, operation_id="get_queue", response={200: QueueOut, 404: ProblemOut, **PROBLEMS})
def get_queue(request: TokenRequest, queue: str | None = None) -> HttpResponse:
    """How much waits, and the first hundred items in the order they will be shown."""
    found = _queue(request, queue)
    progress = selectors.progress_of(found)
    waiting = Item.objects.filter(queue=found, state=Item.State.WAITING).select_related("answer")
    waiting = waiting.order_by("-priority", "created_at", "id")
    counts = {name: getattr(progress, name) for name in ("waiting", "claimed", "decided", "flagged")}
    return respond({"queue": found.name, **counts, "items": [_item_dict(item) for item in waiting[:SHOWN]]})


@router.post(
    "/queue/next", auth=REVIEW, operation_id="claim_next",
    response={200: ClaimedOut, 204: None, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def claim_next(request: TokenRequest, payload: NextIn | None = None) -> HttpResponse:
    """Claims the most urgent item; 204 when nothing waits."""
    queue = _queue(request, payload.queue if payload else None)
    claim = services.claim_next_item(queue=queue, reviewer=_reviewer(request), now=timezone.now())
    return _claimed(_item_of(claim.item_id)) if claim else respond(None, 204)


def _item_of(pk: UUID) -> Item:
    return Item.objects.select_related("queue__project", "answer__question", "inspection").get(pk=pk)


@router.post(
    "/items/{item_id}/claim", auth=REVIEW, operation_id="claim_item", response={200: ClaimedOut, **ITEM_PROBLEMS}
)
def claim(request: TokenRequest, item_id: UUID) -> HttpResponse:
    """Holds this item for the token; 409 when somebody else holds it."""
    item = _item(request, item_id)
    with _problems_of_the_desk():
        services.claim_item(item=item, reviewer=_reviewer(request), now=timezone.now())
    return _claimed(item)


@router.post(
    "/items/{item_id}/renew", auth=REVIEW, operation_id="renew_claim", response={200: QueueItemOut, **ITEM_PROBLEMS}
)
def renew(request: TokenRequest, item_id: UUID) -> HttpResponse:
    """Holds the item for another lease."""
    item = _item(request, item_id)
    with _problems_of_the_desk():
        held = services.open_claim_of(item, _reviewer(request))
        services.renew_claim(claim=held, now=timezone.now())
    item.refresh_from_db()
    return respond(_item_dict(item), ETag=_tag(item))


@router.post(
    "/items/{item_id}/release", auth=REVIEW, operation_id="release_claim", response={200: QueueItemOut, **ITEM_PROBLEMS}
)
def release(request: TokenRequest, item_id: UUID) -> HttpResponse:
    """Lets others have the item."""
    item = _item(request, item_id)
    with _problems_of_the_desk():
        held = services.open_claim_of(item, _reviewer(request))
        services.release_claim(claim=held, now=timezone.now())
    item.refresh_from_db()
    return respond(_item_dict(item), ETag=_tag(item))


@router.post(
    "/items/{item_id}/decision", auth=REVIEW, operation_id="decide", response={200: DecisionOut, **ITEM_PROBLEMS}
)
def decide(request: TokenRequest, item_id: UUID, payload: DecisionIn) -> HttpResponse:
    """Decides an item the token holds. With an Idempotency-Key, sent twice it decides once.

    409 when the key's decision was taken back since: a new decision needs a new key.
    """
    response = once(request, request.auth.project, request.body, lambda: _decide(request, item_id, payload))
    if response.get("Idempotent-Replayed"):
        made = Decision.objects.filter(pk=json.loads(response.content)["id"], undone_at__isnull=True)
        if not made.exists():
            raise Problem(409, "decision-undone", "This decision was taken back; decide again with a new key.")
    return response


def _decide(request: TokenRequest, item_id: UUID, payload: DecisionIn) -> HttpResponse:
    key = key_of(request)
    request_key = f"api:{request.auth.project.pk}:{key}" if key else f"api:{uuid.uuid4()}"
    item, now = _item(request, item_id), timezone.now()
    if payload.kind == "accept_edited" and payload.text is None:
        raise Problem(422, "invalid", "accept_edited needs the text.", errors=[{"field": "text", "reason": "missing"}])
    with _problems_of_the_desk():
        held = services.open_claim_of(item, _reviewer(request))
        for index, verdict in payload.verdicts.items():
            if not MARK_INDEX.fullmatch(index):
                raise UnknownMark(f"no mark {index[:40]!r}")
            services.set_verdict(claim=held, mark_index=int(index), verdict=verdict, now=now)
        choice = services.Choice(
            kind=payload.kind,
            request_key=request_key,
            text=payload.text,
            switched_off=tuple(sorted(set(payload.switched_off))),
            wording_only=payload.wording_only,
            reason=payload.reason,
            nothing_else_unsupported=payload.nothing_else_unsupported,
            confirmed=payload.confirmed,
        )
        decision = services.decide(claim=held, choice=choice, now=now)
    return respond(_decision_dict(decision))


@router.post("/items/{item_id}/undo", auth=REVIEW, operation_id="undo", response={200: DecisionOut, **ITEM_PROBLEMS})
def undo(request: TokenRequest, item_id: UUID) -> HttpResponse:
    """Takes back the token's last standing decision on the item, and holds the item again."""
    item, reviewer = _item(request, item_id), _reviewer(request)
    standing = Decision.objects.filter(item=item, reviewer=reviewer, undone_at__isnull=True)
    decision = standing.select_related("item").order_by("-decided_at", "-pk").first()
    if decision is None:
        raise Problem(409, "cannot-undo", "This token has no standing decision on the item.")
    with _problems_of_the_desk():
        services.undo_decision(decision=decision, reviewer=reviewer, now=timezone.now())
    decision.refresh_from_db()
    return respond(_decision_dict(decision))


def _decision_dict(decision: Decision) -> dict[str, Any]:
    return {
        "id": decision.pk,
        "item_id": decision.item_id,
        "answer_id": decision.item.answer_id,
        "kind": decision.kind,
        "final_text": decision.final_text or None,
        "decided_at": decision.decided_at,
        "undone_at": decision.undone_at,
    }
