"""A remark no source backs goes alone; a sentence that is half unknown is no sure thing to put right."""

from __future__ import annotations

import pytest

from proofing.healing import heal
from proofing.inspection import inspect
from proofing.settings import Settings

NOTE = " (One statement was left out because the sources do not back it.)"


def healing_of(source: str, answer: str):
    return heal(inspect("", [source], answer, settings=Settings(tier="fast")))


@pytest.mark.parametrize(
    ("source", "answer", "rest"),
    [
        ("The viaduct opened in 1987.", "The viaduct, designed by Hugo Lind, opened in 1987.",
         "The viaduct opened in 1987."),
        ("Sleep improves memory in adults.", "Sleep improves memory in adults, as shown by Dr. Karl Oden.",
         "Sleep improves memory in adults."),
        ("Sleep improves memory.", "Sleep improves memory, see arXiv:2103.01234.", "Sleep improves memory."),
        ("The account is free of charge.", "The account is free of charge, and it comes with a titanium card.",
         "The account is free of charge."),
    ],
)  # fmt: skip
def test_the_remark_goes_and_the_rest_stands(source, answer, rest):
    healing = healing_of(source, answer)
    assert (healing.text, healing.final_risk) == (rest + NOTE, "low")


def test_an_invented_clause_is_a_claim_that_no_source_backs():
    answer = "The account is free of charge, and it comes with a titanium card."
    report = inspect("", ["The account is free of charge."], answer, settings=Settings(tier="fast"))
    assert (report.risk, report.triggered) == ("medium", ("unsupported_claim",))
    assert [clause["text"] for clause in report.checks["faithfulness"]["invented"]] == ["it comes with a titanium card"]


def test_a_turned_word_beside_words_that_no_source_has_is_only_proposed():
    healing = healing_of("Seats can be reserved on the website.", "Seats must be reserved by telephone.")
    assert not healing.applied
    assert healing.proposal == "Seats can be reserved by telephone."
    assert healing.final_risk == "critical"
