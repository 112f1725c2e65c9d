"""One result per answer, whatever happens to messages and workers."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from proofing.errors import BadInput
from tests.webapp.conftest import NOW, line_of
from webapp.intake import engine
from webapp.intake import services as intake
from webapp.records.models import Answer, Healing, Inspection, Mark
from webapp.review.models import Event, Item


def test_a_wrong_value_is_marked_healed_and_queued(proofread):
    inspection = proofread()
    mark = inspection.marks.get(text__contains="30")
    answer = inspection.answer
    assert answer.text[mark.start : mark.end] == mark.text
    assert mark.receipt["text"].startswith("14")
    assert mark.receipt["source_id"] == "s1"
    assert inspection.healing.applied
    assert "14 days" in inspection.healing.text
    assert Item.objects.get().inspection == inspection
    answer.refresh_from_db()
    assert answer.state == Answer.State.PROOFREAD


def test_delivered_twice_there_is_one_result(receive, queue):
    answer = receive().answer
    assert intake.proofread_answer(answer_id=answer.pk) is not None
    assert intake.proofread_answer(answer_id=str(answer.pk)) is None
    assert Inspection.objects.count() == Item.objects.count() == Healing.objects.count() == 1


def test_two_workers_on_one_answer_store_one_result(receive, queue, monkeypatch):
    """The first worker fell silent, a second one did the work, and then the first one came back."""
    answer = receive().answer
    real, calls = engine.inspect_answer, []

    def slow(row):
        report = real(row)
        if not calls:
            calls.append("second")
            Answer.objects.filter(pk=row.pk).update(state=Answer.State.RECEIVED)
            assert intake.proofread_answer(answer_id=row.pk) is not None
        return report

    monkeypatch.setattr(engine, "inspect_answer", slow)
    assert intake.proofread_answer(answer_id=answer.pk) is None
    assert Inspection.objects.count() == 1
    assert Mark.objects.count() == Inspection.objects.get().report["marks"].__len__()


def test_a_passing_error_is_tried_again(receive, queue, monkeypatch, workers):
    answer = receive().answer
    real, tries = engine.inspect_answer, []

    def flaky(row):
        tries.append(row.attempts)
        if len(tries) < 3:
            raise OSError("the model file is busy")
        return real(row)

    monkeypatch.setattr(engine, "inspect_answer", flaky)
    with workers():
        intake.proofread_answer(answer_id=answer.pk)
    answer.refresh_from_db()
    assert tries == [1, 2, 3]
    assert answer.state == Answer.State.PROOFREAD
    assert answer.error == ""


def test_after_three_errors_it_failed_and_says_why(receive, monkeypatch, workers):
    answer = receive().answer

    def broken(row):
        raise RuntimeError("no weights")

    monkeypatch.setattr(engine, "inspect_answer", broken)
    with workers():
        intake.proofread_answer(answer_id=answer.pk)
    answer.refresh_from_db()
    assert answer.state == Answer.State.FAILED
    assert answer.attempts == 3
    assert "no weights" in answer.error
    assert Event.objects.filter(kind="answer.failed").count() == 1


def test_what_the_engine_refuses_fails_at_once(receive, monkeypatch):
    answer = receive().answer

    def refuse(row):
        raise BadInput("the answer is longer than 20000 words")

    monkeypatch.setattr(engine, "inspect_answer", refuse)
    intake.proofread_answer(answer_id=answer.pk)
    answer.refresh_from_db()
    assert (answer.state, answer.attempts) == (Answer.State.FAILED, 1)
    assert "20000 words" in answer.error


def test_an_answer_that_was_superseded_meanwhile_does_not_queue(receive, queue):
    old = receive(line_of(external_id="e-1")).answer
    receive(line_of("You have 14 days.", external_id="e-1"), supersede=True)
    assert intake.proofread_answer(answer_id=old.pk) is not None
    assert not Item.objects.exists()


# The sweep -----------------------------------------------------------------------------------------------------

STALE = timedelta(minutes=30)


@pytest.fixture
def sweep(workers):
    def run(now):
        with workers():
            return intake.requeue_stale(now=now)

    return run


def test_work_whose_worker_died_is_done_by_another(receive, queue, sweep):
    answer = receive().answer
    Answer.objects.update(state=Answer.State.PROOFREADING, attempts=1, heartbeat_at=NOW)
    assert sweep(NOW + STALE) == 1
    answer.refresh_from_db()
    assert answer.state == Answer.State.PROOFREAD


def test_work_in_progress_is_left_alone(receive, sweep):
    receive()
    Answer.objects.update(state=Answer.State.PROOFREADING, attempts=1, heartbeat_at=NOW)
    assert sweep(NOW + timedelta(seconds=1)) == 0


def test_an_answer_that_kills_its_worker_three_times_failed(receive, sweep):
    answer = receive().answer
    Answer.objects.update(state=Answer.State.PROOFREADING, attempts=3, heartbeat_at=NOW)
    assert sweep(NOW + STALE) == 0
    answer.refresh_from_db()
    assert answer.state == Answer.State.FAILED
    assert "died 3 times" in answer.error


def test_a_message_the_broker_forgot_is_sent_again(receive, queue, sweep):
    answer = receive().answer
    assert sweep(timezone.now() + STALE) == 1
    answer.refresh_from_db()
    assert answer.state == Answer.State.PROOFREAD


def test_a_line_of_messages_is_not_made_longer(receive, sweep, queued):
    """While messages are queued, rows wait for their turn and not for a lost message."""
    receive()
    queued["bulk"] = 40
    assert sweep(timezone.now() + timedelta(minutes=2)) == 0
    assert sweep(timezone.now() + timedelta(days=1)) == 1
    queued["bulk"] = 500
    assert sweep(timezone.now() + timedelta(days=2)) == 0


def test_a_broker_that_is_away_is_sent_nothing(receive, sweep, queued):
    receive()
    queued.clear()
    assert sweep(timezone.now() + STALE) == 0


def test_a_broker_that_is_down_loses_nothing(receive, queue, monkeypatch, sweep, workers):
    from webapp.intake.tasks import proofread_answer

    def down(*args, **kwargs):
        raise OSError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(proofread_answer, "apply_async", down)
        with workers():
            received = intake.accept_answer(project=queue.project, line=line_of(), now=NOW)
    assert received.answer.state == Answer.State.RECEIVED
    assert sweep(timezone.now() + STALE) == 1
    received.answer.refresh_from_db()
    assert received.answer.state == Answer.State.PROOFREAD


def test_a_flagged_answer_is_one_json_line_in_the_log(proofread, caplog):
    with caplog.at_level("WARNING", logger="proofing"):
        inspection = proofread(line_of("You have 30 days to return it."))
        proofread(line_of("You have 14 days to return it."))
    (record,) = [record for record in caplog.records if record.name == "proofing"]
    line = json.loads(record.getMessage())
    assert (line["event"], line["id"], line["risk"]) == ("answer.flagged", str(inspection.answer_id), "critical")
