"""An operating point: the cut that finds a wanted share of the faulty answers, with what it costs.

    threshold = the largest cut whose recall on the faulty examples is at least the target

The count is rounded up, so the recall on the fitting data is never below the target. The cost is the
false-positive rate; it is given with an exact interval, with a bootstrap that fits the threshold anew each
time, and held out: the threshold of four fifths applied to the fifth, five times.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from proofing.errors import BadInput, Refused
from proofing.learning.intervals import Interval, clopper_pearson, resampled
from proofing.learning.metrics import BINS

LEAST_LABELLED = 200
LEAST_OF_EACH_CLASS = 30
FOLDS = 5
SCHEMA = "operating_point/1"


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `total` with the exact 95 % interval."""

    value: float
    interval: Interval
    hits: int
    total: int

    @classmethod
    def of(cls, hits: int, total: int) -> Share:
        return cls(hits / total if total else 0.0, clopper_pearson(hits, total), hits, total)

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.interval[0]:.1%}-{self.interval[1]:.1%})"


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold and its cost.

    Attributes:
        level: ``answer`` (orders the queue and decides routing) or ``mark`` (moves the drawing line).
        threshold: flagged = score >= threshold.
        fpr: share of right examples that are flagged, on the fitting data.
        fpr_bootstrap: 95 % interval over resamples in which the threshold is fitted anew.
        held_out_recall: recall over the folds the threshold was not fitted on.
        held_out_fpr: false-positive rate over those folds.
        expected_calibration_error: mean gap between score and faulty share over ten bins.
        labels: how many labels came about how (gold, explicit, implied, given).
        engine: what produced the scores (version, tier, profile, support model); empty when not known.
        set_sha256: hash over scores and labels, to recognise the set.
    """

    level: str
    target_recall: float
    threshold: float
    fpr: Share
    fpr_bootstrap: Interval
    recall: Share
    held_out_recall: Share
    held_out_fpr: Share
    n: int
    n_positive: int
    expected_calibration_error: float
    set_sha256: str
    labels: Mapping[str, int] = field(default_factory=dict)
    engine: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> OperatingPoint:
        """The point back from `to_dict`, by JSON or not.

        Raises:
            BadInput: it is no operating point.
        """
        if not isinstance(record, Mapping) or record.get("schema") != SCHEMA:
            raise BadInput(f"this is no operating point ({SCHEMA}); make one with `proofmark calibrate --out`")
        values = {name: value for name, value in record.items() if name in cls.__dataclass_fields__}
        try:
            for name in ("fpr", "recall", "held_out_recall", "held_out_fpr"):
                share = dict(values[name])
                values[name] = Share(share["value"], tuple(share["interval"]), share["hits"], share["total"])
            values["fpr_bootstrap"] = tuple(values["fpr_bootstrap"])
            point = cls(**values)
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this operating point is incomplete ({error}); calibrate again") from error
        if not isinstance(point.threshold, int | float) or not 0 <= point.threshold <= 1:
            raise BadInput("the threshold of this operating point is not between 0 and 1; calibrate again")
        return point

    @classmethod
    def load(cls, path: str | Path) -> OperatingPoint:
        """The point stored in a JSON file.

        Raises:
            BadInput: it cannot be read or is no operating point.
        """
        try:
            record = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
        except ValueError as error:
            raise BadInput(f"{path} is not valid JSON; make it with `proofmark calibrate --out`") from error
        return cls.from_dict(record)

    def judged(self, score: float) -> dict[str, Any]:
        """The `calibration` part of a report with this score."""
        return {
            "point": self.name or self.set_sha256[:12],
            "level": self.level,
            "threshold": self.threshold,
            "fpr": self.fpr.value,
            "above": score >= self.threshold,
        }

    def __str__(self) -> str:
        low, high = self.fpr_bootstrap
        return "\n".join(
            (
                f"false-positive rate  {self.fpr}; held out {self.held_out_fpr}; refitted {low:.1%}-{high:.1%}",
                f"recall               {self.recall}; held out {self.held_out_recall}; asked {self.target_recall:.1%}",
                f"threshold            {self.threshold:.6g} on level {self.level}",
                f"fitted on            {self.n} labelled, {self.n_positive} of them unsupported",
                f"calibration error    {self.expected_calibration_error:.3f}",
            )
        )


def calibrate(
    scores: Sequence[float],
    labels: Sequence[int],
    target_recall: float = 0.95,
    groups: Sequence[str] | None = None,
    *,
    level: str = "answer",
    keys: Sequence[str] | None = None,
    label_sources: Mapping[str, int] | None = None,
    engine: Mapping[str, Any] | None = None,
    name: str = "",
) -> OperatingPoint:
    """Fit an operating point.

    Args:
        scores: calibrated probabilities, 0-1, higher = more likely unsupported.
        labels: 1 = unsupported, 0 = supported.
        target_recall: wanted share of the unsupported that is flagged, in (0, 1].
        groups: examples of one group (one source) stay on one side of every split; None = each alone.
        level: ``answer`` or ``mark``.
        keys: what each example is (a hash of its content); the same example in two groups is refused.

    Raises:
        Refused: fewer than 200 labelled or 30 of a class, a score that is NaN or out of range, a target outside
            (0, 1], the same example on both sides of the split. The message says how many labels are missing.
    """
    _refuse_unfit(scores, labels, target_recall, groups, keys)
    own = list(groups) if groups is not None else [str(row) for row in range(len(scores))]
    threshold = fitted_threshold(scores, labels, target_recall)
    held = _held_out(scores, labels, own, target_recall)

    def refitted(drawn: Sequence[int]) -> list[float | None]:
        return [_refitted_fpr(scores, labels, drawn, target_recall)]

    spread = resampled(refitted, own)
    positives = sum(labels)
    digest = hashlib.sha256(json.dumps([list(scores), list(labels)]).encode()).hexdigest()
    return OperatingPoint(
        level=level,
        target_recall=float(target_recall),
        threshold=threshold,
        fpr=_share(scores, labels, 0, threshold),
        fpr_bootstrap=(spread[0] if spread else None) or (0.0, 1.0),
        recall=_share(scores, labels, 1, threshold),
        held_out_recall=Share.of(held[1][0], held[1][1]),
        held_out_fpr=Share.of(held[0][0], held[0][1]),
        n=len(scores),
        n_positive=positives,
        expected_calibration_error=calibration_error(scores, labels),
        set_sha256=digest,
        labels=dict(label_sources or {}),
        engine=dict(engine or {}),
        name=name,
    )


def fitted_threshold(scores: Sequence[float], labels: Sequence[int], target_recall: float) -> float:
    """The largest cut that flags at least ``ceil(target * positives)`` of the positives."""
    positive = sorted((s for s, label in zip(scores, labels, strict=True) if label), reverse=True)
    return positive[needed(target_recall, len(positive)) - 1]


def needed(target_recall: float, positives: int) -> int:
    """``ceil(target * positives)`` of the target as written: 0.07 of 100 is 7, not 8 by a rounding error."""
    return max(1, math.ceil(Fraction(str(float(target_recall))) * positives))


def calibration_error(scores: Sequence[float], labels: Sequence[int], bins: int = BINS) -> float:
    """Expected calibration error over bins of equal width (Naeini et al., AAAI 2015)."""
    gaps = [0.0] * bins
    for score, label in zip(scores, labels, strict=True):
        gaps[min(int(score * bins), bins - 1)] += score - label
    return sum(abs(gap) for gap in gaps) / len(scores) if scores else 0.0


def _share(scores: Sequence[float], labels: Sequence[int], of: int, threshold: float) -> Share:
    of_class = [score for score, label in zip(scores, labels, strict=True) if label == of]
    return Share.of(sum(score >= threshold for score in of_class), len(of_class))


def _held_out(
    scores: Sequence[float], labels: Sequence[int], groups: Sequence[str], target_recall: float
) -> tuple[list[int], list[int]]:
    """[flagged, total] of the right and of the faulty examples, each judged by a threshold fitted without it."""
    folds = [int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) % FOLDS for group in groups]
    counts = ([0, 0], [0, 0])
    for fold in range(FOLDS):
        kept = [row for row, own in enumerate(folds) if own != fold]
        if not any(labels[row] for row in kept):
            continue
        cut = fitted_threshold([scores[row] for row in kept], [labels[row] for row in kept], target_recall)
        for row, own in enumerate(folds):
            if own == fold:
                counts[labels[row]][0] += scores[row] >= cut
                counts[labels[row]][1] += 1
    return counts


def _refitted_fpr(
    scores: Sequence[float], labels: Sequence[int], drawn: Sequence[int], target_recall: float
) -> float | None:
    sample = [(s, label, n) for s, label, n in zip(scores, labels, drawn, strict=True) if n]
    positives = sum(n for _, label, n in sample if label)
    negatives = sum(n for _, label, n in sample if not label)
    if not positives or not negatives:
        return None
    left = needed(target_recall, positives)
    cut = 0.0
    for score, n in sorted(((s, n) for s, label, n in sample if label), reverse=True):
        left -= n
        if left <= 0:
            cut = score
            break
    return sum(n for score, label, n in sample if not label and score >= cut) / negatives


def _refuse_unfit(
    scores: Sequence[float],
    labels: Sequence[int],
    target_recall: float,
    groups: Sequence[str] | None,
    keys: Sequence[str] | None,
) -> None:
    if len(scores) != len(labels):
        raise Refused(f"there are {len(scores)} scores but {len(labels)} labels; give one of each per example")
    if not isinstance(target_recall, int | float) or not 0 < target_recall <= 1:
        raise Refused(f"the target recall must be above 0 and at most 1, not {target_recall}")
    unfit = sum(not (isinstance(score, int | float) and 0 <= score <= 1) for score in scores)
    if unfit:
        raise Refused(f"{unfit} of {len(scores)} scores are not numbers between 0 and 1; score these answers again")
    if any(label not in (0, 1) for label in labels):
        raise Refused("labels must be 0 or 1")
    missing = missing_labels(len(labels), sum(labels))
    if missing:
        raise Refused(missing)
    if keys is not None and groups is not None:
        group_of: dict[str, str] = {}
        twice = sum(group_of.setdefault(key, group) != group for key, group in zip(keys, groups, strict=True))
        if twice:
            raise Refused(f"{twice} examples stand on both sides of the split; remove repeats or mend their groups")


def missing_labels(labelled: int, positive: int) -> str | None:
    """What a set still lacks before it can be calibrated on, as a sentence; None when it is enough."""
    lacks = []
    if labelled < LEAST_LABELLED:
        more = LEAST_LABELLED - labelled
        lacks.append(f"{LEAST_LABELLED} labelled examples are needed, there are {labelled}: {more} more")
    for count, kind in ((positive, "unsupported"), (labelled - positive, "supported")):
        if count < LEAST_OF_EACH_CLASS:
            more = LEAST_OF_EACH_CLASS - count
            lacks.append(f"{LEAST_OF_EACH_CLASS} {kind} examples are needed, there are {count}: {more} more")
    return "too few labels: " + "; ".join(lacks) if lacks else None
