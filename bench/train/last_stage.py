"""Fit the last stage of the support model on fold 1, which neither the levels below nor the reader ever saw.

    python -m bench.train.last_stage --data DIR --cache DIR --model proofing/learning/data/support.json --out FILE

`--model` is a support model fitted on folds 2-4 (`bench.train.support_model`), `--reader` the folder with the reader
that `bench.train.export_reader` wrote (trained on the same folds). One stage for each number in `--most`: so many
sentences of an answer the reader reads (0 = none). What takes minutes is kept in `--cache`, chunk by chunk.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.train.edits import pairs
from bench.train.judging import fold_of_source, sample
from bench.train.support_model import EDITS, HEARD, LENGTH_GIVES_AWAY, MAIN, _code, _weights
from proofing.engine import READ_AT_MOST, judge_all
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.learning import reader as served
from proofing.learning.evidence import first_windows
from proofing.learning.examples import Example
from proofing.learning.features import sheet_of
from proofing.learning.lastfit import FittedLast, fit_last, known_of
from proofing.learning.metrics import evaluate
from proofing.learning.model import SupportModel
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import read

#: Answers of each set, drawn by hash.
SAMPLE = {
    "ragtruth_train": 3000, "medhallu_a": 220, "truthfulqa_a": 500, "halueval_qa_a": 300, "nli_mnli": 700,
    "nli_snli": 400,
}  # fmt: skip
EDITED = 250
FOLD = 1
#: Figures kept in the card.
SHOWN = ("auroc", "f1", "precision", "recall", "fpr_at_95_recall", "expected_calibration_error")
READER_CARD = (
    "all-MiniLM-L6-v2 (Apache-2.0) with two heads, trained on folds 2-4 of the same sets by "
    "`bench.train.cross_encoder` (the entailment pairs once, then 34,000 single answer sentences beside 92 words of "
    "evidence, then from the 8-bit weights of that 19,200 windows of some 48 words, edited sentences and entailment "
    "pairs beside 150 words of evidence: `--start reader.onnx --steps 2400`), kept in 8 bits and given 85 words"
)
CHUNK = 50


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--cache", type=Path, required=True)
    options.add_argument("--model", type=Path, required=True)
    options.add_argument("--reader", type=Path, default=Path("proofing/learning/data"))
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--most", default=",".join(map(str, sorted(set(READ_AT_MOST.values())))))
    options.add_argument("--date", default="", help="for the card")
    options.add_argument("--share", type=float, default=1.0, help="of the sample, for a rehearsal")
    options.add_argument("--fold", type=int, default=FOLD)
    options.add_argument("--channels", default="", help="take what was kept under this name for the channels' answers")
    options.add_argument("--leave-half", action="store_true", help="fit on the sources whose hash is odd only, so that "
                         "what stands on this model can be fitted on the others")  # fmt: skip
    options.add_argument("--only-read", action="store_true", help="fill the cache and stop")
    given = options.parse_args(arguments)
    examples = gathered(given)
    if given.only_read:
        return
    if given.leave_half:
        examples = [e for e in examples if int(e.group[8:10], 16) % 2]
    base = SupportModel.load(given.model)
    below = known_of(base, examples)
    card = {**base.card, "fitted_on": f"folds 2-4; the last stage on fold {given.fold}", "last": {}}
    card["reader"] = READER_CARD
    if given.date:
        card["date"] = given.date
    data = base.to_dict() | {"last": {}, "card": card}
    for most in map(int, given.most.split(",")):
        began = time.monotonic()
        fitted = fit_last(base, examples, most, below=below, cut_family=MAIN, say=say)
        data["last"][str(most)] = fitted.data
        say(f"\n{most} sentences read, fold {given.fold}, out of fold ({time.monotonic() - began:.0f} s)")
        card["last"][str(most)] = _figures(fitted, examples)
    given.out.write_bytes(json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode() + b"\n")
    say(f"wrote {given.out} ({given.out.stat().st_size // 1024} kB)")


def _figures(fitted: FittedLast, examples: Sequence[Example]) -> dict[str, Any]:
    """Out-of-fold figures of one stage, by set."""
    out: dict[str, Any] = {}
    for family in dict.fromkeys(e.family for e in examples):
        rows = [i for i, e in enumerate(examples) if e.family == family]
        figures = evaluate(
            [fitted.answers[i] for i in rows], [examples[i].label for i in rows], cut=fitted.data["cut"],
            groups=[examples[i].group for i in rows],
        )  # fmt: skip
        say(f"{family} ({len(rows)}): " + ", ".join(f"{n} {e.value:.3f}" for n, e in figures.items() if e.value))
        out[family] = {"answers": len(rows), **{name: figures[name].to_dict() for name in SHOWN}}
    return out


def gathered(given: argparse.Namespace) -> list[Example]:
    """The sample with what the channels and the reader said, from the cache where it has it."""
    own = None
    if any(int(most) for most in given.most.split(",")):
        own = served.reader_of(
            (given.reader / served.MODEL).read_bytes(), (given.reader / served.TOKENIZER).read_text("utf-8")
        )
    out: list[Example] = []
    for name, count in SAMPLE.items():
        lines = list(read_answers(given.data / f"{name}.jsonl.gz"))
        places = sample(lines, (given.fold,), max(int(count * given.share), 20))
        found = _heard(name, [lines[i] for i in places], own, given)
        weights = _weights(found, HEARD[name], name in LENGTH_GIVES_AWAY)
        out += [replace(e, weight=w) for e, w in zip(found, weights, strict=True)]
        if name == MAIN:
            chosen = [line for line in lines if fold_of_source(line.group) == given.fold]
            made = pairs(chosen, max(int(EDITED * given.share), 20))
            out += [replace(e, weight=HEARD[EDITS]) for e in _heard(EDITS, made, own, given)]
    return out


def _heard(
    name: str, lines: Sequence[AnswerLine], own: served.Reader | None, given: argparse.Namespace
) -> list[Example]:
    """The lines with what the channels said, and with what the reader said where there is one."""
    key = hashlib.sha256("\0".join(f"{e.group} {e.answer}" for e in lines).encode()).hexdigest()[:12]
    state = hashlib.sha256(_code("standard")).hexdigest()[:8] if not given.channels else given.channels
    found = _chunks(lines, given.cache / f"heard-{name}-{given.fold}-{state}-{key}", lambda line: _example(name, line))
    if own is None:
        return found
    said = _chunks(lines, given.cache / f"read-{name}-{given.fold}-{own.name}-{key}", lambda line: _said(line, own))
    return [replace(example, read=read_of) for example, read_of in zip(found, said, strict=True)]


def _chunks(lines: Sequence[AnswerLine], folder: Path, work: Callable[[AnswerLine], Any]) -> list[Any]:
    folder.mkdir(parents=True, exist_ok=True)
    out: list[Any] = []
    for start in range(0, len(lines), CHUNK):
        kept = folder / f"{start:06d}.pickle"
        if not kept.exists():
            began = time.monotonic()
            chunk = [work(line) for line in lines[start : start + CHUNK]]
            part = kept.with_suffix(".part")
            part.write_bytes(pickle.dumps(chunk, protocol=5))
            part.rename(kept)
            each = (time.monotonic() - began) / len(chunk) * 1000
            say(f"{folder.name} {start + len(chunk)}/{len(lines)}: {each:.0f} ms each")
        out += pickle.loads(kept.read_bytes())
    return out


def _said(line: AnswerLine, own: served.Reader) -> tuple[served.ReadSentence, ...]:
    proof = read(line.question, line.sources, line.answer, Settings())
    spans = sheet_of(proof, ()).spans
    return own.read(proof, first_windows(spans, max(READ_AT_MOST.values())))


def _example(name: str, line: AnswerLine) -> Example:
    proof = read(line.question, line.sources, line.answer, Settings())
    judgements = judge_all(proof).judgements
    sheet = sheet_of(proof, judgements)
    spans = None if line.labels is None else tuple((label.start, label.end) for label in line.labels)
    tokens = proof.answer.tokens
    sheet.rows = [array("f", row) for row in sheet.rows]  # type: ignore[misc]
    return Example(
        sheet,
        tuple((tokens[i].start, tokens[i].end) for i in sheet.row_tokens),
        int(line.label or 0),
        None if line.label and not spans else spans,
        line.group,
        family=name,
        judgements=tuple(_bare(j) for j in judgements),
    )


def _bare(judgement: Judgement) -> Judgement:
    return replace(judgement, receipt=None, replacements=(), note="", operands=())


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
