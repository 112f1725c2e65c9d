"""What a decision writes down, and that it is written once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.webapp.review.builders import Fault, make_item
from webapp.records.models import Answer
from webapp.review import services
from webapp.review.models import Decision, Draft, Event, Item, Verdict
from webapp.review.problems import CannotUndo, ClaimLapsed, NeedsConfirmation, UnknownMark

pytestmark = pytest.mark.django_db


@pytest.fixture
def claim(item, reviewer, now):
    return services.claim_item(item=item, reviewer=reviewer, now=now)


def said(decision):
    return {
        (v.mark.index, v.verdict, v.source) for v in Verdict.objects.filter(decision=decision).select_related("mark")
    }


def test_accepting_the_healed_answer(claim, item, now):
    decision = services.accept_healed(claim=claim, request_key="k", now=now + timedelta(seconds=7))
    item.refresh_from_db()
    assert decision.final_text == "You have 14 days to return it. Refunds take 5 days."
    assert decision.seconds == 7
    assert item.state == Item.State.DECIDED
    assert item.answer.state == Answer.State.DECIDED
    assert said(decision) == {(0, "unsupported", "implied"), (1, "unsupported", "implied")}
    event = Event.objects.get(kind="answer.decided")
    assert event.data["answer"] == str(item.answer_id)
    assert event.data["decision"] == "accept_healed"


def test_an_edit_switched_off_keeps_its_words_and_implies_nothing(claim, now):
    decision = services.accept_healed(claim=claim, request_key="k", switched_off=[1], now=now)
    assert decision.final_text == "You have 14 days to return it. Refunds take 9 days."
    assert said(decision) == {(0, "unsupported", "implied")}


def test_with_every_edit_switched_off_it_is_the_original(claim, item, now):
    decision = services.accept_healed(claim=claim, request_key="k", switched_off=[0, 1], now=now)
    assert decision.kind == Decision.Kind.KEEP
    assert decision.final_text == item.answer.text


def test_accepting_where_nothing_was_healed_is_keeping(queue, reviewer, now):
    item = make_item(queue, "Open daily.", [Fault("daily", None, reason="absent", kind="word")])
    claim = services.claim_item(item=item, reviewer=reviewer, now=now)
    decision = services.accept_healed(claim=claim, request_key="k", now=now)
    assert decision.kind == Decision.Kind.KEEP
    assert said(decision) == {(0, "supported", "implied")}


def test_an_edited_answer_implies_only_what_is_gone(claim, now):
    decision = services.accept_edited(
        claim=claim, request_key="k", text="You have two weeks. Refunds take 9 days.", now=now
    )
    assert decision.final_text == "You have two weeks. Refunds take 9 days."
    assert said(decision) == {(0, "unsupported", "implied")}


def test_wording_only_implies_nothing(claim, now):
    decision = services.accept_edited(claim=claim, request_key="k", text="Other words.", wording_only=True, now=now)
    assert decision.wording_only
    assert said(decision) == set()


def test_an_edited_answer_equal_to_the_original_is_the_original(claim, item, now):
    decision = services.accept_edited(claim=claim, request_key="k", text=item.answer.text, now=now)
    assert decision.kind == Decision.Kind.KEEP


def test_keeping_the_original_implies_that_the_marks_were_false_alarms(claim, now):
    decision = services.keep_original(claim=claim, request_key="k", now=now)
    assert said(decision) == {(0, "supported", "implied"), (1, "supported", "implied")}


def test_keeping_against_ones_own_verdict_asks_first(claim, now):
    services.set_verdict(claim=claim, mark_index=0, verdict="unsupported", now=now)
    with pytest.raises(NeedsConfirmation) as asked:
        services.keep_original(claim=claim, request_key="k", now=now)
    assert asked.value.marks == [0]
    assert not Decision.objects.exists()
    decision = services.keep_original(claim=claim, request_key="k", confirmed=True, now=now)
    assert said(decision) == {(0, "unsupported", "explicit"), (1, "supported", "implied")}


def test_rejecting_keeps_explicit_verdicts_only(claim, now):
    services.set_verdict(claim=claim, mark_index=1, verdict="unsure", now=now)
    decision = services.reject(claim=claim, request_key="k", reason="out of date", now=now)
    assert decision.reason == "out of date"
    assert decision.final_text == ""
    assert said(decision) == {(1, "unsure", "explicit")}


def test_flagging_puts_aside_for_a_lead(claim, item, now):
    decision = services.flag(claim=claim, request_key="k", now=now)
    item.refresh_from_db()
    assert item.state == Item.State.FLAGGED
    assert said(decision) == set()
    assert Event.objects.filter(kind="answer.flagged").exists()


def test_a_verdict_can_be_taken_back(claim, now):
    services.set_verdict(claim=claim, mark_index=0, verdict="unsupported", now=now)
    draft = services.set_verdict(claim=claim, mark_index=0, verdict="", now=now)
    assert draft.verdicts == {}


def test_a_verdict_on_no_mark_is_refused(claim, now):
    with pytest.raises(UnknownMark):
        services.set_verdict(claim=claim, mark_index=7, verdict="unsupported", now=now)


def test_sent_twice_it_decides_once(claim, now):
    first = services.accept_healed(claim=claim, request_key="k", now=now)
    second = services.accept_healed(claim=claim, request_key="k", now=now)
    assert first == second
    assert Decision.objects.count() == 1
    assert Verdict.objects.count() == 2


def test_a_second_decision_on_a_decided_item_is_late(claim, now):
    services.accept_healed(claim=claim, request_key="k", now=now)
    with pytest.raises(ClaimLapsed):
        services.reject(claim=claim, request_key="other", now=now)
    assert Decision.objects.count() == 1


def test_late_work_is_kept(claim, item, queue, colleague, now):
    later = now + queue.lease + timedelta(seconds=1)
    services.claim_next_item(queue=queue, reviewer=colleague, now=later)
    with pytest.raises(ClaimLapsed) as late:
        services.accept_edited(claim=claim, request_key="k", text="My own words.", now=later)
    assert late.value.draft.text == "My own words."
    assert not Decision.objects.exists()
    assert not Verdict.objects.exists()


def test_a_lease_that_ran_out_unwanted_still_counts(claim, item, queue, now):
    later = now + queue.lease * 3
    services.hand_on_lapsed(queue=queue, now=later)
    decision = services.accept_healed(claim=claim, request_key="k", now=later)
    assert decision.kind == Decision.Kind.ACCEPT_HEALED


def test_undo_brings_the_item_and_the_draft_back(claim, item, reviewer, now):
    services.set_verdict(claim=claim, mark_index=0, verdict="supported", now=now)
    decision = services.reject(claim=claim, request_key="k", now=now)
    again = services.undo_decision(decision=decision, reviewer=reviewer, now=now)
    item.refresh_from_db()
    assert again.item == item
    assert item.state == Item.State.CLAIMED
    assert Answer.objects.get(pk=item.answer_id).state == Answer.State.PROOFREAD
    assert Draft.objects.get().verdicts == {"0": "supported"}
    assert Event.objects.filter(kind="answer.undone").count() == 1
    services.accept_healed(claim=again, request_key="k2", now=now)
    assert Decision.objects.filter(undone_at=None).count() == 1


def test_undo_brings_back_words_that_came_with_the_decision_alone(claim, reviewer, now):
    """Whoever types and decides at once is faster than the saving of the draft."""
    services.save_draft(claim=claim, text="My own", now=now)
    decision = services.accept_edited(claim=claim, request_key="k", text="My own words.", now=now)
    services.undo_decision(decision=decision, reviewer=reviewer, now=now)
    assert Draft.objects.get().text == "My own words."


def test_undone_twice_is_refused(claim, reviewer, now):
    decision = services.accept_healed(claim=claim, request_key="k", now=now)
    services.undo_decision(decision=decision, reviewer=reviewer, now=now)
    with pytest.raises(CannotUndo):
        services.undo_decision(decision=decision, reviewer=reviewer, now=now)


def test_a_skip_cannot_be_undone_under_a_colleagues_hands(claim, queue, reviewer, colleague, now):
    decision = services.skip(claim=claim, request_key="k", now=now)
    services.claim_next_item(queue=queue, reviewer=colleague, now=now)
    with pytest.raises(CannotUndo):
        services.undo_decision(decision=decision, reviewer=reviewer, now=now)
    decision.refresh_from_db()
    assert decision.undone_at is None


def test_an_added_mark_goes_by_words_and_travels_with_the_decision(claim, item, now):
    stream = item.inspection.tokens
    first = next(i for i, token in enumerate(stream) if item.answer.text[token[0] : token[1]] == "return")
    services.add_mark(claim=claim, first_token=first + 1, last_token=first, now=now)
    decision = services.accept_healed(claim=claim, request_key="k", now=now)
    assert decision.added_marks == [{"start": 20, "end": 29, "text": "return it"}]


def test_hidden_marks_imply_nothing(claim, item, now):
    item.audit = True
    item.save()
    decision = services.keep_original(claim=claim, request_key="k", now=now)
    assert decision.marks_hidden_first
    assert said(decision) == set()
