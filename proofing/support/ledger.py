"""All values of the sources, found by what they mean: equal ones by look-up, comparable ones by family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofing.support.places import Place, family_of, places_of
from proofing.support.reading import Proof
from proofing.values import Value, family
from proofing.values.base import Amount

Key = tuple[str, Amount]


@dataclass(frozen=True, slots=True)
class Entry:
    """One source value that equals a value of the answer; `end` when it is an end of the range at `place`."""

    place: Place
    end: Value | None = None

    @property
    def value(self) -> Value:
        return self.end or self.place.value


@dataclass(frozen=True, slots=True)
class Ledger:
    """The values of all sources in order, with an index by meaning and one by family."""

    places: tuple[Place, ...]
    by_key: dict[Key, list[Entry]]
    by_family: dict[str, list[Place]]

    @classmethod
    def of(cls, proof: Proof) -> Ledger:
        places = tuple(place for view in proof.sources for place in places_of(view))
        by_key: dict[Key, list[Entry]] = {}
        by_family: dict[str, list[Place]] = {}
        for place in places:
            for group in dict.fromkeys(family(r.dimension) for r in place.value.readings):
                by_family.setdefault(group, []).append(place)
            for key in (*keys_of(place.value), *_scaled(place)):
                by_key.setdefault(key, []).append(Entry(place))
            for end in place.value.ends:
                for key in keys_of(end):
                    by_key.setdefault(key, []).append(Entry(place, end))
        return cls(places, by_key, by_family)

    def equal(self, value: Value) -> list[Entry]:
        """Source values equal to `value`, whole ones before ends of ranges, else in source order."""
        found: dict[tuple[int, int], Entry] = {}
        for key in keys_of(value):
            for entry in self.by_key.get(key, ()):
                found.setdefault((id(entry.place), entry.end.start if entry.end else -1), entry)
        return sorted(found.values(), key=lambda entry: entry.end is not None)

    def comparable(self, value: Value) -> list[Place]:
        """Source values that could be shown beside `value`, in source order."""
        return self.by_family.get(family_of(value), [])


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
        yield reading.dimension, reading.amount
        if reading.dimension == "ratio" and isinstance(reading.amount, Fraction):
            yield "percent", reading.amount * 100
            yield "count", reading.amount
