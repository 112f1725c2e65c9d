"""A text without an end of a sentence, or with hundreds of clauses, takes work in proportion to its length."""

from __future__ import annotations

import json
from functools import partial

import pytest

import proofing
from proofing.documents import sentences_of
from tests.work import steps, within

FAST = proofing.Settings(tier="fast")
#: What a source and an answer repeat: denials, limiters, exceptions, conditions, clauses, modals, opposites.
PAIRS = {
    "denied": ("the fee is due", "the fee is not due"),
    "affirmed": ("the fee is not due", "the fee is due"),
    "excepted": ("staff must not pay except guests", "staff must pay"),
    "only": ("only members pay", "members pay"),
    "conditions": ("open if the fee is due", "not open unless the fee is due"),
    "clauses": ("the fee is due, and the guests pay,", "the fee is not due, and the guests do not pay,"),
    "modals": ("guests may pay the fee", "guests must pay the fee"),
    "opposites": ("the fee is decreased but the tax is not,", "the fee is increased but the tax is not,"),
    "verbs": ("the clerk filed the report", "the report filed the clerk"),
    "order": ("tea before milk", "milk before tea"),
}


def words(piece: str, count: int) -> str:
    found = piece.split() * count
    return " ".join(found[:count])


def work(answer: str, source: str) -> int:
    with within():
        return steps(partial(proofing.proofread, answer, [source], settings=FAST))


@pytest.mark.parametrize(("source", "answer"), PAIRS.values(), ids=PAIRS)
def test_a_sentence_without_end_takes_work_in_proportion(source, answer):
    work(words(answer, 20), words(source, 20))
    short, long = (work(words(answer, count), words(source, 150)) for count in (300, 1200))
    assert long < 8 * short + 20_000  # four times the length; a square would be sixteen times


@pytest.mark.parametrize(("source", "answer"), PAIRS.values(), ids=PAIRS)
def test_a_source_without_end_takes_work_in_proportion(source, answer):
    work(words(answer, 20), words(source, 20))
    short, long = (work(words(answer, 150), words(source, count)) for count in (300, 1200))
    assert long < 8 * short + 20_000


@pytest.mark.parametrize("beside", [(), ("Dogs wait",)], ids=["page", "pieces"])
@pytest.mark.parametrize("piece", ["fee {}", "fee ${}", "{}", "Keller{} said", "in 19{} it was"])
def test_healing_a_sentence_of_many_marks_takes_work_in_proportion(piece, beside):
    spent = []
    for count in (40, 160):
        answer = " ".join(piece.format(100 + i) for i in range(count))
        source = " ".join(piece.format(50_000 + i) for i in range(count))
        report = proofing.inspect("", [source, *beside], answer, settings=FAST)
        proofing.heal(report)
        with within():
            spent.append(steps(partial(proofing.heal, report)))
    assert spent[1] < 8 * spent[0] + 20_000


def test_quoting_a_record_does_not_read_a_long_key_for_each_field_under_it():
    spent = []
    for count in (40, 160):
        key = " ".join(f"mill{i}" for i in range(2 * count))
        source = json.dumps({key: {f"room {i}": f"door {i}" for i in range(count)}})
        report = proofing.inspect("Which door?", [source], "Golden elephants welcome honoured guests.", settings=FAST)
        proofing.heal(report)
        with within():
            spent.append(steps(partial(proofing.heal, report)))
    assert spent[1] < 8 * spent[0] + 20_000


def test_a_stretch_of_a_thousand_words_without_end_is_cut_and_loses_nothing():
    text = words("the fee is due", 2500)
    found = sentences_of(text)
    assert [s.last_token - s.first_token for s in found] == [1000, 1000, 500]
    assert " ".join(s.text for s in found) == text
    assert all(text[s.start : s.end] == s.text for s in found)


def test_a_contradiction_is_found_in_a_sentence_of_many_clauses():
    lists = ", ".join(f"the hall of number {i} has a red door" for i in range(100))
    source = f"{lists}, and the garden of the museum is not open in winter."
    (mark,) = proofing.proofread("The garden of the museum is open in winter.", [source], settings=FAST).marks
    assert mark.reason == "negated"
    assert "not open" in mark.receipt.text
