"""An item of a nested list belongs to the item above it, at any depth and with any bullet."""

from __future__ import annotations

import pytest

from proofing.documents import passages_of
from proofing.pipeline import proofread_whole
from proofing.settings import Settings

HUTS = "The Birch hut has 10 bunks and costs 80 euros. The Alder hut has 24 bunks and costs 190 euros."


def healed(answer: str) -> str:
    return proofread_whole("", [HUTS], answer, settings=Settings(tier="fast")).healing.text


@pytest.mark.parametrize(
    ("answer", "wrong", "right"),
    [
        ("Huts:\n\n- **Birch**\n  - 10 bunks\n  - 80 euros\n- **Alder**\n  - 42 bunks\n  - 190 euros", "42", "24"),
        ("* Birch\n    * 10 bunks\n    * 80 euros\n* Alder\n    * 24 bunks\n    * 210 euros", "210", "190"),
        ("- Birch:\n\t- 70 euros\n- Alder:\n\t- 190 euros", "70", "80"),
    ],
)
def test_a_wrong_value_becomes_that_of_the_item_above(answer, wrong, right):
    assert healed(answer) == answer.replace(wrong, right)


@pytest.mark.parametrize(
    "answer",
    [
        "Huts:\n\n- **Birch**\n  - 10 bunks\n  - 80 euros\n- **Alder**\n  - 24 bunks\n  - 190 euros",
        "1. Birch\n   - 10 bunks\n2. Alder\n   - 24 bunks",
    ],
)
def test_a_right_nested_list_stays(answer):
    assert healed(answer) == answer


def test_the_items_above_are_the_context():
    text = "Plans:\n- **A**\n  - one\n    - two\n  - three\n- B:\n  - four\nText.\n  - five"
    items = {text[p.start : p.end].strip(" -\n"): p.context for p in passages_of(text) if p.kind == "item"}
    assert items == {
        "**A**": ("Plans:",), "one": ("Plans:", "A"), "two": ("Plans:", "A", "one"), "three": ("Plans:", "A"),
        "B:": ("Plans:",), "four": ("Plans:", "B"), "five": (),
    }  # fmt: skip
