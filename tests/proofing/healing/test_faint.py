"""Faint marks: drawn from words doubted a little on long answers, looked at by people, never a reason to change."""

from dataclasses import replace

import pytest

import proofing
from proofing.inspection import prepare
from proofing.learning.model import LONG_ANSWER, LONG_SOURCES, SupportModel
from proofing.marks import find_marks, is_faint
from proofing.settings import Settings

SETTINGS = Settings(tier="fast")
SOURCES = ["The frame is guaranteed for 2 years. Rust is covered. Ask the shop on Elm Street for a new chain."]
ANSWER = "The frame is guaranteed for 5 years. Rust is covered by the happy painter. Ask the shop for a chain."


@pytest.fixture(scope="module")
def report():
    return proofing.inspect("How long?", SOURCES, ANSWER, settings=SETTINGS)


def with_doubt(report, doubted):
    """The finding where these words are doubted."""
    proof = prepare(report.question, report.sources, report.answer, SETTINGS)
    doubts = [0.9 if token.text in doubted else 0.0 for token in proof.answer.tokens]
    return find_marks(proof, [], None, SETTINGS, doubts)


def test_doubted_words_become_one_faint_phrase_with_a_receipt(report):
    (mark,) = with_doubt(report, {"happy", "painter"}).marks
    assert mark.text == "happy painter"
    assert is_faint(mark, SETTINGS)
    assert mark.receipt.source_id == "s1"


def test_the_line_of_faint_marks_moves_with_the_drawing_line(report):
    proof = prepare(report.question, report.sources, report.answer, SETTINGS)
    doubts = [0.5 if token.text == "painter" else 0.0 for token in proof.answer.tokens]
    assert find_marks(proof, [], None, SETTINGS, doubts).marks
    assert not find_marks(proof, [], None, replace(SETTINGS, mark_cut=0.9), doubts).marks


def test_marks_of_rules_are_not_faint_and_stay_as_they_are(report):
    assert report.marks
    assert not any(is_faint(mark, SETTINGS) for mark in report.marks)


def test_the_healer_does_the_same_with_faint_marks_and_counts_them(report):
    faint = with_doubt(report, {"Ask", "chain"}).marks
    both = replace(report, finding=replace(report.finding, marks=(*faint, *report.marks)))
    plain, healed = proofing.heal(report), proofing.heal(both)
    assert healed.text == plain.text != ANSWER
    assert healed.edits == tuple(
        replace(edit, marks=tuple(i + len(faint) for i in edit.marks)) for edit in plain.edits
    )  # fmt: skip
    assert all(not is_faint(both.marks[i], SETTINGS) for edit in healed.edits for i in edit.marks)


def test_only_long_answers_to_long_sources_get_faint_marks():
    model = SupportModel.load()
    source, answer = "The harbour opened in May. " * LONG_SOURCES, "The harbour opened in June. " * LONG_ANSWER

    def drawn(sources, text):
        return model.predict(prepare("", sources, text, SETTINGS), ()).drawn

    assert drawn([source], "The harbour opened in June.") is None
    assert drawn(["The harbour opened in May."], answer) is None
    assert max(drawn([source], answer)) > 0.0
