"""The next answer, fetched while this one is read: shown at once, held only when it is decided on."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.webapp.review.builders import Fault, make_item
from webapp.review import services
from webapp.review.models import Claim, Decision, Item

pytestmark = pytest.mark.django_db


@pytest.fixture
def items(queue):
    fault = Fault("30 days", "14 days", "14 days")
    return [
        make_item(queue, f"Answer {n}: you have 30 days.", [fault], question=f"Question {n}", probability=1 - n / 10)
        for n in range(3)
    ]


@pytest.fixture
def desk(queue, items, reviewer, client_of):
    client = client_of(reviewer)
    return client, client.post(reverse("review:next", args=[queue.pk])).url


def decide(client, url, shown, key="k"):
    sent = {"kind": "keep", "request_key": key, "shown": shown}
    return client.post(f"{url}decide/", sent, headers={"HX-Request": "true"})


def test_looking_ahead_holds_nothing(desk, items):
    client, url = desk
    page = client.get(f"{url}ahead/")
    assert "Question 1" in page.content.decode()
    assert page["X-Shown"] == f"{items[1].pk}/{items[1].inspection_id}"
    assert Claim.objects.count() == 1
    assert Item.objects.get(pk=items[1].pk).state == Item.State.WAITING


def test_what_is_shown_already_is_not_sent_again(desk, items):
    client, url = desk
    shown = client.get(f"{url}ahead/")["X-Shown"]
    answer = decide(client, url, shown)
    html = answer.content.decode()
    assert answer["X-Shown"] == shown
    assert "<main" not in html
    assert "Original kept." in html
    assert f"/decisions/{Decision.objects.get().pk}/undo/" in html
    assert "1 / 3" in html
    assert "data-seconds" in html
    assert Item.objects.get(pk=items[1].pk).state == Item.State.CLAIMED


def test_when_a_colleague_was_faster_the_page_of_another_answer_comes(desk, items, colleague):
    client, url = desk
    shown = client.get(f"{url}ahead/")["X-Shown"]
    services.claim_item(item=items[1], reviewer=colleague, now=timezone.now())
    answer = decide(client, url, shown)
    assert "X-Shown" not in answer
    assert "Question 2" in answer.content.decode()


def test_an_answer_proofread_again_meanwhile_is_sent_anew(desk, items):
    client, url = desk
    shown = client.get(f"{url}ahead/")["X-Shown"]
    newer = items[1].inspection
    newer.pk, newer.version = None, 2
    newer.save()
    Item.objects.filter(pk=items[1].pk).update(inspection=newer)
    assert "<main" in decide(client, url, shown).content.decode()


def test_an_answer_in_hand_comes_before_what_waits(desk, items, reviewer):
    client, url = desk
    services.claim_item(item=items[2], reviewer=reviewer, now=timezone.now())
    assert "Question 2" in client.get(f"{url}ahead/").content.decode()


def test_after_the_last_answer_there_is_nothing_ahead(desk, items, colleague):
    client, url = desk
    for item in items[1:]:
        services.claim_item(item=item, reviewer=colleague, now=timezone.now())
    assert client.get(f"{url}ahead/").status_code == 204


def test_an_audit_item_is_hidden_ahead_too(desk, items):
    Item.objects.filter(pk=items[1].pk).update(audit=True)
    Item.objects.filter(pk=items[2].pk).delete()
    client, url = desk
    html = client.get(f"{url}ahead/").content.decode()
    assert "Question 1" in html
    for telling in ('class="m ', "<ins>", 'class="ev', "priority"):
        assert telling not in html


def test_ones_next_decision_counts_as_any_other(desk, items):
    client, url = desk
    shown = client.get(f"{url}ahead/")["X-Shown"]
    decide(client, url, shown)
    second = reverse("review:item", args=[items[1].pk])
    assert decide(client, second, "", key="k2").status_code == 200
    assert Decision.objects.count() == 2


def test_a_decision_costs_the_same_number_of_queries_whatever_waits(desk, django_assert_max_num_queries):
    client, url = desk
    shown = client.get(f"{url}ahead/")["X-Shown"]
    with django_assert_max_num_queries(36):
        decide(client, url, shown)
