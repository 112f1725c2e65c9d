"""OpenInference spans, as Phoenix and OpenTelemetry collectors write them, one JSON object a line.

In: a retriever's documents, the input and the output of one trace make one answer, in whichever of its spans they
stand. Attributes may be flat, nested, or OTLP's lists of keys and values. Out: one span an answer, with what people and
the engine said as `annotations` and as an event `gen_ai.evaluation.result`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.arrays import scan_objects
from proofing.exchange.jsonl import LineFault
from proofing.exchange.rows import Row
from proofing.learning import labels as rules

NAME = "unsupported"
#: How many traces may be open at once: their spans need not stand together, but a file may hold any number.
OPEN_TRACES = 5000
#: Attributes nest no deeper than this.
DEEPEST = 12
_DOCUMENT = re.compile(r"retrieval\.documents\.(\d{1,6})\.document\.(id|content|metadata|score)")
_ANNOTATION = re.compile(r"annotations\.(\d{1,6})\.annotation\.(name|label|annotator_kind)")


# Writing ---------------------------------------------------------------------------------------------------------


def span_of_row(row: Row) -> dict[str, Any]:
    """One span with flat attributes; its ids come from the answer's name, so that a second export has the same."""
    line = row.line
    digest = hashlib.sha256(row.key.encode("utf-8")).hexdigest()
    attributes: dict[str, Any] = {
        "openinference.span.kind": "CHAIN",
        "input.value": line.question,
        "input.mime_type": "text/plain",
        "output.value": line.answer,
        "output.mime_type": "text/plain",
    }
    given = {"llm.model_name": line.model, "proofmark.id": row.key, "proofmark.external_id": line.external_id,
             "proofmark.task": line.task}  # fmt: skip
    attributes |= {name: value for name, value in given.items() if value}
    for index, source in enumerate(line.sources):
        attributes[f"retrieval.documents.{index}.document.id"] = source.id
        attributes[f"retrieval.documents.{index}.document.content"] = source.text
    annotations = _annotations(row)
    for index, annotation in enumerate(annotations):
        attributes |= {f"annotations.{index}.annotation.{name}": value for name, value in annotation.items()}
    return {
        "name": "proofread",
        "context": {"trace_id": digest[:32], "span_id": digest[32:48]},
        "parent_id": None,
        "status_code": "OK",
        "attributes": attributes,
        "events": [_event(annotation) for annotation in annotations],
    }


def _annotations(row: Row) -> list[dict[str, Any]]:
    out = []
    probability = row.scan.get("unsupported_probability")
    if probability is not None:
        words = "; ".join(f"{mark.get('text')!r} {mark.get('reason') or 'unsupported'}" for mark in row.marks)
        flagged, engine = int(bool(row.scan.get("above_cut"))), f"proofmark {row.engine}".strip()
        out.append(_annotation(flagged, probability, words or "no words are marked", "CODE", engine))
    for review in row.reviews:
        decision = str(review.get("decision"))
        label = rules.answer_label(decision, wording_only=bool(review.get("wording_only")))
        if label is not None:
            out.append(_annotation(label, float(label), decision, "HUMAN", str(review.get("reviewer"))))
    if not row.reviews and row.line.label is not None:
        words = "; ".join(repr(span.text) for span in row.spans or ())
        out.append(_annotation(row.line.label, float(row.line.label), words or "labelled", "HUMAN", "given"))
    return out


def _annotation(label: int, score: float, explanation: str, kind: str, identifier: str) -> dict[str, Any]:
    return {
        "name": NAME,
        "label": rules.UNSUPPORTED if label else rules.SUPPORTED,
        "score": score,
        "explanation": explanation,
        "annotator_kind": kind,
        "identifier": identifier,
    }


def _event(annotation: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": "gen_ai.evaluation.result",
        "attributes": {
            "gen_ai.evaluation.name": annotation["name"],
            "gen_ai.evaluation.score.value": annotation["score"],
            "gen_ai.evaluation.score.label": annotation["label"],
            "gen_ai.evaluation.explanation": annotation["explanation"],
        },
    }


# Reading ---------------------------------------------------------------------------------------------------------


