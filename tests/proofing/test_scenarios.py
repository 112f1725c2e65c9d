"""The five stories end to end, and every healing case of the case file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from proofing.demo import SCENARIOS, read_scenario, run_scenario
from proofing.healing import apply_edits
from proofing.healing.phrases import without_own_phrases
from proofing.pipeline import proofread_whole
from proofing.report import Report
from proofing.settings import Settings

TIERS = ["fast", "standard"]
CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "healing.jsonl").read_text().splitlines()]


@cache
def story(number: int, tier: str) -> Report:
    return read_scenario(number, Settings(tier=tier))


@pytest.mark.parametrize("tier", TIERS)
def test_a_confident_lie_is_patched_and_its_promise_does_not_stay_unmarked(tier):
    report = story(1, tier)
    assert report.risk == "critical"
    assert report.healing.strategy == "contradiction_patch"
    assert report.healing.final_risk == "low"
    assert report.healing.confidence == (1.0, 0.80)
    assert "14 days" in report.healing.text
    assert "30" not in report.healing.text
    promise = report.answer.index("guaranteed")
    marked = any(mark.start <= promise < mark.end for mark in report.marks)
    assert marked or "guaranteed" not in report.healing.text


@pytest.mark.parametrize("tier", TIERS)
def test_an_invented_citation_is_rewritten_from_the_source(tier):
    report = story(2, tier)
    assert report.checks["faithfulness"]["score"] == 0.0
    assert report.risk in ("medium", "high", "critical")
    assert report.healing.strategy == "grounding_rewrite"
    assert report.healing.final_risk == "low"
    assert "arXiv" not in report.healing.text
    assert "Renn" not in report.healing.text
    assert report.quality.route == "healed_accept"


@pytest.mark.parametrize("tier", TIERS)
def test_a_billing_contradiction_is_patched_with_its_cycle(tier):
    report = story(3, tier)
    assert report.risk == "critical"
    assert report.healing.strategy == "contradiction_patch"
    assert report.healing.text == (
        "The Rower season runs at $120 per year, billed annually. "
        "Your annual subscription renews by itself until you cancel it."
    )
    assert report.healing.final_risk == "low"
    assert report.healing.confidence == (0.5, 0.65)
    assert report.quality.final_score == pytest.approx(0.40)
    assert report.quality.route == "healed_accept"


@pytest.mark.parametrize("tier", TIERS)
def test_a_price_that_drifts_against_its_source_is_patched(tier):
    report = story(4, tier)
    assert report.risk == "critical"
    assert {"contradiction", "drift"} <= set(report.triggered)
    assert report.healing.strategy in ("contradiction_patch", "grounding_rewrite")
    assert report.healing.final_risk == "low"
    assert "24 euros" in report.healing.text
    assert "31" not in report.healing.text


@pytest.mark.parametrize("tier", TIERS)
def test_a_clean_paraphrase_is_left_alone(tier):
    report = story(5, tier)
    assert report.risk == "low"
    assert report.healing.strategy == "none"
    assert report.healing.text == report.answer
    assert report.healing.confidence[0] == report.healing.confidence[1]
    assert report.quality.route == "accept"


@pytest.mark.parametrize("number", range(1, len(SCENARIOS) + 1))
def test_each_story_prints_detect_score_and_heal(number):
    text = run_scenario(number, Settings(tier="fast"))
    assert [word for word in ("detect", "score", "heal", "served") if f"   {word}" not in text] == []


def test_there_is_no_sixth_story():
    with pytest.raises(ValueError, match="use 1 to 5"):
        run_scenario(6)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
@pytest.mark.parametrize("tier", TIERS)
def test_healing_case(case, tier):
    report = proofread_whole(case["question"], case["sources"], case["answer"], settings=Settings(tier=tier))
    healing, expect = report.healing, case["expect"]
    shown = (report.risk, report.triggered, healing.strategy, healing.text, [m.text for m in report.marks])
    if "healed" in expect:  # exactly this, the healer's own notes apart
        assert without_own_phrases(healing.text).strip() in [text.strip() for text in expect["healed"]], shown
        assert healing.final_risk == "low", shown
    if "alternatives" in expect:
        offered = [c["text"] for a in healing.alternatives for c in a["candidates"]]
        assert [part for part in expect["alternatives"] if not any(part in text for text in offered)] == [], shown
    if expect.get("unchanged"):
        assert healing.text == case["answer"], shown
    assert [part for part in expect.get("contains", []) if part not in healing.text] == [], shown
    assert [part for part in expect.get("absent", []) if part in healing.text] == [], shown
    if "risk" in expect:
        assert report.risk in expect["risk"], shown
    if "route" in expect:
        assert report.quality.route in expect["route"], shown
    if "not_final_risk" in expect:
        gone = all(part not in healing.text for part in expect.get("or_absent", ["\0"]))
        assert gone or healing.final_risk not in expect["not_final_risk"], shown
    assert apply_edits(case["answer"], healing.edits) == healing.text
