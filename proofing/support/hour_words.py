"""Hours written as clock times, as lengths or as bare figures: "8 to 18" for 8:00–18:00, "à 12 h" for "à midi"."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofing.support.backing import STATED, backed
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.values import Value
from proofing.values.base import Amount, exactly

#: What an hour is in clock readings (minutes of the day) and in lengths of time (seconds).
HOUR = {"clock": Fraction(60), "time.seconds": Fraction(3600), "count": Fraction(1)}
#: The last hour of a morning, and what turns an hour into one after noon.
NOON = 12


def by_hours(ours: Place, ledger: Ledger) -> Judgement | None:
    """Hours that a source writes in another way, in a sentence, cell or field that shares words or days."""
    value = ours.value
    for key in _keys(ours):
        for entry in ledger.by_key.get(key, ()):
            theirs = entry.place
            if entry.value.noun or entry.value.implicit or not (ours.wide & theirs.wide or ours.days & theirs.days):
                continue
            return backed(ours, STATED, theirs, note=f"{' '.join(entry.value.text.split())} = {value.text}")
    return None


def _keys(ours: Place) -> Iterator[tuple[str, Amount | int]]:
    """What the same hours may be looked up by in a ledger."""
    value = ours.value
    sort = value.dimension.removeprefix("range:")
    if sort not in HOUR or value.noun:
        return
    if value.dimension.startswith("range:"):
        for first, last in _spans(value, sort):
            for other in HOUR:
                if "clock" in (sort, other) and other != sort:
                    yield f"range:{other}", (_amount(first, other), _amount(last, other))
    elif ours.view.language != "en" and sort != "count":  # "à 12 h", where a length is written the same
        other = "time.seconds" if sort == "clock" else "clock"
        for hour in _hours(value.amount, sort):
            yield other, _amount(hour, other)


def _amount(hour: Fraction, sort: str) -> Amount | int:
    return exactly(hour * HOUR[sort])


def _spans(value: Value, sort: str) -> Iterator[tuple[Fraction, Fraction]]:
    """First and last hour, also read as afternoon hours where only a figure says them ("1 to 5", "9 to 5")."""
    for reading in value.readings:
        if not isinstance(reading.amount, tuple) or len(reading.amount) != 2:
            continue
        ends = [hour for end in reading.amount for hour in _hours(end, sort)]
        if len(ends) != 2:
            continue
        first, last = ends
        yield first, last
        if sort == "count" and last <= NOON:
            yield first, last + NOON
            yield first + NOON, last + NOON


def _hours(amount: object, sort: str) -> list[Fraction]:
    """The hour of the day that an amount says, when it is one."""
    if not isinstance(amount, Fraction):
        return []
    hour = amount / HOUR[sort]
    return [hour] if 0 <= hour <= 24 and (hour.denominator == 1 or sort == "clock") else []
