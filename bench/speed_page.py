"""The page of the speed figures: tables, ratios beside the peers, and cost against length as a drawing."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from peers import PEERS, VALUE_ONLY, WORD_LEVEL

#: Times the value-only peer that the value channel may take; times faster than the word-level peer the deep tier is.
AT_MOST, AT_LEAST = 2.0, 10.0
COLOURS = {"values": "#2a6f97", "fast": "#b5542b"}

PAGE = """# Speed

Written by `python bench/speed.py --install DIR --tiers {tiers} --repeat {repeat} --write docs/speed.md`; do not edit by
hand.

CPU milliseconds of one process, median of {repeat} runs, all in one run on {machine}. Such a machine is slower than a
workstation and its speed changes from hour to hour, so the *ratios* count. *Cold*: nothing is known of the sources,
the process is warm. *Warm*: the sources were read before. Short: an answer of 35 words, one source; long: 1,050 words,
ten sources of 525 words. The budgets are those of a quiet workstation.

| tier | short, cold | warm | budget | long, cold | warm | budget |
|---|---|---|---|---|---|---|
{tiers_table}

## Beside peers

Each peer's package runs in an environment of its own (`bench/peers.py`), the word-level one with the sentence encoder
that Proofmark packages, and gets the same texts. A run over {long_run} s is not repeated. The columns behind the peer's
time are our cold time divided by it: below 1 we are faster.

| peer | text | ms | {names} |
|---|---|---|{bars}|
{peers_table}

{targets}

## Cost against length

Answers of 250 to 4,000 words with sources five times as long, five texts a length; the exponent is the slope of log
cost over log words, 1 is linear, with its 95 % interval (bootstrap over texts).

{exponents}

