"""Decisions on answers, what they imply about marks, and how they are taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from proofing.learning.labels import answer_label
from webapp.accounts.models import User
from webapp.records.models import Answer
from webapp.review import selectors
from webapp.review.models import Claim, Decision, Draft, Event, Item, Verdict
from webapp.review.problems import CannotUndo, ClaimLapsed, NeedsConfirmation, Unusable, WasUndone
from webapp.review.services.checks import check_choice
from webapp.review.services.claims import end_claims, still_held, take
from webapp.review.services.drafts import draft_for_update


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision on its way: the kind, what goes with it, and what makes a second sending harmless.

    Attributes:
        request_key: names the sending; the same key decides once.
        text: the answer as the reviewer wants it (`accept_edited`), else None.
        switched_off: indexes of healing edits not wanted.
        confirmed: the reviewer was asked about a verdict that speaks against the decision.
    """

    kind: str
    request_key: str
    text: str | None = None
    switched_off: tuple[int, ...] = ()
    wording_only: bool = False
    reason: str = ""
    nothing_else_unsupported: bool = False
    confirmed: bool = False


def accept_healed(
    *, claim: Claim, request_key: str, now: datetime, switched_off: Collection[int] = (), **more: Any
) -> Decision:
    """Take the healed answer, less the edits switched off. With no edit left this is `keep_original`.

    Sent twice with one `request_key`, it decides once. Raises ClaimLapsed (the work is kept as a draft) when somebody
    else holds the item by now. `more`: the other fields of `Choice`.
    """
    off = tuple(sorted(set(switched_off)))
    return decide(
        claim=claim, now=now, choice=Choice(Decision.Kind.ACCEPT_HEALED, request_key, switched_off=off, **more)
    )


def accept_edited(*, claim: Claim, request_key: str, text: str, now: datetime, **more: Any) -> Decision:
    """Take the reviewer's own wording. A text equal to the original is `keep_original`. Raises as `accept_healed`."""
    return decide(claim=claim, now=now, choice=Choice(Decision.Kind.ACCEPT_EDITED, request_key, text=text, **more))


def keep_original(*, claim: Claim, request_key: str, now: datetime, **more: Any) -> Decision:
    """Let the answer stand. Raises NeedsConfirmation when the reviewer called words of it unsupported."""
    return decide(claim=claim, now=now, choice=Choice(Decision.Kind.KEEP, request_key, **more))


def reject(*, claim: Claim, request_key: str, now: datetime, **more: Any) -> Decision:
    """Discard the answer: neither it nor the healed one may be served. Raises as `accept_healed`."""
    return decide(claim=claim, now=now, choice=Choice(Decision.Kind.REJECT, request_key, **more))


def skip(*, claim: Claim, request_key: str, now: datetime, **more: Any) -> Decision:
    """Let the item wait for somebody else; this reviewer is not shown it again."""
    return decide(claim=claim, now=now, choice=Choice(Decision.Kind.SKIP, request_key, **more))


def flag(*, claim: Claim, request_key: str, now: datetime, **more: Any) -> Decision:
    """Put the item aside for a lead."""
    return decide(claim=claim, now=now, choice=Choice(Decision.Kind.FLAG, request_key, **more))


def decide(*, claim: Claim, choice: Choice, now: datetime) -> Decision:
    """Record one decision with its verdicts and finish the item; the named verbs above are the usual way in."""
    check_choice(claim, choice)
    earlier = decided_before(claim, choice.request_key)
    if earlier is not None:
        return earlier
    try:
        with transaction.atomic():
            return _decide(claim, choice, now)
    except (ClaimLapsed, IntegrityError):
        # The same sending may have got through on another connection while this one waited.
        earlier = decided_before(claim, choice.request_key)
    if earlier is not None:
        return earlier
    claim.item.refresh_from_db()
    raise ClaimLapsed(claim.item, _keep_work(claim, choice, now))


def decided_before(claim: Claim, request_key: str) -> Decision | None:
    """The decision that this sending made already.

    Raises Unusable when the key decided another answer, WasUndone when its decision does not stand any more.
    """
    earlier = Decision.objects.filter(request_key=request_key, reviewer=claim.reviewer).select_related("item").first()
    if earlier is not None and earlier.item_id != claim.item_id:
        raise Unusable("request_key", "it decided another answer; use a new one")
    if earlier is not None and earlier.undone_at is not None:
        raise WasUndone("this decision was taken back; decide again with a new key")
    return earlier


