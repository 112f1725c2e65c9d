"""What adds up over a day, a week, a month: "30 ml a day" where the source says "10 ml three times a day"."""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.values.context import ADVERBS, PERIODS

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
