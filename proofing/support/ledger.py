"""All values of the sources, found by what they mean: equal ones by look-up, comparable ones by family."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from proofing.support.places import Place, places_of
from proofing.support.reading import Proof
from proofing.support.statements import family_of
from proofing.values import Value, family
from proofing.values.base import Amount, exactly

Key = tuple[str, Amount | int]


class Entry(NamedTuple):
    """One source value that equals a value of the answer; `end` when it is an end of the range at `place`."""

    place: Place
    end: Value | None = None

    @property
    def value(self) -> Value:
        return self.end or self.place.value


#: Families with no more source values than this are looked at whole; of larger ones only so many that share
#: words with the answer's sentence or are nearest in amount, so that cost does not grow with answer times sources.
CANDIDATES = 64
#: A word that stands at more source values than this is looked up at its first ones only.
COMMON = 200
#: How many of them are taken for their amount, on either side.
NEAREST = 8
#: How many source values with one and the same meaning are kept, first ones first.
EQUALS = 64


@dataclass(frozen=True, slots=True)
class Ledger:
    """The values of all sources in order, with an index by meaning and one by family."""

    places: tuple[Place, ...]
    by_key: dict[Key, list[Entry]]
    by_family: dict[str, list[Place]]
    memo: dict[Hashable, Any]

    @classmethod
    def of(cls, proof: Proof) -> Ledger:
        places = tuple(place for view in proof.sources for place in places_of(view))
        by_key: dict[Key, list[Entry]] = {}
        by_family: dict[str, list[Place]] = {}
        for place in places:
            for group in dict.fromkeys([family(r.dimension) for r in place.value.readings]):
                by_family.setdefault(group, []).append(place)
            keys = [*keys_of(place.value), *_scaled(place)] if place.scale != 1 else keys_of(place.value)
            for key in keys:
                by_key.setdefault(key, []).append(Entry(place))
            for end in place.value.ends:
                for key in keys_of(end):
                    by_key.setdefault(key, []).append(Entry(place, end))
        for entries in by_key.values():
            del entries[EQUALS:]
        return cls(places, by_key, by_family, {})

    def equal(self, value: Value) -> list[Entry]:
        """Source values equal to `value`, whole ones before ends of ranges, else in source order."""
        found: dict[tuple[int, int], Entry] = {}
        for key in keys_of(value):
            for entry in self.by_key.get(key, ()):
                found.setdefault((id(entry.place), entry.end.start if entry.end else -1), entry)
        return sorted(found.values(), key=lambda entry: entry.end is not None)

    def candidates(self, ours: Place, group: str = "") -> list[Place]:
        """Source values that could be meant by a value of the answer, in source order.

        Args:
            ours: the place of the value in the answer.
            group: another family than the value's own (dates for a length of time, counts for a percentage).
        """
        group = group or family_of(ours.value)
        places = self.by_family.get(group, [])
        if len(places) <= CANDIDATES:
            return places
        key = (group, ours.value.start)
        found: list[Place] | None = self.memo.get(key)
        if found is None:
            picked = self._sharing_words(ours, group, places) | self._near_in_amount(ours.value, group, places)
            found = self.memo[key] = [places[index] for index in sorted(picked)]
        return found

    def operands(self, ours: Place) -> list[Place]:
        """Source values that a calculation may start from, family by family, each in source order."""
        key = ("operands", ours.value.start)
        known: list[Place] | None = self.memo.get(key)
        if known is None:
            groups = dict.fromkeys((family_of(ours.value), "count", "money", "date"))
            found: dict[int, Place] = {}
            for group in groups:
                places = self.candidates(ours, group)
                found.update(zip(map(id, places), places, strict=True))
            known = self.memo[key] = list(found.values())
        return known

    def _sharing_words(self, ours: Place, group: str, places: list[Place]) -> set[int]:
        postings: dict[str, list[int]] | None = self.memo.get(("words", group))
        if postings is None:
            postings = self.memo["words", group] = {}
            for index, place in enumerate(places):
                for stem in place.wide:
                    postings.setdefault(stem, []).append(index)
        near = [postings[stem][:COMMON] for stem in ours.near & ours.wide if stem in postings]
        rest = [postings[stem][:COMMON] for stem in ours.wide - ours.near if stem in postings]
        scores = Counter(chain.from_iterable([*near * 3, *rest]))  # a word of the zone counts three times
        if len(scores) <= CANDIDATES:
            return set(scores)
        return set(sorted(sorted(scores), key=scores.__getitem__, reverse=True)[:CANDIDATES])

    def _near_in_amount(self, value: Value, group: str, places: list[Place]) -> set[int]:
        ranked: list[tuple[Amount | int, int]] | None = self.memo.get(("amounts", group))
        if ranked is None:
            numbered = ((place.number, index) for index, place in enumerate(places))
            ranked = self.memo["amounts", group] = sorted((exactly(n), i) for n, i in numbered if n is not None)
        amount = value.readings[0].amount
        if not isinstance(amount, Fraction):
            return set(range(min(NEAREST, len(places))))
        at = bisect_left(ranked, (exactly(amount), -1))
        return {index for _, index in ranked[max(0, at - NEAREST) : at + NEAREST]}

    def of_year(self, year: int) -> Place | None:
        """The first source date in a year."""
        index: dict[object, Place] | None = self.memo.get("years")
        if index is None:
            index = self.memo["years"] = {}
            for place in self.by_family.get("date", ()):
                for reading in place.value.readings:
                    if isinstance(reading.amount, tuple) and reading.amount:
                        index.setdefault(reading.amount[0], place)
        return index.get(year)

    def figure(self, figure: str, kinds: frozenset[str]) -> Place | None:
        """The first source value of some kinds that is written with the same figure."""
        index: dict[str, Place] | None = self.memo.get(kinds)
        if index is None:
            index = self.memo[kinds] = {}
            for place in self.places:
                if place.value.kind in kinds and not place.value.implicit:
                    index.setdefault(figure_of(place.value), place)
        return index.get(figure) if figure else None


def figure_of(value: Value) -> str:
    """The digits of a value with sign and point, whatever the unit."""
    start, end = value.digits_span.start - value.start, value.digits_span.end - value.start
    text = value.text[start:end] if end > start else value.text
    return "".join(c for c in text if c.isdigit() or c in ".-−")


def _scaled(place: Place) -> Iterator[Key]:
    """The same for a figure of a table "in millions", multiplied."""
    if place.scale == 1 or place.value.kind not in ("number", "money"):
        return
    for reading in place.value.readings:
        if isinstance(reading.amount, Fraction):
            yield reading.dimension, reading.amount * place.scale


def keys_of(value: Value) -> Iterator[Key]:
    """What a value may be looked up by; a ratio also as the percentage and the number it stands for."""
    for reading in value.readings:
        yield reading.dimension, exactly(reading.amount)
        if reading.dimension == "ratio" and isinstance(reading.amount, Fraction):
            yield "percent", reading.amount * 100
            yield "count", reading.amount
