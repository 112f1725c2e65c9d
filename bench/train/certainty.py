"""Fit how sure the healer may be of a mark, from labelled spans.

    python -m bench.train.certainty RAGTRUTH.jsonl.gz --folds 2 3 4 --answers 6000 --tier fast

Every mark that could cause an edit is one row: what is known about it (`proofing.healing.certainty.features_of`)
and whether it touches a labelled span. A logistic regression on these is written to standard output as JSON; its
place in the project is ``proofing/healing/data/certainty.json``. Figures on fold 0 come from ``bench.healing``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from bench.healing import read_row, rows
from proofing.healing.certainty import FEATURES, features_of
from proofing.settings import TIERS, Settings
from proofing.support.reading import read


def marks_of(row: dict[str, Any], settings: Settings) -> list[tuple[dict[str, float], int, str]]:
    """Features, label and reason of each mark that could cause an edit."""
    report = read_row(row, settings)
    proof = read(report.question, report.sources, report.answer, settings)
    spans = [(label["start"], label["end"]) for label in row.get("labels") or ()]
    found = []
    for mark in report.marks:
        if mark.reason == "absent" and mark.kind == "word":
            continue
        hit = int(any(mark.start < end and start < mark.end for start, end in spans))
        found.append((features_of(proof, report, mark), hit, f"{mark.reason}:{mark.kind}"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--folds", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--answers", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--tier", choices=TIERS, default="fast")
    parser.add_argument("--rows", type=Path, help="where to keep the rows for another look")
    given = parser.parse_args()
    everything = [row for fold in given.folds for row in rows(given.path, fold)]
    chosen = random.Random(given.seed).sample(everything, min(given.answers, len(everything)))
    settings = Settings(tier=given.tier)
    table: list[tuple[dict[str, float], int, str]] = []
    started = time.monotonic()
    for number, row in enumerate(chosen, start=1):
        table += marks_of(row, settings)
        if number % 500 == 0:
            print(f"{number}/{len(chosen)} {len(table)} marks {time.monotonic() - started:.0f} s", file=sys.stderr)
    if given.rows:
        given.rows.write_text("".join(json.dumps(line) + "\n" for line in table), encoding="utf-8")
    print(json.dumps(fitted(table, given.tier, len(chosen)), indent=1))


def fitted(table: list[tuple[dict[str, float], int, str]], tier: str, answers: int) -> dict[str, Any]:
    """The logistic regression over all rows, as the healer reads it."""
    from sklearn.linear_model import LogisticRegression

    inputs = [[features[name] for name in FEATURES] for features, _, _ in table]
    labels = [hit for _, hit, _ in table]
    model = LogisticRegression(C=1.0, max_iter=2000).fit(inputs, labels)
    return {
        "fitted_on": f"RAGTruth training split, folds 2-4, {answers} answers, {len(table)} marks, tier {tier}",
        "base_rate": round(sum(labels) / len(labels), 4),
        "intercept": round(float(model.intercept_[0]), 5),
        "weights": {name: round(float(weight), 5) for name, weight in zip(FEATURES, model.coef_[0], strict=True)},
    }


if __name__ == "__main__":
    main()
