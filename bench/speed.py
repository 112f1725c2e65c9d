"""How long proofreading takes, by tier and by length, and beside the peers' packages.

    python bench/speed.py                            # short and long text per tier, cold and warm, slope over length
    python bench/speed.py --install ~/peers --tiers fast,standard,deep --write docs/speed.md
                                                     # also beside the peers, in environments made there; a page
    python bench/speed.py --tiers fast --repeat 5 --json

All figures are CPU milliseconds of one process: the median of `--repeat` runs, with the least beside it. *Cold*
forgets what was read of the sources before each run, *warm* reads an answer to known sources. The texts are made up
here from a fixed seed, so every machine times the same words. ``--peers DIR`` uses the environments that ``--install
DIR`` made (`bench/peers.py`); one that is missing is reported as missing.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from peers import PEERS, install, time_peer  # noqa: E402
from speed_page import write  # noqa: E402

TIERS = ("fast", "standard", "deep")
#: Words of the answer, sources, words of each source: the two texts that the budgets are about.
SHORT, LONG = (35, 1, 525), (1050, 10, 525)
#: CPU milliseconds a tier may take for the short and for the long text.
BUDGETS: dict[str, tuple[int | None, int | None]] = {
    "values": (None, None),
    "fast": (2, 50),
    "standard": (25, 300),
    "deep": (150, 3000),
}
LENGTHS = (250, 500, 1000, 2000, 4000)

SUBJECTS = (
    "The harbour office|The night train|A second survey|The museum shop|Ms. Alma Reyes|The Lindqvist foundation|"
    "Every resident|The repair crew|The north gate|This model|The water board|Dr. Tomas Oduya"
).split("|")
VERBS = (
    "opened|does not charge for|increased|must report|moved|never refused|described|measured|rented out|may replace|"
    "sold|promised"
).split("|")
OBJECTS = (
    "the storage rooms|a discount on group tickets|the number of berths|old wiring in the cellar|its yearly accounts|"
    "two lifts near the entrance|the paths along the river|spare parts for the pump|a film about glass|the late fee"
).split("|")
TAILS = (
    "on 4 March 2021|for {n} euros a month|after {n} days|in the {n} houses of Elm Street|because of the heavy rain|"
    "although few people asked for it|by {n} percent|until 17:30 on weekdays|with the help of volunteers|"
    "at {n} km from the station"
).split("|")


def prose(words: int, seed: int) -> str:
    """Made-up English prose of so many words."""
    draw = random.Random(seed)
    found: list[str] = []
    while len(found) < words:
        tail = draw.choice(TAILS).format(n=draw.randint(2, 900))
        found += f"{draw.choice(SUBJECTS)} {draw.choice(VERBS)} {draw.choice(OBJECTS)} {tail}.".split()
    return " ".join(found[:words])


def texts(size: tuple[int, int, int], seed: int = 0) -> tuple[str, list[tuple[str, str]]]:
    """An answer and its sources; about two thirds of the answer's sentences stand in a source."""
    answer_words, count, source_words = size
    sources = [(f"s{n}", prose(source_words, 100_000 * seed + n)) for n in range(count)]
    told = [sentence for _, text in sources for sentence in text.split(". ")[:-1]]
    draw = random.Random(seed)
    words: list[str] = []
    while len(words) < answer_words:
        sentence = draw.choice(told) if draw.random() < 0.67 else prose(12, draw.randint(1000, 9999)).rstrip(".")
        words += f"{sentence}.".split()
    return " ".join(words[:answer_words]), sources


def timed(work: Callable[[], object], repeat: int, before: Callable[[], object] | None = None) -> dict[str, float]:
    """Median and least CPU milliseconds of `work` over `repeat` runs, after one that is not counted."""
    taken = []
    for run in range(repeat + 1):
        if before is not None:
            before()
        started = time.process_time()
        work()
        if run:
            taken.append((time.process_time() - started) * 1000)
    return {"median": round(statistics.median(taken), 3), "least": round(min(taken), 3)}


def worker(tier: str, answer: str, sources: list[tuple[str, str]]) -> Callable[[], object]:
    """What is timed for one text; the tier ``values`` is the value channel with nothing else."""
    from proofing import Settings, inspect
    from proofing.inspection import prepare
    from proofing.support.values import ValueChannel

    settings = Settings(tier="fast" if tier == "values" else tier)
    if tier == "values":
        return lambda: ValueChannel().judge(prepare("", sources, answer, settings), ())
    return lambda: inspect("", sources, answer, settings=settings)


def time_tier(tier: str, size: tuple[int, int, int], repeat: int) -> dict[str, dict[str, float]]:
    """Cold and warm times of one tier."""
    from proofing.support.reading import source_view

    work = worker(tier, *texts(size))
    return {"cold": timed(work, repeat, source_view.cache_clear), "warm": timed(work, repeat)}


