"""Drift: fingerprints without text, distances, and a history file that several writers share."""

from __future__ import annotations

import multiprocessing
import re
import sqlite3
import threading
from pathlib import Path

import pytest

from proofing.checks.drift import Fingerprint, drift_rate, fingerprint, judge_drift, question_key, similarity
from proofing.errors import BadInput
from proofing.history import History
from proofing.settings import Settings

SETTINGS = Settings(tier="fast")
KEY = question_key("What does a mooring cost?")
STEADY = fingerprint("A mooring costs 18 euros per night, water included.")
CHANGED = fingerprint("A mooring costs 27 euros per night, water included.")


@pytest.fixture
def history(tmp_path):
    with History(tmp_path / "history.sqlite3") as opened:
        yield opened


def test_a_fingerprint_holds_no_text():
    mark = fingerprint("Moorings are let by the night and never by the hour.")
    assert set(mark.to_dict()) == {"numbers", "words", "polarity", "bucket"}
    assert mark.polarity == "denies"
    assert list(mark.words) == sorted(mark.words)


def test_only_the_first_twenty_content_words_are_kept():
    assert len(fingerprint(" ".join(f"harbour{chr(97 + i)}" for i in range(26))).words) == 20


@pytest.mark.parametrize(
    "text",
    ["Yes.", "", "The quay is closed.", "18", "There is no quay here, and never was. " * 40, "Tide tables are free 🌊"],
)
def test_the_same_answer_again_does_not_drift_at_all(text):
    assert similarity(fingerprint(text), fingerprint(text)) == 1.0


def test_length_never_votes():
    short = Fingerprint(("count:3",), ("quay",), "affirms", "under 10")
    long = Fingerprint(("count:3",), ("quay",), "affirms", "200 and more")
    assert similarity(short, long) == 1.0


def test_one_number_written_in_two_ways_is_one_number():
    assert fingerprint("It holds 12,000 litres.").numbers == fingerprint("It holds 12000 litres.").numbers


def test_numbers_words_and_polarity_weigh_two_two_and_one():
    assert similarity(STEADY, CHANGED) == pytest.approx(0.6)
    assert similarity(fingerprint("The quay is open."), fingerprint("The quay is not open.")) == pytest.approx(2 / 3)


def test_parts_that_neither_side_has_do_not_count():
    yes, no = fingerprint("yes"), fingerprint("no")
    assert similarity(Fingerprint((), (), "affirms", ""), Fingerprint((), (), "denies", "")) == 0.0
    assert similarity(yes, no) < 1.0


def test_two_earlier_answers_are_too_few_to_judge():
    result = judge_drift(CHANGED, [STEADY] * 2, SETTINGS)
    assert (result.drifted, result.distance, result.compared) == (False, None, 0)


def test_a_changed_price_drifts_from_three_earlier_answers_on():
    result = judge_drift(CHANGED, [STEADY] * 3, SETTINGS)
    assert result.drifted
    assert result.distance == pytest.approx(0.4)
    assert result.new_numbers == ("money:EUR:27",)
    assert result.gone_numbers == ("money:EUR:18",)


def test_only_the_newest_ten_are_compared():
    result = judge_drift(CHANGED, [CHANGED] * 10 + [STEADY] * 30, SETTINGS)
    assert (result.drifted, result.distance, result.compared) == (False, 0.0, 10)


def test_profiles_have_their_own_thresholds():
    assert judge_drift(CHANGED, [STEADY] * 3, Settings.for_profile("strict")).drifted
    assert not judge_drift(CHANGED, [STEADY] * 3, Settings.for_profile("conversational")).drifted


def test_a_question_is_one_question_however_it_is_typed():
    assert question_key("what does a mooring  cost") == KEY
    assert question_key("What did a mooring cost?") != KEY


def test_each_answer_is_compared_with_those_before_it(history):
    earlier = [history.compare_and_record(KEY, STEADY, SETTINGS) for _ in range(4)]
    assert [result.earlier for result in earlier] == [0, 1, 2, 3]
    assert history.compare_and_record(KEY, CHANGED, SETTINGS).drifted


def test_other_questions_and_projects_have_their_own_history(history, tmp_path):
    for _ in range(4):
        history.compare_and_record(KEY, STEADY, SETTINGS)
    assert history.compare_and_record(question_key("Is there a crane?"), CHANGED, SETTINGS).earlier == 0
    with History(tmp_path / "history.sqlite3", project="other") as other:
        assert other.compare_and_record(KEY, CHANGED, SETTINGS).earlier == 0


def test_it_survives_a_restart(tmp_path):
    path = tmp_path / "history.sqlite3"
    with History(path) as first:
        for _ in range(3):
            first.compare_and_record(KEY, STEADY, SETTINGS)
    with History(path) as second:
        assert second.compare_and_record(KEY, CHANGED, SETTINGS).drifted


def test_no_more_than_the_window_is_kept(history):
    for _ in range(8):
        history.compare_and_record(KEY, STEADY, Settings(drift_window=5))
    assert len(history.earlier(KEY)) == 5


