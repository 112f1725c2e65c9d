"""How far people agree beyond chance.

* Cohen's kappa of two people who judged the same things: J. Cohen, "A coefficient of agreement for nominal scales",
  Educational and Psychological Measurement 20 (1960), 37-46: ``(observed - expected) / (1 - expected)``, expected from
  each one's own shares.
* Krippendorff's alpha of any number of people with gaps, nominal: K. Krippendorff, "Computing Krippendorff's
  Alpha-Reliability" (2011): ``1 - observed disagreement / expected disagreement`` over the coincidence matrix.
* F1 of two sets of words: how far the words called unsupported by one are those called so by the other.

1 is full agreement, 0 is what chance gives. A coefficient is None where chance cannot be told: nothing was judged by
two, or everybody said the same one thing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from proofing.learning.intervals import Interval


@dataclass(frozen=True, slots=True)
class Pair:
    """Agreement of two people.

    Attributes:
        both: how many things both judged.
        same: on how many of them they said the same.
        kappa: Cohen's kappa; None where chance cannot be told.
    """

    first: str
    second: str
    both: int
    same: int
    kappa: float | None


def cohen_kappa(said: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of two people.

    Args:
        said: what the first and the second said of each thing both judged.

    >>> cohen_kappa([(1, 1), (1, 1), (0, 0), (0, 1)])
    0.5
    >>> cohen_kappa([(1, 1), (1, 1)]) is None
    True
    """
    if not said:
        return None
    n = len(said)
    first, second = Counter(a for a, _ in said), Counter(b for _, b in said)
    expected = sum(first[label] * second[label] for label in first) / n**2
    if expected >= 1:
        return None
    return (sum(a == b for a, b in said) / n - expected) / (1 - expected)


def pairs_of(units: Sequence[Mapping[str, Hashable]]) -> list[Pair]:
    """Every two people who judged something in common, by name.

    Args:
        units: for each thing, who said what.
    """
    said: dict[tuple[str, str], list[tuple[Hashable, Hashable]]] = {}
    for unit in units:
        for first, second in combinations(sorted(unit), 2):
            said.setdefault((first, second), []).append((unit[first], unit[second]))
    return [
        Pair(first, second, len(rows), sum(a == b for a, b in rows), cohen_kappa(rows))
        for (first, second), rows in sorted(said.items())
    ]


def krippendorff_alpha(units: Sequence[Collection[Hashable]], times: Sequence[int] | None = None) -> float | None:
    """Krippendorff's alpha for nominal judgements; a thing that fewer than two judged says nothing.

    Args:
        units: for each thing, what was said of it, in any order.
        times: how often each thing counts (for resampling); once when left out.

    >>> krippendorff_alpha([(1, 1), (0, 0), (0, 1), (1,)])  # the last one says nothing
    0.4444444444444444
    """
    weights: dict[tuple[Hashable, Hashable], float] = {}
    for place, unit in enumerate(units):
        m = len(unit)
        count = 1 if times is None else times[place]
        if m < 2 or not count:
            continue
        values = Counter(unit)
        for a, n_a in values.items():
            for b, n_b in values.items():
                pairs = n_a * (n_b - (a == b))
                weights[a, b] = weights.get((a, b), 0.0) + count * pairs / (m - 1)
    totals: dict[Hashable, float] = {}
    for (a, _b), weight in weights.items():
        totals[a] = totals.get(a, 0.0) + weight
    n = sum(totals.values())
    if n <= 1:
        return None
    observed = sum(weight for (a, b), weight in weights.items() if a != b) / n
    expected = (n**2 - sum(total**2 for total in totals.values())) / (n * (n - 1))
    return None if expected <= 0 else 1 - observed / expected


def alpha_interval(units: Sequence[Collection[Hashable]], *, resamples: int = 400, seed: int = 20) -> Interval | None:
    """95 % bootstrap interval of `krippendorff_alpha` over the things; None where too few draws tell chance.

    Things of which the same was said are drawn as one kind, so that the time hardly grows with their number.
    """
    kinds = Counter(tuple(sorted(map(str, unit))) for unit in units if len(unit) >= 2)
    if kinds.total() < 2:
        return None
    said = sorted(kinds)
    weights = [kinds[kind] for kind in said]
    draw = random.Random(seed)  # noqa: S311 - a bootstrap, not a secret
    found = []
    for _ in range(resamples):
        drawn = Counter(draw.choices(range(len(said)), weights, k=kinds.total()))
        alpha = krippendorff_alpha(said, [drawn[place] for place in range(len(said))])
        if alpha is not None:
            found.append(alpha)
    found.sort()
    last = len(found) - 1
    return (found[round(0.025 * last)], found[round(0.975 * last)]) if found else None


def word_f1(first: Collection[int], second: Collection[int]) -> float | None:
    """F1 of two sets of words, given by their places; None when neither names a word.

    >>> word_f1({1, 2, 3}, {2, 3, 4})
    0.6666666666666666
    """
    if not first and not second:
        return None
    return 2 * len(set(first) & set(second)) / (len(set(first)) + len(set(second)))
