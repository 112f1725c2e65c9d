"""Fit the support model on public data and report it on data it was not fitted on.

    python -m bench.train.support_model --data DIR --cache DIR --out proofing/learning/data/support.json --ship

`--data` is a folder with the sets as ``answers/1`` lines (``<set>.jsonl.gz``, see SETS); each line's `group` is a
hash of its source and gives its fold, ``int(group[:8], 16) % 5``. Figures come from a model fitted on folds 2-4 and
read on fold 0; the model that ships is fitted on all folds with `--ship` (its card says so, the figures stay those of
the first).

Two stages. The forests that count words are fitted on every answer. The two levels that hear the channels are fitted
on a sample (SAMPLE), for asking the channels costs more than counting, and on pairs made from the sources with one
thing wrong (`bench.train.edits`). Everything that takes minutes is kept in `--cache` under the state of the code it
came from, so an interrupted run goes on where it stopped. Counts made by older code are taken when a recount of the
first answers agrees to the last digit.
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
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import proofing.learning.features as features_module
from bench.train.edits import pairs
from bench.train.judging import fold_of_source, judged, sample
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.learning.examples import Example
from proofing.learning.features import sheet_of
from proofing.learning.fit import Fitted, figures, fit, hear
from proofing.learning.metrics import printed
from proofing.learning.model import SupportModel
from proofing.learning.stacking import Counted, Shape
from proofing.settings import Settings
from proofing.support.reading import read

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
FITTING, REPORTED, ALL = (2, 3, 4), 0, (0, 1, 2, 3, 4)
CHUNK = 500
#: Answers whose channels are asked, per set: from the folds fitted on, and from the one reported on.
SAMPLE = {
    "ragtruth_train": (6000, 1500),
    "medhallu_a": (700, 300),
    "truthfulqa_a": (1800, 700),
    "halueval_qa_a": (800, 400),
    "nli_mnli": (2500, 1000),
    "nli_snli": (1500, 1000),
}
#: Pairs made by `bench.train.edits` from the sources of MAIN, likewise.
EDITS, EDITED = "edits", (800, 250)
#: Weights of the sample's answers. Sets other than MAIN count for more than among the word counts: wording carries over
#: badly from one set to another, what the channels find carries over well.
HEARD = {
    "ragtruth_train": 1.0,
    "medhallu_a": 1.5,
    "truthfulqa_a": 0.8,
    "halueval_qa_a": 0.3,
    "nli_mnli": 0.4,
    "nli_snli": 0.3,
    EDITS: 0.4,
}
#: This many answers are counted again before counts of older code are taken for those of this code.
RECOUNTED = 25


@dataclass
class Set:
    """One set: its lines and what was counted of each, in the order of the file."""

    name: str
    lines: list[AnswerLine]
    examples: list[Example]

    def places(self, folds: Sequence[int]) -> list[int]:
        return [i for i, e in enumerate(self.examples) if fold_of_source(e.group) in folds]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    sets = [_read(name, weight, options) for name, weight in SETS.items() if name in options.sets.split(",")]
    _say(f"{sum(len(own.examples) for own in sets)} answers counted")
    heard_of = {folds: _judged_examples(sets, folds, n, options) for n, folds in enumerate((FITTING, (REPORTED,)))}
    fitted = _fitted(sets, FITTING, heard_of[FITTING], options)
    reported = [example for _, example in heard_of[(REPORTED,)]]
    report = _reported(fitted, reported)
    if options.report:
        options.report.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    card = {**CARD, "figures": report, "fitted_on": "folds 2-4 (figures and model)", "tier": options.tier}
    card["date"] = options.date
    fitted.data["card"] = card
    checked = options.cache / "support-folds-2-4.json"
    checked.write_bytes(fitted.to_bytes())
    _say(f"wrote {checked}, the model the figures are of (bench/quality.py --model)")
    if options.ship:
        fitted = _fitted(sets, ALL, [*heard_of[FITTING], *heard_of[(REPORTED,)]], options)
        card["fitted_on"] = "all folds; the figures are of the same fit on folds 2-4, read on fold 0"
        fitted.data["card"] = card
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(fitted.to_bytes())
    _say(f"wrote {options.out} ({options.out.stat().st_size // 1024} kB), cut {fitted.data['cut']}")


def _read(name: str, weight: float, options: argparse.Namespace) -> Set:
    path = options.data / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is missing; --data must hold it, or leave the set out with --sets")
    lines = list(read_answers(path))
    found = list(_counted(name, path, lines, options))
    weights = _weights(found, weight, name in LENGTH_GIVES_AWAY)
    return Set(name, lines, [replace(e, weight=w) for e, w in zip(found, weights, strict=True)])


#: An answer whose channels were asked: its set and its place there (None: it is made up), and the example.
Heard = tuple[tuple[str, int] | None, Example]


def _judged_examples(sets: Sequence[Set], folds: Sequence[int], which: int, options: argparse.Namespace) -> list[Heard]:
    """The sample of some folds with what the channels say, then the pairs made from their sources."""
    key = options.channels or hashlib.sha256(_code(options.tier)).hexdigest()[:12]
    out: list[Heard] = []
    for own in sets:
        places = sample(own.lines, folds, SAMPLE[own.name][which])
        said = judged(own.name, [own.lines[i] for i in places], options.tier, options.cache, key, _say)
        chosen = [own.examples[i] for i in places]
        weights = _weights(chosen, HEARD[own.name], own.name in LENGTH_GIVES_AWAY)
        for i, example, found, weight in zip(places, chosen, said, weights, strict=True):
            out.append(((own.name, i), replace(example, judgements=found, weight=weight)))
    main = next((own for own in sets if own.name == MAIN), None)
    if main is not None:
        made = pairs([main.lines[i] for i in main.places(folds)], EDITED[which])
        said = judged(EDITS, made, options.tier, options.cache, key, _say)
        for line, own_said in zip(made, said, strict=True):
            example = replace(_example(line, EDITS), judgements=own_said, weight=HEARD[EDITS])
            out.append((None, example))
    return out


def _fitted(
    sets: Sequence[Set], folds: Sequence[int], heard_of: Sequence[Heard], options: argparse.Namespace
) -> Fitted:
    """Both stages on some folds."""
    data, held = _counting(sets, folds, options)
    model = SupportModel.of_bytes(json.dumps(data).encode(), "the counting levels")
    counted = []
    for place, example in heard_of:
        if place is None:
            words, sentences, score = model.counted(example.sheet)
            counted.append(Counted(tuple(words), tuple(sentences), score))
        else:
            counted.append(held[place])
    return hear(data, [e for _, e in heard_of], counted, cut_family=MAIN, say=_say)


def _counting(
    sets: Sequence[Set], folds: Sequence[int], options: argparse.Namespace
) -> tuple[dict[str, Any], dict[tuple[str, int], Counted]]:
    """The counting levels on some folds, and what they say out of fold of every answer there; from the cache if there.

    The channels are not asked here, so that only words are counted.
    """
    names = ",".join(f"{own.name}:{len(own.examples)}" for own in sets)
    shape = Shape()
    state = f"{names} {folds} {shape.words} {shape.sentences} {shape.answers} {options.name}"
    key = hashlib.sha256(state.encode()).hexdigest()[:12]
    kept = options.cache / f"counting-{''.join(map(str, folds))}-{key}.pickle"
    if not kept.exists():
        places = [(own, i) for own in sets for i in own.places(folds)]
        fitted = fit([own.examples[i] for own, i in places], name=options.name, cut_family=MAIN, say=_say)
        held = {(own.name, i): found for (own, i), found in zip(places, fitted.counted, strict=True)}
        kept.write_bytes(pickle.dumps((fitted.data, held), protocol=5))
    found: tuple[dict[str, Any], dict[tuple[str, int], Counted]] = pickle.loads(kept.read_bytes())
    return found


CARD = {
    "what": "Forests over counts of words, sentences and answers, and two more over what the channels said; scores are "
    "calibrated probabilities.",
    "data": {
        "ragtruth_train": "RAGTruth training split, MIT (annotations)",
        "medhallu_a": "half of MedHallu's labelled set, MIT",
        "truthfulqa_a": "half of TruthfulQA, Apache-2.0",
        "halueval_qa_a": "part of HaluEval QA, MIT; balanced within bins of answer length, which alone separates it",
        "nli_mnli": "MNLI development pairs, mostly free text (the corpus' own notice)",
        "nli_snli": "SNLI development pairs, CC BY-SA 4.0",
        "edits": "sentences of RAGTruth's sources with and without one edit, made by `bench.train.edits`",
    },
    "licence": "Apache-2.0 (the fitted numbers)",
    "limits": [
        "English; other languages get counts but no word table",
        "summaries whose words are all in the source but joined wrongly are hard: see quality.md",
        "probabilities are calibrated on the mix above; calibrate on your own labels before acting on them",
        (
            "the channels (rules) were tuned by people who read answers of fold 0 early on, so what rules add to the "
            "figures of fold 0 is slightly optimistic; the fitted numbers never saw it"
        ),
        (
            "the channels' list of common words (common_words_en.json) counts words of folds 2-4 of RAGTruth, of "
            "MNLI and of SNLI: figures on MNLI and SNLI are slightly optimistic too"
        ),
        (
            "the levels that hear the channels are fitted on a sample and on the fast tier's judgements; the standard "
            "tier finds a few names fewer"
        ),
        (
            "near duplicates across folds (half of their six-word runs shared): 8 of 2,514 RAGTruth sources and 25 of "
            "15,029 answers pair with fold 0, 25 of 1,740 TruthfulQA and 15 of 1,989 HaluEval sources; none elsewhere"
        ),
        "the weights of the sets in the last levels were chosen after a rehearsal that was read on fold 0",
        "HaluEval QA tells little: answer length alone separates it",
    ],
}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--tier", choices=("fast", "standard"), default="fast", help="whose channels are asked")
    parser.add_argument("--channels", default="", help="take what was kept under this name for the channels' answers")
    parser.add_argument("--date", default="", help="for the card")
    parser.add_argument("--name", default="public-mix")
    parser.add_argument("--ship", action="store_true", help="fit the written model on all folds")
    return parser.parse_args(arguments)


def _counted(name: str, path: Path, lines: Sequence[AnswerLine], options: argparse.Namespace) -> Iterator[Example]:
    """Counts of a set, chunk by chunk from the cache where it has them."""
    key = hashlib.sha256(_code("none") + b"none" + path.read_bytes()).hexdigest()[:16]
    folder = _usable_counts(name, lines, options.cache) or options.cache / f"{name}-none-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, len(lines), CHUNK):
        kept = folder / f"{start:06d}.pickle"
        if not kept.exists():
            began = time.monotonic()
            chunk = [_example(line, name) for line in lines[start : start + CHUNK]]
            part = kept.with_suffix(".part")
            part.write_bytes(pickle.dumps(chunk, protocol=5))
            part.rename(kept)
            each = (time.monotonic() - began) / len(chunk) * 1000
            _say(f"{name} {start + len(chunk)}/{len(lines)}: {each:.1f} ms each")
        for e in pickle.loads(kept.read_bytes()):
            yield Example(e.sheet, e.starts, e.label, e.spans, e.group, family=e.family)


def _usable_counts(name: str, lines: Sequence[AnswerLine], cache: Path) -> Path | None:
    """The newest kept counts of a set that the code of today repeats for the first answers."""
    folders = sorted(cache.glob(f"{name}-none-*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders:
        first = folder / "000000.pickle"
        if first.exists():
            kept = pickle.loads(first.read_bytes())[:RECOUNTED]
            fresh = [_example(line, name) for line in islice(lines, RECOUNTED)]
            if all(hasattr(a.sheet, "phrases") and a.sheet == b.sheet for a, b in zip(kept, fresh, strict=True)):
                return folder
    return None


def _code(tier: str) -> bytes:
    """State of the code that decides the counts (``none``) or what the channels say: a change makes the cache stale."""
    package = Path(features_module.__file__).parents[1]
    names = ["documents.py", "sentences.py", "structure.py", "records.py", "learning/features.py", "learning/pieces.py"]
    names += ["support/reading.py", "support/stems.py", "support/words.py", "support/data/function_words.json"]
    files = [package / name for name in names]
    if tier != "none":
        files += sorted([*package.glob("values/**/*"), *package.glob("support/**/*"), package / "engine.py"])
    return b"".join(file.read_bytes() for file in files if file.is_file() and file.suffix != ".pyc")


def _example(line: AnswerLine, family: str) -> Example:
    """One answer with the counts of its words; the channels are not asked."""
    proof = read(line.question, line.sources, line.answer, Settings(tier="fast"))
    sheet = sheet_of(proof, ())
    tokens = proof.answer.tokens
    starts = tuple((tokens[i].start, tokens[i].end) for i in sheet.row_tokens)
    sheet.rows = [array("f", row) for row in sheet.rows]  # type: ignore[misc]
    spans = None if line.labels is None else tuple((label.start, label.end) for label in line.labels)
    if line.label == 1 and not spans:
        spans = None
    if line.label is None:
        sys.exit(f"{family} line {line.line}: no label")
    return Example(sheet, starts, line.label, spans, line.group, family=family)


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
    probabilities = [model.probabilities(e.sheet, e.judgements or ())[0] for e in held_out]
    report: dict[str, object] = {}
    for family, found in figures(probabilities, held_out, model.cut).items():
        _say(f"\n{family}, fold {REPORTED}, fitted on {FITTING}\n{printed(found)}")
        report[family] = {name: estimate.to_dict() for name, estimate in found.items()}
    return report


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
