"""The calculations themselves: every result that source values give, with the operands it was made from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

from proofing.support.asking import CHANGE, DIFFERENCE, MEAN, MIDDLING, PRODUCT, RATIO, SHARE, SPAN, SUM
from proofing.support.beside import around, is_aged
from proofing.support.figures import months_between, seconds_between
from proofing.support.operands import OPERANDS, amount_of, closeness, operands_for
from proofing.support.places import Place
from proofing.support.statements import family_of
from proofing.values import Reading

#: How many operands a sum of all or a mean of all may have, and of how many three are taken.
GROUP, THREE_OF = 8, 6
#: How many operands are multiplied by counts that stand near them.
PRICED = 6


#: An exact number: plain integers where there is nothing to divide, which is much faster than fractions.
Exact = Fraction | int


class Step(NamedTuple):
    """One calculation: what was done, its exact result in the base unit, its operands in the order of the formula.

    The result is kept as ``over / under`` with `under` above 0, so that results which lead nowhere are never divided.
    """

    operation: str
    over: Exact
    operands: tuple[Place, ...]
    sign: str = ""
    under: Exact = 1

    @property
    def result(self) -> Fraction:
        return Fraction(self.over, self.under)


def steps_for(ours: Place, places: Sequence[Place], asked: str | None) -> Iterator[Step]:
    """Every calculation that may lead to a value of this kind; only the asked one where the words ask for one."""
    family = family_of(ours.value)
    if ours.value.dimension == "points":
        yield from same_family_steps(ours, operands_for(ours, places), DIFFERENCE)
    elif family == "percent":
        yield from percent_steps(ours, operands_for(ours, places), asked)
    elif family == "time":
        yield from _span_steps(ours, places)
        yield from same_family_steps(ours, operands_for(ours, places), asked)
    else:
        operands = operands_for(ours, places)
        yield from same_family_steps(ours, operands, asked)
        if asked in (None, SUM):
            yield from _product_steps(ours, places, operands)
        if family == "count" and is_aged(ours):
            yield from _age_steps(places)
        if family == "count" and asked in (None, RATIO):
            yield from _ratio_steps(places, ours, asked)


def same_family_steps(ours: Place, operands: Sequence[Place], asked: str | None) -> Iterator[Step]:
    """Sums, differences and means of values of one dimension."""
    numbered = [(exact(p), p) for p in operands]
    if asked in (None, SUM):
        if len(operands) <= OPERANDS:
            for (one, first), (other, second) in combinations(numbered, 2):
                yield Step(SUM, one + other, (first, second), "+")
        if len(operands) <= THREE_OF:
            for (one, first), (other, second), (last, third) in combinations(numbered, 3):
                yield Step(SUM, one + other + last, (first, second, third), "+")
        if 3 < len(operands) <= GROUP:
            yield Step(SUM, sum(n for n, _ in numbered), tuple(operands), "+")
    if asked in (None, DIFFERENCE):
        for (one, first), (other, second) in combinations(numbered, 2):
            if one > other:
                yield Step(DIFFERENCE, one - other, (first, second), "-")
            elif other > one:
                yield Step(DIFFERENCE, other - one, (second, first), "-")
    if asked == MEAN or (asked is None and len(operands) <= 4 and _may_be_mean(ours)):
        for size in range(2, min(len(operands), GROUP) + 1):
            if size == len(operands) or size == 2:
                for group in combinations(numbered, size):
                    yield Step(MEAN, sum(n for n, _ in group), tuple(p for _, p in group), "mean", size)


def _may_be_mean(ours: Place) -> bool:
    """Whether a figure nobody calls an average may be one: "about 14", "the usual price is 14"."""
    if ours.value.approximate:
        return True
    zone = ours.view.tokens_between(*ours.zone)
    return any({ours.view.stems[i], ours.view.folds[i]} & MIDDLING for i in zone)


def percent_steps(ours: Place, operands: Sequence[Place], asked: str | None) -> Iterator[Step]:
    """Shares and percent changes, in percent."""
    numbered = [(exact(p), _reading(p).dimension, p) for p in operands]
    for (one, dimension, part), (other, same, whole) in permutations(numbered, 2):
        if dimension != same or other <= 0:
            continue
        if asked in (None, SHARE) and 0 < one <= other:
            yield Step(SHARE, 100 * one, (part, whole), "share", other)
        if asked in (None, CHANGE) and one != other and in_time(whole, part) == (whole, part):
            yield Step(CHANGE, (one - other if one > other else other - one) * 100, (part, whole), "change", other)


def _product_steps(ours: Place, places: Sequence[Place], operands: Sequence[Place]) -> Iterator[Step]:
    wanted = ours.value.readings[0].dimension
    priced = [p for p in operands if number_of(p)][:PRICED]
    beside = (-1, 0, 1) if wanted != "count" else (0,)
    near = {(id(p.view), p.sentence + step) for p in priced for step in beside}
    counts = [p for p in places if (id(p.view), p.sentence) in near and family_of(p.value) == "count"]
    counts = [p for p in counts if number_of(p) > 1]
    told = _told_beside(ours) if wanted != "count" else []
    for price in priced:
        for count in counts:
            if count.view is price.view and count.sentence - price.sentence in beside and count is not price:
                yield Step(PRODUCT, exact(price) * exact(count), (count, price), "×")
        for count in told:
            if count.noun in price.near:
                yield Step(PRODUCT, exact(price) * exact(count), (count, price), "×")


def _told_beside(ours: Place) -> list[Place]:
    """Counts in the answer's own sentence that a price may be multiplied by: "four tickets cost $72"."""
    return [
        place
        for place in around(ours)
        if place.value.dimension == "count" and place.noun and place.value is not ours.value and (place.number or 0) > 1
    ]


