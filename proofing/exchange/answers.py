"""Answers with their sources, one JSON object a line (`answers/1`).

>>> line = parse_answer('{"answer": "Open at 9.", "contexts": ["We open at 8."]}')
>>> line.answer, [(s.id, s.text) for s in line.sources]
('Open at 9.', [('s1', 'We open at 8.')])
>>> parse_answer('{"answer": "Open at 9."}')
Traceback (most recent call last):
    ...
proofing.exchange.jsonl.LineFault: sources: missing; give a list (it may be empty)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofing.documents import Source
from proofing.exchange.jsonl import LineFault, json_type, record_of_bytes, scan_records, text_problem
from proofing.exchange.spans import verified_span
from proofing.exchange.unread import unread_names

#: What a line of `answers/1` may hold: what is read from it, and what Ragas is known to write beside it.
READ = frozenset((
    "schema", "id", "external_id", "question", "user_input", "answer", "response", "sources", "contexts",
    "retrieved_contexts", "retrieved_context_ids", "model", "task", "locale", "latency_ms", "label", "labels", "score",
    "group", "span_units", "split",
))  # fmt: skip
_PASSED_OVER = frozenset((
    "reference", "reference_contexts", "reference_context_ids", "multi_responses", "rubrics", "persona_name",
    "query_style", "query_length",
))  # fmt: skip
_LINE = READ | _PASSED_OVER
_SOURCE, _LABEL = frozenset(("id", "text", "title", "url")), frozenset(("start", "end", "text", "type"))
#: The same for the fields inside, as `AnswerLine.unread` names them.
READ_NAMES = READ | {f"sources[].{name}" for name in _SOURCE} | {f"labels[].{name}" for name in _LABEL}


@dataclass(frozen=True, slots=True)
class SpanLabel:
    """A labelled span of an answer; `type` is free text (each data set has its own), `verdict` what it says."""

    start: int
    end: int
    text: str
    type: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "text": self.text, "type": self.type}


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer as it came in.

    Attributes:
        locale: BCP 47 tag the line declares; None when it declares none (the caller's setting then counts).
        label: 1 = holds something the sources do not back, 0 = does not, None = not labelled.
        labels: the faulty spans; None when the line does not mark spans, empty when it marks that there are none.
        score: an unsupported probability that came with the line, 0-1 (not range-checked here).
        group: what the data set says may not be split over train and test; "" = not said.
        span_units: what the offsets of `labels` were counted in where it was not code points (``utf-16``, ``utf-8``);
            they are in code points by now.
        unread: names of fields that nobody reads (``sorces``, ``sources[].txt``), each once; they are no fault.
        line: number of the line in its file, from 1; 0 when it came from no file.
    """

    answer: str
    sources: tuple[Source, ...]
    question: str = ""
    id: str | None = None
    external_id: str | None = None
    model: str = ""
    task: str = ""
    locale: str | None = None
    latency_ms: float | None = None
    label: int | None = None
    labels: tuple[SpanLabel, ...] | None = None
    score: float | None = None
    group: str = ""
    span_units: tuple[str, ...] = ()
    line: int = 0
    unread: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The line as `answers/1`; what was not given is left out."""
        out: dict[str, Any] = {
            "id": self.id,
            "question": self.question,
            "answer": self.answer,
            "sources": [_source_dict(source) for source in self.sources],
        }
        given = {
            "external_id": self.external_id,
            "model": self.model or None,
            "task": self.task or None,
            "locale": self.locale,
            "latency_ms": self.latency_ms,
            "label": self.label,
            "labels": None if self.labels is None else [label.to_dict() for label in self.labels],
            "score": self.score,
            "group": self.group or None,
            "span_units": list(self.span_units) or None,
        }
        out.update({name: value for name, value in given.items() if value is not None})
        return out


def _source_dict(source: Source) -> dict[str, str]:
    out = {"id": source.id, "text": source.text}
    if source.title:
        out["title"] = source.title
    if source.url:
        out["url"] = source.url
    return out


# Reading files ---------------------------------------------------------------------------------------------


def read_answers(path: str | Path) -> Iterator[AnswerLine]:
    """The answers of a file, one after the other, as they are read.

    Args:
        path: a JSONL file (``.gz`` allowed), or ``-`` for standard input.

    Raises:
        BadInput: the file cannot be opened, or a line cannot be used (`LineFault`, with the line number).
            To go on after a faulty line use `scan_answers`.
    """
    for item in scan_answers(path):
        if isinstance(item, LineFault):
            raise LineFault(item.sentence(), line=item.line, id=item.id)
        yield item


def scan_answers(path: str | Path) -> Iterator[AnswerLine | LineFault]:
    """Like `read_answers`, but a line that cannot be used is yielded as its `LineFault`, in its place."""
    for number, record in scan_records(path):
        if isinstance(record, LineFault):
            yield record
            continue
        try:
            yield answer_of_record(record, line=number)
        except LineFault as fault:
            yield fault


# One record ------------------------------------------------------------------------------------------------


def parse_answer(text: str | bytes, line: int | None = None) -> AnswerLine:
    """One `answers/1` line.

    Raises:
        LineFault: with the field and the reason.
    """
    return answer_of_record(record_of_bytes(text, line), line=line)


def answer_of_record(record: Mapping[str, Any], line: int | None = None) -> AnswerLine:
    """An `AnswerLine` from a decoded object in our own or in Ragas' field names.

    Raises:
        LineFault: with the field, the reason, the line number given and the record's id when it is usable.
    """
    try:
        return _answer_of_record(record, line or 0)
    except LineFault as fault:
        known = record.get("id")
        usable = known if isinstance(known, str) and text_problem(known) is None else None
        raise LineFault(fault.reason, field=fault.field, line=line, id=usable) from None


def _answer_of_record(record: Mapping[str, Any], line: int) -> AnswerLine:
    answer = _required_text(record, ("answer", "response"))
    labels, units = _labels(record, answer)
    return AnswerLine(
        answer=answer,
        sources=_sources(record),
        question=_text(record, ("question", "user_input")) or "",
        id=_identifier(record, "id"),
        external_id=_identifier(record, "external_id"),
        model=_text(record, ("model",)) or "",
        task=_text(record, ("task",)) or "",
        locale=_text(record, ("locale",)) or None,
        latency_ms=_number(record, "latency_ms", least=0.0),
        label=_label(record),
        labels=labels,
        score=_score(record),
        group=_text(record, ("group",)) or "",
        span_units=_units(record, units),
        line=line,
        unread=_unread(record),
    )


def _unread(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields of a line, its sources and its labels that nobody reads."""
    names = dict.fromkeys(unread_names(record, _LINE))
    sources = _first_given(record, ("sources", "contexts", "retrieved_contexts"))[1]
    for items, known, prefix in ((sources, _SOURCE, "sources[]."), (record.get("labels"), _LABEL, "labels[].")):
        for item in items if isinstance(items, list) else ():
            if isinstance(item, Mapping):
                names.update(dict.fromkeys(unread_names(item, known, prefix)))
    return tuple(names)


