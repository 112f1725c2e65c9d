"""Which labels an audit lists, in which order, and who denies them."""

from __future__ import annotations

import pytest

from proofing.exchange.answers import AnswerLine
from proofing.exchange.reviews import LabelledAnswer
from proofing.learning.audit import Heard, suspicious_labels
from proofing.learning.labelled import Labelled, Scored


def labelled_of(*labels: int) -> Labelled:
    lines = [AnswerLine("An answer.", (), id=f"a{i}", label=label, line=i + 1) for i, label in enumerate(labels)]
    return Labelled([LabelledAnswer(line, "given") for line in lines])


def scores_of(*probabilities: float) -> list[Scored]:
    return [Scored(p, 0.5) for p in probabilities]


def heard(yes: int, no: int, probability: float | None = None) -> Heard:
    said = tuple((f"j{i}", i < yes, f"reason {i}") for i in range(yes + no))
    return Heard(yes + no, yes, said, probability)


def listed(suspicions):
    return [(one.line.id, one.by) for one in suspicions]


def test_the_engine_alone_lists_what_surprises_it_most():
    found = suspicious_labels(labelled_of(0, 1, 0, 1), scores_of(0.9, 0.05, 0.4, 0.7))
    assert listed(found) == [("a1", "engine"), ("a0", "engine")]
    assert [one.surprise for one in found] == pytest.approx([0.95, 0.9])
    assert len(suspicious_labels(labelled_of(0, 1, 0, 1), scores_of(0.9, 0.05, 0.4, 0.7), least=0.0)) == 4


def test_a_label_that_all_judges_deny_is_listed_whatever_the_engine_thinks():
    found = suspicious_labels(
        labelled_of(0, 0, 0), scores_of(0.1, 0.1, 0.9), heard=[heard(3, 0), heard(2, 1), heard(3, 0)]
    )
    assert listed(found) == [("a2", "both"), ("a0", "judges")]


def test_one_judge_alone_denies_nothing():
    assert suspicious_labels(labelled_of(0), scores_of(0.1), heard=[heard(1, 0)]) == []


def test_judges_on_the_labels_side_push_it_down_the_list():
    found = suspicious_labels(labelled_of(0, 0), scores_of(0.9, 0.8), heard=[heard(0, 3), heard(3, 0)])
    assert listed(found) == [("a1", "both"), ("a0", "engine")]


def test_engine_and_judges_together_may_deny_what_neither_does_alone():
    found = suspicious_labels(labelled_of(0, 1), scores_of(0.45, 0.55), heard=[heard(3, 1, 0.7), heard(1, 3, 0.2)])
    assert listed(found) == [("a1", "together"), ("a0", "together")]
    assert [one.surprise for one in found] == [0.8, 0.7]


def test_where_nobody_voted_the_engine_speaks():
    found = suspicious_labels(labelled_of(0), scores_of(0.9), heard=[heard(0, 0)])
    assert listed(found) == [("a0", "engine")]
    assert "no judge said anything" in str(found[0])


def test_reasons_are_those_of_the_judges_that_deny_the_label():
    [found] = suspicious_labels(labelled_of(1), scores_of(0.2), heard=[heard(1, 2)])
    assert found.to_dict()["reasons"] == [{"judge": f"j{i}", "reason": f"reason {i}"} for i in (1, 2)]
    assert "2 of 3 judges deny it" in str(found)
