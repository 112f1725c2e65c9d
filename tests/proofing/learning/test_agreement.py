"""Coefficients of agreement against published examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofing.learning.agreement import alpha_interval, cohen_kappa, krippendorff_alpha, pairs_of, word_f1

#: Krippendorff (2011), section C: four observers, twelve units, five values, gaps.
OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def units():
    return [[v for v in column if v != "."] for column in zip(*(row.split() for row in OBSERVERS), strict=True)]


def test_krippendorffs_own_example():
    assert krippendorff_alpha(units()) == pytest.approx(0.743, abs=0.0005)


def test_cohens_kappa_of_a_two_by_two_table():
    said = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    assert cohen_kappa(said) == pytest.approx(0.4)


def test_what_chance_cannot_tell_is_none():
    assert cohen_kappa([]) is None
    assert cohen_kappa([(0, 0)] * 5) is None
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[1], [0]]) is None
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert alpha_interval([[1, 1]]) is None
    assert word_f1(set(), set()) is None


def test_pairs_are_counted_where_both_judged():
    found = pairs_of([{"a": 1, "b": 1}, {"b": 0, "a": 1}, {"b": 0, "c": 0}, {"a": 1}])
    assert [(p.first, p.second, p.both, p.same) for p in found] == [("a", "b", 2, 1), ("b", "c", 1, 1)]


def test_the_interval_holds_the_coefficient():
    low, high = alpha_interval([[1, 1], [0, 0], [0, 1], [1, 1], [0, 0]] * 20)
    assert low <= krippendorff_alpha([[1, 1], [0, 0], [0, 1], [1, 1], [0, 0]] * 20) <= high


@given(st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=4), max_size=12))
def test_alpha_is_at_most_one_and_one_means_agreement(said):
    alpha = krippendorff_alpha(said)
    if alpha is not None:
        assert alpha <= 1
        assert (alpha == pytest.approx(1)) == all(len(set(unit)) == 1 for unit in said)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=30))
def test_kappa_does_not_care_who_is_first(said):
    back = [(b, a) for a, b in said]
    assert cohen_kappa(said) == pytest.approx(cohen_kappa(back)) if cohen_kappa(said) is not None else True
