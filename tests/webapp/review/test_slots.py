"""Queues that ask several people: each decides alone, and an answer leaves when enough of them have."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.webapp.review.builders import Fault, make_item, make_queue, make_user
from webapp.records.models import Answer
from webapp.review import selectors, services
from webapp.review.models import Decision, Item
from webapp.review.problems import CannotUndo, ClaimLapsed

pytestmark = pytest.mark.django_db


@pytest.fixture
def queue(db):
    return make_queue(slots=2)


@pytest.fixture
def item(queue):
    return make_item(queue, "You have 30 days to return it.", [Fault("30 days", "14 days", "14 days")])


def decide(queue, person, kind=Decision.Kind.KEEP, now=None):
    now = now or timezone.now()
    claim = services.claim_next_item(queue=queue, reviewer=person, now=now)
    return services.decide(claim=claim, choice=services.Choice(kind, f"{person}-{kind}-{now}"), now=now)


def test_an_answer_leaves_the_queue_after_as_many_decisions_as_asked(queue, item, reviewer, colleague):
    decide(queue, reviewer)
    item.refresh_from_db()
    assert item.state == Item.State.WAITING
    assert Answer.objects.get().state == Answer.State.PROOFREAD
    decide(queue, colleague)
    item.refresh_from_db()
    assert item.state == Item.State.DECIDED
    assert Answer.objects.get().state == Answer.State.DECIDED


def test_nobody_decides_an_answer_twice(queue, item, reviewer, now):
    decide(queue, reviewer)
    assert services.claim_next_item(queue=queue, reviewer=reviewer, now=now) is None
    item.refresh_from_db()
    with pytest.raises(ClaimLapsed):
        services.claim_item(item=item, reviewer=reviewer, now=now)


def test_the_start_page_offers_nothing_to_who_has_decided_what_waits(queue, item, reviewer, colleague, client_of):
    decide(queue, reviewer)
    mine, theirs = client_of(reviewer).get("/").text, client_of(colleague).get("/").text
    assert "you have decided it" in mine
    assert "Start reviewing" not in mine
    assert "Start reviewing" in theirs


@pytest.mark.parametrize("kind", [Decision.Kind.SKIP, Decision.Kind.FLAG])
def test_a_skip_or_a_flag_is_no_decision(kind, queue, item, reviewer, lead):
    decide(queue, reviewer, kind)
    item.refresh_from_db()
    claim = services.claim_item(item=item, reviewer=lead, now=timezone.now())
    services.keep_original(claim=claim, request_key="k", now=timezone.now())
    item.refresh_from_db()
    assert item.state == Item.State.WAITING


def test_an_undo_asks_for_one_more_decision_again(queue, item, reviewer, colleague, now):
    first = decide(queue, reviewer)
    decide(queue, colleague)
    services.undo_decision(decision=first, reviewer=reviewer, now=now)
    item.refresh_from_db()
    assert item.state == Item.State.CLAIMED
    assert item.held_by == reviewer
    decide(queue, reviewer, Decision.Kind.REJECT)
    item.refresh_from_db()
    assert item.state == Item.State.DECIDED


def test_ones_own_decision_can_be_undone_while_others_are_missing(queue, item, reviewer, now):
    claim = services.undo_decision(decision=decide(queue, reviewer), reviewer=reviewer, now=now)
    assert claim.item == item


def test_under_a_colleagues_hands_nothing_is_undone(queue, item, reviewer, colleague):
    first = decide(queue, reviewer)
    services.claim_next_item(queue=queue, reviewer=colleague, now=timezone.now())
    with pytest.raises(CannotUndo):
        services.undo_decision(decision=first, reviewer=reviewer, now=timezone.now())
    first.refresh_from_db()
    assert first.undone_at is None


@pytest.mark.parametrize("blind", [True, False])
def test_what_others_decided_is_hidden_until_ones_own_decision_is_in(
    blind, queue, item, reviewer, colleague, client_of
):
    queue.blind = blind
    queue.save()
    decide(queue, reviewer, Decision.Kind.REJECT)
    url = reverse("review:item", args=[item.pk])
    history = reverse("records:answer", args=[item.answer_id])
    pages = [client_of(colleague).get(address).content.decode() for address in (url, history)]
    assert [("reviewer" in page.split("<main")[1]) for page in pages] == [not blind, not blind]
    decide(queue, colleague)
    page = client_of(colleague).get(url).content.decode()
    assert "Answer rejected." in page
    assert "They disagree" in page
    assert "reviewer" in client_of(colleague).get(history).content.decode().split("<main")[1]


def test_agreement_is_about_the_answer_and_not_the_words(queue, item, reviewer, colleague):
    decide(queue, reviewer, Decision.Kind.REJECT)
    decide(queue, colleague, Decision.Kind.ACCEPT_HEALED)
    assert selectors.decided_on(selectors.get_item(item.pk), reviewer).agree


def test_the_page_says_how_many_decide(queue, item, reviewer, client_of):
    client = client_of(reviewer)
    url = client.post(reverse("review:next", args=[queue.pk])).url
    assert "2 people decide, each alone" in client.get(url).content.decode()
    client.post(f"{url}decide/", {"kind": "keep", "request_key": "k"})
    page = client.get(url).content.decode()
    assert "1 of 2 decisions are in." in page
    assert "waits for colleagues" in page
    assert "Take this answer" not in page


def test_a_paused_queue_deals_nothing_out_and_what_is_held_can_be_finished(queue, item, reviewer, colleague, now):
    claim = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    queue.paused_at = now
    queue.save()
    assert services.claim_next_item(queue=queue, reviewer=colleague, now=now + timedelta(seconds=1)) is None
    assert services.keep_original(claim=claim, request_key="k", now=now).kind == Decision.Kind.KEEP


def test_an_assigned_queue_deals_out_to_its_people_only(queue, item, reviewer, colleague, now):
    queue.reviewers.set([colleague])
    assert services.claim_next_item(queue=queue, reviewer=reviewer, now=now) is None
    assert services.claim_next_item(queue=queue, reviewer=colleague, now=now).item == item


def test_three_people_at_once_never_give_more_decisions_than_asked(queue, item):
    people = [make_user(f"person-{n}", queue.project) for n in range(3)]
    for person in people[:2]:
        decide(queue, person)
    assert services.claim_next_item(queue=queue, reviewer=people[2], now=timezone.now()) is None
    assert Decision.objects.count() == 2


def test_the_list_of_answers_tells_nobody_what_a_colleague_decided_before_them(
    queue, item, reviewer, colleague, lead, client_of
):
    decide(queue, reviewer, Decision.Kind.REJECT)
    address = f"/answers/?decision=reject&reviewer={reviewer}"
    shown = {who: str(item.answer_id) in client_of(who).get(address).text for who in (reviewer, colleague, lead)}
    assert shown == {reviewer: True, colleague: False, lead: True}
    decide(queue, colleague)
    assert str(item.answer_id) in client_of(colleague).get(address).text


def test_the_list_of_answers_tells_no_reviewer_what_an_audit_answer_hides(queue, item, reviewer, lead, client_of):
    Item.objects.filter(pk=item.pk).update(audit=True)
    shown = {who: str(item.answer_id) in client_of(who).get("/answers/?risk=high").text for who in (reviewer, lead)}
    assert shown == {reviewer: False, lead: True}
