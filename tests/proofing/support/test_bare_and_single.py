"""Bare values, single things and values of another thing: what a source says otherwise is found and put right."""

from __future__ import annotations

import pytest

from proofing.pipeline import proofread_whole
from proofing.settings import Settings


def read(source: str, answer: str, question: str = ""):
    return proofread_whole(question, [source], answer, settings=Settings(tier="fast"))


@pytest.mark.parametrize(
    ("question", "source", "answer", "right"),
    [
        ("When was it founded?", "The mill was founded in 1790.", "1970", "1790"),
        ("How many berths?", "The harbour has 300 berths.", "It has 400.", "It has 300."),
        ("How deep is it?", "The lake is 80 m deep.", "90 m", "80 m"),
        ("How long?", "The crossing takes 3 hours.", "5 hours", "3 hours"),
        ("", "Fee: $40", "$50", "$40"),
        ("When?", "The regatta is on 4 May 2024.", "4 June 2024.", "4 May 2024."),
    ],
)  # fmt: skip
def test_an_answer_that_is_nothing_but_a_wrong_value_is_put_right(question, source, answer, right):
    report = read(source, answer, question)
    assert (report.risk, report.healing.text) == ("critical", right)


def test_an_answer_that_is_nothing_but_the_right_value_stays():
    assert read("The lake is 80 m deep.", "80 m", "How deep is it?").risk == "low"


def test_of_several_values_that_a_bare_one_may_stand_for_a_person_chooses():
    healing = read("The crossing takes 3 hours. The return takes 9 hours.", "5 hours", "How long?").healing
    assert not healing.applied
    assert {c["text"][:1] for a in healing.alternatives for c in a["candidates"]} == {"3", "9"}


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("The hut has 3 large stoves.", "The hut has 1 large stove.", "The hut has 3 large stoves."),
        ("The hut has 1 large stove.", "The hut has 3 large stoves.", "The hut has 1 large stove."),
        ("Only 4 gates open automatically.", "Only 1 gate opens automatically.", "Only 4 gates open automatically."),
        ("The 3 ferries run until midnight.", "The 1 ferry runs until midnight.", "The 3 ferries run until midnight."),
        ("Each crate holds one jar.", "Each crate holds twelve jars.", "Each crate holds one jar."),
        ("Repairs take up to two weeks.", "Repairs take up to one week.", "Repairs take up to two weeks."),
        ("The two-hour walk starts at noon.", "The one-hour walk starts at noon.", "The two-hour walk starts at noon."),
    ],
)  # fmt: skip
def test_one_thing_is_compared_with_several(source, answer, right):
    assert read(source, answer).healing.text == right


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("One of the three huts has a stove.", "The 3 huts share a stove."),
        ("They waited two days for the ferry.", "One day the ferry came."),
        ("One member objected. The club has 40 members.", "The club has 40 members."),
    ],
)
def test_a_one_that_counts_nothing_contradicts_nothing(source, answer):
    assert "contradiction" not in read(source, answer).triggered


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("An adult ticket costs 14 euros, a child ticket 7 euros.", "A child ticket costs 14 euros.",
         "A child ticket costs 7 euros."),
        ("The mooring fee is $50. The gold pass costs $29 per month.", "The gold pass costs $50 per month.",
         "The gold pass costs $29 per month."),
        ("Monday to Friday 8:00-18:00. Sunday 10:00-14:00.", "On Sunday we are open 8:00-18:00.",
         "On Sunday we are open 10:00-14:00."),
        ("| Hut | Price |\n|---|---|\n| Birch | $10 |\n| Alder | $40 |", "The Alder hut costs $10.",
         "The Alder hut costs $40."),
    ],
)  # fmt: skip
def test_a_value_of_another_thing_becomes_the_bound_one(source, answer, right):
    healing = read(source, answer).healing
    assert (healing.text, healing.final_risk) == (right, "low")
