"""Fit how sure the healer may be of a mark, and of a sentence, from labelled spans.

    python -m bench.train.certainty RAGTRUTH.jsonl.gz --folds 1 --tier fast > proofing/healing/data/certainty.json

One row for every mark that could cause an edit: does it touch a labelled span? One for every sentence: is at least
`LARGE` of it labelled, so that taking it out removes more wrong than right? Two logistic regressions on what is known
about them (`proofing.healing.certainty`). Then both are moved by one number onto the scale of `Settings.caution`: out
of sample (cross-validated by source), the healer would change `BUDGET` of the right answers at the default caution.
Take a fold that the support model was not fitted on, else its probabilities look better here than they are; figures
on fold 0 come from ``bench.healing``. ``--tier`` is the tier whose probabilities the healer will see most.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.healing import read_row, rows
from proofing.healing.certainty import MARK_FEATURES, SENTENCE_FEATURES, Certainty
from proofing.healing.plans import patch
from proofing.learning.model import SupportModel
from proofing.settings import TIERS, Settings
from proofing.support.reading import read

#: From this share of its characters on a sentence is better gone than kept.
LARGE = 0.3
#: Share of right answers that may be changed.
BUDGET = 0.0125
PARTS = 5
FEATURES = {"mark": MARK_FEATURES, "sentence": SENTENCE_FEATURES}


@dataclass(frozen=True, slots=True)
class Row:
    """Something that could cause an edit.

    Attributes:
        part: ``mark`` or ``sentence``.
        label: whether the sources do not back it.
        at: index of its sentence in the answer.
        acted_on: whether the healer would, were it sure.
    """

    part: str
    features: dict[str, float]
    label: int
    group: str
    answer: str
    right: bool
    at: int
    acted_on: bool


def rows_of(line: dict[str, Any], settings: Settings, model: SupportModel | None = None) -> list[Row]:
    """The marks and sentences of one labelled line."""
    report = read_row(line, settings, model)
    proof = read(report.question, report.sources, report.answer, settings)
    sure = Certainty(proof, report)
    spans = [(label["start"], label["end"]) for label in line.get("labels") or ()]
    plan = patch(sure, [1.0] * len(report.marks))
    corrected = {mark for edit in plan.edits if edit.parent is None for mark in edit.marks[:1]}
    mended = {proof.answer.sentence_index_at(edit.start) for edit in plan.edits if edit.parent is None}
    open_ = {proof.answer.sentence_index_at(int(a["start"])) for a in plan.alternatives}
    sentences = [sure.sentence_features(sentence) for sentence in proof.answer.sentences]
    parts = [r for r, _ in plan.removals if not sentences[proof.answer.sentences.index(r.sentence)]["ungrounded"]]
    removable = {mark for removal in parts for mark in removal.marks}

    def covered(start: int, end: int) -> int:
        return sum(max(0, min(end, stop) - max(start, begin)) for begin, stop in spans)

    def row(part: str, features: dict[str, float], label: bool, at: int | None, acted_on: bool) -> Row:
        healed = report.risk != "low" and acted_on
        return Row(
            part, features, int(label), line["group"], str(line["id"]), not line["label"], -1 if at is None else at,
            healed,
        )  # fmt: skip

    found = []
    for index, mark in enumerate(report.marks):
        if mark.reason != "absent" or mark.kind != "word":
            at = proof.answer.sentence_index_at(mark.start)
            acted_on = index in corrected or index in removable
            found.append(row("mark", sure.mark_features(mark), covered(mark.start, mark.end) > 0, at, acted_on))
    for at, (sentence, features) in enumerate(zip(proof.answer.sentences, sentences, strict=True)):
        share = covered(sentence.start, sentence.end) / max(1, sentence.end - sentence.start)
        suspected = bool(features["marks"] or features["ungrounded"]) and at not in mended | open_
        found.append(row("sentence", features, share >= LARGE, at, suspected))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--folds", type=int, nargs="+", default=[1])
    parser.add_argument("--half", type=int, choices=(0, 1), help="only sources with this parity of their hash")
    parser.add_argument("--answers", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--tier", choices=TIERS, default="fast")
    parser.add_argument("--model", type=Path, help="a support model other than the one that ships")
    parser.add_argument("--rows", type=Path, help="where to keep the rows, or to take them from where they are kept")
    given = parser.parse_args()
    table, answers, right = _table(given)
    print(json.dumps(card(table, answers, right, given), indent=1))


def _table(given: argparse.Namespace) -> tuple[list[Row], int, int]:
    """The rows, the number of answers they come from, and how many of those are right."""
    everything = [row for fold in given.folds for row in rows(given.path, fold) if _in_half(row, given.half)]
    chosen = random.Random(given.seed).sample(everything, min(given.answers, len(everything)))
    right = sum(not row["label"] for row in chosen)
    if given.rows and given.rows.exists():
        kept = given.rows.read_text(encoding="utf-8").splitlines()
        return [Row(**json.loads(line)) for line in kept], len(chosen), right
    settings = Settings(tier=given.tier)
    model = SupportModel.load(given.model) if given.model else None
    table: list[Row] = []
    started = time.monotonic()
    for number, row in enumerate(chosen, start=1):
        table += rows_of(row, settings, model)
        if number % 200 == 0:
            print(f"{number}/{len(chosen)} {len(table)} rows {time.monotonic() - started:.0f} s", file=sys.stderr)
    if given.rows:
        given.rows.write_text("".join(json.dumps(asdict(row)) + "\n" for row in table), encoding="utf-8")
    return table, len(chosen), right


def _in_half(row: dict[str, Any], half: int | None) -> bool:
    return half is None or int(row["group"][8:10], 16) % 2 == half


def card(table: list[Row], answers: int, right: int, given: argparse.Namespace) -> dict[str, Any]:
    """What the healer reads: both fits and where they come from."""
    parts = {part: _fitted([row for row in table if row.part == part], names) for part, names in FEATURES.items()}
    logits: dict[str, list[tuple[Row, float]]] = {part: fit.pop("apart") for part, fit in parts.items()}
    shift = _shift([pair for pairs in logits.values() for pair in pairs], BUDGET * right)
    for fit in parts.values():
        fit["intercept"] = round(fit["intercept"] + shift, 5)
    folds = ", ".join(map(str, given.folds))
    if given.half is not None:
        folds += f", sources with an {('even', 'odd')[given.half]} hash"
    return {
        "schema": "certainty/2",
        "fitted_on": f"RAGTruth training split (MIT), fold {folds}: {answers} answers at the {given.tier} tier",
        "budget": BUDGET,
        "shift": round(shift, 5),
        **parts,
    }


def _fitted(table: list[Row], names: tuple[str, ...]) -> dict[str, Any]:
    """One logistic regression; ``apart``: each row with its log odds by fits that did not see its source."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import GroupKFold, cross_val_predict

    inputs = [[row.features[name] for name in names] for row in table]
    labels = [row.label for row in table]
    model = LogisticRegression(C=1.0, max_iter=5000)
    groups = [row.group for row in table]
    apart = cross_val_predict(model, inputs, labels, groups=groups, cv=GroupKFold(PARTS), method="decision_function")
    model.fit(inputs, labels)
    return {
        "rows": len(labels),
        "unbacked_share": round(sum(labels) / len(labels), 4),
        "auroc": round(float(roc_auc_score(labels, apart)), 4),
        "intercept": float(model.intercept_[0]),
        "weights": {name: round(float(weight), 5) for name, weight in zip(names, model.coef_[0], strict=True)},
        "apart": list(zip(table, map(float, apart), strict=True)),
    }


def _shift(apart: Sequence[tuple[Row, float]], changed: float) -> float:
    """What to add to all log odds so that the default caution changes so many right answers; by bisection."""
    low, high = -6.0, 6.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _right_changed(apart, middle) > changed:
            high = middle
        else:
            low = middle
    return low


def _right_changed(apart: Iterable[tuple[Row, float]], shift: float) -> int:
    """Right answers that the healer would change at the default caution, as `proofing.healing.plans.Plan` decides."""
    surest: dict[str, dict[int, float]] = defaultdict(dict)
    for row, odds in apart:
        if row.right and row.acted_on:
            sure = 1.0 / (1.0 + math.exp(-odds - shift))
            surest[row.answer][row.at] = max(surest[row.answer].get(row.at, 0.0), sure)
    together = (1.0 - math.prod(1.0 - sure for sure in places.values()) for places in surest.values())
    return sum(sure >= Settings().caution for sure in together)


if __name__ == "__main__":
    main()
