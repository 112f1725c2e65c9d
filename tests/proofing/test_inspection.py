"""`inspect` as callers see it: input forms, limits, risk, hash, warnings, doors for blocking and logging."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from inspect import signature

import pytest

import proofing
from proofing.engine import EMPTY_SOURCES, NO_SOURCES, NO_SPACES, NO_WORDS

FAST = proofing.Settings(tier="fast")
SOURCE = "The Harbour Museum opens at ten. Guided tours are not included in the ticket. Dogs may enter the garden."


def inspect(answer, sources=(SOURCE,), question="", settings=FAST, **more):
    return proofing.inspect(question, sources, answer, settings=settings, **more)


@pytest.mark.parametrize(
    "given",
    [
        ["Tea is free."],
        [("s1", "Tea is free.")],
        [{"id": "s1", "text": "Tea is free.", "title": "Menu", "url": "https://example.org"}],
        [proofing.Source("s1", "Tea is free.")],
        [["s1", "Tea is free."]],
    ],
    ids=["text", "pair", "mapping", "source", "list"],
)
def test_a_source_may_be_given_in_any_of_these_forms(given):
    assert [s.id for s in inspect("Tea is free.", given).sources] == ["s1"]


@pytest.mark.parametrize(
    ("answer", "sources", "why"),
    [
        ("Tea\0", ["Tea."], "NUL"),
        ("Tea \ud800", ["Tea."], "surrogate"),
        ("Tea", ["Tea\0"], "NUL"),
        ("Tea", [("a", "Tea"), ("a", "Milk")], "stands twice"),
        ("Tea", [{"id": "a"}], "no text"),
        ("Tea", [7], "neither"),
    ],
)
def test_input_that_cannot_be_read_is_refused_in_one_sentence(answer, sources, why):
    with pytest.raises(proofing.BadInput, match=why):
        inspect(answer, sources)


@pytest.mark.parametrize(
    ("limits", "answer", "sources"),
    [
        ({"max_answer_words": 3}, "one two three four", ["one"]),
        ({"max_source_words": 3}, "one", ["one two three four"]),
        ({"max_sources": 1}, "one", ["one", "two"]),
    ],
)
def test_more_text_than_the_settings_allow_is_refused(limits, answer, sources):
    with pytest.raises(proofing.BadInput, match="more than the"):
        inspect(answer, sources, settings=proofing.Settings(tier="fast", **limits))


def test_a_faithful_answer_is_low_risk():
    report = inspect("The Harbour Museum opens at ten. Guided tours are not included in the ticket.")
    assert (report.risk, report.triggered, report.marks) == ("low", (), ())
    assert report.finding.floor > 0.5


def test_a_denial_turned_round_is_critical_and_shown_with_its_receipt():
    report = inspect("Guided tours are included in the ticket.")
    (mark,) = report.marks
    assert (report.risk, report.triggered) == ("critical", ("contradiction",))
    assert mark.receipt.sentence_text == "Guided tours are not included in the ticket."
    assert mark.replacements == ("are not included",)


def test_an_invented_sentence_is_one_mark_and_an_unsupported_claim():
    report = inspect("The Harbour Museum opens at ten. Every pensioner collects a golden umbrella afterwards.")
    assert [m.text for m in report.marks] == ["Every pensioner collects a golden umbrella afterwards"]
    assert report.triggered == ("unsupported_claim",)
    assert report.risk == "medium"


def test_an_invented_name_triggers_entities():
    report = inspect("The Harbour Museum opens at ten, says Oriel Vasquez.")
    assert report.triggered == ("entities",)
    assert [e["text"] for e in report.checks["entities"]["absent"]] == ["Oriel Vasquez"]


def test_two_triggers_are_high_and_flagged(caplog):
    report = inspect("Oriel Vasquez keeps seven purple elephants behind curtains.")
    assert report.risk in ("high", "critical")
    assert report.is_flagged
    with pytest.raises(proofing.AnswerFlagged) as raised:
        proofing.raise_if_flagged(report)
    assert raised.value.report is report
    with caplog.at_level(logging.WARNING, logger="proofing"):
        assert proofing.log_if_flagged(report)
    line = json.loads(caplog.records[-1].getMessage())
    assert line["sha256"] == report.sha256
    assert SOURCE not in caplog.text


def test_an_unflagged_report_passes_the_guard():
    report = inspect("The Harbour Museum opens at ten.")
    assert proofing.raise_if_flagged(report) is report
    assert not proofing.log_if_flagged(report)


@pytest.mark.parametrize(
    ("answer", "sources", "warning"),
    [
        ("Tea is free.", [], NO_SOURCES),
        ("Tea is free.", ["  "], EMPTY_SOURCES),
        ("", ["Tea is free."], NO_WORDS),
        ("お茶は無料です。", ["お茶は無料です。"], NO_SPACES),
    ],
)
def test_what_limits_a_report_is_said_in_it(answer, sources, warning):
    assert warning in inspect(answer, sources).warnings


def test_text_without_spaces_never_reports_a_high_floor_by_accident():
    report = inspect("博物館は夜に閉まります。", ["犬は庭に入れます。"])
    assert NO_SPACES in report.warnings
    assert report.finding.floor is not None
    assert report.finding.floor < 0.5


def test_an_entity_model_that_is_missing_is_a_warning_and_not_an_error():
    settings = proofing.Settings(entity_model="no_such_model")
    report = inspect("The Harbour Museum opens at ten.", settings=settings)
    assert any("no_such_model" in warning for warning in report.warnings)
    assert report.engine["entity_model"] == "rules"


def test_words_of_the_question_are_no_support():
    report = inspect("The carousel has zebras.", question="Does the carousel have zebras?")
    assert report.checks["faithfulness"]["score"] == 0.0


def test_every_offset_is_checked_by_its_slice():
    answer = "Guided tours are included 🎟 in the ticket, says Oriel Vasquez. Dogs must enter the garden."
    report = inspect(answer)
    sources = {s.id: s.text for s in report.sources}
    assert report.marks
    for mark in report.marks:
        assert answer[mark.start : mark.end] == mark.text
        if mark.receipt.source_id:
            text = sources[mark.receipt.source_id]
            assert text[mark.receipt.start : mark.receipt.end] == mark.receipt.text
            assert text[mark.receipt.sentence_start : mark.receipt.sentence_end] == mark.receipt.sentence_text
    for anchor in report.finding.anchors:
        assert answer[anchor.start : anchor.end] == anchor.text


def test_marks_come_weakest_first():
    report = inspect("Dogs must enter the garden. Guided tours are included in the ticket, says Oriel Vasquez.")
    supports = [mark.support for mark in report.marks]
    assert supports == sorted(supports)


def test_twenty_threads_find_the_same():
    answer = "Guided tours are included in the ticket, says Oriel Vasquez."
    expected = inspect(answer).sha256
    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(lambda _: inspect(answer).sha256, range(40))) == {expected}


def test_the_async_door_gives_the_same_report():
    report = asyncio.run(proofing.ainspect("", [SOURCE], "Dogs must enter the garden.", settings=FAST, id="a-1"))
    assert report.sha256 == inspect("Dogs must enter the garden.").sha256
    assert report.id == "a-1"


SCRIPT = """
import json, proofing
report = proofing.inspect("When?", ["The Museum opens at ten. It is not free.", "Dr. Ines Falk runs it."],
                          "The MUSEUM opens at nine. It is free. Ilse Falk runs it.",
                          settings=proofing.Settings(tier="fast"))
