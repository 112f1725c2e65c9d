"""Whether something that is measured of every answer is distributed otherwise than it was.

The population stability index over bins that are cut where the earlier values lie,

    PSI = sum over bins of (now - then) * ln(now / then)

with `now` and `then` the shares of a bin, each bin counted half a value more so that an empty one is no infinity (the
index is the symmetrised divergence of Kullback and Leibler, 1951; under this name and with 0.25 as "has shifted" in
Siddiqi, Credit Risk Scorecards, 2006). Few values give a large index by chance alone: where nothing changed it behaves
like ``(1 / n + 1 / m) * chi-square with bins - 1 degrees of freedom`` (Yurdakul and Naranjo, Statistical properties of
the population stability index, J. Risk Model Validation, 2020), so what that exceeds once in a thousand is asked for
as well.

>>> before = Shape.of([n % 10 + n / 1000 for n in range(500)])
>>> before.shift([n % 10 + n / 1000 for n in range(500)]).moved
False
>>> before.shift([n % 10 + 6 for n in range(500)]).moved
True
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

#: The index from which on a distribution counts as shifted.
SHIFTED = 0.25
#: Values without which, then and now, nothing is said.
LEAST = 100
#: Bins of a number that takes many values; one that takes no more has a bin for each.
BINS = 10
#: What chance exceeds once in a thousand, as a quantile of the standard normal distribution.
_RARELY = 3.0902
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a distribution moved.

    Attributes:
        index: the population stability index.
        limit: from which index on it counts as moved: `SHIFTED`, or what chance rarely exceeds where that is more.
    """

    index: float
    limit: float

    @property
    def moved(self) -> bool:
        return self.index >= self.limit


class Part(NamedTuple):
    """Values that lie beside each other and became all more, or all less, frequent.

    Attributes:
        low, high: where a number has a bin for each value, the least and the greatest of them; where its bins are
            ranges, it is over `low` and at most `high`, None is no bound; of names, the name twice.
        then, now: their share of all values, 0 to 1.
    """

    low: float | str | None
    high: float | str | None
    then: float
    now: float


@dataclass(frozen=True, slots=True)
class Shape:
    """How some values are distributed.

    Attributes:
        edges: upper edges of the bins of a number, the last bin is open; empty where values are names.
        counts: values by bin; a bin of a number goes by its place.
        middle: the median of a number, None of names.
    """

    edges: tuple[float, ...]
    counts: Mapping[str, int]
    middle: float | None = None

    @classmethod
    def of(cls, values: Sequence[float | str]) -> Shape:
        """The distribution of numbers, or of names. A number of few different values is taken by value."""
        numbers = [float(value) for value in values if not isinstance(value, str)]
        if not numbers:
            return cls((), dict(Counter(str(value) for value in values)))
        ordered = sorted(numbers)
        middle = ordered[len(ordered) // 2]
        if len(set(numbers)) <= BINS:
            return cls((), dict(Counter(_name(number) for number in numbers)), middle)
        edges = tuple(sorted({ordered[len(ordered) * n // BINS] for n in range(1, BINS)}))
        counts = Counter(str(bisect_left(edges, number)) for number in numbers)
        return cls(edges, dict(counts), middle)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def shift(self, values: Sequence[float | str]) -> Shift:
        """How far `values` lie from this distribution; not moved where either has fewer than `LEAST` values."""
        if self.edges:
            names = [str(place) for place in range(len(self.edges) + 1)]
            now = Counter(str(bisect_left(self.edges, float(value))) for value in values)
        else:
            names = [*sorted(self.counts), OTHER]
            known = [value if isinstance(value, str) else _name(float(value)) for value in values]
            now = Counter(name if name in self.counts else OTHER for name in known)
        then, total = Counter(self.counts), len(values)
        if min(self.total, total) < LEAST:
            return Shift(0.0, SHIFTED)
        index = 0.0
        for name in names:
            before = (then[name] + 0.5) / (self.total + 0.5 * len(names))
            after = (now[name] + 0.5) / (total + 0.5 * len(names))
            index += (after - before) * math.log(after / before)
        by_chance = (1 / self.total + 1 / total) * _chi_square(len(names) - 1)
        return Shift(index, max(SHIFTED, by_chance))

    def moved_most(self, values: Sequence[float | str]) -> Part:
        """The part of these values whose share changed most; of two that changed as much, the one that grew.

        Raises:
            ValueError: there are no values, then or now.
        """
        if not self.total or not values:
            raise ValueError("without values there are no shares")
        bins: list[tuple[float | str | None, float | str | None, str]]  # low, high, its key in `counts`
        if self.edges:
            now = Counter(str(bisect_left(self.edges, float(value))) for value in values)
            ends = [None, *self.edges, None]
            bins = [(ends[n], ends[n + 1], str(n)) for n in range(len(self.edges) + 1)]
        else:
            now = Counter(value if isinstance(value, str) else _name(float(value)) for value in values)
            names = {*self.counts, *now}
            if self.middle is None:
                bins = [(name, name, name) for name in sorted(names)]
            else:
                bins = [(float(name), float(name), name) for name in sorted(names, key=float)]
        parts = [
            Part(low, high, self.counts.get(key, 0) / self.total, now[key] / len(values)) for low, high, key in bins
        ]
        if self.middle is not None:  # only numbers have neighbours
            runs = [list(run) for _, run in groupby(parts, key=lambda part: part.now > part.then)]
            parts = [
                Part(run[0].low, run[-1].high, sum(part.then for part in run), sum(part.now for part in run))
                for run in runs
            ]
        return max(parts, key=lambda part: (round(abs(part.now - part.then), 9), part.now > part.then))

    def to_dict(self) -> dict[str, Any]:
        return {"edges": list(self.edges), "counts": dict(self.counts), "middle": self.middle}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Shape:
        """The distribution back from `to_dict`, by JSON or not."""
        counts = {str(name): int(count) for name, count in record["counts"].items()}
        return cls(tuple(float(edge) for edge in record["edges"]), counts, record.get("middle"))


def _name(number: float) -> str:
    return f"{number:g}"


def _chi_square(degrees: int) -> float:
    """Its 99.9 % quantile, by the cube-root normal approximation (Wilson and Hilferty, PNAS 17, 1931)."""
    if degrees < 1:
        return 0.0
    part = 2 / (9 * degrees)
    return float(degrees * (1 - part + _RARELY * math.sqrt(part)) ** 3)
