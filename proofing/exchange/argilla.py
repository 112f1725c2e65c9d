"""Argilla records: fields, metadata, suggestions (the engine's marks) and responses (what people said).

Spans there are ``{label, start, end}`` in code points, without their text; the sources stand as one text for people to
read and once more in the metadata, which Argilla gives back as it got it.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from proofing.exchange.answers import AnswerLine, SpanLabel, answer_of_record
from proofing.exchange.jsonl import LineFault, json_type
from proofing.exchange.rows import REASONS, Row, added_spans
from proofing.learning import labels as rules

SPANS, VERDICT = "unsupported", "verdict"
#: The label of words whose kind is not known.
PLAIN = "unsupported"
#: Reviewers are pseudonyms; Argilla wants identifiers of its own kind, the same for the same pseudonym.
_PEOPLE = uuid.UUID("6f0d9a3e-5a55-5b52-9d37-1f5e0f6d5c11")


# Writing ---------------------------------------------------------------------------------------------------------


def record_of_row(row: Row) -> dict[str, Any]:
    """One record, as `Record.from_dict` takes it."""
    line = row.line
    sources = [{"id": source.id, "text": source.text} for source in line.sources]
    known = {"external_id": line.external_id, "model": line.model, "task": line.task, "locale": line.locale}
    return {
        "id": row.key,
        "external_id": row.key,
        "fields": {
            "question": line.question,
            "answer": line.answer,
            "sources": "\n\n".join(f"[{source['id']}]\n{source['text']}" for source in sources),
        },
        "metadata": {
            **{name: value for name, value in known.items() if value},
            "sources": json.dumps(sources, ensure_ascii=False),
        },
        "suggestions": _suggestions(row),
        "responses": _responses(row),
        "status": "completed" if row.reviews else "pending",
    }


def _suggestions(row: Row) -> dict[str, Any]:
    if not row.engine:
        return {}
    agent = f"proofmark {row.engine}"
    marks = sorted(row.marks, key=lambda mark: (mark["start"], mark["end"]))
    spans = [_span(mark["start"], mark["end"], mark.get("reason")) for mark in marks]
    verdict = rules.UNSUPPORTED if row.scan.get("above_cut") else rules.SUPPORTED
    out: dict[str, Any] = {
        VERDICT: {"value": verdict, "score": row.scan.get("unsupported_probability"), "agent": agent}
    }
    if spans:
        out[SPANS] = {"value": spans, "score": [mark.get("probability") or 0.0 for mark in marks], "agent": agent}
    return out


def _responses(row: Row) -> dict[str, Any]:
    """One response a person and question: the last one counts."""
    spans: dict[str, Any] = {}
    verdicts: dict[str, Any] = {}
    for review in row.reviews:
        user = str(uuid.uuid5(_PEOPLE, str(review.get("reviewer"))))
        decision = str(review.get("decision"))
        status = "discarded" if decision == rules.SKIP else "submitted"
        label = rules.answer_label(decision, wording_only=bool(review.get("wording_only")))
        if label is not None:
            word = rules.UNSUPPORTED if label else rules.SUPPORTED
            verdicts[user] = {"value": word, "user_id": user, "status": status}
        said = _said_spans(row, review)
        if said or label == 0:
            spans[user] = {"value": said, "user_id": user, "status": status}
    if not row.reviews and row.spans is not None:
        user = str(uuid.uuid5(_PEOPLE, ""))
        label = row.line.label if row.line.label is not None else int(bool(row.spans))
        word = rules.UNSUPPORTED if label else rules.SUPPORTED
        verdicts[user] = {"value": word, "user_id": user, "status": "submitted"}
        values = [_span(span.start, span.end, span.type) for span in row.spans]
        spans[user] = {"value": values, "user_id": user, "status": "submitted"}
    return {name: list(given.values()) for name, given in ((SPANS, spans), (VERDICT, verdicts)) if given}


def _said_spans(row: Row, review: Mapping[str, Any]) -> list[dict[str, Any]]:
    said = {v.get("mark_id") for v in review.get("verdicts") or () if v.get("verdict") == rules.UNSUPPORTED}
    marked = [SpanLabel(m["start"], m["end"], m["text"], m.get("reason") or "") for m in row.marks if m["id"] in said]
    spans = sorted([*marked, *added_spans(review, row.line.answer)], key=lambda span: (span.start, span.end))
    return [_span(span.start, span.end, span.type) for span in spans]


def _span(start: int, end: int, kind: Any) -> dict[str, Any]:
    return {"label": kind if kind in REASONS else PLAIN, "start": start, "end": end}


# Reading ---------------------------------------------------------------------------------------------------------


def answer_of_argilla(record: Mapping[str, Any], number: int) -> AnswerLine:
    """One answer from a record; its labels are those on which the submitted responses agree.

    Raises:
        LineFault: with the field and the reason.
    """
    fields, metadata = _object(record, "fields", number), _object(record, "metadata", number)
    responses = _object(record, "responses", number)
    flat: dict[str, Any] = {
        "id": record.get("id") or record.get("external_id"),
        "question": fields.get("question", fields.get("user_input")),
        "answer": fields.get("answer", fields.get("response")),
        "sources": _sources(fields, metadata),
        **{name: metadata.get(name) for name in ("external_id", "model", "task", "locale")},
    }
    spans, label = _agreed_spans(responses.get(SPANS)), _agreed_label(responses.get(VERDICT))
    if label is None and spans is not None:
        label = int(bool(spans))
    return answer_of_record(flat | {"labels": spans, "label": label}, line=number)


def _object(record: Mapping[str, Any], name: str, number: int) -> Mapping[str, Any]:
    value = record.get(name) or {}
    if not isinstance(value, Mapping):
        raise LineFault(f"must be an object, not {json_type(value)}", field=name, line=number)
    return value


def _sources(fields: Mapping[str, Any], metadata: Mapping[str, Any]) -> Any:
    kept = metadata.get("sources")
    if isinstance(kept, str):
        try:
            return json.loads(kept)
        except (ValueError, RecursionError):
            pass
    names = ("sources", "context", "contexts", "retrieved_contexts")
    given = next((fields[name] for name in names if fields.get(name) is not None), None)
    return [given] if isinstance(given, str) else given


def _submitted(responses: Any) -> list[Any]:
    if not isinstance(responses, Iterable):
        return []
    kept = [r for r in responses if isinstance(r, Mapping) and r.get("status", "submitted") == "submitted"]
    return [response.get("value") for response in kept]


def _agreed_spans(responses: Any) -> list[dict[str, Any]] | None:
    """The spans of the responses when all say the same; None when there is none or they differ."""
    said = [
        [{"start": s.get("start"), "end": s.get("end"), "type": "" if s.get("label") == PLAIN else s.get("label")}
         for s in value if isinstance(s, Mapping)]
        for value in _submitted(responses) if isinstance(value, list)
    ]  # fmt: skip
    return said[0] if said and all(spans == said[0] for spans in said) else None


def _agreed_label(responses: Any) -> int | None:
    labels = {rules.UNSUPPORTED: 1, rules.SUPPORTED: 0}
    return rules.agreed_label(labels.get(value) if isinstance(value, str) else None for value in _submitted(responses))
