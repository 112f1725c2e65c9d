"""What leads see of who decided how much: exact counts, whatever is left out of the median times."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.webapp.review.builders import NOW, make_item, make_queue, make_user
from webapp.insights import reviewers
from webapp.insights.reviewers import progress_of
from webapp.review import services
from webapp.review.models import Decision

pytestmark = pytest.mark.django_db


@pytest.fixture
def queue():
    return make_queue()


@pytest.fixture
def decide(queue):
    def make(reviewer, kind, at=NOW, held=20):
        item = make_item(queue, f"Answer {Decision.objects.count()}.")
        claim = services.claim_item(item=item, reviewer=reviewer, now=at - timedelta(seconds=held))
        choice = services.Choice(kind=kind, request_key=str(item.pk), reason="odd", confirmed=True)
        return services.decide(claim=claim, choice=choice, now=at)

    return make


def test_people_and_days_are_counted_by_what_stands(queue, decide):
    ana, ben = (make_user(name, queue.project) for name in ("ana", "ben"))
    decide(ana, "keep", NOW - timedelta(days=40))  # before the period
    decide(ana, "keep", NOW - timedelta(days=2))
    decide(ana, "reject", held=40)
    decide(ana, "skip")
    decide(ben, "flag")
    services.undo_decision(decision=decide(ana, "keep"), reviewer=ana, now=NOW)
    found = progress_of(queue.project, days=7, now=NOW)
    assert found.names == ("ana", "ben")
    assert [(p.decided, p.skipped, p.flagged, p.seconds) for p in found.people] == [(2, 1, 0, 30.0), (0, 0, 1, None)]
    assert [day.by_person for day in found.days] == [
        *[(("ana", 0), ("ben", 0))] * 4, (("ana", 1), ("ben", 0)), (("ana", 0), ("ben", 0)), (("ana", 1), ("ben", 0)),
    ]  # fmt: skip
    assert [day.total for day in found.days] == [0, 0, 0, 0, 1, 0, 1]
    assert found.total == 2
    assert progress_of(queue.project, days=90, now=NOW).total == 3


def test_counts_are_exact_where_only_the_newest_are_timed(queue, decide, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(reviewers, "TIMED", 2)
    people = [make_user(f"r{n}", queue.project) for n in range(3)]
    for number in range(6):
        decide(people[number % 3], "keep", NOW - timedelta(minutes=number))
    with django_assert_num_queries(3):
        found = progress_of(queue.project, days=7, now=NOW)
    assert [(row.name, row.decided, row.seconds) for row in found.people] == [
        ("r0", 2, 20.0), ("r1", 2, 20.0), ("r2", 2, None),
    ]  # fmt: skip
    assert found.people[2].last == NOW - timedelta(minutes=2)
