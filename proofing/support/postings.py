"""Looking up which texts hold which stems, at a cost that does not grow with the number of texts."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

#: A stem in more texts than this no longer points to any of them.
COMMON = 500


class Rarities(dict[str, float]):
    """Stem -> inverse text frequency ``ln((N + 1) / (n + 1)) + 1``, filled on demand.

    `N` is the number of indexed texts, `n` how many hold the stem (smoothed as in scikit-learn's
    ``TfidfTransformer``), so a stem in no text has the largest weight.

    >>> Rarities({"tram": [0, 2]}, 3)["stop"]
    2.386294361119891
    """

    def __init__(self, postings: Mapping[str, Sequence[int]], count: int) -> None:
        super().__init__()
        self._postings = postings
        self._count = count

    def __missing__(self, stem: str) -> float:
        held = len(self._postings.get(stem, ()))
        known = self[stem] = math.log((self._count + 1) / (held + 1)) + 1.0
        return known


def scores_of(weights: Mapping[str, float], postings: Mapping[str, Sequence[int]]) -> dict[int, float]:
    """Summed weight of the stems that each indexed text holds.

    A stem in more than `COMMON` texts points to none of them: it only adds to texts that other stems point to. Where
    there are no others, its first `COMMON` texts count. So the cost of one sentence does not grow with the sources.

    >>> dict(scores_of({"tram": 2.0, "stop": 1.0}, {"tram": [0, 2], "stop": [2]}))
    {0: 2.0, 2: 3.0}
    """
    scores: dict[int, float] = defaultdict(float)
    common: list[tuple[float, Sequence[int]]] = []
    for stem, weight in weights.items():
        places = postings.get(stem, ())
        if len(places) > COMMON:
            common.append((weight, places))
            continue
        for index in places:
            scores[index] += weight
    pointed = sorted(scores)
    for weight, places in common:
        if not pointed:
            for index in places[:COMMON]:
                scores[index] += weight
            continue
        for index in pointed:
            at = bisect_left(places, index)
            if at < len(places) and places[at] == index:
                scores[index] += weight
    return scores


def leading(scores: Mapping[int, float], count: int) -> Iterable[tuple[int, float]]:
    """Those ``(text, score)`` that may be among the `count` best once scores are rounded to nine digits, unranked.

    >>> sorted(leading({0: 1.0, 1: 3.0, 2: 2.0, 3: 2.0 - 1e-12}, 2))
    [(1, 3.0), (2, 2.0), (3, 1.999999999999)]
    """
    if len(scores) <= count:
        return scores.items()
    least = sorted(scores.values())[-count] - 2e-9  # rounding moves a score by half a step of 1e-9 at most
    return [item for item in scores.items() if item[1] >= least]
