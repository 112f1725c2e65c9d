"""Which source values a calculation for a place of the answer may start from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from proofing.support.asking import CHANGE, DIFFERENCE, FALLING, RISING, asked_operation
from proofing.support.beside import around
from proofing.support.carried import numbers_a_thing
from proofing.support.places import Place
from proofing.support.statements import family_of
from proofing.values import Value
from proofing.values import same as same_value

#: Operands looked at for one value: the best bound ones, so that cost does not grow with the sources.
OPERANDS = 10


def operands_for(ours: Place, places: Sequence[Place]) -> list[Place]:
    """Source values that a calculation for this place may use: same dimension, best bound first kept, in text order."""
    value = ours.value
    wanted = value.readings[0].dimension if value.readings else ""
    if wanted == "points":
        same = [p for p in places if p.value.readings and p.value.readings[0].dimension in ("percent", "range:percent")]
    elif wanted in ("percent", "ratio") or not value.readings:
        families = ("count", "money", "percent") if asked_operation(ours) == CHANGE else ("count", "money")
        same = [p for p in places if p.value.readings and family_of(p.value) in families]
    else:
        either = () if wanted.startswith("range:") else (wanted, f"range:{wanted}")
        same = [
            p for p in places if p.value.readings[0].dimension in either or (p.raw is not None and _measures(p, wanted))
        ]
    same = [end for p in same for end in (_moved_between(p) if p.value.ends else (p,))]
    same = [p for p in same if p.number is not None and not p.value.ends and not p.value.implicit]
    same = [p for p in same if p.noun or not numbers_a_thing(p.view, p.value)]
    same = _in_the_row_spoken_of(ours, same)
    if len(same) > 2:
        ranked = sorted(((-closeness(ours, p), index) for index, p in enumerate(same)))
        top = ranked[0][0]
        if top < 0:
            ranked = [pair for pair in ranked if pair[0] * 2 <= top]
        same = [same[index] for index in sorted(index for _, index in ranked[:OPERANDS])]
    return same


def _in_the_row_spoken_of(ours: Place, places: list[Place]) -> list[Place]:
    """ "834 million, 37 million more than in 2024" compares figures of the row that holds the 834 million."""
    if asked_operation(ours) not in (DIFFERENCE, CHANGE):
        return places
    said = [p for p in around(ours) if p.value is not ours.value]
    told = [p for p in places if p.structure == "cell" and any(same_value(p.value, other.value) for other in said)]
    rows = {(id(p.view), p.belongs_to.partition(" / ")[0]) for p in told}
    narrowed = [p for p in places if p.structure == "cell" and (id(p.view), p.belongs_to.partition(" / ")[0]) in rows]
    return narrowed if len(narrowed) > 1 else places


def _measures(place: Place, wanted: str) -> bool:
    """Whether a figure of a table "in millions of euros" may be of a dimension: it also counts plain millions."""
    return any(r.dimension.removeprefix("range:") == wanted for r in place.value.readings)


def _moved_between(place: Place) -> Iterator[Place]:
    """A place; for "rose from 41 % to 47 %", where a range tells a change, its two ends."""
    if len(place.value.ends) != 2 or not place.value.dimension.startswith("range:"):
        yield place
        return
    zone = place.view.tokens_between(*place.zone)
    if any({place.view.stems[i], place.view.folds[i]} & (RISING | FALLING) for i in zone):
        for end in place.value.ends:
            yield place.changed(value=end)


def closeness(ours: Place, theirs: Place) -> int:
    """Words shared by two places, the thing counted twice: which operands are meant."""
    shared = len(ours.wide & theirs.wide)
    return shared + (2 if ours.noun and ours.noun == theirs.noun else 0)


def amount_of(value: Value) -> Fraction | None:
    """The likeliest amount of a value; None where it is no number."""
    amount = value.readings[0].amount if value.readings else None
    return amount if isinstance(amount, Fraction) else None
