"""Answers through the API: proofread at once, or store and proofread in the background."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from ninja import Query, Router

from proofing.errors import BadInput
from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.jsonl import LineFault
from proofing.settings import Settings
from webapp.corpus.retrieving import NotReady, retrieval_for
from webapp.intake import engine, services
from webapp.intake.api_access import PROOFREAD, READ, WRITE, TokenRequest
from webapp.intake.api_schemas import (
    AcceptedOut,
    AnswerIn,
    AnswerOut,
    AnswersIn,
    AnswersPage,
    PendingOut,
    ProblemOut,
    ResultsOut,
)
from webapp.intake.idempotency import key_of, once
from webapp.intake.problems import Problem
from webapp.records import selectors
from webapp.records.models import Answer, Inspection
from webapp.records.selectors import AnswerFilter, newest_inspection, standing_decision
from webapp.records.services import Conflict, Received, delete_answer

router = Router()
#: How many answers one request may carry, and one page may show.
MOST = 500
#: States to list; none of them lists all.
State = Literal["", "received", "proofreading", "proofread", "failed", "decided"]
PROBLEMS = dict.fromkeys((400, 401, 403, 409, 413, 415, 422, 429), ProblemOut)


def respond(content: Any, status: int = 200, **headers: str) -> HttpResponse:
    """A JSON response with headers; underscores in their names become hyphens."""
    body = "" if content is None else json.dumps(content, ensure_ascii=False, default=_plain)
    response = HttpResponse(body, status=status, content_type="application/json")
    for name, value in headers.items():
        response[name.replace("_", "-")] = value
    return response


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def unusable(error: LineFault) -> Problem:
    """An answer that cannot be used, as a problem with the field at fault."""
    return Problem(422, "unusable-answer", f"{error}.", errors=[{"field": error.field, "reason": error.reason}])


def _line(record: AnswerIn, settings: Settings) -> AnswerLine:
    line = answer_of_record(record.model_dump(exclude_unset=True))
    if not line.answer.strip():
        raise LineFault("is empty; there is nothing to proofread", field="answer")
    engine.check_sizes(line, settings)
    return line


@router.post(
    "/proofread",
    auth=PROOFREAD,
    operation_id="proofread",
    summary="Proofread one answer now; nothing is stored",
    response={200: dict[str, Any], 503: ProblemOut, **PROBLEMS},
)
def proofread(request: TokenRequest, payload: AnswerIn) -> HttpResponse:
    """Returns `report/1`: the guard before delivery. Drift is not judged, since nothing is remembered.

    An answer with an empty list of sources is read against the project's corpus, where there is one
    (`checks.verification.corpus` then says what was found); 503 with Retry-After while its first index is being made.
    """
    from proofing.pipeline import proofread_whole

    project = request.auth.project
    line = _line(payload, engine.settings_of(project))
    try:
        found = None if line.sources else retrieval_for(project, line.question, line.answer)
        report = proofread_whole(
            line.question,
            found.sources if found else line.sources,
            line.answer,
            settings=engine.settings_of(project, line.locale or "und"),
            model=engine.model_of(project),
            latency_ms=line.latency_ms,
            id=line.id,
            point=engine.point_of(project),
            retrieval=found,
        )
    except NotReady as error:
        said = "The index of the project's corpus is being made, and this answer has no sources of its own; ask again."
        raise Problem(503, "corpus-not-ready", said, headers={"Retry-After": "5"}) from error
    except BadInput as error:
        raise Problem(422, "unusable-answer", f"{error}.") from error
    return respond(report.to_dict())


@router.post(
    "/answers",
    auth=WRITE,
    operation_id="send_answers",
    url_name="answers",
    summary="Store one answer or up to 500 and have them proofread",
    response={200: AcceptedOut | ResultsOut, 202: AcceptedOut | ResultsOut, **PROBLEMS},
)
def send_answers(
    request: TokenRequest, payload: AnswersIn | list[AnswerIn] | AnswerIn, supersede: bool = False
) -> HttpResponse:
    """One answer: 202 when it is new, 200 when it is known, 409 when its external id names another content.

    Several (a list, or an object with `answers`): one result each; those that cannot be used do not stop the others.
    The same content sent again is one more observation; with the same `external_id` or Idempotency-Key it is a retry.
    """
    project = request.auth.project

    def act() -> HttpResponse:
        if isinstance(payload, AnswerIn):
            return _send_one(request, payload, supersede)
        return _send_many(request, payload if isinstance(payload, list) else payload.answers, supersede)

    return once(request, project, request.body, act)


def _send_one(request: TokenRequest, payload: AnswerIn, supersede: bool) -> HttpResponse:
    received = services.accept_answer(
        project=request.auth.project,
        line=_line(payload, engine.settings_of(request.auth.project)),
        now=timezone.now(),
        request_key=key_of(request),
        supersede=supersede,
    )
    location = reverse("api:get_answer", args=[received.answer.pk])
    return respond(_accepted(received), 202 if received.fresh else 200, Location=location)


def _send_many(request: TokenRequest, payload: list[AnswerIn], supersede: bool) -> HttpResponse:
    if len(payload) > MOST:
        raise Problem(413, "too-many", f"At most {MOST} answers in one request; upload a file for more.")
    if not payload:
        raise Problem(422, "invalid", "Send at least one answer.")
    key, now = key_of(request), timezone.now()
    settings = engine.settings_of(request.auth.project)
    results: list[dict[str, Any]] = []
    for index, record in enumerate(payload):
        try:
            received = services.accept_answer(
                project=request.auth.project,
                line=_line(record, settings),
                now=now,
                request_key=f"{key}/{index}" if key else None,
                supersede=supersede,
            )
            results.append({"index": index, "answer": _accepted(received)})
        except LineFault as error:
            results.append({"index": index, "problem": unusable(error).to_dict()})
        except Conflict as error:
            problem = Problem(409, "conflict", f"{error}.", answer=str(error.answer.pk))
            results.append({"index": index, "problem": problem.to_dict()})
    refused = sum("problem" in result for result in results)
    fresh = any(result.get("answer", {}).get("fresh") for result in results)
    return respond({"stored": len(results) - refused, "refused": refused, "results": results}, 202 if fresh else 200)


def _accepted(received: Received) -> dict[str, Any]:
    return answer_dict(received.answer) | {"fresh": received.fresh, "repeated": received.repeated}


def answer_dict(answer: Answer, inspection: Inspection | None = None) -> dict[str, Any]:
    """An answer with its state, its standing decision and what the newest inspection said."""
    inspection = inspection or newest_inspection(answer)
    decision = standing_decision(answer) if inspection else None
    return {
        "id": answer.pk,
        "external_id": answer.external_id or None,
        "state": answer.state,
        "decision": decision.kind if decision else None,
        "final_text": (decision.final_text or None) if decision else None,
        "risk": inspection.risk if inspection else None,
        "route": inspection.route if inspection else None,
        "unsupported_probability": inspection.unsupported_probability if inspection else None,
        "error": answer.error or None,
        "received_at": answer.received_at,
        "superseded_by": answer.superseded_by_id,
    }


@router.get("/answers", auth=READ, operation_id="list_answers", response={200: AnswersPage, **PROBLEMS})
def list_answers(
    request: TokenRequest,
    cursor: str = "",
    state: State = "",
    external_id: str = "",
    limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
) -> HttpResponse:
    """Answers, newest first. Follow `next` for the following page.

    `external_id` finds the answer under every id it was ever sent with.
    """
    if cursor and not selectors.is_cursor(cursor):
        fault = {"field": "cursor", "reason": "is none that this API gave; take it from `next`"}
        raise Problem(422, "invalid", "The cursor cannot be used.", errors=[fault])
    page = selectors.answers_page(
        project=request.auth.project,
        chosen=AnswerFilter(state=state, external_id=external_id),
        cursor=cursor,
        size=limit,
    )
    return respond({"answers": [answer_dict(answer) for answer in page.answers], "next": page.later})


@router.get(
    "/answers/{answer_id}", auth=READ, operation_id="get_answer", url_name="get_answer",
    response={200: AnswerOut, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def get_answer(request: TokenRequest, answer_id: UUID) -> HttpResponse:
    """The answer's state and, once somebody decided, the text to serve."""
    answer = _own(request, answer_id)
    return respond(answer_dict(answer))