def scan_spans(path: str | Path) -> Iterator[tuple[int, AnswerLine | LineFault]]:
    """Answers of a file of spans, numbered as they are found; traces without an output are passed over.

    Raises:
        BadInput: the file cannot be read.
    """
    traces: dict[str, _Trace] = {}
    number = 0
    for line, record in scan_objects(path):
        if isinstance(record, LineFault):
            number += 1
            yield number, LineFault(f"{record.reason} (line {line} of the file)", line=number)
            continue
        for place, span in enumerate(_spans_of(record)):
            attributes = flat(span.get("attributes"))
            key = _trace_id(span) or f"{line}/{place}"
            traces.setdefault(key, _Trace(key)).take(span, attributes)
            if len(traces) > OPEN_TRACES:
                oldest = traces.pop(next(iter(traces)))
                if oldest.whole:
                    number += 1
                    yield number, oldest.answer(number)
    for trace in traces.values():
        if trace.whole:
            number += 1
            yield number, trace.answer(number)


def _spans_of(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The spans in one object: itself, or all of an OTLP batch."""
    batches = record.get("resourceSpans")
    if not isinstance(batches, list):
        yield record
        return
    for batch in batches:
        for scope in _objects(batch, "scopeSpans"):
            yield from _objects(scope, "spans")


def _objects(holder: Any, name: str) -> list[Mapping[str, Any]]:
    value = holder.get(name) if isinstance(holder, Mapping) else None
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _trace_id(span: Mapping[str, Any]) -> str:
    context = span.get("context")
    inner = context.get("trace_id") if isinstance(context, Mapping) else None
    return str(inner or span.get("traceId") or span.get("trace_id") or span.get("context.trace_id") or "")


def _span_id(span: Mapping[str, Any]) -> str:
    context = span.get("context")
    inner = context.get("span_id") if isinstance(context, Mapping) else None
    return str(inner or span.get("spanId") or span.get("span_id") or span.get("context.span_id") or "")


def flat(attributes: Any) -> dict[str, Any]:
    """Attributes by dotted names, from any of the three ways to write them.

    >>> flat({"retrieval": {"documents": [{"document": {"id": "a"}}]}, "input.value": "?"})
    {'retrieval.documents.0.document.id': 'a', 'input.value': '?'}
    >>> flat([{"key": "input.value", "value": {"stringValue": "?"}}])
    {'input.value': '?'}
    """
    out: dict[str, Any] = {}
    if isinstance(attributes, list):
        for item in attributes:
            if isinstance(item, Mapping) and isinstance(item.get("value"), Mapping):
                value = next(iter(item["value"].values()), None)
                out[str(item.get("key"))] = value
        return out
    _flatten(attributes, "", out, 0)
    return out


def _flatten(value: Any, name: str, out: dict[str, Any], depth: int) -> None:
    if isinstance(value, Mapping) and depth < DEEPEST:
        for key, part in value.items():
            _flatten(part, f"{name}.{key}" if name else str(key), out, depth + 1)
    elif isinstance(value, list) and depth < DEEPEST and any(isinstance(part, Mapping) for part in value):
        for index, part in enumerate(value):
            _flatten(part, f"{name}.{index}", out, depth + 1)
    elif name:
        out[name] = value


class _Trace:
    """What is known of one trace. A root span's input and output win over those of the spans below it."""

    def __init__(self, key: str) -> None:
        self._key = key
        # By span and place: two retrievers of one trace both count from 0.
        self._documents: dict[tuple[str, int], dict[str, Any]] = {}
        self._found: dict[str, Any] = {}
        self._label: int | None = None
        self._rank = (False, -1)

    @property
    def whole(self) -> bool:
        return "answer" in self._found

    def take(self, span: Mapping[str, Any], attributes: Mapping[str, Any]) -> None:
        own = _span_id(span)
        for name, value in attributes.items():
            if match := _DOCUMENT.fullmatch(name):
                self._documents.setdefault((own, int(match[1])), {})[match[2]] = value
        self._label = _human_label(attributes) if self._label is None else self._label
        kind = str(attributes.get("openinference.span.kind") or "")
        parent = span.get("parent_id") or span.get("parentSpanId") or span.get("parent_span_id")
        place = (2 if not parent else 1 if kind == "CHAIN" else 0) if kind not in ("RETRIEVER", "EMBEDDING") else -1
        if place >= 0 and attributes.get("output.value") is not None:
            answer, readable = said(attributes["output.value"], _OUTPUTS)
            if (readable, place) > self._rank:
                self._rank = readable, place
                self._found |= {"answer": answer, "question": said(attributes.get("input.value"), _INPUTS)[0]}
        for name, field in _NAMES.items():
            if attributes.get(name) is not None:
                self._found.setdefault(field, attributes[name])

    def answer(self, number: int) -> AnswerLine | LineFault:
        spans = list(dict.fromkeys(span for span, _ in self._documents))
        places = sorted(self._documents, key=lambda place: (spans.index(place[0]), place[1]))
        sources = _named([self._documents[place] for place in places])
        record = {"id": self._key, **self._found, "sources": sources, "label": self._label}
        try:
            return answer_of_record(record, line=number)
        except LineFault as fault:
            return fault


def _named(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Documents as sources: each text once, each under a name of its own."""
    sources: dict[Any, dict[str, Any]] = {}
    for index, document in enumerate(documents, start=1):
        key, text = str(document.get("id") or f"s{index}"), document.get("content")
        if key in sources and sources[key]["text"] != text:
            key = f"{key}#{index}"
        sources.setdefault(key, {"id": key, "text": text})
    return list(sources.values())


#: Where chains and pipelines that put out an object keep what was said, and what was asked.
_OUTPUTS = ("answer", "output", "response", "result", "output_text", "text", "content", "reply", "replies", "answers")
_INPUTS = ("question", "input", "query", "user_input", "prompt", "text", "content")


def said(value: Any, names: tuple[str, ...], depth: int = 3) -> tuple[Any, bool]:
    """The text in a span's value, and whether it is one: chains write objects as JSON, with the text under some name.

    >>> said('{"input": "Open when?", "answer": "At 9.", "context": []}', ("answer",))
    ('At 9.', True)
    >>> said('{"llm": {"replies": ["At 9."]}}', ("replies",))
    ('At 9.', True)
    >>> said('{"scores": [1, 2]}', ("answer",))
    ('{"scores": [1, 2]}', False)
    >>> said("At {time}.", ("answer",))
    ('At {time}.', True)
    """
    held = value
    if isinstance(value, str):
        if not value.lstrip().startswith("{"):
            return value, bool(value.strip())
        try:
            held = json.loads(value)
        except (ValueError, RecursionError):
            return value, True
    found = _under(held, names, depth) if isinstance(held, Mapping) else None
    return (value, False) if found is None else (found, True)


def _under(value: Any, names: tuple[str, ...], depth: int) -> str | None:
    """The first text under one of `names`, in the order of the names, outer objects before inner ones."""
    if not isinstance(value, Mapping):
        return None
    for name in names:
        inner = value.get(name)
        if isinstance(inner, list) and len(inner) == 1:
            inner = inner[0]
        if isinstance(inner, str) and inner.strip():
            return inner
        found = _under(inner, names, depth - 1) if depth > 0 else None
        if found is not None:
            return found
    for inner in value.values() if depth > 0 else ():
        found = _under(inner, names, depth - 1)
        if found is not None:
            return found
    return None


_NAMES = {"llm.model_name": "model", "proofmark.id": "id", "proofmark.external_id": "external_id",
          "proofmark.task": "task"}  # fmt: skip


def _human_label(attributes: Mapping[str, Any]) -> int | None:
    """The label on which the people's annotations of this name agree."""
    held: dict[int, dict[str, Any]] = {}
    for name, value in attributes.items():
        if match := _ANNOTATION.fullmatch(name):
            held.setdefault(int(match[1]), {})[match[2]] = value
    labels = {rules.UNSUPPORTED: 1, rules.SUPPORTED: 0}
    ours = [a for a in held.values() if a.get("name") == NAME and a.get("annotator_kind") == "HUMAN"]
    return rules.agreed_label(labels.get(str(annotation.get("label"))) for annotation in ours)
