"""How well scores separate faulty answers from right ones, each figure with a 95 % interval.

>>> m = evaluate([0.9, 0.8, 0.3, 0.1], [1, 1, 0, 0], cut=0.5)
>>> m["auroc"].value, m["f1"].value, m["fpr_at_95_recall"].value
(1.0, 1.0, 0.0)

All of it is plain Python: a bare installation can evaluate. Scores are "higher = more likely faulty"; labels
are 1 = faulty, 0 = right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofing.learning.intervals import Interval, resampled

#: Bins of equal width for the expected calibration error.
BINS = 10
NAMES = (
    "auroc",
    "f1",
    "best_f1",
    "best_f1_cut",
    "precision",
    "recall",
    "fpr",
    "fpr_at_95_recall",
    "expected_calibration_error",
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95 % interval; None where the data do not define it (one class only, say)."""

    value: float | None
    interval: Interval | None

    def to_dict(self) -> dict[str, float | list[float] | None]:
        rounded = None if self.interval is None else [round(edge, 6) for edge in self.interval]
        return {"value": None if self.value is None else round(self.value, 6), "interval": rounded}

    def __str__(self) -> str:
        if self.value is None:
            return "undefined"
        if self.interval is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} ({self.interval[0]:.3f}-{self.interval[1]:.3f})"


def evaluate(
    scores: Sequence[float],
    labels: Sequence[int],
    *,
    cut: float,
    groups: Sequence[str] | None = None,
    resamples: int = 400,
) -> dict[str, Estimate]:
    """The figures named in `NAMES`.

    Args:
        scores: one per answer, 0-1.
        labels: 1 = faulty, 0 = right.
        cut: where `f1`, `precision`, `recall` and `fpr` are taken (the model's own cut, chosen on other data).
        groups: answers of one group are resampled together; None = each stands alone.
        resamples: bootstrap draws; 0 = no intervals.

    Raises:
        ValueError: lengths differ, or a score is no finite number.
    """
    measure = measure_of(scores, labels, cut)
    values = measure([1] * len(scores))
    own = groups if groups is not None else [str(row) for row in range(len(scores))]
    spread = resampled(measure, own, resamples=resamples) or [None] * len(NAMES)
    return {name: Estimate(v, i) for name, v, i in zip(NAMES, values, spread, strict=True)}


def measure_of(
    scores: Sequence[float], labels: Sequence[int], cut: float
) -> Callable[[Sequence[int]], list[float | None]]:
    """What gives the figures of `NAMES` for a resample: it takes how often each row was drawn.

    Args, raises: as `evaluate`.
    """
    if len(scores) != len(labels):
        raise ValueError(f"{len(scores)} scores but {len(labels)} labels")
    if not all(math.isfinite(score) for score in scores):
        raise ValueError("a score is not a finite number")
    order = sorted(range(len(scores)), key=lambda row: (-scores[row], row))
    return lambda drawn: _figures(scores, labels, order, drawn, cut)


def _figures(
    scores: Sequence[float], labels: Sequence[int], order: Sequence[int], drawn: Sequence[int], cut: float
) -> list[float | None]:
    """All figures in one pass from the highest score down; `drawn` says how often each row counts."""
    positives = sum(n for n, label in zip(drawn, labels, strict=True) if label)
    negatives = sum(drawn) - positives
    enough = math.ceil(Fraction(95, 100) * positives)
    hits = false = pairs = 0
    best, best_cut, fpr_at_recall = 0.0, None, None
    at_cut = (0, 0)
    bins = [[0, 0.0, 0] for _ in range(BINS)]
    position = 0
    while position < len(order):
        score = scores[order[position]]
        new_hits = new_false = 0
        while position < len(order) and scores[order[position]] == score:
            row = order[position]
            if labels[row]:
                new_hits += drawn[row]
            else:
                new_false += drawn[row]
            position += 1
        if not new_hits and not new_false:
            continue
        pairs += new_false * (2 * hits + new_hits)  # pairs won count 2, ties 1
        hits, false = hits + new_hits, false + new_false
        f1 = 2 * hits / (hits + false + positives)
        if f1 > best:
            best, best_cut = f1, score
        if fpr_at_recall is None and positives and hits >= enough and negatives:
            fpr_at_recall = false / negatives
        if score >= cut:
            at_cut = (hits, false)
        held = bins[min(max(int(score * BINS), 0), BINS - 1)]
        held[0] += new_hits + new_false
        held[1] += score * (new_hits + new_false)
        held[2] += new_hits
    total = positives + negatives
    error = sum(abs(right - mass) for _, mass, right in bins) / total if total else None
    flagged = sum(at_cut)
    return [
        pairs / (2 * positives * negatives) if positives and negatives else None,
        2 * at_cut[0] / (flagged + positives) if flagged + positives else None,
        best if positives else None,
        best_cut,
        at_cut[0] / flagged if flagged else None,
        at_cut[0] / positives if positives else None,
        at_cut[1] / negatives if negatives else None,
        fpr_at_recall,
        error,
    ]


# Spans -----------------------------------------------------------------------------------------------------

Spans = Sequence[tuple[int, int]]


def covered(spans: Spans) -> list[tuple[int, int]]:
    """The same characters as disjoint spans in order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif end > start:
            merged.append((start, end))
    return merged


def shared_characters(left: Spans, right: Spans) -> int:
    """How many characters lie in both."""
    a, b = covered(left), covered(right)
    i = j = shared = 0
    while i < len(a) and j < len(b):
        shared += max(0, min(a[i][1], b[j][1]) - max(a[i][0], b[j][0]))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return shared


def span_figures(
    found: Sequence[Spans], wanted: Sequence[Spans], *, groups: Sequence[str] | None = None, resamples: int = 400
) -> dict[str, Estimate]:
    """Precision, recall and F1 of marked characters against labelled ones, pooled over all answers.

    Args:
        found: per answer the spans that were marked.
        wanted: per answer the spans that are labelled.
    """
    rows = [
        (shared_characters(f, w), _length(f), _length(w)) for f, w in zip(found, wanted, strict=True)
    ]  # fmt: skip

    def measure(drawn: Sequence[int]) -> list[float | None]:
        shared, marked, labelled = (
            sum(n * row[part] for n, row in zip(drawn, rows, strict=True)) for part in range(3)
        )  # fmt: skip
        return [
            shared / marked if marked else None,
            shared / labelled if labelled else None,
            2 * shared / (marked + labelled) if marked + labelled else None,
        ]

    own = groups if groups is not None else [str(row) for row in range(len(rows))]
    names = ("span_precision", "span_recall", "span_f1")
    spread = resampled(measure, own, resamples=resamples) or [None] * 3
    return {n: Estimate(v, i) for n, v, i in zip(names, measure([1] * len(rows)), spread, strict=True)}


def _length(spans: Spans) -> int:
    return sum(end - start for start, end in covered(spans))


def printed(figures: Mapping[str, Estimate]) -> str:
    """The figures as lines of a small table for people."""
    width = max((len(name) for name in figures), default=0)
    return "\n".join(f"{name.replace('_', ' '):<{width}}  {estimate}" for name, estimate in figures.items())
