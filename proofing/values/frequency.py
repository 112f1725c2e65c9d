"""How often: "twice", "three times a year", "2×", "billed monthly", "every year".

>>> from proofing.values import find_values, same
>>> [(v.text, v.dimension, str(v.amount), v.period) for v in find_values("It runs twice a day and is billed annually.")]
[('twice', 'times', '2', 'day'), ('annually', 'frequency', 'year', None)]
>>> same(find_values("three times as many")[0], find_values("3x as many")[0])
True
>>> same(find_values("paid once a year")[0], find_values("paid annually")[0])
True
>>> find_values("a daily newspaper about daily life")
()
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values import context
from proofing.values.base import Reading, Value
from proofing.values.page import Page
from proofing.values.unit_table import UNITS, Scale, Unit

_TIMES = Unit("number", "times", (Scale("times", Fraction(1)),))
for _word in ("times", "x", "×", "fold", "veces", "fois", "volte", "vezes", "раза", "раз", "mal"):
    UNITS.setdefault(_word, _TIMES)

_COUNTS = {
    "once": 1,
    "twice": 2,
    "thrice": 3,
    "zweimal": 2,
    "dreimal": 3,
    "einmal": 1,
    "twofold": 2,
    "threefold": 3,
    "fourfold": 4,
    "fivefold": 5,
    "tenfold": 10,
}
_PAID = re.compile(
    r"\b(?:\w{2,}(?:ed|en)|due|paid|pays?|bills?|charges?|renews?|runs?|meets?|billing is|payable|abgerechnet|bezahlt|gezahlt|fällig|paga|pagan|"
    r"paie|payé|cobra|factura|facturé|fatturato|cobrado|pago)[ ](?:on an? |only |either )?$"
)
_EVERY = re.compile(r"(?:every|each|jede[nrs]?|chaque|cada|ogni|каждый|каждую)[ ](?P<unit>[^\W\d_]+)(?![ ]?\d)")
#: "at once", "all at once": a moment, no count.
_NOT_COUNTED = frozenset({"at", "for", "this", "that", "was", "were"})
_BASIS = re.compile(r"[ ](?:basis|fee|plan|rate|price|subscription)")
WORDS = frozenset(_COUNTS) | frozenset(w for w in context.ADVERBS if w != "p.a.")
EVERY = frozenset("every each jede jeden jeder jedes chaque cada ogni каждый каждую".split())


def at_word(page: Page, start: int, end: int, floor: int) -> Value | None:
    """A frequency at the word ``[start, end)``."""
    low = page.low
    word = low[start:end]
    count = _COUNTS.get(word)
    if count is not None:
        return _counted(page, start, end, count)
    name = context.ADVERBS.get(word)
    if name is None:
        return None
    before = low[max(floor, start - 28) : start]
    if not _PAID.search(before):
        return None
    following = low[end : end + 1]
    if (
        word in ("annual", "monthly", "weekly", "daily", "quarterly", "hourly", "nightly", "yearly")
        and following == " "
        and _names_a_thing(low, end)
    ):
        return None
    return _frequency(page, start, end, name, implicit=name == "day")


def every_at(page: Page, start: int, floor: int) -> Value | None:
    """ "every month", "each year" after a verb of paying or doing."""
    match = _EVERY.match(page.low, start)
    if match is None:
        return None
    name = context.PERIODS.get(match["unit"])
    if name is None or len(match["unit"]) < 3 or match["unit"] == "night":
        return None
    return _frequency(page, start, match.end(), name, implicit=not _PAID.search(page.low[max(0, start - 28) : start]))


def _counted(page: Page, start: int, end: int, count: int) -> Value | None:
    period = context.period_after(page, end)
    if count == 1:
        if period is None:
            closed = page.low[end : end + 1] in (".", ",", ";", ")", "") and start > 0 and page.low[start - 1] == " "
            if not closed or word_before(page.low, start) in _NOT_COUNTED:
                return None
            reading = Reading("times", Fraction(1), "times", Fraction(1))
            return Value(
                "number", page.text[start:end], start, end, (reading,), digits_span=Span(start, end), implicit=True
            )
        return _frequency(page, start, period[1].end, period[0])
    return Value("number", page.text[start:end], start, end, (Reading("times", Fraction(count), "times", Fraction(1)),),
                 period=period[0] if period else None, period_span=period[1] if period else None, noun="times", digits_span=Span(start, end))  # fmt: skip


def word_before(low: str, start: int) -> str:
    """The word that ends right before the blank at ``start - 1``."""
    return low[max(0, start - 24) : start].rsplit(None, 1)[-1] if low[max(0, start - 24) : start].strip() else ""


def _names_a_thing(low: str, end: int) -> bool:
    """Whether "monthly" is an adjective here: a word follows that is no function word."""
    match = re.compile(r"[ ]([a-z]+)").match(low, end)
    return match is not None and match[1] not in context._NO_NOUN


def _frequency(page: Page, start: int, end: int, name: str, implicit: bool = False) -> Value:
    return Value(
        "duration",
        page.text[start:end],
        start,
        end,
        (Reading("frequency", name, name),),
        digits_span=Span(start, end),
        implicit=implicit,
    )
