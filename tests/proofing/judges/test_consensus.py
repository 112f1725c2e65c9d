"""Shares, decisions, confidence; named words; votes stacked with the engine's probability."""

from __future__ import annotations

import random

import pytest

from proofing.errors import BadInput, Refused
from proofing.judges import Vote, consensus_of
from proofing.judges.consensus import MAJORITY, ONE_OF_THREE
from proofing.judges.stacking import Stack, fit_stack, held_out
from proofing.judges.words import named_spans


def votes(yes: int, no: int, other: int = 0) -> list[Vote]:
    said = [True] * yes + [False] * no
    made = [Vote(f"j{i}", "valid", unsupported) for i, unsupported in enumerate(said)]
    return made + [Vote(f"x{i}", "failed", fault="timeout") for i in range(other)]


def test_only_valid_votes_count():
    found = consensus_of(votes(1, 1, other=3))
    assert (found.asked, found.valid, found.yes, found.share) == (5, 2, 1, 0.5)


def test_too_few_valid_votes_are_no_consensus():
    assert consensus_of(votes(1, 0, other=2)).unsupported is None
    assert consensus_of(votes(1, 0), least=1).unsupported is True
    assert consensus_of([], least=0).share is None


@pytest.mark.parametrize(("threshold", "needed"), [(ONE_OF_THREE, 1), (MAJORITY, 2)])
def test_the_threshold_says_how_many_of_three_are_enough(threshold, needed):
    for yes in range(4):
        assert consensus_of(votes(yes, 3 - yes), threshold=threshold).unsupported is (yes >= needed)


def test_confidence_grows_with_margin_and_with_votes():
    by_margin = [consensus_of(votes(yes, 6 - yes)).confidence for yes in (3, 4, 5, 6)]
    assert by_margin == sorted(by_margin)
    assert by_margin[0] == pytest.approx(0.5)
    by_number = [consensus_of(votes(n, 0)).confidence for n in (2, 3, 5, 9)]
    assert by_number == sorted(by_number)
    assert by_number[1] == pytest.approx(1 - 0.5**4)
    assert consensus_of(votes(0, 3)).confidence == consensus_of(votes(3, 0)).confidence


# Named words -------------------------------------------------------------------------------------------------------

ANSWER = "The café opens at 9. It seats 12 guests, 12 more outside — all year."


def named(*words: str, judge: str = "a", reason: str = "no source"):
    return Vote(judge, "valid", True, reason, words)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("café", ["café"]),
        ("CAFÉ  opens", ["café opens"]),
        ("seats 12 guests,", ["seats 12 guests"]),
        ("12", ["12", "12"]),
        ("outside all year", ["outside — all year"]),
        ('"12 more"', ["12 more"]),
        ("1", []),
        ("cafés", []),
        ("...", []),
        ("The café opens at 9. It seats 13", []),
    ],
)
def test_named_words_are_found_whatever_their_case_and_signs(words, found):
    spans, lost = named_spans(ANSWER, [named(words)])
    assert [span.text for span in spans] == found
    assert all(ANSWER[span.start : span.end] == span.text for span in spans)
    assert lost == ([] if found else [("a", words)])


def test_two_judges_on_one_stretch_stand_together_and_keep_their_reasons():
    spans, _ = named_spans(ANSWER, [named("12 guests"), named("12 Guests", judge="b", reason="says 20")])
    assert [(span.text, span.said) for span in spans] == [("12 guests", (("a", "no source"), ("b", "says 20")))]


def test_votes_that_do_not_count_or_find_nothing_name_no_words():
    spans, lost = named_spans(
        ANSWER, [Vote("a", "invalid", None, "", ("café",)), Vote("b", "valid", False, "", ("café",))]
    )
    assert (spans, lost) == ([], [])


# Stacking ----------------------------------------------------------------------------------------------------------


def simulated(n: int, *, seed: int = 1):
    draw = random.Random(seed)
    labels = [int(draw.random() < 0.4) for _ in range(n)]
    engine = [min(max(0.5 + (0.15 if label else -0.15) + draw.gauss(0, 0.2), 0.01), 0.99) for label in labels]
    panel = []
    for label in labels:
        yes = sum(draw.random() < (0.75 if label else 0.2) for _ in range(3))
        panel.append(votes(yes, 3 - yes))
    return engine, panel, labels


def concordance(scores, labels):
    pairs = [
        (p, n) for p, a in zip(scores, labels, strict=True) if a for n, b in zip(scores, labels, strict=True) if not b
    ]
    return sum((p > n) + 0.5 * (p == n) for p, n in pairs) / len(pairs)


def test_stacked_votes_and_engine_beat_either_alone_on_answers_not_fitted_on():
    engine, panel, labels = simulated(600)
    stacked = held_out(engine, panel, labels, [str(i // 2) for i in range(600)])
    shares = [consensus_of(row).share for row in panel]
    assert concordance(stacked, labels) > max(concordance(engine, labels), concordance(shares, labels)) + 0.02


def test_an_answer_without_votes_keeps_the_engines_order():
    stack = fit_stack(*simulated(400))
    scores = [stack.probability(p, []) for p in (0.1, 0.3, 0.6, 0.9)]
    assert scores == sorted(scores)
    assert stack.probability(0.5, votes(3, 0)) > stack.probability(0.5, []) > stack.probability(0.5, votes(0, 3))


def test_separable_labels_stay_finite():
    labels = [0, 1] * 150
    stack = fit_stack([0.1 + 0.8 * label for label in labels], [votes(3 * a, 3 - 3 * a) for a in labels], labels)
    assert 0 < stack.probability(0.9, votes(3, 0)) <= 1
    assert stack.probability(0.9, votes(3, 0)) > 0.95 > 0.05 > stack.probability(0.1, votes(0, 3))


def test_too_few_labels_are_refused_with_what_is_missing():
    with pytest.raises(Refused, match=r"200 labelled.*there are 100: 100 more"):
        fit_stack(*simulated(100))
    with pytest.raises(Refused, match="30 unsupported"):
        held_out([0.5] * 250, [[]] * 250, [0] * 250, [str(i) for i in range(250)])


def test_a_stack_travels_as_a_record():
    stack = fit_stack(*simulated(300))
    assert Stack.from_dict(stack.to_dict()) == stack
    with pytest.raises(BadInput):
        Stack.from_dict({"schema": "other"})
