"""Fit how sure the healer may be of a mark, and of a sentence, from labelled spans.

    python -m bench.train.certainty RAGTRUTH.jsonl.gz --folds 1 --tier fast > proofing/healing/data/certainty.json

One row for every mark that could cause an edit: does it touch a labelled span? One for every sentence: is at least
`LARGE` of it labelled, so that taking it out removes more wrong than right? Two logistic regressions on what is known
about them (`proofing.healing.certainty`). Then both are moved onto the scale of `Settings.caution`: out of sample
(cross-validated by source), at the default caution, `MARK_BUDGET` and `SENTENCE_BUDGET` of the right answers hold one
that would be acted on. Take a fold that the support model was not fitted on, else its probabilities look better here
than they are; figures on fold 0 come from ``bench.healing``.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.healing import read_row, rows
from proofing.healing.certainty import MARK_FEATURES, SENTENCE_FEATURES, Certainty
from proofing.settings import TIERS, Settings
from proofing.support.reading import read

#: From this share of its characters on a sentence is better gone than kept.
LARGE = 0.3
#: Shares of right answers that may be touched because of a mark, and because of a whole sentence.
MARK_BUDGET, SENTENCE_BUDGET = 0.005, 0.009
PARTS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """Something that could cause an edit. `acted_on`: whether the healer would, were it sure."""

    part: str
    features: dict[str, float]
    label: int
    group: str
    answer: str
    right: bool
    acted_on: bool


def rows_of(line: dict[str, Any], settings: Settings) -> list[Row]:
    """The marks and sentences of one labelled line."""
    report = read_row(line, settings)
    proof = read(report.question, report.sources, report.answer, settings)
    sure = Certainty(proof, report)
    spans = [(label["start"], label["end"]) for label in line.get("labels") or ()]
    healed = report.risk != "low"

    def covered(start: int, end: int) -> int:
        return sum(max(0, min(end, stop) - max(start, begin)) for begin, stop in spans)

    def row(part: str, features: dict[str, float], label: bool, acted_on: bool) -> Row:
        return Row(part, features, int(label), line["group"], str(line["id"]), not line["label"], acted_on)

    found = [
        row("mark", sure.mark_features(m), covered(m.start, m.end) > 0, healed)
        for m in report.marks
        if m.reason != "absent" or m.kind != "word"
    ]
    for sentence in proof.answer.sentences:
        features = sure.sentence_features(sentence)
        share = covered(sentence.start, sentence.end) / max(1, sentence.end - sentence.start)
        found.append(
            row("sentence", features, share >= LARGE, healed and bool(features["marks"] or features["ungrounded"]))
        )
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
        given.rows.write_text("".join(json.dumps(asdict(row)) + "\n" for row in table), encoding="utf-8")
    print(json.dumps(card(table, len(chosen), sum(not row["label"] for row in chosen), given), indent=1))


def card(table: list[Row], answers: int, right: int, given: argparse.Namespace) -> dict[str, Any]:
    """What the healer reads: both fits and where they come from."""
    folds = ", ".join(map(str, given.folds))
    return {
        "schema": "certainty/1",
        "fitted_on": f"RAGTruth training split (MIT), fold {folds}: {answers} answers at the {given.tier} tier",
        "mark": fitted([r for r in table if r.part == "mark"], MARK_FEATURES, MARK_BUDGET, right),
        "sentence": fitted([r for r in table if r.part == "sentence"], SENTENCE_FEATURES, SENTENCE_BUDGET, right),
    }


def fitted(table: list[Row], names: tuple[str, ...], budget: float, right: int) -> dict[str, Any]:
    """One logistic regression, moved so that the default caution keeps the budget of right answers."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import GroupKFold, cross_val_predict

    inputs = [[row.features[name] for name in names] for row in table]
    labels = [row.label for row in table]
    model = LogisticRegression(C=1.0, max_iter=5000)
    groups = [row.group for row in table]
    apart = cross_val_predict(model, inputs, labels, groups=groups, cv=GroupKFold(PARTS), method="predict_proba")[:, 1]
    model.fit(inputs, labels)
    worst: dict[str, float] = {}
    for row, probability in zip(table, apart, strict=True):
        if row.right and row.acted_on:
            worst[row.answer] = max(worst.get(row.answer, 0.0), float(probability))
    cut = sorted(worst.values(), reverse=True)[round(budget * right)]
    shift = _logit(Settings().caution) - _logit(cut)
    return {
        "rows": len(labels),
        "unbacked_share": round(sum(labels) / len(labels), 4),
        "auroc": round(float(roc_auc_score(labels, apart)), 4),
        "budget": budget,
        "shift": round(shift, 5),
        "intercept": round(float(model.intercept_[0]) + shift, 5),
        "weights": {name: round(float(weight), 5) for name, weight in zip(names, model.coef_[0], strict=True)},
    }


def _logit(share: float) -> float:
    return math.log(share / (1.0 - share))


if __name__ == "__main__":
    main()