def test_twenty_threads_lose_nothing(history):
    threads = [threading.Thread(target=history.compare_and_record, args=(KEY, STEADY, SETTINGS)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(history.earlier(KEY)) == 20


def _write(path: str, times: int) -> None:
    with History(path) as history:
        for _ in range(times):
            history.compare_and_record(KEY, STEADY, SETTINGS)


def test_several_processes_lose_nothing(tmp_path):
    path = tmp_path / "history.sqlite3"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(str(path), 10)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with History(path) as history:
        assert len(history.earlier(KEY)) == 30


def test_a_file_that_is_no_history_is_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, and long enough to be no database header at all\n" * 20)
    with pytest.raises(BadInput, match=r"notes\.txt"):
        History(path)


def test_a_failed_step_records_nothing(history, monkeypatch):
    monkeypatch.setattr("proofing.history._newest", lambda *_: (_ for _ in ()).throw(sqlite3.OperationalError("gone")))
    with pytest.raises(sqlite3.OperationalError):
        history.compare_and_record(KEY, STEADY, SETTINGS)
    monkeypatch.undo()
    assert history.earlier(KEY) == []


def test_the_drift_rate_of_a_source_counts_each_answer_once():
    seen = [(True, ["a", "b", "a"]), (False, ["a"]), (True, ["b"])]
    assert drift_rate(seen) == {"b": 1.0, "a": 0.5}


def test_the_file_can_be_named_by_text_or_path(tmp_path):
    with History(str(tmp_path / "one.sqlite3")) as history:
        assert history.path == Path(tmp_path / "one.sqlite3")


def about(text, name="s1", **named):
    from dataclasses import replace

    from proofing.checks.ground import ground_of
    from proofing.documents import Source

    return replace(CHANGED, ground=ground_of([Source(name, text, **named)] if text else []))


def answers_on(text, name="s1", **named):
    from dataclasses import replace

    return [replace(STEADY, ground=about(text, name, **named).ground)] * 4


CAFE = "The café on the pier opens at eight, bakes its own bread and seats forty guests outside."
BARBER = "The barber in Mill Lane takes no cards, cuts beards on Fridays and closes for lunch."


@pytest.mark.parametrize("name", ["s0", "s1", "1", "ctx-2", "Document 3", "passage_0", "retrieved_context 1", ""])
def test_a_generic_question_about_another_text_is_another_question(name):
    result = judge_drift(about(BARBER, name), answers_on(CAFE, name), SETTINGS)
    assert (result.drifted, result.compared, result.earlier) == (False, 0, 0)


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (about(CAFE), answers_on(CAFE, "s7")),  # one text under another number
        (about(CAFE.replace("eight", "nine")), answers_on(CAFE)),  # a new version of the text
        (about("A berth: 27 euros."), answers_on("A berth: 18 euros.")),  # another figure
        (about(BARBER, "harbour.md"), answers_on(CAFE, "harbour.md")),  # one document, written anew
        (about(BARBER, url="https://harbour.example/fees"), answers_on(CAFE, url="https://harbour.example/fees")),
        (about(BARBER, title="Harbour fees"), answers_on(CAFE, title="Harbour  fees")),
        (about(""), answers_on("")),  # no sources at all: the question is all there is
    ],
)
def test_the_same_question_about_the_same_document_is_compared(now, before):
    assert judge_drift(now, before, SETTINGS).drifted


def test_an_answer_with_sources_is_not_compared_with_one_without():
    assert judge_drift(about(CAFE), answers_on(""), SETTINGS).compared == 0


def test_the_ground_survives_being_stored():
    mark = about(CAFE, "harbour.md", title="Fees")
    assert Fingerprint.from_dict(mark.to_dict()) == mark
    assert "bread" not in str(mark.to_dict())


def test_a_history_keeps_answers_about_different_sources_apart(tmp_path):
    from proofing import inspect

    with History(tmp_path / "history.sqlite3") as history:
        for text in (CAFE, CAFE, CAFE, CAFE, BARBER):
            report = inspect("Write an overview.", [text], text, settings=SETTINGS, history=history)
    assert report.checks["drift"]["compared"] == 0
    assert "drift" not in report.triggered


def test_the_terminal_says_that_drift_raised_the_risk(tmp_path):
    from proofing import inspect
    from proofing.printing import report_text

    told = {14: "You may send it back within 14 days.", 90: "Goods are taken back for 90 days after delivery, unworn."}
    with History(tmp_path / "history.sqlite3") as history:
        for days in (14, 14, 14, 90):
            report = inspect("How long?", [("returns.md", told[days])], told[days], settings=SETTINGS, history=history)
    assert report.triggered == ("drift",)
    said = report_text(report)
    assert "risk medium (drift), unsupported probability" in said
    assert re.search(r"^drift: distance 0\.\d\d from 3 earlier answers$", said, re.MULTILINE)
