"""Fit how sure the healer may be of a mark, and of a sentence that no source seems to back, from labelled spans.

    python -m bench.train.certainty RAGTRUTH.jsonl.gz --folds 1 --tier fast > proofing/healing/data/certainty.json

One row for every mark that could cause an edit, and one for every claim that is not grounded: what is known about it
(`proofing.healing.certainty`) and whether it touches a labelled span. Two logistic regressions on these. Take a fold
that the support model was not fitted on, else its probabilities look better here than they are; figures on fold 0
come from ``bench.healing``.
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
from proofing.healing.certainty import MARK_FEATURES, SENTENCE_FEATURES, Certainty
from proofing.settings import TIERS, Settings
from proofing.support.reading import read

Row = tuple[str, dict[str, float], int, str]


def rows_of(line: dict[str, Any], settings: Settings) -> list[Row]:
    """Part (mark or sentence), features, label and a name for each thing that could cause an edit."""
    report = read_row(line, settings)
    proof = read(report.question, report.sources, report.answer, settings)
    sure = Certainty(proof, report)
    spans = [(label["start"], label["end"]) for label in line.get("labels") or ()]

    def hit(start: int, end: int) -> int:
        return int(any(start < stop and begin < end for begin, stop in spans))

    found: list[Row] = []
    for mark in report.marks:
        if mark.reason != "absent" or mark.kind != "word":
            name = f"{mark.reason}:{mark.kind}"
            found.append(("mark", sure.mark_features(mark), hit(mark.start, mark.end), name))
    for claim in report.checks["faithfulness"]["claims"]:
        sentence = proof.answer.sentence_at(claim["start"])
        if sentence is not None and not claim["grounded"]:
            features = sure.sentence_features(sentence, claim["overlap"])
            found.append(("sentence", features, hit(sentence.start, sentence.end), line["task"]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--folds", type=int, nargs="+", default=[1])
    parser.add_argument("--answers", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--tier", choices=TIERS, default="fast")
    parser.add_argument("--rows", type=Path, help="where to keep the rows for another look")
    given = parser.parse_args()
    everything = [row for fold in given.folds for row in rows(given.path, fold)]
    chosen = random.Random(given.seed).sample(everything, min(given.answers, len(everything)))
    settings = Settings(tier=given.tier)
    table: list[Row] = []
    started = time.monotonic()
    for number, row in enumerate(chosen, start=1):
        table += rows_of(row, settings)
        if number % 500 == 0:
            print(f"{number}/{len(chosen)} {len(table)} rows {time.monotonic() - started:.0f} s", file=sys.stderr)
    if given.rows:
        given.rows.write_text("".join(json.dumps(line) + "\n" for line in table), encoding="utf-8")
    folds = ", ".join(map(str, given.folds))
    card = f"RAGTruth training split (MIT), fold {folds}: {len(chosen)} answers at the {given.tier} tier"
    parts = {"mark": fitted(table, "mark", MARK_FEATURES), "sentence": fitted(table, "sentence", SENTENCE_FEATURES)}
    print(json.dumps({"schema": "certainty/1", "fitted_on": card, **parts}, indent=1))


def fitted(table: list[Row], part: str, names: tuple[str, ...]) -> dict[str, Any]:
    """One logistic regression, as the healer reads it."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    inputs = [[features[name] for name in names] for which, features, _, _ in table if which == part]
    labels = [hit for which, _, hit, _ in table if which == part]
    model = LogisticRegression(C=1.0, max_iter=5000).fit(inputs, labels)
    area = roc_auc_score(labels, model.predict_proba(inputs)[:, 1])
    return {
        "rows": len(labels),
        "unbacked_share": round(sum(labels) / len(labels), 4),
        "auroc_in_sample": round(float(area), 4),
        "intercept": round(float(model.intercept_[0]), 5),
        "weights": {name: round(float(weight), 5) for name, weight in zip(names, model.coef_[0], strict=True)},
    }


if __name__ == "__main__":
    main()
