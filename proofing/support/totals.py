"""What adds up: "30 ml a day" for "10 ml three times a day", "six weeks" for "from 2 May to 13 June",
what several things cost together."""

from __future__ import annotations

import re
from datetime import date, timedelta
from fractions import Fraction

from proofing.support.backing import FOLLOWS, around, backed
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.support.subjects import own_words, tail_of
from proofing.values import Value
from proofing.values.context import ADVERBS, PERIODS

#: The year of dates without one: not a leap year.
ANY_YEAR = 2023
#: Families whose values add up when something is done several times.
ADDED = frozenset({"volume", "mass", "length", "time.seconds", "count", "energy", "area"})
#: "… a day", "… per day in total", "… tablets a day", "… daily", right behind a value.
_PER = re.compile(
    r"\s+(?:[^\W\d_]{3,20}\s+)?"
    r"(?:(?:an?|per|each|every|pro|am|im|al|à la|par|por|ao|na|a la|в|за)\s+(?P<unit>[^\W\d_]{2,12})"
    r"|(?P<adverb>[^\W\d_]{5,14}))\b"
)


def by_total(ours: Place, ledger: Ledger) -> Judgement | None:
    """A value for a day (week, month, …) that is a source value times how often a day the same sentence says."""
    value = ours.value
    if value.dimension not in ADDED or not isinstance(value.amount, Fraction):
        return None
    period = value.period or _period_behind(ours)
    if period is None:
        return None
    for often in ledger.candidates(ours, "times"):
        times = often.value.amount
        if (often.value.period or _period_behind(often)) != period or not isinstance(times, Fraction) or times <= 1:
            continue
        for part in ledger.candidates(ours):
            beside = part.view is often.view and part.sentence == often.sentence and part.value.period is None
            amount = part.value.amount
            if not beside or part.value.dimension != value.dimension or not isinstance(amount, Fraction):
                continue
            same_thing = value.dimension != "count" or part.noun == ours.noun
            if amount * times == value.amount and same_thing:
                formula = f"{part.value.text} × {often.value.text} = {value.text}"
                return backed(ours, FOLLOWS, part, note=f"{often.value.text} a {period}", formula=formula)
    return None


def _period_behind(ours: Place) -> str | None:
    text = ours.view.text
    found = _PER.match(text, ours.value.end, min(len(text), ours.value.end + 48))
    if found is None:
        return None
    if found["unit"]:
        return PERIODS.get(found["unit"].casefold())
    return ADVERBS.get(found["adverb"].casefold())


def by_basket(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "Two adults and two children pay 18 euros" where a source has the price for each: the sum, and its counts."""
    if ours.value.kind == "money":
        basket = _basket(ours, ledger)
        if not basket:
            return None
        terms = (f"{count.value.text} × {part.value.text}" for count, part in basket)
        formula = f"{' + '.join(terms)} = {ours.value.text}"
        return backed(ours, FOLLOWS, basket[0][1], note="for all of them", formula=formula)
    if ours.value.dimension != "count" or not ours.noun:
        return None
    for beside in around(ours):
        if beside.value.kind == "money" and beside.sentence == ours.sentence:
            for count, part in _basket(beside, ledger):
                if count.value is ours.value:
                    return backed(ours, FOLLOWS, part, note=f"one of the counts that make {beside.value.text}")
    return None


def _basket(ours: Place, ledger: Ledger) -> list[tuple[Place, Place]]:
    """The counts of a sentence, each with the source's price for its thing, where they make up `ours`."""
    counts = [p for p in around(ours) if p.sentence == ours.sentence and p.value.dimension == "count" and p.noun]
    if len(counts) < 2:
        return []
    basket: list[tuple[Place, Place]] = []
    total = Fraction(0)
    for count in counts:
        dimension = ours.value.dimension
        priced = [p for p in ledger.candidates(ours) if p.value.dimension == dimension and _is_for(p, count)]
        if len({p.number for p in priced}) != 1 or priced[0].number is None or count.number is None:
            return []
        basket.append((count, priced[0]))
        total += count.number * priced[0].number
    return basket if total == ours.value.amount else []


def _is_for(price: Place, count: Place) -> bool:
    """Whether a price is tied to the thing that is counted: "6 euros for adults", "adults: 6 euros"."""
    tied = tail_of(price)
    return count.noun in (tied or own_words(price) | price.headers)


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
