"""What backs a value, and how well: the degrees of support, and the judgements that say so."""

from __future__ import annotations

from proofing.support.base import Judgement
from proofing.support.places import Place, evidence_at

#: Support of a value that a source states, of one that follows from what it states, of a figure whose unit the source
#: leaves out, of a count made while reading, and of a value that only the question brought in.
STATED, FOLLOWS, UNITLESS, COUNTED, ASKED = 1.0, 0.95, 0.8, 0.6, 0.3


def judgement_on(ours: Place, support: float, **said: object) -> Judgement:
    """A judgement that marks nothing, over the whole value."""
    value = ours.value
    return Judgement(
        start=value.start, end=value.end, text=value.text, kind=value.kind, support=support,
        checked_by="arithmetic", channel="values", **said,  # type: ignore[arg-type]
    )  # fmt: skip


def backed(ours: Place, support: float, place: Place | None, note: str = "", formula: str | None = None) -> Judgement:
    """A judgement that a source place backs the value; without a place only the note says why."""
    if place is None:
        return judgement_on(ours, support, note=note)
    operands = (place.value.text,) if formula else ()
    receipt = evidence_at(place, note, formula, operands)
    return judgement_on(ours, support, receipt=receipt, note=note, formula=formula, operands=operands)
