"""The same content is one answer; each time it is seen is one observation; a retry adds nothing."""

from __future__ import annotations

import pytest

from proofing.documents import Source
from proofing.exchange.jsonl import LineFault
from tests.webapp.conftest import line_of
from webapp.records.models import Answer, AnswerSource, Observation, Question
from webapp.records.models import Source as SourceRow
from webapp.records.services import Conflict, delete_answer
from webapp.review.models import Event


def test_a_new_answer_is_stored_with_question_and_sources_in_order(receive):
    sources = (
        Source("b.md", "Second things."),
        Source("a.md", "First things.", title="A", url="https://example.org/a"),
    )
    received = receive(line_of(sources=sources, latency_ms=12.5, model="m1"))
    assert received.fresh
    assert received.answer.state == Answer.State.RECEIVED
    assert list(AnswerSource.objects.values_list("source__source_key", flat=True)) == ["b.md", "a.md"]
    assert SourceRow.objects.get(source_key="a.md").url == "https://example.org/a"


def test_the_same_content_again_is_one_more_observation_of_one_answer(receive):
    first = receive()
    again = receive(minutes=5)
    assert again.answer == first.answer
    assert not again.fresh
    assert not again.repeated
    assert Observation.objects.count() == 2


def test_other_sources_make_another_answer_to_the_same_question(receive):
    receive()
    receive(line_of(sources=("Articles may be returned within 30 days.",)))
    assert Answer.objects.count() == 2
    assert Question.objects.count() == 1


@pytest.mark.parametrize("keys", [{"request_key": "r-1"}, {}], ids=["request key", "external id"])
def test_a_retry_adds_nothing(receive, keys):
    line = line_of(external_id=None if keys else "e-1")
    receive(line, **keys)
    again = receive(line, minutes=1, **keys)
    assert again.repeated
    assert Observation.objects.count() == 1


def test_a_request_key_counts_in_its_own_project_only(receive, other_project, now):
    from webapp.records.services import receive_answer

    receive(request_key="r-1")
    received = receive_answer(project=other_project, line=line_of(), now=now, request_key="r-1")
    assert received.fresh


def test_a_request_key_with_another_answer_is_a_conflict(receive):
    receive(request_key="r-1")
    with pytest.raises(Conflict, match="Idempotency-Key"):
        receive(line_of("You have 14 days."), request_key="r-1")
    assert Answer.objects.count() == 1


def test_an_external_id_with_another_content_is_a_conflict(receive):
    first = receive(line_of(external_id="e-1"))
    with pytest.raises(Conflict) as caught:
        receive(line_of("You have 14 days.", external_id="e-1"))
    assert caught.value.answer == first.answer
    assert Answer.objects.count() == 1


def test_supersede_replaces_the_answer_an_external_id_names(receive):
    old = receive(line_of(external_id="e-1")).answer
    new = receive(line_of("You have 14 days.", external_id="e-1"), supersede=True).answer
    old.refresh_from_db()
    assert old.superseded_by == new
    assert receive(line_of("You have 14 days.", external_id="e-1")).repeated


def test_an_older_text_can_come_back_under_its_external_id(receive):
    old = receive(line_of(external_id="e-1")).answer
    new = receive(line_of("You have 14 days.", external_id="e-1"), supersede=True).answer
    back = receive(line_of(external_id="e-1"), supersede=True)
    new.refresh_from_db()
    old.refresh_from_db()
    assert back.answer == old
    assert old.superseded_by is None
    assert new.superseded_by == old


def test_a_superseded_answer_leaves_the_queue(proofread, receive):
    old = proofread(line_of(external_id="e-1")).answer
    assert old.items.count() == 1
    receive(line_of("You have 14 days.", external_id="e-1"), supersede=True)
    assert old.items.count() == 0


def test_one_content_under_two_external_ids_is_found_by_both(receive):
    first = receive(line_of(external_id="e-1")).answer
    assert receive(line_of(external_id="e-2")).answer == first
    assert receive(line_of(external_id="e-2")).repeated
    with pytest.raises(Conflict):
        receive(line_of("You have 14 days.", external_id="e-2"))


def test_names_longer_than_we_keep_are_refused_on_every_database(receive):
    with pytest.raises(LineFault, match="task: longer than 60"):
        receive(line_of(task="t" * 61))
    with pytest.raises(LineFault, match=r"sources\[0\].id"):
        receive(line_of(sources=(Source("k" * 501, "text"),)))


def test_a_deleted_answer_takes_its_texts_with_it_and_leaves_an_event(receive, reviewer, now):
    shared = receive(line_of("Another answer.", sources=("Shared.", "Own."))).answer
    receive(line_of("Other.", question="Else?", sources=("Shared.",)))
    delete_answer(answer=shared, actor=reviewer, now=now)
    assert list(SourceRow.objects.values_list("text", flat=True)) == ["Shared."]
    event = Event.objects.get(kind="answer.deleted")
    assert event.actor == reviewer
    assert "Another" not in str(event.data)


def test_events_cannot_be_changed_or_removed(receive):
    receive()
    with pytest.raises(TypeError):
        Event.objects.all().delete()
    with pytest.raises(TypeError):
        Event.objects.update(kind="x")


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 3), (3, 2, 1), (2, 3, 0)])
def test_an_external_id_names_one_current_answer_whichever_are_deleted(receive, reviewer, now, order):
    chain = [
        receive(line_of(f"You have {n} days.", external_id="e-1"), minutes=n, supersede=True).answer for n in range(4)
    ]
    for place in order:
        delete_answer(answer=Answer.objects.get(pk=chain[place].pk), actor=reviewer, now=now)
        left = [answer for answer in chain if Answer.objects.filter(pk=answer.pk).exists()]
        assert Answer.objects.get(external_id="e-1", superseded_by=None) == left[-1]