found = report.to_dict()
del found["timings_ms"]
print(json.dumps(found, sort_keys=True))
"""


def test_the_report_is_the_same_byte_for_byte_under_other_hash_seeds_and_locales():
    outputs = set()
    for seed, locale in (("0", "C"), ("1", "tr_TR.UTF-8"), ("4711", "de_DE.UTF-8")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, check=True, text=True
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


@pytest.mark.parametrize(
    "change",
    [{"question": "Why?"}, {"settings": proofing.Settings(tier="fast", mark_cut=0.7)}, {"sources": [SOURCE + " "]}],
)
def test_the_hash_changes_with_anything_that_determines_the_finding(change):
    assert inspect("Dogs must enter.", **change).sha256 != inspect("Dogs must enter.").sha256


def test_the_public_names_are_all_there():
    for name in proofing.__all__:
        assert getattr(proofing, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        proofing.nothing  # noqa: B018


@pytest.mark.parametrize("sources", [None, "one bare text", 5, {"text": "a mapping"}, [None], [5]])
def test_sources_that_are_no_list_of_texts_are_refused_in_words(sources):
    with pytest.raises(proofing.BadInput, match=r"sources? "):
        proofing.inspect("", sources, "The lamp is red.")


def test_the_async_door_takes_what_the_other_takes():
    assert signature(proofing.ainspect).parameters == signature(proofing.inspect).parameters
