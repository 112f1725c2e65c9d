"""The time between two moments that a source names: "an hour and 45 minutes" for "from 10:00 to 11:45", "six weeks" for
"from 2 May to 13 June"."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.values import Value

#: The year of dates without one: not a leap year.
ANY_YEAR = 2023


def by_hours_between(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "An hour and 45 minutes" where a source sentence says "starts at 10:00 and ends at 11:45"."""
    length = ours.number
    if ours.value.dimension != "time.seconds" or length is None or length > 86400:
        return None
    clocks = [p for p in ledger.candidates(ours, "clock") if p.wide & ours.wide]
    pairs = [(p, p.value.ends) for p in clocks if len(p.value.ends) == 2]
    for one, other in pairwise(clocks):
        if one.view is other.view and one.sentence == other.sentence and not (one.value.ends or other.value.ends):
            pairs.append((one, (one.value, other.value)))
    for place, (first, last) in pairs:
        if not isinstance(first.amount, Fraction) or not isinstance(last.amount, Fraction):
            continue
        if (last.amount - first.amount) % 1440 * 60 == length:
            formula = f"{last.text} - {first.text} = {ours.value.text}"
            return backed(ours, FOLLOWS, place, note="the time between them", formula=formula)
    return None


def by_days_between(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "Six weeks" where a source says "from 2 May to 13 June", whether or not the last day is counted."""
    value = ours.value
    if value.dimension not in ("time.seconds", "time.months") or not isinstance(value.amount, Fraction):
        return None
    for place in ledger.candidates(ours, "date"):
        if len(place.value.ends) != 2 or not place.wide & ours.wide:
            continue
        first, last = map(_day, place.value.ends)
        if first is None or last is None:
            continue
        if last < first and _year(place.value.ends[1]) is None:
            last = last.replace(year=last.year + 1)
        if value.amount in _lengths(value.dimension, first, last):
            formula = f"{place.value.ends[0].text} to {place.value.ends[1].text} = {value.text}"
            return backed(ours, FOLLOWS, place, note="the time between them", formula=formula)
    return None


def _year(value: Value) -> int | None:
    amount = value.amount
    return amount[0] if isinstance(amount, tuple) and len(amount) == 3 and isinstance(amount[0], int) else None


def _day(value: Value) -> date | None:
    amount = value.amount
    if not isinstance(amount, tuple) or len(amount) != 3:
        return None
    _, month, day = amount
    if not isinstance(month, int) or not isinstance(day, int):
        return None
    try:
        return date(_year(value) or ANY_YEAR, month, day)
    except ValueError:
        return None


def _lengths(dimension: str, first: date, last: date) -> list[int]:
    """Seconds or whole months from one day to another, without and with the last day."""
    ends = (last, last + timedelta(days=1))
    if dimension == "time.seconds":
        return [(end - first).days * 86_400 for end in ends]
    return [12 * (end.year - first.year) + end.month - first.month for end in ends if end.day == first.day]
