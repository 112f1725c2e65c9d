"""Ages that follow from a year of birth: "he was 34 when he was elected in 2010" where a source says "born in 1976"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from proofing.support.ages import OLDEST
from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place

_BORN = re.compile(
    r"\b(?:born|geboren|née? (?:en|le)|nacid[oa]|nació|nat[oa]|nascid[oa]|nasceu|родил(?:ся|ась))\b[^.;]{0,24}\Z",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"\b(?:was|is|turned|aged?|at|age of|war|ist|mit|était|à|avait|tenía|a los|aveva|tinha|aos|было)"
    r"(?: (?:only|just|nur))?\s\Z",
    re.IGNORECASE,
)


#: So many dates of the sources are looked at for an age.
MOST = 200


def by_birth_year(ours: Place, ledger: Ledger) -> Judgement | None:
    """A bare age where a source has the year of birth, and the answer's or that source's sentence a later year."""
    value, number = ours.value, ours.number
    if value.dimension not in ("count", "time.months") or number is None or ours.sentence < 0:
        return None
    years = number / 12 if value.dimension == "time.months" else number
    before = ours.view.text[max(0, value.start - 16) : value.start]
    if not 0 < years <= OLDEST or (value.dimension == "count" and (ours.noun or not _AGED.search(before))):
        return None
    sentence = ours.view.sentences[ours.sentence]
    told = set(_years(v.amount for v in ours.view.values_between(sentence.start, sentence.end) if v.kind == "date"))
    for place in ledger.by_family.get("date", ())[:MOST]:
        start = place.value.start
        if not _BORN.search(place.view.text, max(0, start - 40), start):
            continue
        for born in _years([place.value.amount]):
            if any(year - born in (years, years + 1) for year in told):
                return backed(ours, FOLLOWS, place, note=f"an age: born in {born}")
    return None


def _years(amounts: Iterable[object]) -> Iterator[int]:
    for amount in amounts:
        if isinstance(amount, tuple) and amount and isinstance(amount[0], int):
            yield amount[0]
