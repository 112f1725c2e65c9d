"""Detection quality on public sets, beside three simple baselines; writes docs/quality.md.

    python bench/quality.py --data DIR --model MODEL --out docs/quality.md [--tier standard] [--limit 500]

`--model` is the support model fitted on folds 2-4 (bench/train/support_model.py writes it into its cache); what is read
here is fold 0 of each set, which that model never saw. Baselines score the same answers: the number of words, the
share of words that stand in no source, and one minus the TF-IDF cosine of answer and sources (the best of them).
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from proofing.batch import Job
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.exchange.reviews import LabelledAnswer
from proofing.learning.evaluation import Part, evaluate_scored
from proofing.learning.labelled import Labelled, kept, scored
from proofing.learning.metrics import Estimate, evaluate
from proofing.settings import TIERS, Settings
from proofing.support.reading import read

SETS = {
    "ragtruth_train": "RAGTruth, training split, fold 0",
    "medhallu_a": "MedHallu, fold 0",
    "truthfulqa_a": "TruthfulQA, fold 0",
    "halueval_qa_a": "HaluEval QA, fold 0 (answer length alone separates it)",
    "nli_mnli": "MNLI, fold 0 (label 1 = not entailed)",
    "nli_snli": "SNLI, fold 0 (label 1 = not entailed)",
}
SHOWN = ("auroc", "f1", "best_f1", "precision", "recall", "fpr_at_95_recall", "expected_calibration_error", "span_f1")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("docs/quality.md"))
    parser.add_argument("--tier", choices=TIERS, default="standard")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--limit", type=int, help="read at most this many answers of a set, drawn by hash")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    blocks = [_block(name, options) for name in options.sets.split(",")]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(_page(blocks, options), encoding="utf-8")
    print(f"wrote {options.out}")


def _block(name: str, options: argparse.Namespace) -> str:
    path = options.data / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is missing; --data must hold it, or leave the set out with --sets")
    lines = [line for line in read_answers(path) if int(line.group[:8], 16) % 5 == 0]
    lines = _drawn(lines, options.limit or len(lines))
    labelled = Labelled([LabelledAnswer(line, "given") for line in lines])
    job = Job(Settings(tier=options.tier), str(options.model))
    began = time.monotonic()
    scores = kept(labelled, scored(labelled.examples, job, options.jobs))
    each = (time.monotonic() - began) / max(len(lines), 1) * 1000
    found = evaluate_scored(labelled, scores)
    print(f"{name}: {len(scores)} answers, {each:.1f} ms each\n{found}\n", flush=True)
    rows = [_row("Proofmark, all", found.whole)]
    if len(found.tasks) > 1:
        rows += [_row(f"Proofmark, {task}", part) for task, part in found.tasks.items()]
    rows += [_baseline_row(title, labelled, measure) for title, measure in BASELINES.items()]
    head = "| | answers (faulty) | " + " | ".join(name.replace("_", " ") for name in SHOWN) + " |"
    rule = "|---|---|" + "---|" * len(SHOWN)
    return "\n".join([f"## {SETS[name]}", "", head, rule, *rows])


def _drawn(lines: Sequence[AnswerLine], most: int) -> list[AnswerLine]:
    """At most `most` lines by a hash of source and answer; every n-th would pick the same writing models each time."""

    def rank(i: int) -> str:
        return hashlib.sha256(f"quality {lines[i].group} {lines[i].answer}".encode()).hexdigest()

    return [lines[i] for i in sorted(sorted(range(len(lines)), key=rank)[:most])]


def _row(title: str, part: Part) -> str:
    cells = [_cell(part.figures.get(name)) for name in SHOWN]
    return f"| {title} | {part.answers} ({part.faulty}) | " + " | ".join(cells) + " |"


def _cell(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "–"
    low, high = estimate.interval or (estimate.value, estimate.value)
    return f"{estimate.value:.3f} ({low:.3f}–{high:.3f})"


def _baseline_row(title: str, labelled: Labelled, measure: object) -> str:
    assert callable(measure)
    raw = [measure(line) for line in labelled.lines]
    top = max(raw, default=1.0) or 1.0
    figures = evaluate([value / top for value in raw], labelled.labels, cut=2.0, groups=labelled.groups())
    keep = ("auroc", "best_f1", "fpr_at_95_recall")
    cells = [_cell(figures[name]) if name in keep else "–" for name in SHOWN]
    return f"| {title} | | " + " | ".join(cells) + " |"


def words_of(line: AnswerLine) -> float:
    return float(len(line.answer.split()))


def novelty(line: AnswerLine) -> float:
    proof = read(line.question, line.sources, line.answer, Settings(tier="fast"))
    stems = [stem for stem, content in zip(proof.answer.stems, proof.answer.content, strict=True) if content]
    known = set().union(*(view.stem_set for view in proof.sources)) if proof.sources else set()
    return sum(stem not in known for stem in stems) / len(stems) if stems else 0.0


def tfidf_distance(line: AnswerLine) -> float:
    """One minus the best cosine of log-scaled word counts, weighted by rarity over this line's own sources."""
    proof = read(line.question, line.sources, line.answer, Settings(tier="fast"))

    def vector(stems: Sequence[str]) -> dict[str, float]:
        return {s: (1 + math.log(n)) * proof.rarity(s) for s, n in Counter(stem for stem in stems if stem).items()}

    own = vector(proof.answer.stems)
    best = max((_cosine(own, vector(view.stems)) for view in proof.sources), default=0.0)
    return 1.0 - best


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    shared = sum(a[word] * b[word] for word in a if word in b)
    size = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return shared / size if size else 0.0


BASELINES = {
    "baseline: answer length": words_of,
    "baseline: share of new words": novelty,
    "baseline: TF-IDF distance": tfidf_distance,
}


def _page(blocks: Sequence[str], options: argparse.Namespace) -> str:
    limit = f" --limit {options.limit}" if options.limit else ""
    command = f"python bench/quality.py --data DIR --model MODEL --tier {options.tier}{limit}"
    return PAGE.format(command=command, blocks="\n\n".join(blocks))


PAGE = """# Detection quality

Written by `{command}`; do not edit by hand.
The support model used here was fitted on folds 2-4 (by hash of the source) and never saw fold 0, which is what these
tables report. F1, precision and recall are at the model's own cut, chosen on its fitting folds. 95 % intervals are
bootstrapped over whole sources.

{blocks}
"""


if __name__ == "__main__":
    main()