![CPU milliseconds against words of the answer]({drawing})
"""


def write(page: Path, found: Mapping[str, Any], budgets: Mapping[str, Any], tiers: str, repeat: int) -> None:
    """Write the page and, beside it, its drawing."""
    drawing = page.with_suffix(".svg")
    drawing.write_text(_drawing(found["lengths"]), encoding="utf-8")
    page.write_text(
        PAGE.format(
            tiers=tiers,
            repeat=repeat,
            machine=f"{os.cpu_count()} shared cores ({platform.machine()}, Python {platform.python_version()})",
            tiers_table="\n".join(_tier_row(tier, of, budgets[tier]) for tier, of in found["tiers"].items()),
            long_run=5,
            names=" | ".join(found["tiers"]),
            bars="|".join("---" for _ in found["tiers"]),
            peers_table="\n".join(_peer_rows(found)) or "| not measured | | |" + " |" * len(found["tiers"]),
            targets="\n".join(f"* {line}" for line in _targets(found)),
            exponents="\n".join(
                f"* {tier}: {line['exponent'][0]:.2f} ({line['exponent'][1]:.2f}–{line['exponent'][2]:.2f})"
                for tier, line in found["lengths"].items()
            ),
            drawing=drawing.name,
        ),
        encoding="utf-8",
    )


def _tier_row(tier: str, of: Mapping[str, Any], budget: tuple[int | None, int | None]) -> str:
    cells = []
    for size, most in zip(("short", "long"), budget, strict=True):
        cells += [f"{of[size][state]['median']:.1f}" for state in ("cold", "warm")] + [f"{most or '–'}"]
    return f"| {tier} | {' | '.join(cells)} |"


def _peer_rows(found: Mapping[str, Any]) -> list[str]:
    rows = []
    for name in found["peers"]:
        for size, times in found["peers"][name].items():
            if isinstance(times, str):
                rows.append(f"| {name} | {size} | {times} |" + " |" * len(found["tiers"]))
                continue
            ratios = [f"{of[size]['cold']['median'] / times['median']:.3g}" for of in found["tiers"].values()]
            rows.append(f"| {PEERS[name][0]} | {size} | {times['median']:.1f} | {' | '.join(ratios)} |")
    return rows


def _targets(found: Mapping[str, Any]) -> list[str]:
    """Each target of the speed table with its figure and whether it is met."""
    tiers, peers, lines = found["tiers"], found["peers"], []
    for size in ("short", "long"):
        times = peers.get(VALUE_ONLY, {}).get(size)
        if isinstance(times, Mapping):
            cold, warm = (tiers["values"][size][state]["median"] / times["median"] for state in ("cold", "warm"))
            lines.append(
                f"value channel alone, {size} text: {cold:.1f} times the value-only peer ({warm:.1f} warm; target at "
                f"most {AT_MOST:g}): {'met' if cold <= AT_MOST else 'missed'}"
            )
    if "fast" in tiers:
        cold = tiers["fast"]["long"]["cold"]["median"]
        lines.append(f"fast tier, long text: {cold:.0f} ms (target 50): {'met' if cold <= 50 else 'missed'}")
    times = peers.get(WORD_LEVEL, {}).get("long")
    if "deep" in tiers and isinstance(times, Mapping):
        faster = times["median"] / tiers["deep"]["long"]["cold"]["median"]
        lines.append(
            f"deep tier, long text: {faster:.0f} times faster than the word-level peer (target {AT_LEAST:g}): "
            f"{'met' if faster >= AT_LEAST else 'missed'}"
        )
    return lines


def _drawing(lengths: Mapping[str, Any]) -> str:
    """Log-log points per tier with the fitted line, as SVG."""
    width, height, edge = 640, 400, 56
    points = [(w, ms) for line in lengths.values() for w, ms in line["points"]]
    low_x, high_x = min(w for w, _ in points), max(w for w, _ in points)
    low_y, high_y = 10 ** math.floor(math.log10(min(ms for _, ms in points))), max(ms for _, ms in points) * 1.2

    def x(words: float) -> float:
        return edge + (width - 2 * edge) * math.log(words / low_x) / math.log(high_x / low_x)

    def y(ms: float) -> float:
        return height - edge - (height - 2 * edge) * math.log(ms / low_y) / math.log(high_y / low_y)

    marks = [f'<path d="M{edge},{edge}V{height - edge}H{width - edge}" fill="none" stroke="#555"/>']
    marks += [
        f'<text x="{x(words):.0f}" y="{height - edge + 18}" text-anchor="middle">{words:,}</text>'
        for words in sorted({w for w, _ in points})
    ]
    tick = low_y
    while tick <= high_y:
        marks.append(f'<text x="{edge - 6}" y="{y(tick) + 4:.0f}" text-anchor="end">{tick:g}</text>')
        tick *= 10
    marks.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">words of the answer</text>')
    marks.append(f'<text x="{edge}" y="{edge - 16}">CPU milliseconds, cold</text>')
    for place, (tier, line) in enumerate(lengths.items()):
        colour, exponent = COLOURS.get(tier, "#555"), line["exponent"][0]
        middle_x = math.exp(sum(math.log(w) for w, _ in line["points"]) / len(line["points"]))
        middle_y = math.exp(sum(math.log(ms) for _, ms in line["points"]) / len(line["points"]))
        ends = [(w, middle_y * (w / middle_x) ** exponent) for w in (low_x, high_x)]
        path = " ".join(f"{x(w):.1f},{y(ms):.1f}" for w, ms in ends)
        marks.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        marks += [f'<circle cx="{x(w):.1f}" cy="{y(ms):.1f}" r="3" fill="{colour}"/>' for w, ms in line["points"]]
        marks.append(
            f'<text x="{edge + 16}" y="{edge + 8 + 18 * place}" fill="{colour}">{tier}: exponent {exponent}</text>'
        )
    body = "\n".join(marks)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" '
        f'font-size="12"><title>CPU milliseconds against words of the answer, both on logarithmic scales</title>\n'
        f"{body}\n</svg>\n"
    )
