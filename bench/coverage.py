"""How often the 95 % intervals of an operating point hold what is true, over many drawn labelled sets.

    python bench/coverage.py [--draws 1000] [--answers 200 600] [--positive 0.45] [--target 0.95] [--cluster 1]

A population with known truth: scores of faulty answers are Beta(4, 2), of right ones Beta(2, 3) distributed, so recall
and false-positive rate of any cut are known to the last digit. Each draw is a labelled set; `calibrate` fits a point
on it, and the point's intervals are asked whether they hold

* recall: the true recall of the cut that was fitted;
* false-positive rate: the true rate of the cut that was fitted;
* held out: the same two, by the intervals of the cross-fitted figures;
* refitted: the true rate of the cut that finds just the wanted share (what the bootstrap is an interval of).

``--cluster C`` draws C answers of one source at a time that share a common shift of their score: exact intervals
suppose answers that are independent of each other, and the figure says what is lost where they are not.
The coverage is given with its own exact 95 % interval. Wanted: 0.93 or more.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofing.learning.calibrate import LEAST_OF_EACH_CLASS, OperatingPoint, calibrate
from proofing.learning.intervals import Interval, beta_quantile, beta_share, clopper_pearson

#: Shape of the scores by label: 1 = something is unsupported.
SHAPE = {1: (4.0, 2.0), 0: (2.0, 3.0)}
NAMES = ("recall", "false-positive rate", "recall held out", "false-positive rate held out", "rate refitted")


def share_above(cut: float, label: int) -> float:
    """The true share of answers with this label whose score is at least `cut`."""
    return 1.0 - beta_share(cut, *SHAPE[label])


def draw_set(
    rng: random.Random, answers: int, positive: float, cluster: int
) -> tuple[list[float], list[int], list[str]]:
    """Scores, labels and groups of one labelled set with enough of both labels to be calibrated on.

    In a cluster the quantiles of the scores are half common, half own: the distribution of a single score stays what
    it is, since the fractional part of a uniform number plus any other is uniform.
    """
    while True:
        scores, labels, groups = [], [], []
        for number in range(answers):
            if number % cluster == 0:
                common = rng.random()
            label = int(rng.random() < positive)
            place = rng.random() if cluster == 1 else (common + rng.random() * 0.5) % 1.0
            scores.append(quantile(place, label))
            labels.append(label)
            groups.append(str(number // cluster))
        if min(sum(labels), answers - sum(labels)) >= LEAST_OF_EACH_CLASS:
            return scores, labels, groups


#: Quantiles looked up in a fine table and joined by straight lines; the error is under 1e-6.
STEPS = 4000
TABLE: dict[int, list[float]] = {}


def quantile(place: float, label: int) -> float:
    """The score below which this share of the answers with this label lies."""
    if label not in TABLE:
        a, b = SHAPE[label]
        TABLE[label] = [0.0, *(beta_quantile(step / STEPS, a, b) for step in range(1, STEPS)), 1.0]
    low = int(place * STEPS)
    below, above = TABLE[label][low], TABLE[label][low + 1]
    return below + (above - below) * (place * STEPS - low)


def holds(interval: Interval, truth: float) -> bool:
    return interval[0] <= truth <= interval[1]


def covered(point: OperatingPoint, target: float) -> tuple[bool, ...]:
    """Which of the intervals hold the truth, in the order of `NAMES`."""
    recall, rate = share_above(point.threshold, 1), share_above(point.threshold, 0)
    wanted = share_above(beta_quantile(1.0 - target, *SHAPE[1]), 0) if target < 1 else 1.0
    return (
        holds(point.recall.interval, recall),
        holds(point.fpr.interval, rate),
        holds(point.held_out_recall.interval, recall),
        holds(point.held_out_fpr.interval, rate),
        holds(point.fpr_bootstrap, wanted),
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--draws", type=int, default=1000)
    options.add_argument("--answers", type=int, nargs="+", default=[200, 600])
    options.add_argument("--positive", type=float, default=0.45, help="share of the answers that are faulty")
    options.add_argument("--target", type=float, default=0.95)
    options.add_argument("--cluster", type=int, default=1, help="answers of one source")
    options.add_argument("--seed", type=int, default=20)
    chosen = options.parse_args()
    missed = False
    for answers in chosen.answers:
        rng = random.Random(chosen.seed)
        counts = [0] * len(NAMES)
        for _ in range(chosen.draws):
            scores, labels, groups = draw_set(rng, answers, chosen.positive, chosen.cluster)
            point = calibrate(scores, labels, chosen.target, groups)
            counts = [count + held for count, held in zip(counts, covered(point, chosen.target), strict=True)]
        print(
            f"{answers} labelled answers, {chosen.positive:.0%} faulty, recall {chosen.target:g}, {chosen.draws} draws"
        )
        for name, count in zip(NAMES, counts, strict=True):
            low, high = clopper_pearson(count, chosen.draws)
            print(f"  {name:<30} {count / chosen.draws:.3f} ({low:.3f}-{high:.3f})", flush=True)
        missed |= min(counts[:2]) < 0.93 * chosen.draws
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
