"""The shapes of the API, as its OpenAPI document shows them.

Answers are described here but read by `proofing.exchange.answers`, which takes every field name that a file may
use and says exactly which field is wrong.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from ninja import Field, Schema
from pydantic import AfterValidator, WithJsonSchema

from proofing.exchange.jsonl import text_problem


class SourceIn(Schema):
    id: str = Field("", description="Your name for the passage; s1, s2, … when left out.")
    text: str
    title: str = ""
    url: str = ""


# Fields that the document describes and that our own reader checks: it knows better words for what is wrong.
_NULL = {"type": "null"}
Text = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, _NULL]})]
Name = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}, _NULL]})]
Number = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, _NULL]})]
Label = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "integer", "enum": [0, 1]}, _NULL]})]
Texts = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "string"}}, _NULL]})]
Objects = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "object"}}, _NULL]})]
_SOURCE = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("id", "text", "title", "url")},
    "required": ["text"],
}
_PAIR = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}
Sources = Annotated[
    Any, WithJsonSchema({"anyOf": [{"type": "array", "items": {"anyOf": [_SOURCE, {"type": "string"}, _PAIR]}}, _NULL]})
]


class AnswerIn(Schema):
    """One line of `answers/1`, in our own field names or in Ragas'."""

    question: Text = None
    answer: Text = Field(None, description="Needed, here or as `response`.")
    sources: Sources = Field(None, description="Needed, here, as `contexts` or as `retrieved_contexts`; may be empty.")
    user_input: Text = None
    response: Text = None
    contexts: Sources = None
    retrieved_contexts: Sources = None
    retrieved_context_ids: Texts = None
    id: Name = None
    external_id: Name = Field(None, description="Your key for the answer; the same one sent again adds nothing.")
    model: Text = None
    task: Text = None
    locale: Text = Field(None, description="BCP 47 tag of the answer's language.")
    latency_ms: Number = Field(None, description="Of your pipeline; counts in the score.")
    label: Label = None
    labels: Objects = None


class AnswersIn(Schema):
    """Up to 500 answers; each is stored or refused by itself."""

    answers: list[AnswerIn]


class ProblemOut(Schema):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, Any]] | None = None


class AnswerOut(Schema):
    id: UUID
    external_id: str | None
    state: Literal["received", "proofreading", "proofread", "failed", "decided"]
    decision: str | None = Field(description="Kind of the standing decision, when there is one.")
    final_text: str | None = Field(description="The text to serve after the decision; null while there is none.")
    risk: str | None
    route: str | None
    unsupported_probability: float | None
    error: str | None
    received_at: datetime
    superseded_by: UUID | None


class AcceptedOut(AnswerOut):
    fresh: bool = Field(description="The answer was not known before.")
    repeated: bool = Field(description="This very delivery was known before, so nothing was added.")


class ResultOut(Schema):
    index: int
    answer: AcceptedOut | None = None
    problem: ProblemOut | None = None


class ResultsOut(Schema):
    """One result per answer sent, in the order sent."""

    stored: int
    refused: int
    results: list[ResultOut]


class AnswersPage(Schema):
    answers: list[AnswerOut]
    next: str | None = Field(description="Cursor of the following page; null on the last.")


class PendingOut(Schema):
    id: UUID
    state: str


class QueueItemOut(Schema):
    id: UUID
    answer_id: UUID
    external_id: str | None = Field(description="Your key for the answer, where it came with one.")
    state: Literal["waiting", "claimed", "decided", "flagged"]
    priority: float
    version: int
    held_until: datetime | None


class QueueOut(Schema):
    queue: str
    waiting: int
    claimed: int
    decided: int
    flagged: int
    items: list[QueueItemOut]


class ClaimedOut(QueueItemOut):
    question: str
    answer: str
    sources: list[SourceIn]
    report: dict[str, Any]


