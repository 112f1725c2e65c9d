"""The source values that may be meant instead of one that equals the answer's: others of the kind, spoken of alike."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from proofing.support.beside import is_aged
from proofing.support.binding import may_have_rivals
from proofing.support.kinship import kinship, near_enough
from proofing.support.ledger import CANDIDATES, Ledger
from proofing.support.places import Place, places_by_reading
from proofing.support.stated import DATES
from proofing.support.subjects import end_named
from proofing.values import Value, implied_by
from proofing.values.base import exactly
from proofing.values.sizes import SIDES

#: A share may be written as a percentage or as a ratio ("7 in 10").
SHARES = frozenset({"percent", "ratio"})


def rivals_of(ours: Place, held: Sequence[Place], fit: int, ledger: Ledger) -> list[Place]:
    """Source values that say something else than the `held` ones and may fit the answer as well, in order.

    Args:
        ours: the place of the value in the answer.
        held: the source places that hold the same value.
        fit: the largest kinship of these.
        ledger: the values of the sources.
    """
    others = _spoken_of(ours, held, ledger)
    return _unequal(ours, near_enough(ours, fit, others, held), held) if others else others


def _spoken_of(ours: Place, held: Sequence[Place], ledger: Ledger) -> list[Place]:
    """Source values beside the `held` ones where a word or a day of the answer's sentence stands."""
    if is_aged(ours) or not may_have_rivals(ours):
        return []
    kept = {id(place) for place in held}
    words, days, named = ours.wide, ours.days, end_named(ours)
    return [
        place
        for place in ledger.candidates(ours)
        if id(place) not in kept
        and not place.value.implicit
        and (place.value.kind == ours.value.kind or place.value.ends)
        and (
            not words.isdisjoint(place.wide)
            or (days and not days.isdisjoint(place.days))
            or (named and end_named(place) == named)
        )
    ]


def _unequal(ours: Place, places: Sequence[Place], held: Sequence[Place]) -> list[Place]:
    """Those of some source values that measure the same and say something else than the `held` ones."""
    keys = {(r.dimension, exactly(r.amount)) for r in ours.value.readings}
    may_hold = bool(ours.value.ends) or any(r.dimension in DATES for r in ours.value.readings)
    measures = {r.dimension.removeprefix("range:") for r in ours.value.readings}
    if measures & SHARES:
        measures |= SHARES
    found = []
    for place in places:
        value = place.value
        if not any(r.dimension.removeprefix("range:") in measures for r in value.readings):
            continue
        if (may_hold or value.ends) and (implied_by(value, ours.value) or implied_by(ours.value, value)):
            continue  # "June" is no rival of "June 2014"
        if any((r.dimension, exactly(r.amount)) in keys for r in value.readings) or _is_conversion(ours.value, value):
            continue
        if any(other.view is place.view and _is_of_one_size(place, other) for other in held):
            continue
        if not _said_elsewhere(ours, place):
            found.append(place)
    return found


def _is_of_one_size(one: Place, other: Place) -> bool:
    """Whether two values of one text are the sides of one thing: "4 x 6 inches"."""
    first, second = (one.value, other.value) if one.value.start < other.value.start else (other.value, one.value)
    return SIDES.fullmatch(one.view.text, first.end, second.start) is not None


def _is_conversion(ours: Value, theirs: Value) -> bool:
    """Whether two values in different units say the same within the digits they write ("33 °C (or 92 °F)")."""
    a, b = ours.reading, theirs.reading
    if a.dimension != b.dimension or a.unit == b.unit:
        return False
    if not isinstance(a.amount, Fraction) or not isinstance(b.amount, Fraction):
        return False
    return abs(a.amount - b.amount) <= max(a.written_step or 0, b.written_step or 0)


def _said_elsewhere(ours: Place, theirs: Place) -> bool:
    """Whether another value of the answer already states a source value, in words that fit it at least as well."""
    stated = places_by_reading(ours.view).get((theirs.value.dimension, exactly(theirs.value.amount)))
    if not stated:
        return False
    fit = kinship(ours, theirs)
    return any(place.value is not ours.value and kinship(place, theirs) >= fit for place in stated[:CANDIDATES])
