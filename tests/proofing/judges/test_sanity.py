"""The built-in cases, the figures of each judge, and the advice that follows."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from proofing.judges import Panel, Vote
from proofing.judges.sanity import judged, run_sanity, sanity_cases
from tests.proofing.judges.loopback import Said, verdict


def test_the_cases_are_pairs_of_many_kinds():
    cases = sanity_cases()
    assert len(cases) >= 40
    assert Counter(one.label for one in cases) == {0: len(cases) // 2, 1: len(cases) // 2}
    assert len({one.kind for one in cases}) >= 15
    assert len({one.case.answer for one in cases}) == len(cases)
    for one in cases:
        assert all(words in one.case.answer for words in one.words)
        assert bool(one.words) == bool(one.label)


def voted(name, right, *, seed=0, twin=None):
    """Votes of a judge that is right with this probability; a twin repeats another one's votes."""
    draw = random.Random(f"{name}{seed}")
    if twin is not None:
        return [Vote(name, "valid", vote.unsupported) for vote in twin]
    return [Vote(name, "valid", bool(one.label) == (draw.random() < right)) for one in sanity_cases()]


def report_of(*columns):
    return judged(sanity_cases(), list(zip(*columns, strict=True)), [column[0].judge for column in columns])


def advice_of(report):
    return [(one.judge, one.code, one.other) for one in report.advice]


def test_a_good_panel_gets_no_advice():
    report = report_of(voted("a", 0.9), voted("b", 0.85), voted("c", 0.8))
    assert advice_of(report) == []
    assert [figures.accuracy > 0.7 for figures in report.judges] == [True] * 3
    assert report.kappa[0][0] == 1.0
    assert report.kappa[0][1] == report.kappa[1][0] < 0.9


@pytest.mark.parametrize(("says", "code", "rate"), [(True, "always_yes", 1.0), (False, "always_no", 0.0)])
def test_one_that_always_says_the_same_is_named(says, code, rate):
    stuck = [Vote("stuck", "valid", says) for _ in sanity_cases()]
    report = report_of(voted("a", 0.9), stuck)
    assert advice_of(report) == [("stuck", code, "")]
    assert (report.judges[1].yes_rate, report.judges[1].accuracy) == (rate, 0.5)
    assert bool(report.judges[1].missed) is not says


def test_a_coin_is_named():
    assert advice_of(report_of(voted("coin", 0.5), voted("a", 0.9))) == [("coin", "no_better_than_chance", "")]


def test_of_twins_the_weaker_is_named_once():
    first = voted("a", 0.85)
    second = voted("b", 1, twin=first)
    place = next(
        i
        for i, (one, vote) in enumerate(zip(sanity_cases(), second, strict=True))
        if vote.unsupported == bool(one.label)
    )
    second[place] = Vote("b", "valid", not second[place].unsupported)
    assert advice_of(report_of(second, first)) == [("b", "twin", "a")]


def test_lost_votes_are_counted_and_named():
    lossy = [
        vote if i % 2 else Vote("lossy", "invalid" if i % 4 else "failed", fault="x")
        for i, vote in enumerate(voted("lossy", 0.9))
    ]
    report = report_of(lossy, voted("a", 0.9))
    figures = report.judges[0]
    assert figures.valid + figures.invalid + figures.failed == figures.asked
    assert figures.invalid > 0 < figures.failed
    assert ("lossy", "too_many_lost", "") in advice_of(report)


def test_judges_that_never_spoke_give_no_figures():
    gone = [Vote("gone", "failed", fault="connection") for _ in sanity_cases()]
    report = report_of(gone, voted("a", 0.9))
    assert (report.judges[0].accuracy, report.judges[0].yes_rate, report.kappa[0][1]) == (None, None, None)
    assert advice_of(report) == [("gone", "too_many_lost", "")]
    assert report.to_dict()["advice"][0]["said"]


def test_a_run_over_the_wire(loopback, judge):
    truth = {one.case.answer: bool(one.label) for one in sanity_cases()}
    loopback.models.update(
        knows=lambda asked, before: verdict(truth[asked.answer]),
        yes=lambda asked, before: Said("yes") if asked.plain else Said("Well."),
    )
    report = run_sanity(Panel([judge("knows", price_in=1.0), judge("yes")]))
    knows, yes = report.judges
    assert (knows.accuracy, knows.missed, knows.requests) == (1.0, (), len(sanity_cases()))
    assert (yes.yes_rate, yes.requests) == (1.0, 2 * len(sanity_cases()))
    assert knows.cost > 0 < knows.seconds
    assert advice_of(report) == [("yes", "always_yes", "")]
