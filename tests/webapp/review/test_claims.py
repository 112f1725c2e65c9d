"""One item, one pair of hands."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.webapp.review.builders import make_item
from webapp.review import services
from webapp.review.models import Claim, Item, Queue
from webapp.review.problems import ClaimLapsed
from webapp.review.services import claims
from webapp.review.services.claims import take
from webapp.review.services.queueing import is_audit_place

pytestmark = pytest.mark.django_db


def test_two_reviewers_never_hold_one_item(item, queue, reviewer, colleague, now):
    first = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    second = services.claim_next_item(queue=queue, reviewer=colleague, now=now)
    assert first is not None
    assert second is None


def test_a_row_that_changed_since_it_was_read_is_not_taken(item, reviewer, colleague, now):
    stale = Item.objects.select_related("queue").get(pk=item.pk)
    services.claim_item(item=item, reviewer=colleague, now=now)
    assert take(stale, reviewer=reviewer, now=now, expected=[Item.State.WAITING]) is None
    assert Claim.objects.filter(item=item, released_at=None).count() == 1


def test_the_most_urgent_item_comes_first(queue, reviewer, now):
    make_item(queue, "Mild.", probability=0.2)
    urgent = make_item(queue, "Wild.", probability=0.9)
    assert services.claim_next_item(queue=queue, reviewer=reviewer, now=now).item == urgent


@pytest.mark.parametrize("audit", [False, True])
def test_the_next_item_is_found_without_sorting_what_waits(queue, item, reviewer, now, audit):
    Item.objects.filter(pk=item.pk).update(audit=audit)
    with CaptureQueriesContext(connection) as seen:
        services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    picked = [row["sql"] for row in seen if '"review_item"."priority" DESC' in row["sql"]]
    assert picked
    if connection.vendor == "sqlite":  # PostgreSQL sorts what fits one page of memory, index or not
        with connection.cursor() as cursor:
            plans = [str(cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()) for sql in picked]
        assert not [plan for plan in plans if "ORDER BY" in plan or "items_waiting_in_turn" not in plan]


def test_asking_again_gives_the_item_in_hand(item, queue, reviewer, now):
    first = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    make_item(queue, "More urgent.", probability=0.99)
    again = services.claim_next_item(queue=queue, reviewer=reviewer, now=now + timedelta(minutes=1))
    assert again == first
    assert again.until == now + timedelta(minutes=1) + queue.lease


def test_a_lapsed_claim_is_handed_on(item, queue, reviewer, colleague, now):
    services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    later = now + queue.lease + timedelta(seconds=1)
    taken = services.claim_next_item(queue=queue, reviewer=colleague, now=later)
    assert taken is not None
    assert taken.item == item
    assert Claim.objects.get(reviewer=reviewer).how == Claim.How.LAPSED


def test_a_renewed_claim_is_not_handed_on(item, queue, reviewer, colleague, now):
    claim = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    services.renew_claim(claim=claim, now=now + queue.lease / 2)
    assert services.claim_next_item(queue=queue, reviewer=colleague, now=now + queue.lease) is None


def test_renewing_too_late_says_so(item, queue, reviewer, colleague, now):
    claim = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    later = now + queue.lease * 2
    services.claim_next_item(queue=queue, reviewer=colleague, now=later)
    with pytest.raises(ClaimLapsed):
        services.renew_claim(claim=claim, now=later)


def test_a_released_item_waits_again(item, queue, reviewer, colleague, now):
    claim = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    services.release_claim(claim=claim, now=now)
    services.release_claim(claim=claim, now=now)
    assert services.claim_next_item(queue=queue, reviewer=colleague, now=now).item == item


def test_a_skipped_item_goes_to_others_only(item, queue, reviewer, colleague, now):
    claim = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
    services.skip(claim=claim, request_key="k", now=now)
    assert services.claim_next_item(queue=queue, reviewer=reviewer, now=now) is None
    assert services.claim_next_item(queue=queue, reviewer=colleague, now=now).item == item


def test_putting_in_twice_waits_once(item, queue, now):
    again = services.put_in_queue(answer=item.answer, inspection=item.inspection, now=now, queue=queue)
    assert again == item
    assert Item.objects.count() == 1


@pytest.mark.parametrize(("share", "of"), [(0.05, 20), (0.2, 5), (0.5, 2)])
def test_of_every_so_many_answers_one_is_an_audit(share, of, queue):
    queue.audit_share = share
    queue.save()
    items = [make_item(queue, f"Answer number {number}.") for number in range(3 * of)]
    assert [sum(item.audit for item in items[start : start + of]) for start in range(0, 3 * of, of)] == [1, 1, 1]
    assert {item.inclusion_probability for item in items if item.audit} == {share}


@pytest.mark.parametrize(("share", "audits"), [(0.0, 0), (0.03, 30), (1.0, 1000)])
def test_the_audit_share_is_what_was_asked(share, audits):
    places = [is_audit_place(queue=Queue(pk=7, audit_share=share), place=place) for place in range(1000)]
    assert abs(sum(places) - audits) <= 1


def test_which_answers_are_audits_follows_no_rhythm():
    places = [p for p in range(6000) if is_audit_place(queue=Queue(pk=7, audit_share=1 / 20), place=p)]
    by_model = [sum(place % 6 == model for place in places) for model in range(6)]
    assert min(by_model) > 300 / 6 / 2


def test_nobody_begins_with_an_audit_and_meets_them_at_their_share(queue, reviewer, now):
    queue.audit_share = 0.2
    queue.save()
    for number in range(40):
        item = make_item(queue, f"Answer number {number}.", probability=0.01)
        if item.audit:
            Item.objects.filter(pk=item.pk).update(priority=1.0)  # whatever their place in the order
    met = []
    for number in range(40):
        claim = services.claim_next_item(queue=queue, reviewer=reviewer, now=now)
        met.append(claim.item.audit)
        services.keep_original(claim=claim, request_key=str(number), now=now)
    assert not any(met[:5])
    assert sum(met) == 8
    assert all(sum(met[start : start + 5]) <= 2 for start in range(35))
    assert sum(met[5:30]) >= 4


def test_who_has_been_here_long_meets_audits_at_their_share(queue, reviewer, now, monkeypatch):
    """By the newest claims alone: what came before costs nothing and changes nothing."""
    monkeypatch.setattr(claims, "RECENT", 20)
    queue.audit_share = 0.2
    queue.save()
    for number in range(90):
        item = make_item(queue, f"Answer number {number}.", probability=0.01)
        if item.audit:
            Item.objects.filter(pk=item.pk).update(priority=1.0)
    met = []
    for number in range(90):
        later = now + timedelta(seconds=number)
        claim = services.claim_next_item(queue=queue, reviewer=reviewer, now=later)
        met.append(claim.item.audit)
        services.keep_original(claim=claim, request_key=str(number), now=later)
    assert all(3 <= sum(met[start : start + 20]) <= 5 for start in range(20, 70)), met
    Claim.objects.exclude(pk__in=Claim.objects.order_by("-issued_at").values("pk")[:20]).delete()
    make_item(queue, "One more.", probability=0.01)
    with CaptureQueriesContext(connection) as seen:
        services.claim_next_item(queue=queue, reviewer=reviewer, now=now + timedelta(minutes=2))
    (asked,) = [row["sql"] for row in seen if "issued_at" in row["sql"] and "LIMIT 20" in row["sql"]]
    assert "COUNT" not in asked


def test_when_only_audits_wait_they_are_given_out(queue, reviewer, now):
    queue.audit_share = 1.0
    queue.save()
    item = make_item(queue, "Answer number one.")
    assert services.claim_next_item(queue=queue, reviewer=reviewer, now=now).item == item


def test_two_calls_of_one_reviewer_at_once_both_hold_the_item(item, reviewer, now, monkeypatch):
    """The second call reads the item before the first has it, and comes too late to take it."""
    from webapp.review.services import claims

    def beaten(stale, **options):
        monkeypatch.undo()
        services.claim_item(item=Item.objects.select_related("queue").get(pk=stale.pk), reviewer=reviewer, now=now)
        return take(stale, **options)

    monkeypatch.setattr(claims, "take", beaten)
    claim = services.claim_item(item=item, reviewer=reviewer, now=now)
    assert claim.reviewer == reviewer
    assert Claim.objects.filter(item=item, released_at=None).count() == 1


def test_a_risk_lifts_an_answer_but_does_not_outrank_what_the_model_is_sure_of(item, queue):
    def priority(probability, risk):
        inspection = item.inspection
        inspection.unsupported_probability, inspection.risk = probability, risk
        return services.priority_of(queue=queue, answer=item.answer, inspection=inspection)

    assert priority(0.01, "critical") > priority(0.4, "low")
    assert priority(0.9, "low") > priority(0.01, "critical")
    order = [priority(0.2, risk) for risk in ("low", "medium", "high", "critical")]
    assert order == sorted(order)
    assert len(set(order)) == 4
    assert priority(1.0, "critical") == 1.0


def test_the_page_shows_the_priority_that_orders_the_queue(item, queue):
    assert item.urgency == item.priority
    queue.order = item.queue.order = "newest"
    assert item.urgency == item.inspection.unsupported_probability
