"""Calibration as straight lines between knots: fitted by isotonic regression, served by looking a score up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def calibration_knots(
    scores: Sequence[float], labels: Sequence[int], weights: Sequence[float], least: int = 40
) -> list[list[float]]:
    """Isotonic regression of labels on scores, thinned to straight lines between block centres.

    Pools adjacent violators, then joins blocks until each weighs at least `least` examples, so that no knot rests on
    a handful; between the knots the line rises, so different scores keep different probabilities.
    """
    order = sorted((i for i in range(len(scores)) if weights[i] > 0), key=lambda i: scores[i])
    blocks: list[list[float]] = []  # weight, sum of scores, sum of labels
    for i in order:
        w = weights[i]
        blocks.append([w, w * scores[i], w * labels[i]])
        while len(blocks) > 1 and (blocks[-2][2] / blocks[-2][0] >= blocks[-1][2] / blocks[-1][0]):
            _join(blocks)
    wide: list[list[float]] = []
    for block in blocks:
        wide.append(block)
        if len(wide) > 1 and wide[-2][0] < least:
            _join(wide)
    if len(wide) > 1 and wide[-1][0] < least:
        _join(wide)
    knots = [[s / w, (y + 0.5) / (w + 1.0)] for w, s, y in wide]
    first, last = knots[0], knots[-1]
    knots = [[min(scores) - 1.0, first[1] * 0.5], *knots, [max(scores) + 1.0, 1.0 - (1.0 - last[1]) * 0.5]]
    return _rising([[round(x, 5), round(y, 6)] for x, y in knots])


def _join(blocks: list[list[float]]) -> None:
    last = blocks.pop()
    blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]


def _rising(knots: Sequence[list[float]]) -> list[list[float]]:
    """Knots with strictly rising scores and never falling probabilities."""
    out: list[list[float]] = []
    for x, y in knots:
        if out and x <= out[-1][0]:
            continue
        out.append([x, max(y, out[-1][1] if out else 0.0)])
    return out


def calibrated(score: float, knots: Sequence[Sequence[float]]) -> float:
    """Straight lines between (score, probability) knots, ends level: monotone, so no order is lost between them."""
    place = bisect_right(knots, score, key=lambda knot: knot[0])
    if place == 0:
        return knots[0][1]
    if place == len(knots):
        return knots[-1][1]
    (x0, y0), (x1, y1) = knots[place - 1], knots[place]
    return y0 + (y1 - y0) * (score - x0) / (x1 - x0)
