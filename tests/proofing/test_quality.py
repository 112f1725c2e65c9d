"""The score: weights, latency curve, drift penalty, recalibrated confidence and the four routes."""

from __future__ import annotations

import pytest

from proofing.quality import components_of, latency_part, patched_confidence, route_of, scrubbed_confidence, total
from proofing.report import Healing


def healing(strategy: str = "none", *, applied: bool = False, final_risk: str = "low") -> Healing:
    return Healing(strategy, applied, "text", None, "critical", final_risk, (), (), (0.5, 0.5))


def scored(**changes: object) -> float:
    given = {"faithfulness": 1.0, "contradiction": False, "confidence": 1.0, "drift": False, "latency_ms": None}
    return total(components_of(**{**given, **changes}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("latency_ms", "part"), [(10, 1.0), (35, 0.75), (50, 0.5), (60, 7 / 15), (100, 1 / 3), (200, 0.0), (500, 0.0)]
)
def test_the_latency_part_falls_from_full_at_20_ms_over_half_at_50_to_nothing_at_200(latency_ms, part):
    assert latency_part(latency_ms) == pytest.approx(part)


def test_an_unknown_latency_costs_nothing():
    assert latency_part(None) == 1.0


def test_a_perfect_answer_scores_one():
    assert scored() == 1.0


def test_the_worst_answer_scores_zero_and_not_less():
    assert scored(faithfulness=0.0, contradiction=True, drift=True, latency_ms=900) == 0.0


def test_drift_costs_exactly_a_fifth():
    assert scored() - scored(drift=True) == pytest.approx(0.20)


def test_a_contradiction_costs_the_whole_consistency_part():
    assert scored() - scored(contradiction=True) == pytest.approx(0.30)


def test_confident_wording_counts_against_an_unfaithful_answer():
    assert scored(faithfulness=0.5, confidence=1.0) == pytest.approx(0.2 + 0.3 + 0.0 + 0.1)
    assert scored(faithfulness=0.5, confidence=0.2) == pytest.approx(0.2 + 0.3 + 0.16 + 0.1)


def test_confident_wording_counts_for_a_faithful_answer():
    assert scored(faithfulness=0.75, confidence=1.0) > scored(faithfulness=0.75, confidence=0.2)


def test_the_billing_story_scores_forty_hundredths():
    assert scored(faithfulness=0.5, contradiction=True, confidence=0.5) == pytest.approx(0.40)


@pytest.mark.parametrize("faithfulness", [0.0, 0.3, 0.749, 0.75, 1.0])
@pytest.mark.parametrize("confidence", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("drift", [True, False])
def test_every_score_lies_between_zero_and_one(faithfulness, confidence, drift):
    for contradiction in (True, False):
        value = scored(faithfulness=faithfulness, confidence=confidence, drift=drift, contradiction=contradiction)
        assert 0.0 <= value <= 1.0


@pytest.mark.parametrize(("before", "after"), [(0.50, 0.65), (0.90, 0.80), (0.70, 0.80), (1.0, 0.80)])
def test_a_patch_raises_confidence_a_little_and_caps_it(before, after):
    assert patched_confidence(before) == after


def test_a_scrub_keeps_85_hundredths_of_the_confidence():
    assert scrubbed_confidence(0.70) == 0.595


def test_a_served_decline_is_discarded():
    assert route_of("critical", 0.9, healing("safe_decline", applied=True, final_risk="critical")) == "discard"


def test_a_healed_answer_that_reads_clean_is_accepted_healed():
    assert route_of("critical", 0.4, healing("contradiction_patch", applied=True)) == "healed_accept"


def test_a_healed_answer_that_is_still_flagged_falls_back():
    assert route_of("critical", 0.4, healing("contradiction_patch", applied=True, final_risk="critical")) == "fallback"


def test_a_good_answer_of_low_risk_is_accepted():
    assert route_of("low", 0.75, healing()) == "accept"
    assert route_of("low", 0.75, None) == "accept"


def test_a_weak_answer_of_low_risk_falls_back():
    assert route_of("low", 0.74, healing()) == "fallback"


def test_a_good_score_does_not_outweigh_a_medium_risk():
    assert route_of("medium", 0.95, healing(final_risk="medium")) == "fallback"
