from __future__ import annotations

import pytest

from tests.webapp.conftest import Api, line_of
from webapp.accounts.services import create_token
from webapp.review.models import Decision, Item


@pytest.fixture
def item(proofread):
    proofread()
    return Item.objects.get()


def test_a_program_takes_the_next_item_decides_and_undoes(api, item):
    taken = api.post("queue/next").json()
    assert taken["id"] == str(item.pk)
    assert taken["report"]["marks"]
    assert taken["sources"][0]["id"] == "s1"
    decided = api.post(f"items/{item.pk}/decision", {"kind": "accept_healed"})
    assert decided.status_code == 200
    assert decided.json()["final_text"] == "You have 14 days to return it."
    answer = api.get(f"answers/{item.answer_id}").json()
    assert (answer["state"], answer["decision"]) == ("decided", "accept_healed")
    assert answer["final_text"] == "You have 14 days to return it."
    undone = api.post(f"items/{item.pk}/undo").json()
    assert undone["undone_at"]
    assert api.get(f"answers/{item.answer_id}").json()["decision"] is None


def test_nothing_waiting_is_no_content(api, item):
    api.post("queue/next")
    other = create_token(project=item.queue.project, name="second")[1]
    assert Api(other).post("queue/next").status_code == 200  # the same service account holds it already
    api.post(f"items/{item.pk}/decision", {"kind": "keep"})
    assert api.post("queue/next").status_code == 204


def test_sent_twice_it_decides_once(api, item):
    api.post("queue/next")
    first = api.post(f"items/{item.pk}/decision", {"kind": "keep"}, Idempotency_Key="d-1")
    again = api.post(f"items/{item.pk}/decision", {"kind": "keep"}, Idempotency_Key="d-1")
    assert again.json() == first.json()
    assert Decision.objects.count() == 1


def test_explicit_verdicts_are_kept(api, item):
    api.post("queue/next")
    body = {"kind": "reject", "reason": "wrong", "verdicts": {"0": "unsupported"}}
    api.post(f"items/{item.pk}/decision", body)
    verdict = Decision.objects.get().verdicts.get(mark__index=0)
    assert (verdict.verdict, verdict.source) == ("unsupported", "explicit")


def test_keeping_against_ones_own_verdict_asks_first(api, item):
    api.post("queue/next")
    body = {"kind": "keep", "verdicts": {"0": "unsupported"}}
    asked = api.post(f"items/{item.pk}/decision", body)
    assert asked.status_code == 409
    assert asked.json()["marks"] == [0]
    assert api.post(f"items/{item.pk}/decision", body | {"confirmed": True}).status_code == 200


def test_what_a_colleague_holds_cannot_be_taken_or_decided(api, item, reviewer, now):
    from django.utils import timezone

    from webapp.review.services import claim_item

    claim_item(item=item, reviewer=reviewer, now=timezone.now())
    assert api.post(f"items/{item.pk}/claim").status_code == 409
    assert api.post(f"items/{item.pk}/decision", {"kind": "keep"}).status_code == 409
    assert not Decision.objects.exists()


def test_an_item_that_changed_since_it_was_read_is_not_decided(api, item):
    taken = api.post("queue/next")
    api.post(f"items/{item.pk}/release")
    api.post(f"items/{item.pk}/claim")
    late = api.post(f"items/{item.pk}/decision", {"kind": "keep"}, If_Match=taken["ETag"])
    assert late.status_code == 412


def test_claims_are_renewed_and_released(api, item):
    api.post("queue/next")
    assert api.post(f"items/{item.pk}/renew").status_code == 200
    released = api.post(f"items/{item.pk}/release").json()
    assert released["state"] == "waiting"


@pytest.mark.parametrize(
    "body",
    [{"kind": "shrug"}, {"kind": "accept_edited"}, {"kind": "keep", "verdicts": {"99": "supported"}}, {}],
)
def test_a_decision_that_cannot_be_used_is_a_problem(api, item, body):
    api.post("queue/next")
    response = api.post(f"items/{item.pk}/decision", body)
    assert response.status_code == 422
    assert not Decision.objects.exists()


def test_the_queue_shows_what_waits_in_order(api, proofread, queue):
    proofread(line_of("You have 14 days to return it."))
    proofread(line_of("You have 30 days to return it."))
    shown = api.get("queue").json()
    assert (shown["queue"], shown["waiting"]) == ("Support bot", 2)
    priorities = [item["priority"] for item in shown["items"]]
    assert priorities == sorted(priorities, reverse=True)


def test_items_carry_the_callers_own_key_of_the_answer(api, proofread, queue, django_assert_max_num_queries):
    for number, key in enumerate((None, "chat-1", "chat-2", "chat-3")):
        proofread(line_of(f"You have {30 + number} days to return it.", external_id=key))
    with django_assert_max_num_queries(6):  # as many for a hundred items
        items = api.get("queue").json()["items"]
    assert {item["external_id"] for item in items} == {None, "chat-1", "chat-2", "chat-3"}
    taken = api.post("queue/next").json()
    assert taken["external_id"] == next(item["external_id"] for item in items if item["id"] == taken["id"])
    assert api.post(f"items/{taken['id']}/renew").json()["external_id"] == taken["external_id"]


@pytest.mark.parametrize("call", ["claim", "renew", "release", "decision", "undo"])
def test_items_of_another_project_do_not_exist(call, item, other_project):
    theirs = Api(create_token(project=other_project, name="bank")[1])
    assert theirs.post(f"items/{item.pk}/{call}", {"kind": "keep"}).status_code == 404
