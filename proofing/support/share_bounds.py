"""A bound that names a half, a third, a quarter: "more than half of the guests" for "87% of guests"."""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.bounds import bound_of
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.support.polarity_words import signs_of

#: The most such a share may be off: "more than half" is said of four fifths too, "more than a tenth" hardly.
FARTHEST = 2
#: A bound stands so many code points before its share at most.
BEFORE = 20
_ARTICLE = r"(?: (?:the|an?|die|der|das|eine[rmn]?|ein|la|le|une?|una|un|il|lo|uma?|a))?(?: l['’]|[ \u00a0])\Z"
_FLOOR = re.compile(
    r"\b(?:more than|over|at least|mehr als|über|mindestens|plus de|más de|più (?:di|della|del)|oltre|mais de"
    rf"|более|больше|свыше){_ARTICLE}",
    re.IGNORECASE,
)
_CEILING = re.compile(
    r"\b(?:less than|fewer than|under|weniger als|unter|moins de|menos de|meno (?:di|della|del)|менее|меньше)"
    rf"{_ARTICLE}",
    re.IGNORECASE,
)


def by_share_bound(ours: Place, ledger: Ledger) -> Judgement | None:
    """A fraction in words as the bound of a percentage that the sources state of the same thing."""
    number = ours.number
    if ours.value.dimension != "ratio" or number is None or not 0 < number < 1:
        return None
    side = _side(ours)
    for place in ledger.candidates(ours) if side else ():
        share = place.number
        if share is None or place.value.dimension not in ("percent", "ratio") or bound_of(place) is not None:
            continue
        share = share / 100 if place.value.dimension == "percent" else share
        if _holds(side, number, share) and len(place.wide & ours.wide) >= min(2, len(ours.wide)):
            return backed(ours, FOLLOWS, place, note=f"a bound of {place.value.text}")
    return None


def _holds(side: str, bound: Fraction, share: Fraction) -> bool:
    if side == "floor":
        return bound < share <= bound * FARTHEST
    return bound / FARTHEST <= share < bound


def _side(place: Place) -> str:
    view, start = place.view, place.value.start
    before = view.text[max(0, start - BEFORE) : start]
    tokens = view.tokens_between(max(place.zone[0], start - BEFORE), start)
    if tokens and signs_of(view).denies_between(tokens.start, tokens.stop):
        return ""
    if _FLOOR.search(before):
        return "floor"
    if _CEILING.search(before):
        return "ceiling"
    bound = bound_of(place)
    return bound.side if bound is not None else ""
