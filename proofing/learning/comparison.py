"""Two models on the same answers: each one's figures, and their difference with an interval of its own.

The interval of the difference is paired: every resample of sources is read by both, so what makes an answer hard for
both cancels out. It may exclude 0 where the intervals of the two overlap (percentile bootstrap over groups, as in
`proofing.learning.intervals`; pairing after Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 8).

>>> found = compare([0.9, 0.2, 0.6, 0.1], [0.9, 0.8, 0.3, 0.1], [1, 1, 0, 0], old_cut=0.5, new_cut=0.5, resamples=0)
>>> found["auroc"].old.value, found["auroc"].new.value, found["auroc"].difference.value
(0.75, 1.0, 0.25)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from proofing.learning.intervals import resampled
from proofing.learning.metrics import NAMES, Estimate, measure_of

#: What is compared, of `proofing.learning.metrics.NAMES`.
SHOWN = ("auroc", "f1", "precision", "recall", "fpr_at_95_recall", "expected_calibration_error")
LOWER_IS_BETTER = frozenset({"fpr_at_95_recall", "expected_calibration_error"})
_PLACES = tuple(NAMES.index(name) for name in SHOWN)


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of both models, and ``new - old``."""

    old: Estimate
    new: Estimate
    difference: Estimate

    def better(self, name: str) -> bool | None:
        """Whether the new model is better at the figure called `name`; None where the interval holds 0."""
        interval = self.difference.interval
        if interval is None or interval[0] <= 0 <= interval[1]:
            return None
        return (interval[0] > 0) != (name in LOWER_IS_BETTER)

    def to_dict(self, name: str) -> dict[str, Any]:
        estimates = {part: getattr(self, part).to_dict() for part in ("old", "new", "difference")}
        return {**estimates, "better": self.better(name)}


def compare(
    old: Sequence[float],
    new: Sequence[float],
    labels: Sequence[int],
    *,
    old_cut: float,
    new_cut: float,
    groups: Sequence[str] | None = None,
    resamples: int = 400,
) -> dict[str, Compared]:
    """The figures in `SHOWN` of both models on the same answers.

    Args:
        old, new: calibrated probabilities 0-1, one per answer each.
        labels: 1 = unsupported, 0 = supported.
        old_cut, new_cut: each model's own cut, chosen on other answers; `f1`, `precision` and `recall` are taken there.
        groups: answers of one group (one source) are resampled together; None = each stands alone.
        resamples: bootstrap draws; 0 = no intervals.

    Raises:
        ValueError: lengths differ, or a score is no finite number.
    """
    of_old, of_new = measure_of(old, labels, old_cut), measure_of(new, labels, new_cut)

    def measure(drawn: Sequence[int]) -> list[float | None]:
        was, now = of_old(drawn), of_new(drawn)
        before, after = [was[i] for i in _PLACES], [now[i] for i in _PLACES]
        return [*before, *after, *map(_less, after, before)]

    count = len(SHOWN)
    values = measure([1] * len(labels))
    own = groups if groups is not None else [str(row) for row in range(len(labels))]
    spread = resampled(measure, own, resamples=resamples) or [None] * (3 * count)
    found = [Estimate(value, interval) for value, interval in zip(values, spread, strict=True)]
    return {
        name: Compared(found[place], found[count + place], found[2 * count + place]) for place, name in enumerate(SHOWN)
    }


def _less(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before
