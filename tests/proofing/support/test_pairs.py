"""Sources with right answers, which must stay clean, and wrong ones, in which a stretch must be marked.

``tests/cases/pairs.jsonl`` holds them by kind: bounds, parts of a whole, lists that say their unit once, fractions in
words, ends of dates, times beside prices, totals, sizes, directions, variants of a name.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import proofing
from proofing.report import Mark
from proofing.settings import Settings

CASES = Path(__file__).parents[2] / "cases" / "pairs.jsonl"
PAIRS = [json.loads(line) for line in CASES.read_text("utf-8").splitlines() if line.strip()]
RIGHT = [
    pytest.param(pair["source"], answer, id=f"{pair['id']}-{number}")
    for pair in PAIRS
    for number, answer in enumerate(pair["right"], start=1)
]
WRONG = [
    pytest.param(pair["source"], wrong["answer"], wrong["marked"], id=f"{pair['id']}-{number}")
    for pair in PAIRS
    for number, wrong in enumerate(pair["wrong"], start=1)
]


def marks_of(answer: str, source: str) -> tuple[Mark, ...]:
    return proofing.proofread(answer, [source], settings=Settings(tier="fast")).marks


@pytest.mark.parametrize(("source", "answer"), RIGHT)
def test_right_answers_stay_clean(source, answer):
    assert [(mark.text, mark.reason) for mark in marks_of(answer, source)] == []


@pytest.mark.parametrize(("source", "answer", "marked"), WRONG)
def test_the_wrong_words_are_marked(source, answer, marked):
    start = answer.index(marked)
    marks = marks_of(answer, source)
    assert any(mark.start < start + len(marked) and start < mark.end for mark in marks), marks
