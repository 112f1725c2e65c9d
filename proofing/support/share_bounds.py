"""A bound that names a half, a third, a quarter: "more than half of the guests" for "87% of guests"."""

from __future__ import annotations

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
_FLOOR, _CEILING = ("more than ", "over ", "well over ", "at least "), ("less than ", "fewer than ", "under ")


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
    before = view.text[max(0, start - BEFORE) : start].casefold()
    tokens = view.tokens_between(max(place.zone[0], start - BEFORE), start)
    if tokens and signs_of(view).denies_between(tokens.start, tokens.stop):
        return ""
    if before.endswith(_FLOOR):
        return "floor"
    if before.endswith(_CEILING):
        return "ceiling"
    bound = bound_of(place)
    return bound.side if bound is not None else ""