@router.get(
    "/answers/{answer_id}/report", auth=READ, operation_id="get_report",
    response={200: dict[str, Any], 202: PendingOut, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def get_report(request: TokenRequest, answer_id: UUID) -> HttpResponse:
    """`report/1` of the newest inspection; 202 with Retry-After while the answer waits for it."""
    answer = _own(request, answer_id)
    inspection = newest_inspection(answer)
    if inspection is not None:
        tag = f'"{inspection.sha256}"'
        if request.headers.get("If-None-Match") == tag:
            return respond(None, 304, ETag=tag)
        return respond(inspection.report, ETag=tag)
    if answer.state == Answer.State.FAILED:
        raise Problem(409, "proofreading-failed", answer.error or "Proofreading failed.", answer=str(answer.pk))
    return respond({"id": answer.pk, "state": answer.state}, 202, Retry_After="2")


@router.delete(
    "/answers/{answer_id}", auth=WRITE, operation_id="delete_answer",
    response={204: None, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def remove_answer(request: TokenRequest, answer_id: UUID) -> HttpResponse:
    """Deletes the answer with its inspections and decisions. 409 while a frozen labelled set holds it."""
    delete_answer(answer=_own(request, answer_id), actor=request.auth.acts_as, now=timezone.now())
    return respond(None, 204)


def _own(request: TokenRequest, answer_id: UUID) -> Answer:
    """The one way from an id to an answer: within the token's project."""
    return get_object_or_404(
        Answer.objects.select_related("project", "question"), pk=answer_id, project=request.auth.project
    )
