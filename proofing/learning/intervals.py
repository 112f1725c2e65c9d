"""Intervals for shares and for figures without a closed form.

* `clopper_pearson`: the exact interval of a share (Clopper and Pearson, Biometrika 26, 1934), from the
  quantiles of the beta distribution.
* `resampled`: percentile bootstrap over whole groups, because answers about one source are not independent.

Plain Python, so the bare package has them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

Interval = tuple[float, float]


def clopper_pearson(hits: int, total: int, confidence: float = 0.95) -> Interval:
    """The exact two-sided interval of the share ``hits / total``; (0, 1) when there is nothing to go by.

    >>> low, high = clopper_pearson(0, 30)
    >>> low, round(high, 4)                    # 1 - (0.025) ** (1 / 30)
    (0.0, 0.1157)
    >>> [round(x, 4) for x in clopper_pearson(95, 100)]
    [0.8872, 0.9836]

    Raises:
        ValueError: `hits` outside 0..`total`.
    """
    if not 0 <= hits <= total:
        raise ValueError(f"{hits} of {total} is no share")
    tail = (1.0 - confidence) / 2.0
    low = 0.0 if hits == 0 else beta_quantile(tail, hits, total - hits + 1)
    high = 1.0 if hits == total else beta_quantile(1.0 - tail, hits + 1, total - hits)
    return low, high


def beta_quantile(share: float, a: float, b: float) -> float:
    """The x with ``I_x(a, b) = share``, by bisection to the last bit that matters (1e-12)."""
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2.0
        if beta_share(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function ``I_x(a, b)`` by its continued fraction (DLMF 8.17.22)."""
    if x <= 0.0 or x >= 1.0:
        return float(x > 0.0)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - front * _continued_fraction(1.0 - x, b, a) / b
    return front * _continued_fraction(x, a, b) / a


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Lentz's evaluation of the fraction in DLMF 8.17.22, stopped when a step changes nothing any more."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1.0), tiny)
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1.0 / _away_from_zero(1.0 + step * d, tiny)
            c = _away_from_zero(1.0 + step / c, tiny)
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


def _away_from_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def resampled(
    measure: Callable[[Sequence[int]], Sequence[float | None]],
    groups: Sequence[str],
    *,
    resamples: int = 400,
    seed: int = 20,
    confidence: float = 0.95,
) -> list[Interval | None]:
    """Percentile intervals of the figures `measure` gives, over resamples of whole groups.

    Args:
        measure: takes how often each row was drawn, returns its figures (None where one is undefined).
        groups: the group of each row.

    Returns:
        One interval per figure; None where no resample defined it. Empty with fewer than two groups: nothing can
        be said of how a figure varies from one to the next.
    """
    rows_of: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        rows_of.setdefault(group, []).append(row)
    members = list(rows_of.values())
    draw = random.Random(seed)  # noqa: S311 - a bootstrap, not a secret
    columns: list[list[float]] = []
    for _ in range(resamples if len(members) > 1 else 0):
        drawn = [0] * len(groups)
        for rows in draw.choices(members, k=len(members)):
            for row in rows:
                drawn[row] += 1
        figures = measure(drawn)
        columns = columns or [[] for _ in figures]
        for column, figure in zip(columns, figures, strict=True):
            if figure is not None:
                column.append(figure)
    return [_percentiles(sorted(column), (1.0 - confidence) / 2.0) if column else None for column in columns]


def _percentiles(ordered: Sequence[float], tail: float) -> Interval:
    last = len(ordered) - 1
    return ordered[round(tail * last)], ordered[round((1.0 - tail) * last)]
