"""Small answers with the right marks: the hit rule of the case files, at the standard tier.

A mark hits a labelled span when it overlaps it and is at most twice its length plus 14 code points long. Every
label must be hit; an answer without labels must get no mark at all.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import proofing
from proofing.report import Mark

CASES = Path(__file__).parents[1] / "cases"
#: Heavy paraphrases that only the encoder may see through; the others must do without it.
DEEP_ONLY: frozenset[str] = frozenset()
#: Cases that the engine does not do right yet, and what it lacks; the test says so when one of them passes.
KNOWN = {
    "f-numbered-wrong": "words of a list item are called invented when its value is wrong",
    "m3-g-2-wrong": 'a header that is a whole statement is no claim behind "and" yet',
    "m3-g-8-wrong": "of two swapped speeds only one is marked: the other's rival counts as told by the answer itself",
    "m3-f-long-en-2w": '"from order" for "of delivery"; "under" for "over" in a clause built otherwise',
    "m3-f-json-1w": '"four-room" is not held against the key "rooms"',
    "m3-f-names-1w": "a name that did something else is looked for as the only subject, not beside another",
    "m3-f-it-1w": '"il ridotto 7 euro" is an adjective that stands for the ticket before it',
    "m3-f-date-1w": '"start on" is not held against a range behind "take place from"',
    "m3-f-cause-1w": "who inherited and who was inherited from is a matter of grammar",
    "m3-f-md-1w": '"drops support" as an item of a list is not held against the end of a sentence of many claims',
    "r7-tax-2-wrong": '"above that" is not known to point at the upper end of the range before it',
    "r7-ord-5-wrong": "an ordinal that stands alone counts nothing that the sources count",
    "r7-mult-1-ok": '"doubled to 400" is not read as a rise from 200',
    "r7-fr-4-ok": '"reculé" and "baissé" are not known as synonyms',
    "r7-gear-1-wrong": "a ratio told as parts of one thing to one of another is not read as 4:1",
    "m3-f-convo-1w": "a time beside a price is taken for the label of the price",
}


def cases(name: str) -> list[object]:
    lines = (CASES / name).read_text("utf-8").splitlines()
    read = [json.loads(line) for line in lines if line.strip()]
    return [pytest.param(case, id=case["id"], marks=_marks(case["id"])) for case in read]


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=KNOWN[name], strict=True)] if name in KNOWN else []


def hits(mark: Mark, label: dict[str, int]) -> bool:
    length = label["end"] - label["start"]
    return mark.start < label["end"] and label["start"] < mark.end and mark.end - mark.start <= 2 * length + 14


def check(case: dict[str, object], tier: str, strictly: bool = False) -> None:
    """`strictly`: no mark may stand beside the labels, not even in an answer that has some."""
    finding = proofing.proofread(
        case["answer"], case["sources"], question=case["question"], settings=proofing.Settings(tier=tier)
    )
    answer = str(case["answer"])
    for mark in finding.marks:
        assert answer[mark.start : mark.end] == mark.text
    got = [(m.text, m.kind, m.reason) for m in finding.marks]
    labels = case["labels"]
    if not labels:
        assert got == []
    for label in labels:
        assert any(hits(mark, label) for mark in finding.marks), (label["text"], got)
    if strictly:
        assert all(any(hits(mark, label) for label in labels) for mark in finding.marks), got


@pytest.mark.parametrize("case", cases("marks.jsonl"))
def test_marks_stand_where_they_should(case):
    check(case, "deep" if case["id"] in DEEP_ONLY else "standard")


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize("case", cases("values.jsonl"))
def test_wrong_values_are_marked_and_nothing_else(case, tier):
    check(case, tier, strictly=True)


@pytest.mark.parametrize("case", cases("words.jsonl"))
def test_words_are_marked_where_they_should(case):
    check(case, "standard")


@pytest.mark.parametrize("case", cases("words.jsonl"))
def test_words_are_marked_without_any_model_too(case):
    check(case, "fast")


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize("case", cases("turned.jsonl"))
def test_what_turns_a_statement_round_is_marked_and_its_right_neighbours_are_not(case, tier):
    check(case, tier)
