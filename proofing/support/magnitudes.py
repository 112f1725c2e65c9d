"""Vague magnitudes: "thousands of people", "dozens of boats", "a handful of cases", held against the sources' figures.

No figure is written, so the value grammar reads none; but each says between which figures the number lies, and a
source that counts the same thing shows whether it does. The borders are wide: only what nobody would call "thousands"
is wrong. The other way round, "more than 300" follows from a source that speaks of thousands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from proofing.support.backing import FOLLOWS, judgement_on
from proofing.support.base import Judgement
from proofing.support.bounds import bound_of
from proofing.support.clauses import clause_around
from proofing.support.ledger import Ledger
from proofing.support.places import Place, evidence_at
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView, receipt_on

#: Magnitude -> between which numbers what is so called lies, loosely; and the unit it counts in.
SIZES = {
    "handful": (2, 12, 3), "dozens": (18, 200, 12), "scores": (30, 400, 20), "hundreds": (150, 2_000, 100),
    "thousands": (1_500, 100_000, 1_000), "ten_thousands": (15_000, 200_000, 10_000),
    "hundred_thousands": (150_000, 2_000_000, 100_000), "millions": (1_500_000, 1_000_000_000, 1_000_000),
    "ten_millions": (15_000_000, 200_000_000, 10_000_000), "hundred_millions": (150_000_000, 2_000_000_000, 10**8),
    "billions": (1_500_000_000, 10**12, 10**9),
}  # fmt: skip
#: By language, how each is written, the longer ones first; and what ties it to the thing counted.
_WRITTEN = {
    "en": {
        "hundred_thousands": "hundreds of thousands", "ten_thousands": "tens of thousands", "hundred_millions":
        "hundreds of millions", "ten_millions": "tens of millions", "handful": "a (?:small )?handful",
        "dozens": "dozens", "scores": "scores", "hundreds": "hundreds", "thousands": "thousands",
        "millions": "millions", "billions": "billions",
    },
    "de": {
        "hundred_thousands": "hunderttausende", "ten_thousands": "zehntausende", "handful": "eine handvoll",
        "dozens": "dutzende", "hundreds": "hunderte", "thousands": "tausende", "millions": "millionen",
        "billions": "milliarden",
    },
    "fr": {
        "hundred_thousands": "(?:des )?centaines de milliers", "ten_thousands": "(?:des )?dizaines de milliers",
        "handful": "une poignée", "dozens": "(?:des )?dizaines", "hundreds": "(?:des )?centaines",
        "thousands": "(?:des )?milliers", "millions": "des millions",
    },
    "es": {
        "hundred_thousands": "(?:cientos|centenares) de miles", "ten_thousands": "decenas de miles",
        "handful": "un puñado", "dozens": "decenas|docenas", "hundreds": "cientos|centenares",
        "thousands": "miles|millares", "millions": "millones",
    },
    "it": {
        "hundred_thousands": "centinaia di migliaia", "ten_thousands": "decine di migliaia",
        "handful": "una manciata", "dozens": "decine|dozzine", "hundreds": "centinaia", "thousands": "migliaia",
        "millions": "milioni",
    },
    "pt": {
        "hundred_thousands": "centenas de milhares", "ten_thousands": "dezenas de milhares", "handful": "um punhado",
        "dozens": "dezenas|dúzias", "hundreds": "centenas", "thousands": "milhares", "millions": "milhões",
    },
    "ru": {
        "handful": "горстка", "dozens": "(?:десятки|дюжины)(?! тысяч)", "hundreds": "сотни(?! тысяч)",
    },
}  # fmt: skip
_TIES = {"en": " of", "de": "(?: von)?", "fr": " de?", "es": " de", "it": " di?", "pt": " de", "ru": ""}
_PATTERNS = {
    language: re.compile(
        r"(?<![\w-])(?:" + "|".join(f"(?P<{name}>{written})" for name, written in words.items()) + r")"
        rf"(?P<tie>{_TIES[language]}(?=[ '’][^\W\d]))?(?!\w)",
        re.IGNORECASE,
    )
    for language, words in _WRITTEN.items()
}  # fmt: skip
#: "Two hundred thousands", "3 millones": behind a figure it is part of that.
_COUNTED_BEFORE = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|several|few|dos|tres|zwei|drei|deux|trois|due|tre|dois"
    r"|duas|três|две|три))[ \u00a0]\Z",
    re.IGNORECASE,
)
#: So many words behind it may name the thing counted, and so much else of what is said the source's place must have.
NOUNS, SAID = 3, Fraction(2, 3)


#: So many vague magnitudes of an answer are looked at, and so many counts of the sources for each.
MOST, COUNTS = 50, 500


class Magnitude(NamedTuple):
    """One vague magnitude: its code points (with the tie), what it is called, and the stems of what it counts."""

    start: int
    end: int
    name: str
    nouns: frozenset[str]

    @property
    def borders(self) -> tuple[Fraction, Fraction]:
        low, high, _ = SIZES[self.name]
        return Fraction(low), Fraction(high)


def judge_magnitudes(proof: Proof, ledger: Ledger) -> list[Judgement]:
    """A judgement on each vague magnitude whose thing the sources count: ``contradicted`` where all lie outside."""
    answer = proof.answer
    found = []
    for ours in magnitudes_in(answer)[:MOST]:
        token = answer.token_index_at(ours.start)
        clause = clause_around(answer, token)
        if not ours.nouns or signs_of(answer).denies_between(clause.start, token):
            continue
        behind = [i for i in clause if answer.content[i] and not ours.start <= answer.tokens[i].start < ours.end]
        places = _counts_of(ours, {answer.stems[i] for i in behind}, ledger)
        if places:
            found.append(_judgement(answer, ours, places, _spoken_of_vaguely(ours, ledger)))
    return found


def _counts_of(ours: Magnitude, words: set[str], ledger: Ledger) -> list[Place]:
    """The source figures for the same thing, of which a source says most of the answer's words, in source order."""
    found: list[tuple[int, Place]] = []
    for place in ledger.by_family.get("count", ())[:COUNTS]:
        if not place.noun or place.noun not in ours.nouns or place.value.implicit or place.structure != "prose":
            continue
        others = words - {place.noun}
        if others and len(others & place.wide) >= SAID * len(others):
            found.append((len(others & place.near), place))
    top = max((near for near, _ in found), default=0)
    return [place for near, place in found if near == top]


