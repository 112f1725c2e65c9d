"""Fit the support model on public data and report it on data it was not fitted on.

    python bench/train/support_model.py --data DIR --cache DIR --out proofing/learning/data/support.json

`--data` is a folder with the sets as ``answers/1`` lines (``<set>.jsonl.gz``, see SETS); each line's `group` is a
hash of its source and gives its fold, ``int(group[:8], 16) % 5``. Figures come from a model fitted on folds 2-4 and
read on fold 0; the model that ships may be fitted on all folds (`--ship`), its card says so and keeps the figures
of the first. Counting takes minutes and is kept in `--cache`, per set and state of the counting code, so an
interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import sys
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import proofing.learning.features as features_module
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.learning.examples import Example
from proofing.learning.features import sheet_of
from proofing.learning.fit import Fitted, figures, fit
from proofing.learning.metrics import printed
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import Proof, read

#: Sets, the weight of their answers in the fit, and what people should know of each.
SETS = {
    "ragtruth_train": 1.0,
    "medhallu_a": 1.0,
    "truthfulqa_a": 0.4,
    "halueval_qa_a": 0.3,
    "nli_mnli": 0.12,
    "nli_snli": 0.06,
}
MAIN = "ragtruth_train"
#: In this set answer length alone tells the classes apart, so they are balanced within bins of length.
LENGTH_GIVES_AWAY = ("halueval_qa_a",)
FITTING, REPORTED = (2, 3, 4), 0
CHUNK = 500


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    sets = {name: SETS[name] for name in options.sets.split(",")}
    examples: list[Example] = []
    folds: list[int] = []
    for name, weight in sets.items():
        path = options.data / f"{name}.jsonl.gz"
        if not path.exists():
            sys.exit(f"{path} is missing; --data must hold it, or leave the set out with --sets")
        found = list(_counted(name, path, options))
        weights = _weights([e for e, _ in found], weight, name in LENGTH_GIVES_AWAY)
        examples += [replace(e, weight=w) for (e, _), w in zip(found, weights, strict=True)]
        folds += [fold for _, fold in found]
    _say(f"{len(examples)} answers counted")
    kept = [e for e, fold in zip(examples, folds, strict=True) if fold in FITTING]
    fitted = fit(kept, name=options.name, cut_family=MAIN, say=_say)
    report = _reported(fitted, [e for e, fold in zip(examples, folds, strict=True) if fold == REPORTED])
    if options.report:
        options.report.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    card = {**CARD, "figures": report, "fitted_on": "folds 2-4 (figures and model)", "tier": options.tier}
    checked = options.cache / "support-folds-2-4.json"
    checked.write_bytes(fitted.to_bytes())
    _say(f"wrote {checked}, the model the figures are of (bench/quality.py --model)")
    if options.ship:
        fitted = fit(examples, name=options.name, cut_family=MAIN, say=_say)
        card["fitted_on"] = "all folds; the figures are of the same fit on folds 2-4, read on fold 0"
    fitted.data["card"] = card
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(fitted.to_bytes())
    _say(f"wrote {options.out} ({options.out.stat().st_size // 1024} kB), cut {fitted.data['cut']}")


CARD = {
    "what": "word, sentence and answer forests over counts; scores are calibrated probabilities",
    "data": {
        "ragtruth_train": "RAGTruth training split, MIT (annotations)",
        "medhallu_a": "half of MedHallu's labelled set, MIT",
        "truthfulqa_a": "half of TruthfulQA, Apache-2.0",
        "halueval_qa_a": "part of HaluEval QA, MIT; balanced within bins of answer length, which alone separates it",
        "nli_mnli": "MNLI development pairs",
        "nli_snli": "SNLI development pairs, CC BY-SA 4.0",
    },
    "licence": "Apache-2.0 (the fitted numbers)",
    "limits": [
        "English; other languages get counts but no word table",
        "summaries whose words are all in the source but joined wrongly are hard for counts",
        "probabilities are calibrated on the mix above; calibrate on your own labels before acting on them",
    ],
}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--tier", choices=("none", "fast", "standard"), default="standard")
    parser.add_argument("--name", default="public-mix")
    parser.add_argument("--ship", action="store_true", help="fit the written model on all folds")
    return parser.parse_args(arguments)


def _counted(name: str, path: Path, options: argparse.Namespace) -> Iterator[tuple[Example, int]]:
    """Counts of a set with the fold of each answer, chunk by chunk from the cache where it has them."""
    key = hashlib.sha256(_code(options.tier) + options.tier.encode() + path.read_bytes()).hexdigest()[:16]
    folder = options.cache / f"{name}-{options.tier}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    lines = list(read_answers(path))
    for start in range(0, len(lines), CHUNK):
        kept = folder / f"{start:06d}.pickle"
        if not kept.exists():
            began = time.monotonic()
            chunk = [_example(line, name, options.tier) for line in lines[start : start + CHUNK]]
            part = kept.with_suffix(".part")
            part.write_bytes(pickle.dumps(chunk, protocol=5))
            part.rename(kept)
            each = (time.monotonic() - began) / len(chunk) * 1000
            _say(f"{name} {start + len(chunk)}/{len(lines)}: {each:.1f} ms each")
        for example in pickle.loads(kept.read_bytes()):
            yield example, int(example.group[:8], 16) % 5


def _code(tier: str) -> bytes:
    """State of the code that decides the counts: a change makes the cache stale."""
    package = Path(features_module.__file__).parents[1]
    names = ["documents.py", "sentences.py", "structure.py", "records.py", "learning/features.py", "learning/pieces.py"]
    names += ["support/reading.py", "support/stems.py", "support/words.py", "support/data/function_words.json"]
    files = [package / name for name in names]
    if tier != "none":
        files += sorted([*package.glob("values/**/*"), *package.glob("support/**/*"), package / "engine.py"])
    return b"".join(file.read_bytes() for file in files if file.is_file() and file.suffix != ".pyc")


def _example(line: AnswerLine, family: str, tier: str) -> Example:
    settings = Settings(tier="fast" if tier == "none" else tier)
    proof = read(line.question, line.sources, line.answer, settings)
    judgements = _judged(proof, tier)
    sheet = sheet_of(proof, judgements)
    tokens = proof.answer.tokens
    starts = tuple((tokens[i].start, tokens[i].end) for i in sheet.row_tokens)
    sheet.rows = [array("f", row) for row in sheet.rows]  # type: ignore[misc]
    spans = None if line.labels is None else tuple((label.start, label.end) for label in line.labels)
    if line.label == 1 and not spans:
        spans = None
    if line.label is None:
        sys.exit(f"{family} line {line.line}: no label")
    return Example(sheet, starts, line.label, spans, line.group, family=family)


def _judged(proof: Proof, tier: str) -> Sequence[Judgement]:
    """What the channels say; ``none`` = count the words alone."""
    if tier == "none":
        return ()
    from proofing.engine import judge_all

    return judge_all(proof).judgements


def _weights(examples: Sequence[Example], weight: float, by_length: bool) -> list[float]:
    if not by_length:
        return [weight] * len(examples)
    bins = [min(len(e.sheet.rows), 40) // 2 for e in examples]
    counts: dict[tuple[int, int], int] = {}
    for at, e in zip(bins, examples, strict=True):
        counts[at, e.label] = counts.get((at, e.label), 0) + 1
    return [
        weight * min(1.0, min(counts.get((at, 0), 0), counts.get((at, 1), 0)) / counts[at, e.label])
        for at, e in zip(bins, examples, strict=True)
    ]


def _reported(fitted: Fitted, held_out: Sequence[Example]) -> dict[str, object]:
    model = fitted.model()
    probabilities = [model.probabilities(e.sheet)[0] for e in held_out]
    report: dict[str, object] = {}
    for family, found in figures(probabilities, held_out, model.cut).items():
        _say(f"\n{family}, fold {REPORTED}, fitted on {FITTING}\n{printed(found)}")
        report[family] = {name: estimate.to_dict() for name, estimate in found.items()}
    return report


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
