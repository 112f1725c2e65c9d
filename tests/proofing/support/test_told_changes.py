"""A verb of change that its own two values do not bear out; the receipt reckons in the words of the text."""

from __future__ import annotations

import pytest

import proofing


def notes_of(answer):
    report = proofing.inspect("", [("s", answer)], answer, settings=proofing.Settings(tier="fast"))
    return [(mark.text, mark.receipt.formula) for mark in report.marks if mark.reason == "derived_wrong"]


@pytest.mark.parametrize(
    ("answer", "word", "formula"),
    [
        ("The wait doubled from 20 minutes to 1 hour.", "doubled", "1 hour / 20 minutes = 3"),
        ("Revenue tripled from 10 to 20 million euros.", "tripled", "20 million euros / 10 = 2"),
        ("Staff doubled from 40 to 120 people.", "doubled", "120 / 40 = 3"),
    ],
)
def test_the_formula_is_in_the_texts_own_figures(answer, word, formula):
    assert notes_of(answer) == [(word, formula)]


@pytest.mark.parametrize(
    "answer", ["The wait tripled from 20 minutes to 1 hour.", "Complaints more than doubled from 10 to 25."]
)
def test_a_change_that_is_borne_out_is_not_marked(answer):
    assert notes_of(answer) == []