def _first_given(record: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Any]:
    for name in names:
        if record.get(name) is not None:
            return name, record[name]
    return names[0], None


def _checked(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise LineFault(f"must be text, not {json_type(value)}", field=field)
    problem = text_problem(value)
    if problem:
        raise LineFault(problem, field=field)
    return value


def _text(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    field, value = _first_given(record, names)
    return None if value is None else _checked(value, field)


def _required_text(record: Mapping[str, Any], names: Sequence[str]) -> str:
    field, value = _first_given(record, names)
    if value is None:
        raise LineFault("missing", field=field)
    return _checked(value, field)


def _identifier(record: Mapping[str, Any], field: str) -> str | None:
    value = record.get(field)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return str(value)
        except ValueError:  # Python writes no number of more than some thousand digits
            raise LineFault("is too long a number", field=field) from None
    return _checked(value, field)


def _number(record: Mapping[str, Any], field: str, least: float) -> float | None:
    value = record.get(field)
    if value is None:
        return None
    number = as_float(value, field)
    if not math.isfinite(number) or number < least:
        raise LineFault(f"must be a finite number of at least {least:g}", field=field)
    return number


def as_float(value: Any, field: str) -> float:
    """A JSON number as a float; a whole number that no float can hold is infinite.

    Raises:
        LineFault: no number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LineFault(f"must be a number, not {json_type(value)}", field=field)
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _score(record: Mapping[str, Any]) -> float | None:
    """A score keeps NaN and values out of range, so that calibration can refuse them by count."""
    value = record.get("score")
    return None if value is None else as_float(value, "score")


def _label(record: Mapping[str, Any]) -> int | None:
    value = record.get("label")
    if value is None:
        return None
    if value not in (0, 1) or not isinstance(value, int | float):
        raise LineFault("must be 0 or 1", field="label")
    return int(value)


def _labels(record: Mapping[str, Any], answer: str) -> tuple[tuple[SpanLabel, ...] | None, set[str]]:
    """The labelled spans, and what their offsets were counted in."""
    value = record.get("labels")
    if value is None:
        return None, set()
    if not isinstance(value, list):
        raise LineFault(f"must be a list, not {json_type(value)}", field="labels")
    found = [_span_label(item, answer, f"labels[{index}]") for index, item in enumerate(value)]
    return tuple(label for label, _ in found), {unit for _, unit in found}


def _units(record: Mapping[str, Any], found: set[str]) -> tuple[str, ...]:
    said = record.get("span_units")
    given = {unit for unit in said if isinstance(unit, str)} if isinstance(said, list) else set()
    return tuple(sorted((found | given) & {"utf-16", "utf-8"}))


def _span_label(item: Any, answer: str, field: str) -> tuple[SpanLabel, str]:
    if not isinstance(item, dict):
        raise LineFault(f"must be an object, not {json_type(item)}", field=field)
    start, end = whole_number(item, "start", field), whole_number(item, "end", field)
    text = item.get("text")
    if text is not None:
        text = _checked(text, f"{field}.text")
    span = verified_span(answer, start, end, text)
    if span is None:
        raise LineFault(f"{start}-{end} is no span of the answer that reads as its text", field=field)
    kind = item.get("type")
    kind = "" if kind is None else _checked(kind, f"{field}.type")
    return SpanLabel(span[0], span[1], answer[span[0] : span[1]], kind), span[2]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


#: No text is so long; a larger offset is not even printed.
FARTHEST = 2**53


def whole_number(item: Mapping[str, Any], name: str, field: str) -> int:
    """An offset of a span.

    Raises:
        LineFault: it is no whole number, or larger than any text is long.
    """
    value = item.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise LineFault("must be a whole number", field=f"{field}.{name}")
    if abs(value) > FARTHEST:
        raise LineFault("lies outside the answer", field=f"{field}.{name}")
    return value


def _sources(record: Mapping[str, Any]) -> tuple[Source, ...]:
    field, value = _first_given(record, ("sources", "contexts", "retrieved_contexts"))
    if value is None:
        raise LineFault("missing; give a list (it may be empty)", field=field)
    if not isinstance(value, list):
        raise LineFault(f"must be a list, not {json_type(value)}", field=field)
    ids = record.get("retrieved_context_ids") if field == "retrieved_contexts" else None
    if isinstance(ids, list) and len(ids) == len(value):
        value = [
            [_identifier({"id": key}, "id") if _is_whole(key) else key, text]
            for key, text in zip(ids, value, strict=True)
        ]
    return unique_sources(_source(item, index, f"{field}[{index}]") for index, item in enumerate(value))


def unique_sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    """The sources as given.

    Raises:
        LineFault: two of them carry the same id.
    """
    seen: set[str] = set()
    out = []
    for source in sources:
        if source.id in seen:
            raise LineFault(f"two sources have the id {source.id!r}; ids must differ", field="sources")
        seen.add(source.id)
        out.append(source)
    return tuple(out)


def _source(item: Any, index: int, field: str) -> Source:
    if isinstance(item, str):
        return Source(f"s{index + 1}", _checked(item, field))
    if isinstance(item, list):
        if len(item) != 2:
            raise LineFault("a source given as a list must be [id, text]", field=field)
        return Source(_checked(item[0], f"{field}.id"), _checked(item[1], f"{field}.text"))
    if not isinstance(item, dict):
        raise LineFault(f"must be an object, text or [id, text], not {json_type(item)}", field=field)
    if item.get("text") is None:
        raise LineFault("missing", field=f"{field}.text")
    given = {name: _checked(item.get(name) or "", f"{field}.{name}") for name in ("text", "title", "url")}
    return Source(id=_identifier(item, "id") or f"s{index + 1}", **given)
