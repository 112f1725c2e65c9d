"""One step over many answers: what it would do, does and takes back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.webapp.review.builders import NOW, Fault, make_item, make_queue, make_user
from webapp.records.models import Answer
from webapp.review import services
from webapp.review.models import BulkChange, Decision, Event, Item, Queue
from webapp.review.problems import Unusable
from webapp.review.services import bulk, queues

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def queue():
    return make_queue()


@pytest.fixture
def project(queue):
    return queue.project


@pytest.fixture
def lead(project):
    return make_user("lead", project, role="lead")


@pytest.fixture
def items(queue):
    return [make_item(queue, f"Answer {n}.", probability=0.9 - n / 10) for n in range(4)]


@pytest.fixture
def do(project, lead):
    """Takes a step over all answers, or those of some items."""

    def take(kind, items=None, **options):
        chosen = Answer.objects.all() if items is None else Answer.objects.filter(items__in=items)
        return bulk.apply(project=project, kind=kind, chosen=chosen, options=options, actor=lead, now=LATER)

    return take


def states():
    return list(Item.objects.order_by("-inspection__unsupported_probability").values_list("state", flat=True))


def decide(item, reviewer, kind="keep"):
    claim = services.claim_item(item=item, reviewer=reviewer, now=NOW)
    choice = services.Choice(kind=kind, request_key=f"{kind}-{item.pk}-{reviewer.pk}")
    return services.decide(claim=claim, choice=choice, now=NOW)


def test_a_plan_says_what_would_change_and_why_the_rest_would_not(project, queue, items, lead):
    other = Queue.objects.create(project=project, name="Other", audit_share=0.0)
    make_item(other, "There already.")
    Answer.objects.create(
        project=project, question=items[0].answer.question, text="Unread.", content_hash="u", received_at=NOW
    )
    plan = bulk.plan(project=project, kind="queue", chosen=Answer.objects.all(), options={"queue": other})
    assert plan.count == 4
    assert plan.left_out == {"there": 1, "unread": 1}
    assert Item.objects.filter(queue=other).count() == 1


def test_answers_are_put_into_a_queue_in_its_order_and_taken_out_again(project, items, lead, do):
    other = Queue.objects.create(project=project, name="Other", audit_share=0.0)
    change = do("queue", queue=other)
    assert change.count == 4
    ordered = Item.objects.filter(queue=other).order_by("-priority", "pk").values_list("answer", flat=True)
    assert list(ordered) == [item.answer_id for item in items]
    decide(Item.objects.get(queue=other, answer=items[0].answer), lead)
    assert bulk.undo(change=change, actor=lead, now=LATER) == 3
    assert Item.objects.filter(queue=other).count() == 1


@pytest.mark.parametrize("order", Queue.Order.values)
def test_first_and_last_are_before_and_behind_all_others_and_can_be_taken_back(order, queue, items, lead, do):
    Queue.objects.filter(pk=queue.pk).update(order=order)
    queues.reorder_queue(queue_id=queue.pk)
    usual = list(Item.objects.order_by("-priority", "pk").values_list("pk", flat=True))
    last = Item.objects.get(pk=usual[-1])
    first = do("priority", [last], place="first")
    assert Item.objects.order_by("-priority", "pk").first() == last
    again = do("priority", [last], place="first")
    assert again.count == 0
    do("priority", [Item.objects.get(pk=usual[0])], place="last")
    assert list(Item.objects.order_by("-priority", "pk").values_list("pk", flat=True)) == [
        usual[-1], *usual[1:-1], usual[0],
    ]  # fmt: skip
    do("priority", place="usual")
    assert list(Item.objects.order_by("-priority", "pk").values_list("pk", flat=True)) == usual
    bulk.undo(change=first, actor=lead, now=LATER)
    assert 0 <= Item.objects.get(pk=last.pk).urgency <= 1


def test_flags_stand_with_their_reason_until_taken_back(items, lead, do):
    change = do("flag", items[:2], reason="the policy changed")
    assert states() == ["flagged", "flagged", "waiting", "waiting"]
    assert set(Decision.objects.values_list("kind", "reason")) == {("flag", "the policy changed")}
    assert bulk.undo(change=change, actor=lead, now=LATER) == 2
    assert states() == ["waiting"] * 4
    assert not Decision.objects.filter(undone_at__isnull=True).exists()


def test_archived_answers_wait_for_nobody_and_keep_what_was_said(queue, items, lead, do):
    decide(items[1], lead, "skip")
    change = do("archive", reason="an old index")
    assert set(states()) == {"archived"}
    assert services.claim_next_item(queue=queue, reviewer=lead, now=NOW) is None
    assert Decision.objects.count() == 1
    bulk.undo(change=change, actor=lead, now=LATER)
    assert set(states()) == {"waiting"}


def test_returned_answers_are_asked_again_and_their_decisions_stand_again_when_it_is_taken_back(items, lead, do):
    reviewer = make_user("reviewer", items[0].queue.project)
    decision = decide(items[0], reviewer)
    change = do("return", reason="look at the new source")
    assert change.count == 1
    items[0].refresh_from_db()
    assert (items[0].state, items[0].answer.state) == ("waiting", "proofread")
    decision.refresh_from_db()
    assert decision.undone_by == lead
    assert services.claim_next_item(queue=items[0].queue, reviewer=reviewer, now=NOW) is not None
    services.release_claim(claim=services.open_claim_of(items[0], reviewer), now=NOW)
    other = do("archive", items[1:2], reason="x")
    assert bulk.undo(change=change, actor=lead, now=LATER) == 0  # somebody has held it since
    assert bulk.undo(change=other, actor=lead, now=LATER) == 1


def test_a_return_that_nobody_followed_is_taken_back_whole(items, lead, do):
    reviewer = make_user("reviewer", items[0].queue.project)
    decision = decide(items[0], reviewer)
    change = do("return", reason="x")
    assert bulk.undo(change=change, actor=lead, now=LATER) == 1
    decision.refresh_from_db()
    items[0].refresh_from_db()
    items[0].answer.refresh_from_db()
    assert decision.undone_at is None
    assert (items[0].state, items[0].answer.state) == ("decided", "decided")


def test_what_somebody_holds_stays_in_their_hands(items, lead, do):
    services.claim_item(item=items[0], reviewer=make_user("reviewer", items[0].queue.project), now=NOW)
    plan = bulk.plan(
        project=items[0].queue.project, kind="archive", chosen=Answer.objects.all(), options={"reason": "x"}
    )
    assert (plan.count, plan.left_out) == (3, {"held": 1})
    do("archive", reason="x")
    assert states().count("claimed") == 1


def test_a_step_is_bounded(project, items, lead, do, monkeypatch):
    monkeypatch.setattr(bulk, "MOST", 3)
    assert bulk.plan(project=project, kind="flag", chosen=Answer.objects.all(), options={"reason": "x"}).more
    assert do("flag", reason="x").count == 3


def test_answers_of_another_project_are_not_touched(items, lead):
    other = make_user("banker")
    from webapp.records.models import Project

    bank = Project.objects.create(name="Bank", slug="bank")
    change = bulk.apply(
        project=bank, kind="flag", chosen=Answer.objects.all(), options={"reason": "x"}, actor=other, now=NOW
    )
    assert change.count == 0
    assert set(states()) == {"waiting"}


@pytest.mark.parametrize(
    ("kind", "options"),
    [("delete", {}), ("queue", {}), ("priority", {"place": "middle"}), ("flag", {"reason": " "}), ("return", {})],
)
def test_a_step_that_says_too_little_is_refused(kind, options, project, items):
    with pytest.raises(Unusable):
        bulk.plan(project=project, kind=kind, chosen=Answer.objects.all(), options=options)


def test_every_changed_answer_has_it_in_its_history(items, lead, do):
    change = do("archive", items[:2], reason="x")
    events = Event.objects.filter(kind="item.archived")
    assert {event.object_id for event in events} == {str(item.pk) for item in items[:2]}
    assert {event.data["bulk"] for event in events} == {str(change.pk)}
    assert Event.objects.get(kind="bulk.applied").data["count"] == 2


def test_taking_back_twice_is_refused(items, lead, do):
    change = do("flag", reason="x")
    bulk.undo(change=change, actor=lead, now=LATER)
    with pytest.raises(Unusable):
        bulk.undo(change=change, actor=lead, now=LATER)


def test_a_step_costs_the_same_queries_whatever_its_size(project, queue, lead, do, django_assert_max_num_queries):
    for number in range(30):
        make_item(queue, f"Text {number}.", [Fault("Text")])
    other = Queue.objects.create(project=project, name="Other", audit_share=0.0)
    with django_assert_max_num_queries(16):
        do("queue", queue=other)
    assert BulkChange.objects.get().count == 30