def _decide(claim: Claim, choice: Choice, now: datetime) -> Decision:
    held = still_held(claim, now=now)
    item = held.item
    draft = selectors.draft_of(item, held.reviewer)
    choice = _as_it_counts(item, choice, draft)
    explicit = {int(index): verdict for index, verdict in (draft.verdicts if draft else {}).items()}
    said_unsupported = [index for index, verdict in explicit.items() if verdict == Verdict.Says.UNSUPPORTED]
    added = list(draft.added_marks) if draft else []
    says_right = answer_label(choice.kind, wording_only=choice.wording_only) == 0
    if says_right and (said_unsupported or added) and not choice.confirmed:
        raise NeedsConfirmation(sorted(said_unsupported), added, choice.kind)
    decision = Decision.objects.create(
        item=item,
        inspection=item.inspection,
        reviewer=held.reviewer,
        kind=choice.kind,
        final_text=_final_text(item, choice),
        switched_off=list(choice.switched_off),
        added_marks=added,
        wording_only=choice.wording_only,
        reason=choice.reason,
        request_key=choice.request_key,
        seconds=max(0.0, (now - held.issued_at).total_seconds()),
        marks_hidden_first=item.audit,
        guideline_version=item.queue.guideline_version,
        nothing_else_unsupported=choice.nothing_else_unsupported,
        decided_at=now,
    )
    if choice.reason != (draft.reason if draft else ""):  # there again when the decision is taken back
        Draft.objects.update_or_create(
            item=item, reviewer=held.reviewer, defaults={"reason": choice.reason, "saved_at": now}
        )
    hidden = item.audit and (draft is None or draft.revealed_at is None)
    _record_verdicts(decision, choice, explicit, hidden=hidden)
    _finish(held, decision, now)
    Event.record(
        f"answer.{_EVENTS[decision.kind]}",
        decision,
        project=item.queue.project_id,
        actor=held.reviewer,
        at=now,
        answer=str(item.answer_id),
        item=str(item.pk),
        decision=decision.kind,
    )
    return decision


_EVENTS: dict[str, str] = {
    Decision.Kind.ACCEPT_HEALED: "decided",
    Decision.Kind.ACCEPT_EDITED: "decided",
    Decision.Kind.KEEP: "decided",
    Decision.Kind.REJECT: "decided",
    Decision.Kind.SKIP: "skipped",
    Decision.Kind.FLAG: "flagged",
}
_ENDS: dict[str, tuple[str, str]] = {
    Decision.Kind.SKIP: (Item.State.WAITING, Claim.How.SKIPPED),
    Decision.Kind.FLAG: (Item.State.FLAGGED, Claim.How.FLAGGED),
}


def _as_it_counts(item: Item, choice: Choice, draft: Draft | None) -> Choice:
    """Accepting what was not changed is keeping it; a healing into which the reviewer chose words is their edit."""
    if choice.kind == Decision.Kind.ACCEPT_HEALED and selectors.choices_of(draft):
        text = _with_choices(item, draft, choice.switched_off)
        if text != _final_text(item, choice):
            choice = replace(choice, kind=Decision.Kind.ACCEPT_EDITED, text=text, switched_off=())
    if choice.kind == Decision.Kind.ACCEPT_HEALED and _final_text(item, choice) == item.answer.text:
        return replace(choice, kind=Decision.Kind.KEEP)
    if choice.kind == Decision.Kind.ACCEPT_EDITED and choice.text == item.answer.text:
        return replace(choice, kind=Decision.Kind.KEEP, wording_only=False)
    return choice


def _with_choices(item: Item, draft: Draft | None, switched_off: tuple[int, ...]) -> str:
    from proofing.healing import text_without

    edits = len(selectors.offered_edits(item.inspection, draft))
    off = [index for index in switched_off if index < edits]
    return str(text_without(selectors.healing_of(item.inspection), item.answer.text, off, selectors.choices_of(draft)))


def _final_text(item: Item, choice: Choice) -> str:
    """What is served after this decision; empty when nothing is."""
    from proofing.healing import text_without

    if choice.kind == Decision.Kind.ACCEPT_HEALED:
        edits = len(selectors.offered_edits(item.inspection))
        off = [index for index in choice.switched_off if index < edits]
        return str(text_without(selectors.healing_of(item.inspection), item.answer.text, off))
    if choice.kind == Decision.Kind.ACCEPT_EDITED:
        return choice.text or ""
    return item.answer.text if choice.kind == Decision.Kind.KEEP else ""