def time_lengths(tier: str, repeat: int) -> list[tuple[int, float]]:
    """Cold milliseconds against the words of the answer, `repeat` texts a length; 5 words of sources to each word.

    One run a text: what varies from text to text varies with the runs, and the interval of the slope holds both.
    """
    from proofing.support.reading import source_view

    found = []
    for words in LENGTHS:
        for seed in range(repeat):
            work = worker(tier, *texts((words, max(words * 5 // 500, 1), 500), seed))
            found.append((words, timed(work, 1, source_view.cache_clear)["median"]))
    return found


def slope(points: list[tuple[int, float]], draws: int = 1000) -> tuple[float, float, float]:
    """Exponent of the cost with its 95 % interval: the least-squares slope of log milliseconds over log words.

    1 is linear. The interval is the percentile bootstrap over the texts of each length, from a fixed seed.
    """

    def fitted(drawn: list[tuple[int, float]]) -> float:
        x, y = [math.log(words) for words, _ in drawn], [math.log(max(ms, 1e-6)) for _, ms in drawn]
        return statistics.linear_regression(x, y).slope

    draw = random.Random(0)
    by_length = [[point for point in points if point[0] == words] for words in LENGTHS]
    boot = sorted(fitted([draw.choice(same) for same in by_length for _ in same]) for _ in range(draws))
    return round(fitted(points), 3), round(boot[int(0.025 * draws)], 3), round(boot[int(0.975 * draws)], 3)


def report(found: dict[str, Any]) -> None:
    """The figures as a table for people."""
    print(f"{'':<18}{'text':<7}{'cold':>10}{'least':>10}{'warm':>10}{'least':>10}{'budget':>8}{'ratio':>8}")
    for tier, sizes in found["tiers"].items():
        for place, (size, times) in enumerate(sizes.items()):
            figures = [times[state][which] for state in ("cold", "warm") for which in ("median", "least")]
            budget = BUDGETS[tier][place]
            beside = f"{budget:>8}{figures[0] / budget:>8.2f}" if budget else ""
            print(f"{tier:<18}{size:<7}" + "".join(f"{figure:>10.2f}" for figure in figures) + beside)
    for tier, line in found["lengths"].items():
        medians = {w: statistics.median(ms for words, ms in line["points"] if words == w) for w in LENGTHS}
        points = ", ".join(f"{words}: {ms:.1f}" for words, ms in medians.items())
        exponent, low, high = line["exponent"]
        print(f"{tier} against words (ms): {points}; exponent {exponent} ({low}-{high}; 1 = linear)")
    for name, sizes in found["peers"].items():
        for size, times in sizes.items():
            if isinstance(times, str):
                print(f"{name:<18}{size:<7} {times}")
                continue
            ours = {t: of[size]["cold"]["median"] / times["median"] for t, of in found["tiers"].items()}
            ratios = ", ".join(f"{tier} {ratio:.2f}" for tier, ratio in ours.items())
            print(f"{name:<18}{size:<7}{times['median']:>10.2f}{times['least']:>10.2f}  ours / peer: {ratios}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Time proofreading by tier, length and beside peers.")
    parser.add_argument("--tiers", default="fast,standard", help="comma-separated: fast, standard, deep")
    parser.add_argument("--repeat", type=int, default=7, help="runs that count")
    parser.add_argument("--peers", type=Path, help="folder with one environment per peer")
    parser.add_argument(
        "--install", type=Path, metavar="DIR", help="make the peers' environments in DIR, then use them"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the figures and their drawing as a page")
    chosen = parser.parse_args()
    tiers = ["values", *chosen.tiers.split(",")]
    unknown = [tier for tier in tiers[1:] if tier not in TIERS]
    if unknown or chosen.repeat < 1:
        print(
            f"unknown tier {unknown[0]!r}: use {', '.join(TIERS)}" if unknown else "--repeat must be at least 1",
            file=sys.stderr,
        )
        return 2
    if chosen.install:
        install(chosen.install)
    home = chosen.install or chosen.peers
    sizes = {"short": SHORT, "long": LONG}
    lengths = {tier: time_lengths(tier, 5) for tier in ("values", "fast")}
    found: dict[str, Any] = {
        "tiers": {t: {name: time_tier(t, size, chosen.repeat) for name, size in sizes.items()} for t in tiers},
        "lengths": {tier: {"points": points, "exponent": slope(points)} for tier, points in lengths.items()},
        "peers": {
            peer: {name: time_peer(home, peer, *texts(size), chosen.repeat) for name, size in sizes.items()}
            for peer in (PEERS if home else ())
        },
    }
    print(json.dumps(found, indent=1)) if chosen.json else report(found)
    if chosen.write:
        write(chosen.write, found, BUDGETS, chosen.tiers, chosen.repeat)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
