"""Every edit can be taken back alone and in any order; what follows it goes with it and nothing else moves."""

from __future__ import annotations

import json
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofing.healing import apply_edits, heal, offered, text_without
from proofing.healing.edits import switched_off_with_children
from proofing.inspection import inspect
from proofing.report import Healing
from proofing.settings import Settings

CASES = [json.loads(line) for line in (Path(__file__).parents[2] / "cases" / "healing.jsonl").read_text().splitlines()]
MANY = (
    (
        "The tent costs $35 per month, billed monthly. It has 1 door and a 12-minute set-up. "
        "**The zip is not covered.** A choir of trained parrots is included."
    ),
    "The tent costs $180 per year, billed annually. It has 3 doors and an 8-minute set-up. The zip is covered.",
)


@cache
def healed(answer: str, sources: tuple[str, ...], question: str = "") -> Healing:
    return heal(inspect(question, list(sources), answer, settings=Settings(tier="fast", caution=0.0)))


@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_any_choice_of_edits_gives_a_text(data):
    case = data.draw(st.sampled_from(CASES))
    healing = healed(case["answer"], tuple(s["text"] for s in case["sources"]), case["question"])
    edits = offered(healing).edits
    off = data.draw(st.sets(st.integers(0, len(edits) - 1))) if edits else set()
    text = text_without(healing, case["answer"], off)
    gone = switched_off_with_children(edits, off)
    assert text == apply_edits(case["answer"], [e for i, e in enumerate(edits) if i not in gone])
    assert text_without(healing, case["answer"], range(len(edits))) == case["answer"]


def test_edits_are_taken_back_one_by_one_in_any_order():
    answer, source = MANY
    edits = offered(healed(answer, (source,))).edits
    roots = [i for i, edit in enumerate(edits) if edit.parent is None]
    assert len(roots) >= 3
    for order in permutations(roots):
        off: set[int] = set()
        for index in order:
            before = apply_edits(answer, edits, off)
            off.add(index)
            after = apply_edits(answer, edits, off)
            assert after != before
            children = {i for i in switched_off_with_children(edits, {index}) if edits[i].kind != "note"}
            assert all(edits[i].old in after for i in children if edits[i].old)
        assert apply_edits(answer, edits, off) == answer


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_only_edits_and_their_children_are_anywhere_different(case):
    healing = healed(case["answer"], tuple(s["text"] for s in case["sources"]), case["question"])
    for edit in healing.edits:
        assert case["answer"][edit.start : edit.end] == edit.old
        assert edit.marks or edit.parent is not None or edit.kind in ("removal", "rewrite")
        assert edit.origin or edit.kind in ("removal", "note", "rewrite", "agreement")
