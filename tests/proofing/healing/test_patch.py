"""The contradiction patch: what one mark covers becomes what its receipt says, and the grammar follows."""

from __future__ import annotations

import pytest

from proofing.healing.agreement import with_agreement
from proofing.healing.corrections import corrections
from proofing.healing.edits import apply_edits

from .conftest import mark


def patched(proof_of, answer: str, source: str, *given, **fields) -> str:
    marks = [mark(answer, source, one, **fields) for one in given]
    proof = proof_of(answer, source)
    return apply_edits(answer, with_agreement(proof, corrections(proof, marks).edits, marks))


PRICE = "A berth costs $240 per year, billed annually."


@pytest.mark.parametrize(
    ("answer", "healed"),
    [
        ("A berth costs $25 per month.", "A berth costs $240 per year."),
        ("A berth costs $25 a month, billed monthly.", "A berth costs $240 a year, billed annually."),
        ("A berth costs $25/month.", "A berth costs $240/year."),
        ("A berth is $25 per month. Your monthly subscription starts in May.",
         "A berth is $240 per year. Your annual subscription starts in May."),
        ("**$25** per month, and a monthly payment is taken.", "**$240** per year, and an annual payment is taken."),
        ("It is a $25 monthly fee.", "It is a $240 annual fee."),
        ("A berth costs $25 per month. A monthly report is sent.",
         "A berth costs $240 per year. A monthly report is sent."),
        ("A berth costs $25 per month. The month of May is quiet.",
         "A berth costs $240 per year. The month of May is quiet."),
    ],
)  # fmt: skip
def test_the_billing_cycle_follows_the_price(proof_of, answer, healed):
    assert patched(proof_of, answer, PRICE, ("$25", "$240", ("$240",))) == healed


def test_a_cycle_that_the_source_has_for_another_thing_stays(proof_of):
    source = "A berth costs $240 per year. The monthly payment for power is small."
    answer = "A berth costs $25 per month. The monthly payment for power is small."
    healed = patched(proof_of, answer, source, ("$25", "$240", ("$240",)))
    assert healed == "A berth costs $240 per year. The monthly payment for power is small."


def test_a_price_without_another_cycle_changes_nothing_else(proof_of):
    answer = "The berth costs $25 and is billed monthly."
    healed = patched(proof_of, answer, "The berth costs $20 per month.", ("$25", "$20", ("$20",)))
    assert healed == "The berth costs $20 and is billed monthly."


@pytest.mark.parametrize(
    ("answer", "given", "source", "healed"),
    [
        ("There is 1 crane.", ("1", "3", ("3",)), "There are 3 cranes.", "There are 3 cranes."),
        ("There are 3 cranes.", ("3", "1", ("1",)), "There is 1 crane.", "There is 1 crane."),
        ("Only 1 berth is free.", ("1", "4", ("4",)), "4 berths are free.", "Only 4 berths are free."),
        ("It takes 1 day.", ("1", "5", ("5",)), "It takes 5 days.", "It takes 5 days."),
        ("It has 7 cranes.", ("7", "9", ("9",)), "It has 9 cranes.", "It has 9 cranes."),
        ("It takes a 9 day course.", ("9", "8", ("8",)), "It takes an 8 day course.", "It takes an 8 day course."),
    ],
)
def test_noun_verb_and_article_follow_the_number(proof_of, answer, given, source, healed):
    assert patched(proof_of, answer, source, given, kind="number") == healed


def test_a_word_that_goes_takes_its_space_along(proof_of):
    healed = patched(
        proof_of, "Dogs are not allowed here.", "Dogs are allowed here.", ("not", "allowed", ("",)), kind="negation"
    )
    assert healed == "Dogs are allowed here."


def test_a_correction_at_the_start_keeps_the_capital(proof_of):
    healed = patched(
        proof_of, "Thirty cranes stand here.", "There are three cranes.", ("Thirty", "three", ("three",)), kind="number"
    )
    assert healed == "Three cranes stand here."


def test_an_altered_quotation_gets_the_true_wording(proof_of):
    answer = "The notice says “no swimming after dusk”."
    source = "The notice reads: no swimming after dark."
    healed = patched(
        proof_of,
        answer,
        source,
        ("no swimming after dusk", "no swimming after dark", ()),
        kind="quote",
        reason="altered_quote",
    )
    assert healed == "The notice says “no swimming after dark”."


def test_a_flip_without_a_correction_is_aligned_with_its_receipt(proof_of):
    answer, source = "Boats may moor overnight in winter.", "Boats must moor overnight in winter."
    healed = patched(proof_of, answer, source, ("may", "must", ()), kind="modality", reason="negated")
    assert healed == "Boats must moor overnight in winter."


def test_several_corrections_are_left_to_a_person(proof_of):
    answer, source = "The fee is $30.", "The fee is $20 in winter. The fee is $45 in summer."
    proof = proof_of(answer, source)
    found = corrections(proof, [mark(answer, source, ("$30", "$20", ("$20", "$45")))])
    assert found.edits == ()
    assert [choice["text"] for choice in found.alternatives[0]["candidates"]] == ["$20", "$45"]


def test_an_invented_span_without_a_receipt_is_left_over(proof_of):
    answer, source = "The fee is $30.", "Nothing is said here."
    found = corrections(proof_of(answer, source), [mark(answer, source, ("$30", None, ()), reason="absent")])
    assert (found.edits, found.left_over) == ((), (0,))


def test_several_errors_in_one_sentence(proof_of):
    answer, source = "🚢 *Berths* cost $25 for 14 days!", "Berths cost $20 for 21 days."
    healed = patched(proof_of, answer, source, ("$25", "$20", ("$20",)), ("14", "21", ("21",)))
    assert healed == "🚢 *Berths* cost $20 for 21 days!"


def test_each_edit_names_its_marks_or_its_parent(proof_of):
    answer = "A berth costs $25 per month, billed monthly."
    marks = [mark(answer, PRICE, ("$25", "$240", ("$240",)))]
    proof = proof_of(answer, PRICE)
    edits = with_agreement(proof, corrections(proof, marks).edits, marks)
    assert [(e.kind, e.marks, e.parent) for e in edits] == [
        ("value", (0,), None), ("agreement", (), 0), ("agreement", (), 0)
    ]  # fmt: skip
    assert {e.origin for e in edits} == {"s1"}
