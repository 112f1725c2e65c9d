"""Seeded inputs for the benches: the case files as they stand, then the same with random changes.

Each input is a question, a list of sources and an answer. The changes are what breaks readers of text: runs of digits,
nested brackets, combining marks, zero-width and right-to-left signs, pieces of other cases in the wrong place.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CASES = Path(__file__).parents[1] / "tests" / "cases"
FILES = ("values.jsonl", "marks.jsonl", "words.jsonl", "healing.jsonl")
#: What a change may put into a text.
PIECES = (
    "7" * 40, "1,234,567.89", "1.234", "((((((", "))))]]", "[[[{{{", "e\u0301\u0301\u0301\u0301",
    "\u200b\u200d\u2060",
    "\u202e321\u202c", "\u0660\u0661\u0662", "１２３", "IİıI", "ß", "½", "- 5 - 5 -", "1/2/3/4",
    "12:30:45:60", "$(€",
    "| a | b |\n|---|---|\n| 1 | 2 |", "{'a': {'b': [1, 2, {'c': None}]}}", "<table><tr><td>4</td></tr>",
    "not not never no", "et al. (2019)", "arXiv:2101.00001", '"“”"', "`code`",
    "https://e.org/?q=1#2", "twenty-twenty-twenty",
    "١٢٣ صفحة", "二十三", "\r\n\r\n", "\t\t", "...", "—–-−", "€ 5 € 5 €", "v1.2.3.4.5",
    "+1 (555) 010-4477", "a" * 60, "XIV", "%%%",
)  # fmt: skip


class Input(NamedTuple):
    """One thing to proofread."""

    question: str
    sources: tuple[str, ...]
    answer: str


def case_inputs() -> list[Input]:
    """The inputs of all case files, in order."""
    found = []
    for name in FILES:
        for line in (CASES / name).read_text("utf-8").splitlines():
            case = json.loads(line)
            found.append(Input(case["question"], tuple(s["text"] for s in case["sources"]), case["answer"]))
    return found


def inputs(count: int, seed: int = 0) -> Iterator[Input]:
    """`count` inputs: every case once, then changed ones. The same for the same seed, in every process."""
    known = case_inputs()
    yield from known[:count]
    choose = random.Random(seed)
    for _ in range(count - len(known)):
        yield changed(choose.choice(known), known, choose)


def changed(case: Input, known: list[Input], choose: random.Random) -> Input:
    """`case` with one to four random changes to its answer, its sources or its question."""
    question, sources, answer = case.question, list(case.sources), case.answer
    for _ in range(choose.randint(1, 4)):
        place = choose.randrange(len(sources) + 2)
        if place == len(sources) + 1:
            question = change(question, choose)
        elif place == len(sources):
            answer = change(answer, choose)
        else:
            sources[place] = change(sources[place], choose)
    if choose.random() < 0.3:
        sources.append(choose.choice(choose.choice(known).sources))
    return Input(question, tuple(sources), answer)


def change(text: str, choose: random.Random) -> str:
    """`text` with a piece put in, taken out, doubled, turned round or cut off."""
    start = choose.randrange(len(text) + 1)
    end = min(len(text), start + choose.randint(1, 30))
    piece = choose.choice(PIECES)
    return choose.choice(
        (
            text[:start] + piece + text[start:],
            text[:start] + " " + piece + " " + text[start:],
            text[:start] + text[end:],
            text[:end] + text[start:end] * choose.randint(1, 40) + text[end:],
            text[:start] + text[start:end][::-1] + text[end:],
            text[:start] + piece * choose.randint(1, 60) + text[start:],
            text[:start],
        )
    )
