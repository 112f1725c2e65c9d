"""Where things stand in the small drawings of the insights pages; how they look is the stylesheet's matter.

A drawing repeats what a table beside it says, so that nobody needs to see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from webapp.insights.drift import Step
from webapp.insights.reviewers import Day
from webapp.insights.selectors import RouteDay

#: Size of a drawing in its own units, and the room left for the scale.
WIDTH, HEIGHT = 720, 180
LEFT, RIGHT, TOP, BOTTOM = 76, 12, 14, 30


class Frame:
    """Where every drawing has its edges, its ground line and its captions."""

    __slots__ = ()
    width, height = WIDTH, HEIGHT
    left, right = LEFT, WIDTH - RIGHT
    top, ground = TOP, HEIGHT - BOTTOM
    middle = (top + ground) // 2
    foot = HEIGHT - 6


@dataclass(frozen=True, slots=True)
class Line(Frame):
    """A rate from 0 to 1, old to new from left to right, and ticks on the ground where something drifted."""

    points: str
    ticks: tuple[float, ...]
    first: date
    last: date


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
class Bar:
    """An upright rectangle; `part` says of what."""

    part: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Bars(Frame):
    """One bar a day, its parts as shares of the day's answers."""

    bars: tuple[Bar, ...]
    first: date
    last: date
    most: int = 0  # what the top of the scale stands for; 0: all of a day


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
                blocks.append(Bar(row.code, x, _height(up), thick, round(high - _height(up), 1)))
    return Bars(tuple(blocks), days[0].day, days[-1].day)


def day_bars(days: Sequence[Day]) -> Bars | None:
    """Decisions day by day, the busiest as high as the drawing; None where nothing was decided."""
    most = max((day.total for day in days), default=0)
    if not most:
        return None
    across = (WIDTH - LEFT - RIGHT) / len(days)
    bars = []
    for number, day in enumerate(days):
        if day.total:
            top = _height(day.total / most)
            x, width = round(LEFT + number * across + across * 0.1, 1), round(across * 0.8, 1)
            bars.append(Bar("day", x, top, width, round(HEIGHT - BOTTOM - top, 1)))
    return Bars(tuple(bars), days[0].day, days[-1].day, most)
