"""Known answers read again: a new inspection beside the old one, and nothing of what people said is touched."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.webapp.calibration.conftest import decide, item_of  # noqa: F401 - fixtures
from tests.webapp.conftest import NOW
from webapp.intake import again
from webapp.intake.models import Rereading
from webapp.intake.services import requeue_stale
from webapp.records.models import Answer, Inspection
from webapp.review import services as review
from webapp.review.models import Decision, Draft, Event, Item
from webapp.review.problems import ClaimLapsed
from webapp.review.services.newer import newer_reading, take_newer


@pytest.fixture
def newer_engine(project):
    """From now on the engine reads with other settings, so that its report is another one."""

    def change():
        project.thresholds = {"mark_cut": 0.123}
        project.save()

    return change


@pytest.fixture
def reread(workers, lead):
    def run(*answers):
        with workers():
            return again.proofread_again(answers=[answer.pk for answer in answers], actor=lead, now=NOW)

    return run


def test_a_waiting_item_shows_the_new_reading(item_of, newer_engine, reread):  # noqa: F811
    item = item_of()
    newer_engine()
    assert reread(item.answer) == 1
    item.refresh_from_db()
    assert item.inspection.version == 2
    assert item.inspection.settings["mark_cut"] == 0.123
    assert item.answer.inspections.count() == 2
    assert not Rereading.objects.exists()


def test_a_decision_keeps_the_reading_it_was_made_on(item_of, decide, newer_engine, reread):  # noqa: F811
    item = item_of()
    decision = decide(item, "accept_healed")
    newer_engine()
    reread(item.answer)
    decision.refresh_from_db()
    item.refresh_from_db()
    assert (decision.inspection.version, item.inspection.version, item.state) == (1, 1, Item.State.DECIDED)
    assert item.answer.inspections.count() == 2
    assert Answer.objects.get().state == Answer.State.DECIDED


def test_who_holds_the_item_is_told_and_may_take_the_new_reading(item_of, reviewer, newer_engine, reread):  # noqa: F811
    item = item_of()
    claim = review.claim_item(item=item, reviewer=reviewer, now=NOW)
    review.set_verdict(claim=claim, mark_index=0, verdict="supported", now=NOW)
    newer_engine()
    before = Item.objects.get().version
    reread(item.answer)
    item = Item.objects.get()
    assert (item.inspection.version, item.state) == (1, Item.State.CLAIMED)
    assert item.version > before
    assert newer_reading(item).version == 2
    assert Event.objects.filter(kind="item.changed", object_id=str(item.pk)).exists()
    assert take_newer(claim=claim, now=NOW) is True
    item.refresh_from_db()
    assert item.inspection.version == 2
    assert newer_reading(item) is None
    assert Draft.objects.get().verdicts == {}
    assert take_newer(claim=claim, now=NOW) is False


def test_who_decides_on_what_they_see_decides_on_that(item_of, decide, reviewer, newer_engine, reread):  # noqa: F811
    item = item_of()
    review.claim_item(item=item, reviewer=reviewer, now=NOW)
    newer_engine()
    reread(item.answer)
    decide(Item.objects.get(), "keep")
    assert Decision.objects.get().inspection.version == 1


def test_who_lost_the_item_takes_nothing(item_of, reviewer, lead, newer_engine, reread):  # noqa: F811
    item = item_of()
    claim = review.claim_item(item=item, reviewer=reviewer, now=NOW)
    newer_engine()
    reread(item.answer)
    review.claim_item(item=Item.objects.get(), reviewer=lead, now=NOW + timedelta(hours=2))
    with pytest.raises(ClaimLapsed):
        take_newer(claim=claim, now=NOW + timedelta(hours=2))


def test_a_program_that_decides_by_a_tag_is_told_that_the_item_changed(api, proofread, newer_engine, reread):
    proofread()
    claimed = api.post("queue/next")
    newer_engine()
    reread(Answer.objects.get())
    url = f"items/{claimed.json()['id']}/decision"
    assert api.post(url, {"kind": "keep"}, If_Match=claimed["ETag"]).status_code == 412


def test_the_same_engine_finds_the_same_and_adds_nothing(item_of, reread):  # noqa: F811
    item = item_of()
    reread(item.answer)
    assert item.answer.inspections.count() == 1
    assert Event.objects.filter(kind="answer.unchanged").exists()


def test_asked_twice_or_delivered_twice_it_is_read_once(item_of, newer_engine, lead):  # noqa: F811
    item = item_of()
    newer_engine()
    assert again.proofread_again(answers=[item.answer], actor=lead, now=NOW) == 1
    assert again.proofread_again(answers=[item.answer], actor=lead, now=NOW) == 0
    assert again.read_again(answer_id=item.answer_id) is not None
    assert again.read_again(answer_id=item.answer_id) is None
    assert Inspection.objects.count() == 2


def test_an_answer_that_is_not_read_yet_is_not_asked_for_again(receive, lead):
    assert again.proofread_again(answers=[receive().answer], actor=lead, now=NOW) == 0


def test_a_failed_answer_gets_its_reading(receive, queue, reread):
    answer = receive().answer
    Answer.objects.update(state=Answer.State.FAILED, error="x")
    reread(answer)
    answer.refresh_from_db()
    assert (answer.state, answer.error) == (Answer.State.PROOFREAD, "")
    assert answer.items.count() == 1


def test_what_cannot_be_read_again_keeps_what_is_known(item_of, reread, monkeypatch):  # noqa: F811
    item = item_of()

    def breaks(answer):
        raise RuntimeError("no memory")

    monkeypatch.setattr(again.engine, "inspect_answer", breaks)
    reread(item.answer)
    assert item.answer.inspections.count() == 1
    assert not Rereading.objects.exists()
    assert Event.objects.filter(kind="answer.again_failed").exists()


def test_a_request_whose_message_was_lost_is_sent_again(item_of, newer_engine, lead, workers):  # noqa: F811
    item = item_of()
    newer_engine()
    again.proofread_again(answers=[item.answer], actor=lead, now=NOW)
    with workers():
        assert requeue_stale(now=timezone.now() + timedelta(hours=1)) == 1
    assert item.answer.inspections.count() == 2
