"""What the page of a refit shows beside its figures: both models' curves on the held-out answers, and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.cache import cache
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from proofing.learning.calibrate import Share, fitted_threshold
from proofing.learning.curves import Bin, CutPoint, cut_points, histogram
from webapp.calibration import drawing
from webapp.calibration.models import Refit

#: Points of a drawn curve.
MOST = 40
#: Shares of the unsupported to find, for which the table says what each model costs.
FOUND = (0.99, 0.95, 0.9, 0.8, 0.7, 0.5)
#: How long computed figures are kept, in seconds.
KEPT = 24 * 3600
FIGURES: dict[str, tuple[Promise, Promise | str]] = {
    "auroc": (_("Ranking (AUROC)"), _("higher is better; 0.5 is guessing")),
    "f1": (_("F1 at the own cut"), _("higher is better")),
    "precision": (_("Precision at the own cut"), _("unsupported among the flagged; higher is better")),
    "recall": (_("Found at the own cut"), _("flagged among the unsupported; higher is better")),
    "fpr_at_95_recall": (_("False alarms where 95 % are found"), _("lower is better")),
    "expected_calibration_error": (_("Calibration error"), _("lower is better; 0 means scores are what they say")),
}


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure of all models that are compared."""

    name: Promise
    meaning: Promise | str
    shipped: dict[str, Any] | None
    old: dict[str, Any]
    new: dict[str, Any]
    difference: dict[str, Any]
    better: bool | None


def figure_lines(result: dict[str, Any]) -> list[FigureLine]:
    """The table of figures, in the order of `FIGURES`."""
    shipped = result.get("shipped") or {}
    return [
        FigureLine(name, meaning, shipped.get(key), *(result["figures"][key][part] for part in
                   ("old", "new", "difference", "better")))
        for key, (name, meaning) in FIGURES.items()
        if key in result["figures"]
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cost:
    """What it costs each model to find a share of the unsupported."""

    found: float
    old: Share
    new: Share


@dataclass(slots=True)
class HeldOut:
    """Both models on the held-out answers."""

    old: list[CutPoint] = field(default_factory=list)
    new: list[CutPoint] = field(default_factory=list)
    bars: list[tuple[Bin, Bin]] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)

    def plots(self) -> dict[str, drawing.Plot]:
        """The drawings: the first line is the new model's, the second the old one's."""
        roc = drawing.Plot(line=_roc(self.new), second=_roc(self.old), diagonal=True)
        curve = drawing.Plot(line=_precision(self.new), second=_precision(self.old))
        said = drawing.reliability([new for _, new in self.bars])
        before = drawing.reliability([old for old, _ in self.bars])
        return {"roc": roc, "pr": curve, "reliability": replace(said, second=before.line)}


def held_out_of(refit: Refit) -> HeldOut:
    """The curves of a finished refit, computed once and then kept."""
    key = f"refit:{refit.pk}:{refit.heartbeat_at.isoformat()}".replace(" ", "_")
    found = cache.get(key)
    if not isinstance(found, HeldOut):
        found = _computed((refit.result or {})["scores"])
        cache.set(key, found, KEPT)
    return found


def _computed(rows: Sequence[Sequence[float]]) -> HeldOut:
    labels = [int(row[0]) for row in rows]
    old, new = [float(row[1]) for row in rows], [float(row[2]) for row in rows]
    return HeldOut(
        old=cut_points(old, labels, most=MOST),
        new=cut_points(new, labels, most=MOST),
        bars=list(zip(histogram(old, labels), histogram(new, labels), strict=True)),
        costs=[Cost(found, _false(old, labels, found), _false(new, labels, found)) for found in FOUND],
    )


def _false(scores: Sequence[float], labels: Sequence[int], found: float) -> Share:
    cut = fitted_threshold(scores, labels, found)
    right = [score for score, label in zip(scores, labels, strict=True) if not label]
    return Share.of(sum(score >= cut for score in right), len(right))


def _roc(cuts: Sequence[CutPoint]) -> str:
    return drawing.points_of([(0.0, 0.0), *((cut.fpr, cut.recall) for cut in cuts)])


def _precision(cuts: Sequence[CutPoint]) -> str:
    return drawing.points_of([(cut.recall, cut.precision) for cut in cuts])