def _judgement(answer: TextView, ours: Magnitude, places: Sequence[Place], vaguely: bool) -> Judgement:
    within = next((place for place in places if _meets(ours.borders, _borders_of(place))), None)
    place = within or places[0]
    value, text = place.value, answer.text[ours.start : ours.end]
    note = f"the source says {' '.join(value.text.split())}"
    receipt = evidence_at(place, note)
    if within is not None or vaguely:
        return Judgement(ours.start, ours.end, text, "number", FOLLOWS, None, receipt, (), "arithmetic", note,
                         channel="values")  # fmt: skip
    figure = place.view.text[value.digits_span.start : value.digits_span.end] or value.text
    return Judgement(
        ours.start, ours.end, text, "number", 0.0, "contradicted", receipt, (figure,), "arithmetic", note,
        channel="values",
    )  # fmt: skip


def _borders_of(place: Place) -> tuple[Fraction, Fraction | None]:
    """Between which numbers a source's figure lies; None where it is open above."""
    bound = bound_of(place)
    ends = [end.amount for end in place.value.ends if isinstance(end.amount, Fraction)]
    low, high = (min(ends), max(ends)) if ends else (place.number or Fraction(0), place.number or Fraction(0))
    if place.value.approximate:
        low, high = low * Fraction(3, 4), high * Fraction(4, 3)
    if bound is None:
        return low, high
    return (low, None) if bound.side == "floor" else (Fraction(0), high)


def _meets(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction | None]) -> bool:
    return (other[1] is None or other[1] >= one[0]) and other[0] <= one[1]


def _spoken_of_vaguely(ours: Magnitude, ledger: Ledger) -> bool:
    """Whether a source calls the same thing by a magnitude that may be this one."""
    views = {id(place.view): place.view for place in ledger.places}.values()
    return any(
        theirs.nouns & ours.nouns and _meets(ours.borders, theirs.borders)
        for view in views for theirs in magnitudes_in(view)
    )  # fmt: skip


def magnitudes_in(view: TextView) -> Sequence[Magnitude]:
    """The vague magnitudes of a text that count something, in text order; worked out once."""
    known: tuple[Magnitude, ...] | None = view.memo.get("magnitudes")
    if known is None:
        known = view.memo["magnitudes"] = tuple(_read(view))
    return known


def _read(view: TextView) -> Iterator[Magnitude]:
    pattern = _PATTERNS.get(view.language)
    for found in pattern.finditer(view.text) if pattern else ():
        if _COUNTED_BEFORE.search(view.text, max(0, found.start() - 12), found.start()):
            continue
        name = next(name for name in SIZES if found.groupdict().get(name))
        yield Magnitude(
            found.start(), found.end(), name, _nouns(view, found.end()) if found["tie"] is not None else frozenset()
        )


def _nouns(view: TextView, at: int) -> frozenset[str]:
    nouns = []
    first = view.token_index_at(at)
    for i in range(first, min(first + NOUNS + 1, len(view.tokens))):
        if view.tokens[i].kind == "sign" and view.tokens[i].text not in "'’":
            break
        if view.content[i]:
            nouns.append(view.stems[i])
    return frozenset(nouns[:NOUNS])


def by_magnitude(ours: Place, proof: Proof) -> Judgement | None:
    """ "More than 300" where a source speaks of thousands, "fewer than 10,000" where it speaks of hundreds."""
    if ours.value.dimension != "count" or ours.number is None:
        return None
    bound = bound_of(ours)
    if bound is None:
        return None
    for view in proof.sources:
        for theirs in magnitudes_in(view):
            unit = SIZES[theirs.name][2]
            holds = ours.number < 2 * unit if bound.side == "floor" else ours.number >= 10 * unit
            if holds and _speaks_of(view, theirs, ours):
                note = f"the source says {view.text[theirs.start : theirs.end]}"
                return judgement_on(ours, FOLLOWS, receipt=receipt_on(view, theirs.start, theirs.end, note), note=note)
    return None


def _speaks_of(view: TextView, theirs: Magnitude, ours: Place) -> bool:
    """Whether a source's magnitude counts what the answer's figure counts, or stands in a sentence on the same."""
    if ours.noun and theirs.nouns:
        return ours.noun in theirs.nouns
    sentence = view.sentence_at(theirs.start)
    return sentence is not None and not ours.wide.isdisjoint(view.content_stems_in(sentence))
