"""`heal` as a whole: what it serves, what it only proposes, what it leaves to a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofing.healing import apply_edits, heal, offered, text_without
from proofing.healing.phrases import DECLINES, is_own_phrase, own_prefix, removal_note
from proofing.inspection import inspect
from proofing.report import Report
from proofing.settings import Settings

from .conftest import mark

SOURCE = "A berth costs 18 euros per night. Water is included. Dogs are not allowed on the jetty."


def read(answer: str, source: str = SOURCE, question: str = "What does a berth cost?", **changes) -> Report:
    return inspect(question, [source], answer, settings=Settings(tier="fast", **changes))


def test_a_low_answer_is_not_touched():
    report = read("A berth costs 18 euros per night.")
    healing = heal(report)
    assert (healing.strategy, healing.applied, healing.text) == ("none", False, report.answer)
    assert healing.edits == ()


def test_what_is_served_is_the_answer_with_its_edits():
    report = read("A berth costs 81 euros per night. Water is included.")
    healing = heal(report)
    assert healing.text == "A berth costs 18 euros per night. Water is included."
    assert apply_edits(report.answer, healing.edits) == healing.text
    assert all(edit.marks or edit.parent is not None for edit in healing.edits)


def test_with_full_caution_everything_is_only_proposed():
    report = read("A berth costs 81 euros per night.", caution=1.01)
    healing = heal(report)
    assert (healing.applied, healing.text, healing.edits) == (False, report.answer, ())
    assert healing.proposal == "A berth costs 18 euros per night."
    assert healing.final_risk == report.risk
    assert text_without(healing, report.answer, []) == healing.proposal
    assert text_without(healing, report.answer, [0]) == report.answer


def test_with_no_caution_everything_is_applied():
    healing = heal(read("A berth costs 81 euros per night.", caution=0.0))
    assert (healing.applied, healing.proposal) == (True, None)


def test_caution_parts_sure_edits_from_the_rest():
    report = read("A berth costs 81 euros per night. Every berth has golden elephants and a fence.", caution=0.0)
    everything = heal(report)
    by_kind = {edit.kind: edit.certainty for edit in everything.edits}
    assert {"value", "removal", "note"} <= set(by_kind)
    low, high = sorted((by_kind["value"], by_kind["removal"]))
    assert low < high
    parted = heal(report.with_(settings=replace(report.settings, caution=(low + high) / 2)))
    assert parted.applied
    assert parted.proposal == everything.text
    assert len(parted.edits) < len(parted.proposed)
    assert offered(parted).text == everything.text


def test_an_invented_sentence_goes_with_a_note():
    healing = heal(read("A berth costs 18 euros per night. Golden elephants welcome honoured guests.", caution=0.0))
    assert healing.strategy == "entity_scrub"
    assert healing.text == f"A berth costs 18 euros per night. {removal_note('en', 1)}"
    note = healing.edits[-1]
    assert (note.kind, note.parent is not None) == ("note", True)
    assert text_without(
        healing, "A berth costs 18 euros per night. Golden elephants welcome honoured guests.", [0]
    ) == ("A berth costs 18 euros per night. Golden elephants welcome honoured guests.")


def test_a_rewrite_is_one_edit_with_a_prefix_that_says_what_it_quotes():
    report = read("Golden elephants welcome honoured guests every morning.")
    healing = heal(report)
    assert healing.strategy == "grounding_rewrite"
    assert [edit.kind for edit in healing.edits] == ["rewrite"]
    assert own_prefix(healing.text)
    assert healing.text.removeprefix(own_prefix(healing.text)) in SOURCE


@pytest.mark.parametrize(
    ("source_id", "text", "prefix"),
    [
        ("docs/api.md", "A berth costs 18 euros per night.", "The documentation says: "),
        ("s1", "A berth costs 18 euros per night.", "The source says: "),
        ("s1", "{'berth': {'price_per_night': '18 euros'}}", "The data say: "),
    ],
)
def test_the_prefix_names_the_kind_of_source(source_id, text, prefix):
    report = inspect(
        "What does a berth cost per night?", [(source_id, text)], "Golden elephants welcome honoured guests.",
        settings=Settings(tier="fast"),
    )  # fmt: skip
    healing = heal(report)
    assert healing.strategy == "grounding_rewrite"
    assert healing.text.startswith(prefix)
    assert "18 euros" in healing.text


def test_nothing_to_say_is_declined_in_the_answer_s_language():
    report = inspect("¿Quién compuso el himno?", ["El horario está en la entrada del museo."],
                     "Los elefantes dorados compusieron el himno de la ciudad con mucho cuidado.",
                     settings=Settings(tier="fast", locale="es"))  # fmt: skip
    healing = heal(report)
    assert healing.strategy == "safe_decline"
    assert healing.text == DECLINES["es"]
    assert is_own_phrase(healing.text)


def test_several_candidates_are_left_to_a_person(make_report):
    source = "The fee is $20 in winter and $45 in summer."
    answer = "The fee is $30."
    report = make_report(answer, source, [mark(answer, source, ("$30", "$20", ("$20", "$45")))])
    healing = heal(report)
    assert (healing.applied, healing.text) == (False, answer)
    assert [c["text"] for c in healing.alternatives[0]["candidates"]] == ["$20", "$45"]


def test_a_drift_without_any_mark_is_never_changed_alone(make_report):
    report = make_report(
        "A berth costs 18 euros per night.", SOURCE, [], risk="medium", triggered=("drift",), faithfulness=1.0
    )
    assert heal(report).applied is False


def test_healing_twice_is_the_same():
    report = read("A berth costs 81 euros per night. Golden elephants welcome honoured guests.")
    assert heal(report).to_dict() == heal(report).to_dict()


@pytest.mark.parametrize("answer", ["", " ", "🙂", "…", "**", "1", "- \n- \n"])
def test_odd_answers_are_survived(answer):
    report = read(answer)
    assert heal(report.with_(risk="critical", triggered=("contradiction",))).initial_risk == "critical"


def test_markdown_and_emoji_stay():
    answer = "⚓ **Price:** a berth costs *81 euros* per night!\n\n- Water is included ✅\n"
    healing = heal(read(answer, caution=0.0))
    assert healing.text == answer.replace("81", "18")


def test_drift_alone_changes_nothing():
    report = read("A berth costs 18 euros per night.").with_(risk="medium", triggered=("drift",))
    healing = heal(report)
    assert (healing.strategy, healing.applied, healing.proposal) == ("none", False, None)
