"""Counts and shares that follow from one percentage: "20 of them" for a quarter of 80, "38%" beside the other 62%."""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.beside import around
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.values.base import APPROXIMATE_SHARE

#: Words that say that the rest is meant.
_REST = re.compile(
    r"\b(?:not|n't|rest|other|others|remaining|nicht|übrigen|pas|reste|autres|no|resto|non|não|не|остальные)\b",
    re.IGNORECASE,
)
#: Dimensions of shares, with what makes a share of one whole out of them.
SHARES = {"percent": Fraction(1, 100), "ratio": Fraction(1)}


def by_portion(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "80 were clean" where a source says that 40% of the 200 were: the share of a count in the same sentence."""
    if ours.value.dimension != "count" or ours.number is None:
        return None
    for share, whole, exact in _portions(ledger):
        if _equals(ours, exact) and _spoken_of(ours, share, whole):
            formula = f"{share.value.text} × {whole.value.text} = {ours.value.text}"
            return backed(ours, FOLLOWS, share, note=f"{share.value.text} of {whole.value.text}", formula=formula)
    return None


def _portions(ledger: Ledger) -> list[tuple[Place, Place, Fraction]]:
    """Each share of the sources with each count of its sentence, and what it is of that count; worked out once."""
    known: list[tuple[Place, Place, Fraction]] | None = ledger.memo.get("portions")
    if known is None:
        known = []
        shares = ledger.by_family.get("percent", ())
        for dimension, unit in SHARES.items():
            for share in [p for p in shares if p.value.dimension == dimension and p.number is not None]:
                for whole in around(share):
                    if whole.value.dimension == "count" and whole.number is not None:
                        known.append((share, whole, whole.number * (share.number or 0) * unit))
        ledger.memo["portions"] = known
    return known


def _spoken_of(ours: Place, share: Place, whole: Place) -> bool:
    """Whether the answer says of its count what the source says of the share, beside what is counted."""
    words = {word for word in share.near if "=" not in word and word != whole.noun}
    return bool(words & ours.near)


def _equals(ours: Place, exact: Fraction) -> bool:
    if ours.number is None:
        return False
    off = abs(ours.number - exact)
    return off * 2 < 1 or (ours.value.approximate and off <= APPROXIMATE_SHARE * exact)


def by_rest(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "62% were women, so 38% were men": what a stated share of the same sentence leaves of a hundred."""
    if ours.value.dimension != "percent" or ours.number is None:
        return None
    for beside in around(ours):
        stated = beside.number is not None and beside.value.dimension == "percent" and beside.sentence == ours.sentence
        if stated and beside.value is not ours.value and (beside.number or 0) + ours.number == 100:
            for entry in ledger.equal(beside.value):
                other = not (ours.near - beside.near) <= entry.place.near
                if other or _REST.search(ours.view.text, max(ours.zone[0], beside.value.end), ours.zone[1]):
                    formula = f"100 - {beside.value.text} = {ours.value.text}"
                    return backed(ours, FOLLOWS, entry.place, note="the rest of a hundred", formula=formula)
    return None