def _ratio_steps(places: Sequence[Place], ours: Place, asked: str | None) -> Iterator[Step]:
    if asked != RATIO:
        return
    ranked = [p for p in places if amount_of(p.value) and p.value.readings[0].dimension != "percent"]
    ranked = sorted(ranked, key=lambda p: -closeness(ours, p))[:OPERANDS]
    for one, other in combinations(ranked, 2):
        if _reading(one).dimension == _reading(other).dimension and number_of(one) > 0 and number_of(other) > 0:
            big, small = (one, other) if number_of(one) >= number_of(other) else (other, one)
            yield Step(RATIO, exact(big), (big, small), "/", exact(small))


def _span_steps(ours: Place, places: Sequence[Place]) -> Iterator[Step]:
    dimension = ours.value.readings[0].dimension
    dates = [p for p in places if p.value.kind == "date"]
    dates += [p.changed(value=end) for p in places if p.value.dimension == "range:date" for end in p.value.ends]
    dates = sorted(dates, key=lambda p: -closeness(ours, p))[:OPERANDS]
    measure = months_between if dimension == "time.months" else seconds_between
    for one, other in combinations(dates, 2):
        length = measure(one.value, other.value)
        if length:
            later, earlier = (one, other) if length > 0 else (other, one)
            yield Step(SPAN, abs(length), (later, earlier), "-")


def _age_steps(places: Sequence[Place]) -> Iterator[Step]:
    """Years between two dates, for "at the age of 71"."""
    dates = [p for p in places if p.value.kind == "date"][:OPERANDS]
    for one, other in combinations(dates, 2):
        months = months_between(one.value, other.value)
        if months:
            later, earlier = (one, other) if months > 0 else (other, one)
            yield Step(SPAN, int(abs(months) // 12), (later, earlier), "-")


def in_time(one: Place, other: Place) -> tuple[Place, Place]:
    """Two places, earlier first: by the year named in each zone, else by the order of the text."""
    first, second = _year(one), _year(other)
    if first is not None and second is not None and first != second:
        return (one, other) if first < second else (other, one)
    if one.view is not other.view:
        return one, other
    if _is_earlier(one) != _is_earlier(other):
        return (one, other) if _is_earlier(one) else (other, one)
    return (one, other) if one.value.start <= other.value.start else (other, one)


#: What says, right before a figure, that it is the one from before: "8.5%, down from 12%", "18% (prior year 17%)".
_FROM_BEFORE = re.compile(
    r"\b(?:(?:down|up|compared|versus|vs\.?|against) (?:from|with|to)?|(?:prior|previous|last|preceding) (?:year|"
    r"quarter|month|period)s?:?"
    r"|previously|formerly|before|vorjahr:?|zuvor|vorher|zuletzt|nach|anterior:?|antes|auparavant|contre|prima|contro)"
    r"(?: (?:a|an|the|about|only|just|of|was|nearly))? ?\Z",
    re.IGNORECASE,
)


def _is_earlier(place: Place) -> bool:
    """Whether the words right before a figure say that it is the earlier one."""
    text = place.view.text
    return _FROM_BEFORE.search(text[max(0, place.value.start - 32) : place.value.start]) is not None


def _year(place: Place) -> int | None:
    years = sorted(int(label[5:]) for label in place.labels if label.startswith("year="))
    return years[0] if len(years) == 1 else None


def _reading(place: Place) -> Reading:
    return place.value.readings[0]


def exact(place: Place) -> Exact:
    """The amount at a place, 0 for what cannot be calculated with; an integer where it is one."""
    return whole(place.number or Fraction(0))


def whole(number: Fraction) -> Exact:
    """A fraction as an integer where it is one."""
    return number.numerator if number.denominator == 1 else number


def number_of(place: Place) -> Fraction:
    """The amount at a place; 0 for what cannot be calculated with."""
    return place.number or Fraction(0)
