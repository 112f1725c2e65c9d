"""What stands around an edit agrees with it: nouns counted in words, verbs, prepositions, emphasis."""

from __future__ import annotations

import pytest

from proofing.healing import heal, text_without
from proofing.inspection import inspect
from proofing.settings import Settings

FAST = Settings(tier="fast")


def healed(source: str, answer: str) -> str:
    return heal(inspect("", [source], answer, settings=FAST)).text


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("Passengers may bring three trunks on board.", "Passengers may bring one trunk on board.",
         "Passengers may bring three trunks on board."),
        ("Each crate holds twelve jars.", "Each crate holds one jar.", "Each crate holds twelve jars."),
        ("There were 2 guests who were hurt.", "There was 1 guest who was hurt.", "There were 2 guests who were hurt."),
        ("There are 6 trams which run at night.", "There is 1 tram which runs at night.",
         "There are 6 trams which run at night."),
        ("There is 1 tram which runs at night.", "There are 6 trams which run at night.",
         "There is 1 tram which runs at night."),
    ],
)  # fmt: skip
def test_noun_and_verb_follow_the_number(source, answer, right):
    assert healed(source, answer) == right


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("There is a 30-day cooling-off right.", "There is a 1-day cooling-off right.",
         "There is a 30-day cooling-off right."),
        ("Buy the 3-zone card at the kiosk.", "Buy the 1-zone card at the kiosk.", "Buy the 3-zone card at the kiosk."),
    ],
)  # fmt: skip
def test_a_number_that_describes_makes_no_plural(source, answer, right):
    assert healed(source, answer) == right


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("The day pass covers the ferry.", "The day pass does not cover the ferry.", "The day pass covers the ferry."),
        ("The day pass covers the ferry.", "The day pass doesn't cover the ferry.", "The day pass covers the ferry."),
        ("Visitors need a permit.", "Visitors don't need a permit.", "Visitors need a permit."),
        ("Visitors need a permit.", "Visitors do not need a permit.", "Visitors need a permit."),
        ("The council approved the bridge.", "The council did not approve the bridge.",
         "The council approved the bridge."),
        ("The council approved the bridge.", "The council didn't approve the bridge.",
         "The council approved the bridge."),
        ("Dogs may enter the park.", "Dogs may not enter the park.", "Dogs may enter the park."),
    ],
)  # fmt: skip
def test_a_denial_taken_back_leaves_the_plain_verb(source, answer, right):
    assert healed(source, answer) == right


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("Linen is included in the rent.", "Linen is excluded from the rent.", "Linen is included in the rent."),
        ("Linen is excluded from the rent.", "Linen is included in the rent.", "Linen is excluded from the rent."),
    ],
)
def test_an_opposite_brings_its_preposition(source, answer, right):
    assert healed(source, answer) == right


@pytest.mark.parametrize("emphasis", ["**", "*", "__", "_", "~~"])
def test_a_denial_that_goes_leaves_no_empty_emphasis(emphasis):
    answer = f"Swimming is {emphasis}not{emphasis} permitted."
    assert healed("Swimming is permitted.", answer) == "Swimming is permitted."


def test_reverting_the_denial_brings_its_verb_back():
    answer = "The day pass does not cover the ferry."
    healing = heal(inspect("", ["The day pass covers the ferry."], answer, settings=FAST))
    parents = [i for i, edit in enumerate(healing.edits) if edit.parent is None]
    assert len(healing.edits) == 3
    assert text_without(healing, answer, parents) == answer
