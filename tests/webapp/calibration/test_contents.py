"""What a frozen set holds, and how two sets differ."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import NOW
from webapp.calibration import services
from webapp.calibration.contents import compare, contents_of
from webapp.calibration.models import CalibrationRun
from webapp.calibration.selectors import preview
from webapp.review import services as review


@pytest.fixture
def two_sets(project, item_of, decide, reviewer):
    """One answer stays, one gets another label, one goes, one comes."""
    items = [item_of(f"You have {n} days to return it.") for n in (30, 31, 32, 33)]
    first = [decide(item, "keep") for item in items[:3]]
    older = services.freeze_set(project=project, name="Older", now=NOW)
    for decision in first[1:]:
        review.undo_decision(decision=decision, reviewer=reviewer, now=NOW)
    decide(items[1], "reject")
    decide(items[3], "reject")
    return older, services.freeze_set(project=project, name="Newer", now=NOW), items


def test_a_set_is_counted_by_queue_reviewer_day_source_and_split(two_sets):
    older, newer, _ = two_sets
    held = contents_of(newer)
    for lines in (held.queues, held.reviewers, held.days, held.sources):
        assert [(line.unsupported, line.supported, line.words_only) for line in lines] == [(2, 1, 0)]
    assert sum(line.count for line in held.split) == 3
    assert held.queues[0].name == "Support bot"
    assert held.reviewers[0].name != "reviewer"
    assert contents_of(older).queues[0].supported == 3


def test_two_sets_differ_by_what_was_added_removed_and_relabelled(two_sets):
    older, newer, items = two_sets
    found = compare(older, newer)
    assert (found.same, found.added, found.removed, found.changed) == (1, 1, 1, 1)
    keys = {kind: [row.answer for row in rows] for kind, rows in found.first.items()}
    assert keys == {
        "changed": [items[1].answer_id], "removed": [items[2].answer_id], "added": [items[3].answer_id]
    }  # fmt: skip


def test_a_lead_sees_what_a_set_holds_and_compares_it(two_sets, lead, client_of):
    older, newer, items = two_sets
    page = client_of(lead)
    assert "Support bot" in page.get(f"/sets/{newer.pk}/").text
    shown = page.get(f"/sets/{newer.pk}/compare/", {"with": older.pk}).text
    assert "From Older to Newer" in page.get(f"/sets/{newer.pk}/compare/").text
    for item in items[1:]:
        assert item.answer.text in shown
    assert items[0].answer.text not in shown
    assert page.get(f"/sets/{older.pk}/compare/").status_code == 302
    assert page.get(f"/sets/{newer.pk}/compare/?with=0").status_code == 404


def test_a_set_of_another_project_is_not_compared_with(two_sets, other_project, lead, client_of):
    theirs = services.freeze_set(project=other_project, name="Theirs", now=NOW)
    assert client_of(lead).get(f"/sets/{two_sets[1].pk}/compare/", {"with": theirs.pk}).status_code == 404


@pytest.mark.parametrize("level", ["answer", "mark"])
def test_a_point_says_what_it_would_move_before_it_is_put_in_force(level, project, queue, lead):
    from tests.webapp.review.builders import Fault, make_item

    for score in (0.2, 0.4, 0.6, 0.8):
        item = make_item(queue, f"You have 30 days, {score}.", [Fault("30 days")], probability=score)
        item.inspection.marks.update(probability=score)
    frozen = services.freeze_set(project=project, name="Empty", now=NOW)
    runs = [
        CalibrationRun.objects.create(
            labelled_set=frozen, created_at=NOW, level=level, result={"threshold": threshold, "fpr": {"value": 0.1}}
        )
        for threshold in (0.3, 0.7)
    ]
    found = preview(runs[0])
    assert (found.above, found.waiting, found.moved) == (3, 4, None)
    services.choose_point(run=runs[0], reason="first", user=lead, now=NOW)
    found = preview(runs[1])
    assert (found.above, found.waiting, found.moved) == (1, 4, 2)