def _usable(value: Any, where: str = "") -> Any:
    """`value` when no text in it holds a NUL or half a surrogate pair, which no database takes."""
    if isinstance(value, str) and (problem := text_problem(value)) is not None:
        raise ValueError(f"{where}: {problem}" if where else problem)
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        _usable(name)
        _usable(part, str(name))
    return value


Words = Annotated[str, AfterValidator(_usable)]
Filters = Annotated[dict[str, Any], AfterValidator(_usable)]


class NextIn(Schema):
    queue: Words | None = Field(None, description="Name of the queue; the project's first when left out.")


class DecisionIn(Schema):
    kind: Literal["accept_healed", "accept_edited", "keep", "reject", "skip", "flag"]
    text: Words | None = Field(None, description="The edited answer, for accept_edited.")
    switched_off: list[int] = Field(default_factory=list, description="Indexes of healing edits that are not wanted.")
    wording_only: bool = False
    reason: Words = ""
    verdicts: dict[Words, Literal["unsupported", "supported", "unsure"]] = Field(
        default_factory=dict, description="Explicit verdicts by index of the mark."
    )
    nothing_else_unsupported: bool = False
    confirmed: bool = Field(False, description="Keep although a mark was called unsupported.")


class DecisionOut(Schema):
    id: UUID
    item_id: UUID
    answer_id: UUID
    kind: str
    final_text: str | None
    decided_at: datetime
    undone_at: datetime | None


class FaultOut(Schema):
    line: int
    field: str
    reason: str


class UnreadFieldOut(Schema):
    name: str = Field(description="A field of sources or labels stands as `sources[].name`.")
    lines: int
    meant: str | None = Field(description="A field that is read and that it resembles.")


class ImportOut(Schema):
    id: UUID
    state: Literal["received", "running", "done", "failed", "cancelled"]
    filename: str
    sha256: str
    format: str
    lines_total: int | None
    lines_done: int
    imported: int
    repeated: int
    failed: int
    blank: int = Field(description="Rows of a table in which no cell holds anything.")
    unread_fields: list[UnreadFieldOut] = Field(description="Fields of the lines that nobody reads; no fault.")
    error: str | None
    faults: list[FaultOut] = Field(description="The first hundred; all of them are in the fault file.")


class ExportIn(Schema):
    format: Words = Field("reviews/1", description="A format that can be written; `GET formats` lists them.")
    labelled_set: int | None = Field(None, description="Export this frozen set instead of the decisions of today.")
    filters: Filters = Field(default_factory=dict)


class ExportOut(Schema):
    id: UUID
    state: Literal["requested", "running", "done", "failed", "expired"]
    format: str
    rows: int
    sha256: str | None
    manifest: dict[str, Any] | None
    file: str | None = Field(description="Where the file can be fetched until `expires_at`.")
    expires_at: datetime | None
    error: str | None


class PointOut(Schema):
    id: int
    level: Literal["answer", "mark"]
    threshold: float
    active: bool
    result: dict[str, Any]
    chosen_by: str | None
    reason: str
    created_at: datetime


EventName = Literal["answer.proofread", "answer.decided", "answer.undone", "export.ready"]
EVENT_NAMES: tuple[EventName, ...] = get_args(EventName)


class WebhookIn(Schema):
    url: Words = Field(description="https address on the public network; it is sent JSON, signed.")
    events: list[EventName] = Field(default_factory=lambda: list(EVENT_NAMES))


class WebhookOut(Schema):
    id: UUID
    url: str
    events: list[EventName]
    active: bool
    created_at: datetime


class WebhookMadeOut(WebhookOut):
    secret: str = Field(description="Signs each delivery; keep it, it is not shown again.")


class DeliveryOut(Schema):
    id: UUID
    event: EventName
    state: Literal["pending", "delivered", "failed"]
    attempts: int
    status: int | None = Field(description="HTTP status of the last answer, when there was one.")
    error: str | None
    next_at: datetime | None
    created_at: datetime
    delivered_at: datetime | None


class FormatOut(Schema):
    name: str
    title: str
    reads: bool
    writes: bool
    mapped: bool = Field(description="Whether columns can be named for it.")
