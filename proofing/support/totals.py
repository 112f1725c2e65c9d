"""What adds up: "30 ml a day" for "10 ml three times a day", what several things cost together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.beside import around, is_every
from proofing.support.derivation import Derivation
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.support.replacing import result_like
from proofing.support.subjects import own_words, tail_of
from proofing.values import family, find_values
from proofing.values.context import ADVERBS, PERIODS
from proofing.values.unit_table import UNITS

#: Families whose values add up when something is done several times.
ADDED = frozenset({"volume", "mass", "length", "time.seconds", "count", "energy", "area"})
#: "… a day", "… per day in total", "… tablets a day", "… of syrup a day", "… daily", right behind a value.
_PER = re.compile(
    r"\s+(?:(?:of|de|di|da)\s+)?(?:[^\W\d_]{3,20}\s+)?"
    r"(?:(?:an?|per|each|every|pro|am|im|al|à la|par|por|ao|na|a la|в|за)\s+(?P<unit>[^\W\d_]{2,12})"
    r"|(?P<adverb>[^\W\d_]{5,14}))\b"
)
#: The words right before a value, back to a figure or a stop: "The total daily dose is".
_BEFORE = re.compile(r"[^\d.,;:!?()]{3,64}\Z")
#: "2 x 500 mg", "two 500 mg tablets", "2 tablets of 500 mg".
_PIECES = re.compile(
    r"\b(\d{1,2}|two|three|four|zwei|drei|deux|trois|dos|tres|due|tre|dois|três)"
    r"(?:\s?[x×]\s?|\s(?:[^\W\d_]{3,12}\s(?:of|à|zu|de|da)\s)?)\Z",
    re.IGNORECASE,
)
#: So many of them may name the period.
NAMING_BEFORE = 5
_ONE = Fraction(1)


class Total(NamedTuple):
    """A source value, how often a period the same sentence says, and what the two make."""

    part: Place
    often: Place
    period: str
    amount: Fraction
    pieces: Fraction = Fraction(1)


def by_total(ours: Place, ledger: Ledger) -> Judgement | None:
    """A value for a day (week, month, …) that is a source value times how often a day the same sentence says."""
    for total in _totals(ours, ledger):
        if total.amount == ours.value.amount:
            formula = f"{_part(total)} × {_often(total)} = {ours.value.text}"
            return backed(ours, FOLLOWS, total.part, note=f"for a {total.period}", formula=formula)
    return None


def by_pieces(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "1,000 mg" where a source says "2 x 500 mg"."""
    amount = ours.value.amount
    if ours.value.dimension not in ADDED or not isinstance(amount, Fraction):
        return None
    for part in ledger.candidates(ours):
        if part.number is None or part.value.dimension != ours.value.dimension:
            continue
        pieces = _pieces(part)
        if pieces is not _ONE and pieces != 1 and pieces * part.number == amount:
            formula = f"{pieces} × {part.value.text} = {ours.value.text}"
            return backed(ours, FOLLOWS, part, note="all of them together", formula=formula)
    return None


def expected_total(ours: Place, ledger: Ledger) -> Derivation | None:
    """What a value for a day should be, where the sources give one total: a single dose is no answer to it."""
    totals = list(_totals(ours, ledger))
    if len({total.amount for total in totals}) != 1:
        return None
    total = totals[0]
    result = result_like(ours.value, total.amount)
    if not result:
        return None
    formula = f"{_part(total)} × {_often(total)} = {result}"
    return Derivation(f"total for a {total.period}", formula, (total.part, total.often), total.amount)


def _part(total: Total) -> str:
    text = total.part.value.text
    return text if total.pieces == 1 else f"{total.pieces} × {text}"


def _often(total: Total) -> str:
    value = total.often.value
    return f"every {value.text}" if value.kind == "duration" else value.text


def _totals(ours: Place, ledger: Ledger) -> Iterator[Total]:
    value = ours.value
    if value.dimension not in ADDED or not isinstance(value.amount, Fraction):
        return
    period = value.period or _period_behind(ours) or _period_before(ours)
    if period is None:
        return
    occasions = [*ledger.candidates(ours, "times"), *ledger.candidates(ours, family("time.seconds"))]
    for often in occasions:
        times = _times(often, period)
        if times is None or times <= 1:
            continue
        for part in ledger.candidates(ours):
            beside = part.view is often.view and part.sentence == often.sentence and part is not often
            amount = part.value.amount
            if not beside or part.value.dimension != value.dimension or not isinstance(amount, Fraction):
                continue
            if part.value.period is None and (value.dimension != "count" or part.noun == ours.noun):
                pieces = _pieces(part)
                yield Total(part, often, period, amount * times * pieces, pieces)


def _pieces(part: Place) -> Fraction:
    """How many of it are taken at a time: 2 in "2 x 500 mg twice daily", "two 500 mg tablets"."""
    view, start = part.view, part.value.start
    known: Fraction | None = view.memo.get(("pieces", start))
    if known is None:
        match = _PIECES.search(view.text, max(0, start - 24), start)
        number = find_values(match.group(1)) if match else ()
        amount = number[0].amount if number else None
        known = view.memo["pieces", start] = amount if isinstance(amount, Fraction) and amount > 0 else _ONE
    return known


def _times(often: Place, period: str) -> Fraction | None:
    """How often in a period: "three times a day", "every six hours"."""
    value = often.value
    if not isinstance(value.amount, Fraction):
        return None
    if value.dimension == "times":
        return value.amount if (value.period or _period_behind(often)) == period else None
    unit = UNITS.get(period)
    if unit is None or value.dimension != unit.scales[0].dimension or value.amount <= 0 or not is_every(often):
        return None
    times = unit.scales[0].factor / value.amount
    return times if times.denominator == 1 else None


def _period_behind(ours: Place) -> str | None:
    text = ours.view.text
    found = _PER.match(text, ours.value.end, min(len(text), ours.value.end + 48))
    if found is None or _says_how_often(ours, found.end()):
        return None
    if found["unit"]:
        return PERIODS.get(found["unit"].casefold())
    return ADVERBS.get(found["adverb"].casefold())


def _says_how_often(ours: Place, end: int) -> bool:
    """ "250 g twice a day": the day belongs to the "twice"."""
    return any(ours.value.end <= place.value.start < end and place.value.dimension == "times" for place in around(ours))


def _period_before(ours: Place) -> str | None:
    text = ours.view.text
    found = _BEFORE.search(text[max(0, ours.value.start - 64) : ours.value.start])
    words = found.group().casefold().split()[-NAMING_BEFORE:] if found else ()
    return next((ADVERBS[word] for word in words if word in ADVERBS), None)


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