def _record_verdicts(decision: Decision, choice: Choice, explicit: Mapping[int, str], *, hidden: bool) -> None:
    from proofing.learning.labels import CausedEdit, implied_verdicts

    marks = {mark.index: mark for mark in decision.inspection.marks.all()}
    edits = [
        CausedEdit(tuple(e.get("marks", ())), e.get("parent")) for e in selectors.offered_edits(decision.inspection)
    ]
    implied = implied_verdicts(
        decision.kind,
        mark_texts=[marks[index].text for index in sorted(marks)],
        edits=edits,
        switched_off=choice.switched_off,
        final_text=decision.final_text,
        wording_only=choice.wording_only,
        marks_hidden=hidden,
        explicit=explicit,
    )
    says = [(index, verdict, Verdict.Origin.EXPLICIT) for index, verdict in explicit.items()]
    says += [(index, verdict, Verdict.Origin.IMPLIED) for index, verdict in implied.items()]
    Verdict.objects.bulk_create(
        Verdict(decision=decision, mark=marks[index], verdict=verdict, source=origin)
        for index, verdict, origin in sorted(says)
        if index in marks
    )


def _finish(claim: Claim, decision: Decision, now: datetime) -> None:
    """Move the item on, asking for the state it was read in; losing that race undoes the whole decision."""
    item = claim.item
    state, how = _ENDS.get(decision.kind, (_state_by_decisions(item), Claim.How.DECIDED))
    won = Item.objects.filter(
        pk=item.pk, version=item.version, state=Item.State.CLAIMED, held_by=claim.reviewer
    ).update(state=state, held_by=None, held_until=None, version=F("version") + 1)
    if not won:
        raise ClaimLapsed(item)
    end_claims(item, how=how, now=now)
    if decision.kind == Decision.Kind.SKIP:
        item.skipped_by.add(claim.reviewer)
    if state == Item.State.DECIDED:
        Answer.objects.filter(pk=item.answer_id).update(state=Answer.State.DECIDED)


def _state_by_decisions(item: Item) -> str:
    """Decided once as many people decided as the queue asks for; until then it waits for others.

    Whoever decides changes the item's version, so two decisions at once cannot count past each other.
    """
    if item.queue.slots == 1:
        return Item.State.DECIDED
    standing = Decision.objects.filter(item=item, undone_at__isnull=True).exclude(kind__in=_ENDS)
    return Item.State.DECIDED if standing.count() >= item.queue.slots else Item.State.WAITING


def _keep_work(claim: Claim, choice: Choice, now: datetime) -> Draft:
    """What a late decision carried, written where the reviewer finds it again."""
    with transaction.atomic():
        draft = draft_for_update(claim, now)
        if choice.text is not None:
            draft.text = choice.text
        draft.switched_off = list(choice.switched_off) or draft.switched_off
        draft.reason = choice.reason or draft.reason
        draft.saved_at = now
        draft.save()
    return draft


def undo_decision(*, decision: Decision, reviewer: User, now: datetime) -> Claim:
    """Take a decision back and put its item into `reviewer`'s hands again, with their draft as it was.

    Raises CannotUndo when it was undone before or when a colleague works on the item by now.
    """
    with transaction.atomic():
        item = Item.objects.select_related("queue", "answer").get(pk=decision.item_id)
        won = Decision.objects.filter(pk=decision.pk, undone_at__isnull=True).update(undone_at=now, undone_by=reviewer)
        if not won:
            raise CannotUndo("this decision was undone before")
        state, _ = _ENDS.get(decision.kind, (Item.State.DECIDED, ""))
        # With several decisions asked for, the item may still wait for those of others.
        expected = [state, Item.State.WAITING] if state == Item.State.DECIDED else [state]
        claim = take(item, reviewer=reviewer, now=now, expected=expected)
        if claim is None:
            raise CannotUndo("a colleague works on this answer by now")
        item.skipped_by.remove(reviewer)
        if decision.kind == Decision.Kind.ACCEPT_EDITED and decision.reviewer_id == reviewer.pk:
            # The last words may have come with the decision, before the draft of them was sent.
            Draft.objects.update_or_create(
                item=item, reviewer=reviewer, defaults={"text": decision.final_text, "saved_at": now}
            )
        Answer.objects.filter(pk=item.answer_id, state=Answer.State.DECIDED).update(state=Answer.State.PROOFREAD)
        Event.record(
            "answer.undone",
            decision,
            project=item.queue.project_id,
            actor=reviewer,
            at=now,
            answer=str(item.answer_id),
            item=str(item.pk),
            decision=decision.kind,
        )
    return claim
