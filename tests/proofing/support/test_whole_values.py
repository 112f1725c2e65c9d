"""A mark on words takes a typed value whole or not at all."""

from __future__ import annotations

import pytest

from proofing.marks import find_marks
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import Proof, read

ANSWERS = [
    "Doors close from 7:00 PM to 10:00 PM daily.",
    "A ticket is €12.50 per head.",
    "Sent on 5 March 2024 at noon.",
]


def proof_of(answer: str) -> Proof:
    return read("", [], answer, Settings(tier="fast"))


@pytest.mark.parametrize("answer", ANSWERS)
def test_no_probability_cuts_a_value(answer):
    proof = proof_of(answer)
    count = len(proof.answer.tokens)
    for first in range(count):
        for last in range(first + 1, min(first + 5, count) + 1):
            probabilities = [0.99 if first <= i < last else 0.0 for i in range(count)]
            for mark in find_marks(proof, [], probabilities, Settings(tier="fast")).marks:
                for value in proof.answer.values:
                    outside = mark.end <= value.start or value.end <= mark.start
                    assert outside or (mark.start <= value.start and value.end <= mark.end), (mark.text, value.text)


def test_a_value_that_a_source_backs_stays_out_of_the_phrase_around_it():
    proof = proof_of(ANSWERS[0])
    value = proof.answer.values[0]
    backed = Judgement(value.start, value.end, value.text, value.kind, 1.0)
    marks = find_marks(proof, [backed], [0.99] * len(proof.answer.tokens), Settings(tier="fast")).marks
    assert all(mark.end <= value.start or value.end <= mark.start for mark in marks)
