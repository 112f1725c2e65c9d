"""What every other format is a projection of: one line of either schema, read once.

>>> row = row_of_record({"id": "a", "answer": "Open at 9.", "sources": ["Open at 8."], "label": 0})
>>> row.line.answer, row.spans
('Open at 9.', ())
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofing.exchange.answers import AnswerLine, SpanLabel
from proofing.exchange.jsonl import LineFault
from proofing.exchange.reviews import SCHEMA, labelled_of_record, settling_reviews
from proofing.exchange.spans import verified_span
from proofing.learning import labels as rules

#: Decisions by which a person vouches for a final text.
TAKEN = (rules.ACCEPT_HEALED, rules.ACCEPT_EDITED, rules.KEEP)
#: Kinds of unsupported words, as other tools are told of them: the reasons of marks.
REASONS = ("contradicted", "absent", "unbound", "negated", "unit", "altered_quote", "derived_wrong")


@dataclass(frozen=True, slots=True)
class Row:
    """One answer with what the engine found and what people said.

    Attributes:
        line: the answer; its `label` says what is known of it as a whole.
        spans: the words known to be unsupported, in the order of the text; empty when there are none, None when
            nobody said which.
        marks: the engine's marks as in `reviews/1` (id, start, end, text, support, probability, kind, reason, receipt).
        reviews: what people decided, as in `reviews/1`.
        settling: those of them that say what `line.label` says; none while reviewers are at odds.
        engine: version of the engine that made the marks; "" when it did not read the answer.
        split: ``train``, ``test`` or "".
        taken: the final text somebody vouched for, if anybody did.
        scan: what the engine said, as in `reviews/1`; empty when it did not read the answer.
        record: the line as it was.
    """

    line: AnswerLine
    spans: tuple[SpanLabel, ...] | None
    marks: tuple[Mapping[str, Any], ...] = ()
    reviews: tuple[Mapping[str, Any], ...] = ()
    engine: str = ""
    split: str = ""
    settling: tuple[Mapping[str, Any], ...] = ()
    taken: str | None = None
    scan: Mapping[str, Any] = field(default_factory=dict)
    record: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A name for the answer: its own id, its external id, or its line."""
        return self.line.id or self.line.external_id or f"line-{self.line.line}"

    @property
    def last_decision(self) -> str | None:
        """Kind of the last review that says of the answer what is known of it."""
        said = [review.get("decision") for review in self.settling]
        return next((str(kind) for kind in reversed(said) if kind in (*TAKEN, rules.REJECT)), None)

    def known_spans(self) -> tuple[SpanLabel, ...]:
        """The unsupported words, for formats that hold nothing else.

        Raises:
            LineFault: nobody said whether there are any, or which.
        """
        if self.spans is None:
            what = "nobody said which words are unsupported" if self.line.label == 1 else "the answer is not labelled"
            raise LineFault(what, field="labels", line=self.line.line, id=self.line.id)
        return self.spans


def row_of_record(record: Mapping[str, Any], number: int | None = None) -> Row:
    """A row from a decoded `answers/1` or `reviews/1` line.

    Raises:
        LineFault: the line cannot be used.
    """
    line = labelled_of_record(record, number).line
    if record.get("schema") != SCHEMA:
        spans = () if line.labels is None and line.label == 0 else line.labels
        return Row(line, spans, split=str(record.get("split") or ""), record=record)
    try:
        return _reviewed(record, line)
    except (TypeError, AttributeError, KeyError, ValueError) as error:
        raise LineFault("its reviews or scan do not have the shape of reviews/1", line=number) from error


def _reviewed(record: Mapping[str, Any], line: AnswerLine) -> Row:
    scan = record.get("scan") or {}
    reviews = tuple(record.get("reviews") or ())
    marks = tuple(scan.get("marks") or ())
    settling = settling_reviews(record, line.label)
    return Row(
        line,
        _said_spans(record, line, marks, reviews),
        marks=marks,
        reviews=reviews,
        engine=str((scan.get("engine") or {}).get("version") or ""),
        split=str(record.get("split") or ""),
        settling=settling,
        taken=taken_text(settling),
        scan=scan,
        record=record,
    )


def taken_text(reviews: Sequence[Mapping[str, Any]]) -> str | None:
    """The text the last deciding reviewer took, or None."""
    for review in reversed(reviews):
        if review.get("decision") in TAKEN and isinstance(review.get("final"), str):
            return str(review["final"])
    return None


def _said_spans(
    record: Mapping[str, Any],
    line: AnswerLine,
    marks: Sequence[Mapping[str, Any]],
    reviews: Sequence[Mapping[str, Any]],
) -> tuple[SpanLabel, ...] | None:
    """The gold spans; without gold the marks that people agree are unsupported, and the words they added."""
    reasons = {(mark.get("start"), mark.get("end")): str(mark.get("reason") or "") for mark in marks}
    if isinstance(record.get("gold"), Mapping) and line.labels is not None:
        return _ordered(SpanLabel(s.start, s.end, s.text, reasons.get((s.start, s.end), "")) for s in line.labels)
    spans = [span for review in reviews for span in added_spans(review, line.answer)]
    spans += [SpanLabel(m["start"], m["end"], m["text"], m.get("reason") or "") for m in agreed_marks(marks, reviews)]
    if line.label == 0 or spans:
        return _ordered(spans)
    return None


def agreed_marks(marks: Sequence[Mapping[str, Any]], reviews: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The marks that every review which judged them, explicitly or by its decision, calls unsupported."""
    said: dict[str, list[int | None]] = {}
    for review in reviews:
        for verdict in review.get("verdicts") or ():
            label = {rules.UNSUPPORTED: 1, rules.SUPPORTED: 0}.get(str(verdict.get("verdict")))
            said.setdefault(str(verdict.get("mark_id")), []).append(label)
    return [mark for mark in marks if rules.agreed_label(said.get(str(mark.get("id")), ())) == 1]


def added_spans(review: Mapping[str, Any], answer: str) -> list[SpanLabel]:
    """The words a reviewer marked that the engine had missed; those that are no span of the answer are left out."""
    out = []
    for item in review.get("added") or ():
        span = verified_span(answer, item["start"], item["end"], item.get("text"))
        if span is not None:
            out.append(SpanLabel(span[0], span[1], answer[span[0] : span[1]], ""))
    return out


def _ordered(spans: Any) -> tuple[SpanLabel, ...]:
    """Each stretch once, in the order of the text; one with a kind wins over one without."""
    known: dict[tuple[int, int], SpanLabel] = {}
    for span in spans:
        held = known.get((span.start, span.end))
        if held is None or (span.type and not held.type):
            known[(span.start, span.end)] = span
    return tuple(known[place] for place in sorted(known))
