"""Totals with a base price: "seven seats cost $36" for $20 with five seats and $8 for each extra one, and
"four nights with cleaning come to €400" for €90 a night and a fee of €40."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from proofing.support.backing import COUNTED, FOLLOWS, backed, judgement_on
from proofing.support.base import Judgement
from proofing.support.beside import around
from proofing.support.figures import unit_scale
from proofing.support.ledger import Ledger
from proofing.support.lexical import are_cognates
from proofing.support.places import Place
from proofing.support.steps import number_of
from proofing.support.subjects import own_words
from proofing.support.wordset import word_set
from proofing.values.context import THINGS

#: Words that say that a price is for one more than those a base price includes.
EXTRA = word_set(
    "extra additional further more beyond above weitere weiterer weiteres weiteren zusätzliche zusätzlicher "
    "zusätzliches zusätzlichen supplémentaire supplémentaires adicional adicionales adicionais aggiuntivo aggiuntiva "
    "ulteriore ulteriori дополнительное дополнительный дополнительная дополнительного дополнительных каждое"
)
#: So many words around a price may say so.
EXTRA_REACH = 8
#: A thing and a word of at least so many letters may be two forms of one word; shorter ones must match as they are.
COGNATE_LENGTH = 4
_FOR = re.compile(r"\b(?:for|für|pour|para|per|на|de)\s$", re.IGNORECASE)
_PLAIN_VOWELS = str.maketrans("äöü", "aou")


class Bill(NamedTuple):
    """A total with the source places and the count of the answer it is made of."""

    counted: Place
    parts: tuple[Place, ...]
    amount: Fraction
    formula: str


def by_extra(ours: Place, ledger: Ledger) -> Judgement | None:
    """A total of a base price and so many extra ones, of so many and a fee; and the counts that such a total is for."""
    if ours.value.kind == "money":
        each = _for_one(ours, ledger)
        if each is not None:
            return each
        for bill in _bills(ours, ledger):
            if bill.amount == ours.value.amount:
                formula = f"{bill.formula} = {ours.value.text}"
                return backed(ours, FOLLOWS, bill.parts[0], note="for all of them", formula=formula)
        return None
    if ours.value.dimension != "count" or not ours.noun:
        return None
    for total in around(ours):
        if total.value.kind != "money" or total.sentence != ours.sentence:
            continue
        stated = bool(ledger.equal(total.value))
        for bill in _bills(total, ledger):
            if bill.amount != total.value.amount and bill.counted.value is ours.value and not stated:
                return judgement_on(ours, COUNTED, note="the count that a total is for; the total is judged itself")
            if bill.amount != total.value.amount:
                continue
            if bill.counted.value is ours.value:
                return backed(ours, FOLLOWS, bill.parts[0], note=f"the count that makes {total.value.text}")
            included = next((part for part in bill.parts if part.value.dimension == "count"), None)
            if included is not None and ours.number == (bill.counted.number or 0) - (included.number or 0):
                formula = f"{bill.counted.value.text} - {included.value.text} = {ours.value.text}"
                return backed(ours, FOLLOWS, included, note="beyond those included", formula=formula)
    return None


def _for_one(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "€20 a lesson" for "€240 for 12 lessons": the price of all by their count, where the answer names the thing."""
    said = _words_of(ours)
    for price in ledger.candidates(ours):
        if price.value.dimension != ours.value.dimension or price.number is None or price.value.period:
            continue
        for count in around(price):
            many, weighed = number_of(count), count.value.kind == "quantity"
            if weighed:
                many /= unit_scale(count.value)
            named = _is_by_unit(ours, count) if weighed else count.value.dimension == "count" and bool(count.noun)
            counts = count.sentence == price.sentence and named and many > 1
            if counts and number_of(price) == many * number_of(ours) and (weighed or _names(count.noun, said)):
                formula = f"{price.value.text} / {count.value.text} = {ours.value.text}"
                return backed(ours, FOLLOWS, price, note="for one of them", formula=formula)
    return None


