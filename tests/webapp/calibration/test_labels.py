"""What decisions say, read back from the lines they are exported as."""

from __future__ import annotations

import pytest

from proofing.errors import BadInput
from proofing.exchange.reviews import labelled_of_record, pseudonym
from tests.webapp.conftest import NOW, line_of, person
from webapp.calibration.labels import checked_filters, labelled_lines, mark_scores
from webapp.intake import services as intake
from webapp.review import services as review


def only(project, **filters):
    (line,) = labelled_lines(project, filters)
    return line


@pytest.mark.parametrize(
    ("kind", "choice", "label"),
    [
        ("accept_healed", {}, 1),
        ("accept_edited", {"text": "You have 14 days."}, 1),
        ("accept_edited", {"text": "You've 30 days to return it.", "wording_only": True}, 0),
        ("keep", {}, 0),
        ("reject", {"reason": "wrong"}, 1),
        ("skip", {}, None),
        ("flag", {}, None),
    ],
)
def test_each_decision_gives_its_label(project, item_of, decide, kind, choice, label):
    decide(item_of(), kind, **choice)
    labelled = only(project)
    assert labelled.label == label
    assert labelled_of_record(labelled.line).line.label == label


def test_accepting_a_healing_with_every_edit_switched_off_keeps_the_original(project, item_of, decide):
    item = item_of()
    edits = item.inspection.healing.edits
    decide(item, "accept_healed", switched_off=tuple(range(len(edits))))
    assert only(project).label == 0


def test_an_undone_decision_says_nothing(project, item_of, decide, reviewer):
    decision = decide(item_of(), "keep")
    review.undo_decision(decision=decision, reviewer=reviewer, now=NOW)
    assert list(labelled_lines(project, {})) == []


def test_explicit_verdicts_label_marks_and_implied_ones_do_not(project, item_of, decide):
    decide(item_of(), "reject", verdicts={0: "unsupported"}, reason="wrong")
    labelled = only(project)
    assert labelled.explicit
    assert [label for _, label in mark_scores(labelled.line)] == [1]


def test_unsure_is_left_out(project, item_of, decide):
    decide(item_of(), "flag", verdicts={0: "unsure"})
    assert mark_scores(only(project).line) == []


def test_reviewers_who_disagree_give_no_label(project, item_of, decide, queue):
    item = item_of()
    decide(item, "keep")
    other = person("colleague", project)
    type(item).objects.filter(pk=item.pk).update(state="waiting")
    decide(item, "reject", who=other, reason="wrong")
    labelled = only(project)
    assert len(labelled.line["reviews"]) == 2
    assert labelled.label is None


def test_reviewers_are_pseudonymous_and_stay_the_same_person(project, item_of, decide, reviewer):
    reviewer.username = "wynn"  # no letters that a pseudonym in hexadecimal could hold
    reviewer.save()
    decide(item_of(), "keep")
    decide(item_of("You have 31 days to return it."), "keep")
    names = {line.line["reviews"][0]["reviewer"] for line in labelled_lines(project, {})}
    assert len(names) == 1
    assert "wynn" not in str(names)
    assert names != {pseudonym(reviewer.username, "")}


def test_a_line_carries_what_was_asked_answered_found_and_said(project, item_of, decide):
    item = item_of(external_id="e-1", model="m1", task="qa")
    decide(item, "accept_healed")
    line = only(project).line
    assert line["schema"] == "reviews/1"
    assert (line["external_id"], line["task"], line["answer"]["model"]) == ("e-1", "qa", "m1")
    assert line["scan"]["sha256"] == item.inspection.sha256
    assert line["scan"]["settings"]["tier"] == "fast"
    assert line["reviews"][0]["final"] == "You have 14 days to return it."
    assert line["reviews"][0]["verdicts"][0]["source"] == "implied"
    assert line["sampling"] == {"policy": "weakest", "probability": 1.0}
    for mark in line["scan"]["marks"]:
        assert line["answer"]["text"][mark["start"] : mark["end"]] == mark["text"]


def test_answers_that_share_a_source_are_on_one_side_of_the_split(project, receive, queue, decide):
    groups = []
    for number in range(12):
        answer = receive(line_of(f"You have {number} days.", sources=("Shared text.", f"Own text {number}."))).answer
        decide(intake.proofread_answer(answer_id=answer.pk).items.get(), "keep")
    groups = {(line.line["group"], line.split) for line in labelled_lines(project, {})}
    assert len(groups) == 1


def test_filters_narrow_the_selection(project, item_of, decide, now):
    decide(item_of(task="qa"), "keep")
    decide(item_of("You have 31 days to return it.", task="summary"), "keep")
    assert only(project, task="qa").line["task"] == "qa"
    assert list(labelled_lines(project, {"decided_from": "2026-03-03"})) == []
    assert len(list(labelled_lines(project, {"decided_from": "2026-03-02", "decided_to": "2026-03-03"}))) == 2
    assert list(labelled_lines(project, {"queue": "Nowhere"})) == []


@pytest.mark.parametrize("filters", [{"colour": "red"}, {"decided_from": "yesterday"},
                                     {"decided_from": "2027-01-01", "decided_to": "2020-01-01"},
                                     {"decided_from": "2026-03-02", "decided_to": "2026-03-02"}])  # fmt: skip
def test_a_filter_that_cannot_be_used_is_refused(filters):
    with pytest.raises(BadInput):
        checked_filters(filters)


def test_another_projects_decisions_are_not_ours(project, item_of, decide, other_project):
    decide(item_of(), "keep")
    assert list(labelled_lines(other_project, {})) == []


def test_the_first_count_is_of_answers_as_the_set_has_them(project, queue, item_of, decide, lead, now):
    """Two decisions on one answer are one label; where they differ it counts once a lead has settled it."""
    from webapp.calibration.selectors import label_counts
    from webapp.review.services.gold import set_gold

    queue.slots = 2
    queue.save()
    other = person("colleague", project)
    agreed, disputed, reworded = (item_of(f"You have 30 days to return it, case {n}.") for n in range(3))
    for who in (None, other):
        decide(agreed, "reject", who=who)
        decide(reworded, "accept_edited", who=who, text="Reworded.", wording_only=True)
    decide(disputed, "reject")
    decide(disputed, "keep", who=other)
    counts = label_counts(project)
    assert (counts.decided, counts.unsupported, counts.supported) == (2, 1, 1)
    set_gold(item=disputed, kind="reject", actor=lead, now=now)
    counts = label_counts(project)
    assert (counts.decided, counts.unsupported, counts.supported) == (3, 2, 1)
