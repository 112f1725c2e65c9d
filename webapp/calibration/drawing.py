"""Where things stand in the drawings of a calibration run; how they look is the stylesheet's matter.

Each drawing repeats what a table below it says, so that nobody needs to see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from proofing.learning.curves import Bin, CutPoint
from webapp.calibration.curves import Curves

#: Size of a drawing in its own units, and the room left for the scales.
WIDTH, HEIGHT = 420, 300
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 14, 40


def across(share: float) -> float:
    """The x of a share from 0 to 1."""
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def up(share: float) -> float:
    """The y of a share from 0 to 1."""
    return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)


@dataclass(frozen=True, slots=True)
class Block:
    """One bar."""

    look: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Plot:
    """One drawing over the unit square.

    Attributes:
        line, second: points of curves; ``band`` the outline of the interval around the first.
        dots: points with upright intervals. ``blocks``: bars.
        cut: the x of the threshold. ``place``: where the chosen point stands.
        x_ends, y_ends: what is written at the ends of the two scales.
    """

    line: str = ""
    second: str = ""
    band: str = ""
    diagonal: bool = False
    dots: tuple[Dot, ...] = ()
    blocks: tuple[Block, ...] = ()
    cut: float | None = None
    place: tuple[float, float] | None = None
    x_ends: tuple[str, str] = ("0", "1")
    y_ends: tuple[str, str] = ("0", "1")
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    ground: int = HEIGHT - BOTTOM
    middle_x: float = field(default_factory=lambda: across(0.5))
    middle_y: float = field(default_factory=lambda: up(0.5))


def points_of(pairs: Sequence[tuple[float, float]]) -> str:
    """Points of the unit square as an attribute of a line."""
    return " ".join(f"{across(x)},{up(y)}" for x, y in pairs)


def _band(cuts: Sequence[CutPoint], x: str, interval: str) -> str:
    """The outline of an interval along a curve: forth on its upper edge, back on its lower one."""
    forth = [(getattr(cut, x), getattr(cut, interval)[1]) for cut in cuts]
    back = [(getattr(cut, x), getattr(cut, interval)[0]) for cut in reversed(cuts)]
    return points_of(forth + back)


def _chosen(cuts: Sequence[CutPoint], threshold: float) -> CutPoint | None:
    return min((cut for cut in cuts if cut.cut <= threshold), key=lambda cut: threshold - cut.cut, default=None)


def precision_recall(curves: Curves, threshold: float) -> Plot:
    """Precision (up) against recall (across), with its band; the second curve is of explicit labels alone."""
    chosen = _chosen(curves.cuts, threshold)
    return Plot(
        line=points_of([(cut.recall, cut.precision) for cut in curves.cuts]),
        second=points_of([(cut.recall, cut.precision) for cut in curves.explicit]) if curves.implied else "",
        band=_band(curves.cuts, "recall", "precision_interval"),
        place=(across(chosen.recall), up(chosen.precision)) if chosen else None,
    )


def receiver(curves: Curves, threshold: float) -> Plot:
    """Recall (up) against the false-positive rate (across), with its band (ROC)."""
    chosen = _chosen(curves.cuts, threshold)
    return Plot(
        line=points_of([(0.0, 0.0), *((cut.fpr, cut.recall) for cut in curves.cuts)]),
        second=points_of([(0.0, 0.0), *((cut.fpr, cut.recall) for cut in curves.explicit)]) if curves.implied else "",
        band=_band(curves.cuts, "fpr", "recall_interval"),
        diagonal=True,
        place=(across(chosen.fpr), up(chosen.recall)) if chosen else None,
    )


def reliability(bins: Sequence[Bin]) -> Plot:
    """The share that was unsupported (up) against the mean score (across); on the diagonal both are the same."""
    dots = [
        Dot(across(bar.mean_score), up(bar.faulty), up(bar.faulty_interval[0]), up(bar.faulty_interval[1]))
        for bar in bins
        if bar.mean_score is not None and bar.faulty is not None and bar.faulty_interval is not None
    ]
    line = [(bar.mean_score, bar.faulty) for bar in bins if bar.mean_score is not None and bar.faulty is not None]
    return Plot(line=points_of(line), dots=tuple(dots), diagonal=True)


def scores_by_label(bins: Sequence[Bin], threshold: float) -> Plot:
    """How many examples have which score: unsupported ones stand on supported ones."""
    most = max((bar.count for bar in bins), default=0)
    blocks = []
    for bar in bins:
        faulty = round((bar.faulty or 0.0) * bar.count)
        right = bar.count - faulty
        wide = round(across(bar.high) - across(bar.low) - 4, 1)
        for look, low, count in (("right", 0, right), ("faulty", right, faulty)):
            if count:
                y = up((low + count) / most)
                blocks.append(Block(look, across(bar.low) + 2, y, wide, round(up(low / most) - y, 1)))
    return Plot(blocks=tuple(blocks), cut=across(threshold), y_ends=("0", str(most)))


def costs(curves: Curves, threshold: float) -> Plot:
    """Faults missed (up) against minutes of review (across)."""
    rows = curves.costs()
    most = max((minutes for _, minutes, _ in rows), default=0.0) or 1.0
    missed = max((faults for _, _, faults in rows), default=0) or 1
    chosen = _chosen(curves.cuts, threshold)
    at = next(((minutes, faults) for cut, minutes, faults in rows if cut is chosen), None)
    return Plot(
        line=points_of([(minutes / most, faults / missed) for _, minutes, faults in rows]),
        place=(across(at[0] / most), up(at[1] / missed)) if at else None,
        x_ends=("0", f"{most:.0f}"),
        y_ends=("0", str(missed)),
    )
