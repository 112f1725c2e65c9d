"""What a five-check detector is expected to do, check by check: seventy named cases with our own sentences.

Confidence 5, faithfulness 5, contradiction 7, entities 5, drift 6, the whole detector 24, score and routes 18.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from functools import cache

import pytest

from proofing.checks.drift import fingerprint, judge_drift
from proofing.demo import read_scenario
from proofing.healing import heal
from proofing.inspection import AnswerFlagged, ainspect, inspect, log_if_flagged, raise_if_flagged
from proofing.pipeline import proofread_whole
from proofing.quality import components_of, latency_part, patched_confidence, route_of, scrubbed_confidence, total
from proofing.report import Healing, Report
from proofing.settings import Settings
from proofing.tally import Tally

FAST = Settings(tier="fast")
FERRY = (
    "The ferry carries 340 passengers. It leaves at 9:15 from the eastern pier. Bicycles are not carried in winter.",
)


@cache
def read(answer: str, sources: tuple[str, ...] = FERRY, question: str = "", profile: str = "general") -> Report:
    return inspect(question, list(sources), answer, settings=Settings.for_profile(profile, tier="fast"))


def confidence(answer: str) -> float:
    return float(read(answer).checks["confidence"]["score"])


def faithfulness(answer: str, sources: tuple[str, ...] = FERRY) -> float:
    return float(read(answer, sources).checks["faithfulness"]["score"])


class TestConfidence:
    def test_plain_wording_is_neutral(self):
        assert confidence("The ferry leaves from the eastern pier") == 0.5

    def test_assertive_wording_is_high(self):
        assert confidence("The ferry definitely always leaves exactly at nine, guaranteed") > 0.75

    def test_hedged_wording_is_low(self):
        assert confidence("The ferry might perhaps leave at approximately nine, it seems") < 0.25

    def test_assertive_and_hedged_wording_cancel(self):
        assert confidence("It certainly leaves at nine, and perhaps it carries bicycles too") == 0.5

    def test_it_stays_between_zero_and_one(self):
        assert confidence("definitely certainly clearly exactly always never") == 1.0
        assert confidence("might perhaps might perhaps") == 0.0


class TestFaithfulness:
    def test_the_source_s_own_words_are_faithful(self):
        assert faithfulness("The ferry carries 340 passengers.") == 1.0

    def test_invented_words_are_not(self):
        assert faithfulness("Golden elephants welcome every honoured guest.") == 0.0

    def test_it_is_the_share_of_grounded_claims(self):
        answer = "The ferry leaves from the eastern pier. Golden elephants welcome every honoured guest."
        assert faithfulness(answer) == 0.5

    def test_questions_are_no_claims(self):
        assert faithfulness("Would golden elephants welcome every honoured guest?") == 1.0

    def test_short_fragments_are_no_claims(self):
        assert faithfulness("Golden elephants!") == 1.0


class TestContradiction:
    @pytest.mark.parametrize(
        ("name", "source", "answer"),
        [
            ("another value", "The ferry carries 340 passengers.", "The ferry carries 430 passengers."),
            ("a denial added", "Bicycles are carried in summer.", "Bicycles are not carried in summer."),
            ("a denial dropped", "Bicycles are not carried in winter.", "Bicycles are carried in winter."),
            ("another duration of one unit", "The crossing takes 25 minutes.", "The crossing takes 52 minutes."),
            ("another price", "A ticket costs $7.50.", "A ticket costs $9.50."),
        ],
    )
    def test_it_is_found_in(self, name, source, answer):
        report = read(answer, (source,))
        assert "contradiction" in report.triggered, name
        assert report.risk == "critical"

    def test_an_identifier_is_no_number(self):
        assert read("Part KL-204 fits the pump.", ("Part KL-204 fits the pump.",)).risk == "low"

    def test_a_range_is_not_its_ends_and_money_is_no_decimal(self):
        source = ("Repairs take 5-7 days and cost $49.99.",)
        assert read("Repairs take 5 to 7 days and cost $49.99.", source).risk == "low"


class TestEntities:
    def test_a_name_in_no_source_is_absent(self):
        report = read("The captain is Dr. Selma Oduya.")
        assert any("Oduya" in entity["text"] for entity in report.checks["entities"]["absent"])

    def test_a_name_in_a_source_is_not(self):
        report = read("The captain is Selma Oduya.", ("Selma Oduya is the captain of the ferry.",))
        assert report.checks["entities"]["absent"] == []

    def test_an_invented_preprint_is_absent(self):
        report = read("The hull is described in arXiv:1809.11021.")
        assert any("1809.11021" in entity["text"] for entity in report.checks["entities"]["absent"])

    def test_an_author_and_year_citation_is_absent(self):
        report = read("The hull follows Oduya et al. (2017).")
        assert report.checks["entities"]["absent"] != []

    def test_the_backend_is_named(self):
        assert read("The ferry carries 340 passengers.").checks["entities"]["model"] == "rules"


class TestDrift:
    steady = fingerprint("A berth costs 18 euros per night.")
    changed = fingerprint("A berth costs 27 euros per night.")

    def test_without_history_there_is_none(self):
        assert judge_drift(self.changed, [], FAST).distance is None

    def test_the_same_answers_have_none(self):
        assert judge_drift(self.steady, [self.steady] * 5, FAST).distance == 0.0

    def test_a_changed_number_drifts(self):
        assert judge_drift(self.changed, [self.steady] * 5, FAST).drifted

    def test_a_changed_polarity_drifts_with_its_words(self):
        now = fingerprint("Dogs may not enter the dunes.")
        assert judge_drift(now, [fingerprint("Everybody can walk along the beach.")] * 5, FAST).drifted

    def test_a_few_other_words_do_not(self):
        now = fingerprint("A berth costs 18 euros per night, payable on arrival.")
        assert not judge_drift(now, [self.steady] * 5, FAST).drifted

    def test_it_needs_three_earlier_answers(self):
        assert not judge_drift(self.changed, [self.steady] * 2, FAST).drifted


class TestDetector:
    @pytest.mark.parametrize(
        ("number", "risks"), [(1, ["critical"]), (2, ["medium", "high", "critical"]), (3, ["critical"]),
                              (4, ["critical"]), (5, ["low"])]
    )  # fmt: skip
    def test_story(self, number, risks):
        assert read_scenario(number, FAST).risk in risks

    def test_an_empty_answer_is_low(self):
        assert read("").risk == "low"

    def test_a_very_long_answer_is_read(self):
        assert read("The ferry carries 340 passengers. " * 1500).risk == "low"

    def test_other_scripts_and_emoji_are_read(self):
        assert (
            read("The ferry carries 340 passengers ⛴️ – ευχαριστώ, спасибо, 谢谢").checks["confidence"]["score"] == 0.5
        )

    def test_a_one_word_answer_is_read(self):
        assert read("Ferry").risk == "low"

    def test_no_sources_give_a_warning(self):
        assert inspect("", [], "The ferry carries 340 passengers.", settings=FAST).warnings != ()

    def test_flagged_is_high_or_critical(self):
        assert read("The ferry carries 430 passengers.").is_flagged
        assert not read("The ferry carries 340 passengers.").is_flagged

    def test_the_exception_carries_the_report(self):
        report = read("The ferry carries 430 passengers.")
        with pytest.raises(AnswerFlagged) as caught:
            raise_if_flagged(report)
        assert caught.value.report is report

    def test_a_low_report_passes_through(self):
        report = read("The ferry carries 340 passengers.")
        assert raise_if_flagged(report) is report

    def test_an_ungrounded_claim_is_medium(self):
        report = read("The ferry leaves at 9:15 from the eastern pier. Golden elephants welcome honoured guests.")
        assert (report.risk, report.triggered) == ("medium", ("unsupported_claim",))

    def test_sure_wording_over_nothing_is_one_trigger_of_its_own(self):
        report = read("definitely guaranteed golden elephants always welcome honoured guests.")
        assert "confident_but_unfaithful" in report.triggered
        assert "unsupported_claim" not in report.triggered

    def test_the_strict_profile_triggers_where_the_general_one_does_not(self):
        answer = "The ferry reliably leaves from the eastern pier on sunny mornings."
        assert read(answer).risk == "low"
        assert read(answer, profile="strict").risk != "low"

    def test_a_tally_counts_what_it_is_given_and_starts_again(self):
        tally = Tally()
        tally.add(read("The ferry carries 430 passengers."))
        tally.add(read("The ferry carries 340 passengers."))
        seen = tally.snapshot()
        assert (seen["seen"], seen["flagged_share"], seen["risks"]["critical"]) == (2, 0.5, 1)
        tally.reset()
        assert tally.snapshot()["seen"] == 0

    def test_healing_counts_in_no_tally(self):
        tally = Tally()
        report = read("The ferry carries 430 passengers.")
        tally.add(report)
        heal(report)
        assert tally.snapshot()["seen"] == 1

    def test_twenty_threads_give_one_result(self):
        found: list[str] = []

        def work() -> None:
            found.append(inspect("", list(FERRY), "The ferry carries 430 passengers.", settings=FAST).sha256)

        threads = [threading.Thread(target=work) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 20
        assert len(set(found)) == 1

    def test_async_gives_the_same_report(self):
        waited = asyncio.run(ainspect("", list(FERRY), "The ferry carries 430 passengers.", settings=FAST))
        assert waited.sha256 == read("The ferry carries 430 passengers.").sha256

    def test_ten_at_once(self):
        async def ten() -> list[Report]:
            calls = (
                ainspect("", list(FERRY), f"The ferry carries {n} passengers.", settings=FAST) for n in range(335, 345)
            )
            return await asyncio.gather(*calls)

        risks = [report.risk for report in asyncio.run(ten())]
        assert risks.count("low") == 1

    def test_a_flagged_answer_is_one_json_line(self, caplog):
        with caplog.at_level(logging.WARNING):
            assert log_if_flagged(read("The ferry carries 430 passengers."))
        assert json.loads(caplog.records[-1].getMessage())["risk"] == "critical"

    def test_the_whole_way_fills_every_part(self):
        report = proofread_whole("", list(FERRY), "The ferry carries 430 passengers.", settings=FAST)
        assert report.healing is not None
        assert report.quality is not None
        assert report.timings_ms["total"] >= report.timings_ms["healing"]

    def test_an_operating_point_says_which_side(self):
        point = {"name": "p", "level": "answer", "threshold": 0.0, "fpr": 0.1}
        report = proofread_whole("", list(FERRY), "The ferry carries 430 passengers.", settings=FAST, point=point)
        assert report.calibration["above"] is True


def _healing(strategy: str, final_risk: str = "low") -> Healing:
    return Healing(strategy, strategy != "none", "", None, "critical", final_risk, (), (), (0.5, 0.5))


def _score(**changes: object) -> float:
    given = {"faithfulness": 1.0, "contradiction": False, "confidence": 0.5, "drift": False, "latency_ms": None}
    return total(components_of(**{**given, **changes}))  # type: ignore[arg-type]


class TestScore:
    @pytest.mark.parametrize(
        ("risk", "score", "healing", "route"),
        [
            ("low", 0.9, _healing("none"), "accept"),
            ("critical", 0.4, _healing("contradiction_patch"), "healed_accept"),
            ("medium", 0.9, _healing("none", "medium"), "fallback"),
            ("critical", 0.2, _healing("safe_decline", "critical"), "discard"),
        ],
    )
    def test_route(self, risk, score, healing, route):
        assert route_of(risk, score, healing) == route

    @pytest.mark.parametrize(
        ("ms", "part"), [(10, 1.0), (35, 0.75), (50, 0.5), (60, 0.466667), (100, 0.333333), (500, 0.0)]
    )
    def test_latency(self, ms, part):
        assert latency_part(ms) == pytest.approx(part, abs=1e-6)

    def test_drift_costs_twenty_hundredths(self):
        assert _score() - _score(drift=True) == pytest.approx(0.20)

    def test_it_is_never_over_one(self):
        assert _score(confidence=1.0) == 1.0

    def test_it_is_never_under_zero(self):
        assert _score(faithfulness=0.0, contradiction=True, confidence=1.0, drift=True, latency_ms=300) == 0.0

    def test_a_contradiction_empties_the_consistency_part(self):
        assert _score() - _score(contradiction=True) == pytest.approx(0.30)

    def test_a_patch_from_half(self):
        assert patched_confidence(0.50) == 0.65

    def test_a_patch_is_capped(self):
        assert patched_confidence(0.90) == 0.80

    def test_a_scrub(self):
        assert scrubbed_confidence(0.70) == 0.595

    def test_the_healed_text_has_a_score_of_its_own(self):
        report = proofread_whole("", list(FERRY), "The ferry carries 430 passengers.", settings=FAST)
        assert report.quality.healed_score > report.quality.final_score
