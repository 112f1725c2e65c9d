"""Where things stand in the small drawings of the insights pages; how they look is the stylesheet's matter.

A drawing repeats what a table beside it says, so that nobody needs to see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from webapp.insights.drift import Step
from webapp.insights.selectors import RouteDay

#: Size of a drawing in its own units, and the room left for the scale.
WIDTH, HEIGHT = 720, 180
LEFT, RIGHT, TOP, BOTTOM = 76, 12, 14, 30


@dataclass(frozen=True, slots=True)
class Line:
    """A rate from 0 to 1, old to new from left to right, and ticks on the ground where something drifted."""

    points: str
    ticks: tuple[float, ...]
    first: date
    last: date
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    middle: int = (TOP + HEIGHT - BOTTOM) // 2
    ground: int = HEIGHT - BOTTOM
    foot: int = HEIGHT - 6


def rate_line(steps: Sequence[Step]) -> Line | None:
    """The drift rate; None for fewer than two comparisons, which make no line."""
    if len(steps) < 2:
        return None
    across = (WIDTH - LEFT - RIGHT) / (len(steps) - 1)
    places = [round(LEFT + number * across, 1) for number in range(len(steps))]
    points = " ".join(f"{x},{_height(step.rate)}" for x, step in zip(places, steps, strict=True))
    ticks = tuple(x for x, step in zip(places, steps, strict=True) if step.seen.drifted)
    return Line(points, ticks, steps[0].seen.seen_at.date(), steps[-1].seen.seen_at.date())


def _height(rate: float) -> float:
    return round(HEIGHT - BOTTOM - rate * (HEIGHT - BOTTOM - TOP), 1)


@dataclass(frozen=True, slots=True)
class Block:
    """One route's part of one day's bar."""

    route: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Bars:
    """One bar a day, its parts as shares of the day's answers."""

    blocks: tuple[Block, ...]
    first: date
    last: date
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    middle: int = (TOP + HEIGHT - BOTTOM) // 2
    ground: int = HEIGHT - BOTTOM
    foot: int = HEIGHT - 6


def route_bars(days: Sequence[RouteDay]) -> Bars | None:
    """Routes day by day; None without any."""
    if not days:
        return None
    across = (WIDTH - LEFT - RIGHT) / len(days)
    thick = round(min(across * 0.8, 60), 1)
    blocks = []
    for number, day in enumerate(days):
        x = round(LEFT + number * across + (across - thick) / 2, 1)
        up = 0.0
        for row in day.rows:
            if row.count:
                high = _height(up)
                up += row.share
                blocks.append(Block(row.code, x, _height(up), thick, round(high - _height(up), 1)))
    return Bars(tuple(blocks), days[0].day, days[-1].day)
