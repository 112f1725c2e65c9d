"""Curves behind the figures, as plain points that a page or a table can draw.

Every point names the rows behind it by their index, so a page can link to the items. Scores are "higher =
more likely faulty"; labels are 1 = faulty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from proofing.learning.intervals import Interval, clopper_pearson

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CutPoint:
    """What flagging every score of at least `cut` gives; shares with exact 95 % intervals."""

    cut: float
    recall: float
    recall_interval: Interval
    precision: float
    precision_interval: Interval
    fpr: float
    fpr_interval: Interval
    flagged: int


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar: scores in ``[low, high)``, how many, their mean score and the share that is faulty."""

    low: float
    high: float
    count: int
    mean_score: float | None
    faulty: float | None
    faulty_interval: Interval | None
    rows: tuple[int, ...]


def cut_points(scores: Sequence[float], labels: Sequence[int], *, most: int | None = None) -> list[CutPoint]:
    """Recall, precision and false-positive rate at every distinct score, from the highest down.

    Precision-recall and ROC curves are two projections of this list.

    Args:
        most: at most so many of the points, evenly spaced, first and last kept; intervals take time.
    """
    positives = sum(labels)
    negatives = len(labels) - positives
    points = []
    for cut, hits, false in _every(list(_steps(scores, labels)), most):
        points.append(
            CutPoint(
                cut=cut,
                recall=hits / positives if positives else 0.0,
                recall_interval=clopper_pearson(hits, positives),
                precision=hits / (hits + false),
                precision_interval=clopper_pearson(hits, hits + false),
                fpr=false / negatives if negatives else 0.0,
                fpr_interval=clopper_pearson(false, negatives),
                flagged=hits + false,
            )
        )
    return points


def _steps(scores: Sequence[float], labels: Sequence[int]) -> Iterator[tuple[float, int, int]]:
    order = sorted(range(len(scores)), key=lambda row: -scores[row])
    hits = false = 0
    for position, row in enumerate(order):
        hits, false = hits + labels[row], false + 1 - labels[row]
        last = position + 1 == len(order)
        if last or scores[order[position + 1]] != scores[row]:
            yield scores[row], hits, false


def thinned(points: Sequence[CutPoint], most: int = 200) -> list[CutPoint]:
    """At most `most` of the points, evenly spaced, first and last kept: enough for a drawing."""
    return _every(points, most)


def _every(points: Sequence[T], most: int | None) -> list[T]:
    if most is None or len(points) <= most:
        return list(points)
    step = (len(points) - 1) / (most - 1)
    return [points[round(index * step)] for index in range(most)]


def histogram(scores: Sequence[float], labels: Sequence[int], bins: int = 10) -> list[Bin]:
    """Bars of equal width over 0-1: the reliability plot (mean score against faulty share), or floors by label."""
    members: list[list[int]] = [[] for _ in range(bins)]
    for row, score in enumerate(scores):
        members[min(max(int(score * bins), 0), bins - 1)].append(row)
    return [_bar(index, bins, rows, scores, labels) for index, rows in enumerate(members)]


def _bar(index: int, bins: int, rows: Sequence[int], scores: Sequence[float], labels: Sequence[int]) -> Bin:
    faulty = sum(labels[row] for row in rows)
    return Bin(
        low=index / bins,
        high=(index + 1) / bins,
        count=len(rows),
        mean_score=sum(scores[row] for row in rows) / len(rows) if rows else None,
        faulty=faulty / len(rows) if rows else None,
        faulty_interval=clopper_pearson(faulty, len(rows)) if rows else None,
        rows=tuple(rows),
    )


def review_costs(
    scores: Sequence[float], labels: Sequence[int], minutes_each: float = 1.0
) -> list[tuple[float, float, int]]:
    """(cut, minutes of review, faults missed) when everything of at least the cut is read by a person."""
    positives = sum(labels)
    return [(cut, (hits + false) * minutes_each, positives - hits) for cut, hits, false in _steps(scores, labels)]
