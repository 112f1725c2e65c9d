"""Value marks on right answers of RAGTruth, drawn for a check by reading.

    python -m bench.value_marks --data DIR --seed 4242 --answers 500 --show 50

Draws right answers (label 0) of fold 0 with a fixed seed, reads each at the standard tier, prints the
share of answers that carry a mark on a value, and lists a drawn sample of the marks with the answer's words around
them, the receipt and every place of the sources that holds the same figure: enough to judge each by reading. What was
judged, and how, is in docs/value-marks.md.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import proofing
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.learning.features import VALUE_KINDS
from proofing.report import Mark
from proofing.settings import Settings

FOLD = 0
#: How much of the answer, and of a source around a figure, is shown (code points).
AROUND = 160
#: So many places of the sources with the same figure are shown at most.
PLACES = 4


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--answers", type=int, default=500)
    parser.add_argument("--show", type=int, default=50, help="marks to list")
    parser.add_argument("--fold", type=int, default=FOLD)
    options = parser.parse_args(arguments)
    path = options.data / "ragtruth_train.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is missing; --data must hold it")
    drawn = _drawn(path, options.fold, options.seed, options.answers)
    marked = [(line, mark) for line in drawn for mark in _value_marks(line)]
    holders = len({line.id for line, _ in marked})
    share = 100 * holders / len(drawn)
    print(f"{len(drawn)} right answers of fold {options.fold}, seed {options.seed}")
    print(f"{holders} of them ({share:.1f} %) carry a value mark; {len(marked)} value marks in all\n")
    random.Random(options.seed + 1).shuffle(marked)
    for number, (line, mark) in enumerate(marked[: options.show], start=1):
        print(_shown(number, line, mark))


def _drawn(path: Path, fold: int, seed: int, most: int) -> list[AnswerLine]:
    lines = [line for line in read_answers(path) if int(line.group[:8], 16) % 5 == fold and line.label == 0]
    random.Random(seed).shuffle(lines)
    return lines[:most]


def _value_marks(line: AnswerLine) -> list[Mark]:
    finding = proofing.proofread(
        line.answer,
        line.sources,
        question=line.question,
        settings=Settings(tier="standard", locale=line.locale or "und"),
    )
    return [mark for mark in finding.marks if mark.kind in VALUE_KINDS]


def _shown(number: int, line: AnswerLine, mark: Mark) -> str:
    answer = line.answer
    around = answer[max(0, mark.start - AROUND) : mark.start] + f"⟦{mark.text}⟧" + answer[mark.end : mark.end + AROUND]
    rows = [f"[{number}] {line.id} ({line.task}) {mark.kind}, {mark.reason}", f"  answer: {_line(around)}"]
    rows.append(f"  receipt: {_line(mark.receipt.note)} | {_line(mark.receipt.sentence_text)[: 2 * AROUND]}")
    rows += [f"  source: {place}" for place in _places(line, mark)]
    return "\n".join(rows) + "\n"


def _places(line: AnswerLine, mark: Mark) -> list[str]:
    """The sources around each figure of the mark."""
    figures = re.findall(r"\d+", mark.text) or re.findall(r"\w+", mark.text)[:1]
    found: list[str] = []
    for source in line.sources:
        matches = re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, figures))})(?!\w)", source.text, re.IGNORECASE)
        found += [_line(source.text[max(0, m.start() - AROUND) : m.end() + AROUND]) for m in matches]
    return found[:PLACES]


def _line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