def _is_by_unit(ours: Place, measure: Place) -> bool:
    """Whether a price is for one of a measure's unit: "a kilo" for "2 kg"."""
    return ours.value.period is not None and THINGS.get(measure.value.reading.unit) == ours.value.period


def _names(noun: str, words: frozenset[str]) -> bool:
    """Whether a thing is named, be it in the singular: "lezione" for "lezioni"."""
    return _speaks_of(words, noun) or any(are_cognates(noun, word) for word in words if len(word) >= COGNATE_LENGTH)


def _bills(ours: Place, ledger: Ledger) -> Iterator[Bill]:
    """The totals that the counts of the answer's sentence make with the sources' prices."""
    prices = [p for p in ledger.candidates(ours) if p.value.dimension == ours.value.dimension and p.number is not None]
    counts = [
        p for p in around(ours)
        if p.sentence == ours.sentence and p.number is not None and p.value.kind in ("number", "duration")
    ]  # fmt: skip
    for count in counts:
        yield from _for_people(count, prices)
        yield from _with_extras(ours, count, prices, ledger)
        yield from _with_fee(ours, count, prices)


def _for_people(count: Place, prices: list[Place]) -> Iterator[Bill]:
    """ "Dinner for four comes to €152" for €38 per person."""
    if count.value.dimension != "count" or not _FOR.search(count.view.text, 0, count.value.start):
        return
    for price in prices:
        if price.value.period == "person" and price.near & count.wide:
            formula = f"{count.value.text} × {price.value.text}"
            yield Bill(count, (price,), number_of(count) * number_of(price), formula)


def _words_of(place: Place) -> frozenset[str]:
    """All words of a value's own part of the sentence, small ones too (French "personne" is one)."""
    return frozenset(place.view.stems[i] for i in place.view.tokens_between(*place.zone))


def _speaks_of(words: frozenset[str], noun: str) -> bool:
    """Whether a thing is among some words, its plural included ("Plätze" of "Platz")."""
    return bool(noun) and (noun in words or noun.translate(_PLAIN_VOWELS) in words)


def _with_extras(ours: Place, count: Place, prices: list[Place], ledger: Ledger) -> Iterator[Bill]:
    for each in prices:
        if not _is_extra(each) or not _names(count.noun, _words_of(each)):
            continue
        for included in ledger.candidates(count):
            if included.noun != count.noun or included.view is not each.view:
                continue
            more = number_of(count) - number_of(included)
            for base in prices:
                together = base.view is included.view and abs(base.sentence - included.sentence) <= 1
                if more > 0 and together and base is not each and not _is_extra(base) and _same_period(ours, base):
                    total = number_of(base) + more * number_of(each)
                    formula = f"{base.value.text} + {more} × {each.value.text}"
                    yield Bill(count, (base, included, each), total, formula)


def _with_fee(ours: Place, count: Place, prices: list[Place]) -> Iterator[Bill]:
    """So many at a price, with another sum that the answer's sentence names."""
    thing = {count.noun} if count.noun else set(count.value.reading.unit.split())
    many = _figure(count)
    for rate in prices:
        if not (rate.value.period in thing or thing & rate.near) or many <= 1:
            continue
        for fee in prices:
            if fee is not rate and fee.number != rate.number and (own_words(fee) - own_words(rate)) & ours.wide:
                formula = f"{count.value.text} × {rate.value.text} + {fee.value.text}"
                yield Bill(count, (rate, fee), many * number_of(rate) + number_of(fee), formula)


def _figure(count: Place) -> Fraction:
    """How many are counted: 4 for "four nights", also where nights are read as lengths of time."""
    amount = count.number or Fraction(0)
    return amount / unit_scale(count.value) if count.value.kind == "duration" else amount


def _is_extra(price: Place) -> bool:
    """Whether a price is said to be for one more: "each extra seat costs $8", "$8 per additional seat"."""
    view = price.view
    inside = view.tokens_between(*price.zone)
    at = view.token_index_at(price.value.start)
    return any(view.folds[i] in EXTRA for i in inside if abs(i - at) <= EXTRA_REACH)


def _same_period(ours: Place, base: Place) -> bool:
    return ours.value.period is None or base.value.period is None or ours.value.period == base.value.period
