"""Every write of the desk: one keyword-only function per verb, each of them check, execute, log.

No function reads a state and then writes it: changes are updates that ask for the state they saw, and the number of rows
changed says who won. Work is never lost: a step that comes too late keeps what it carried as a draft.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from webapp.accounts.models import User
from webapp.records.models import Answer, Inspection, Mark
from webapp.review import selectors
from webapp.review.models import Claim, Decision, Draft, Event, Item, Queue, Verdict
from webapp.review.problems import CannotUndo, ClaimLapsed, NeedsConfirmation, UnknownMark

#: How many waiting items one request tries before it gives up; each failed try means that a colleague was faster.
CLAIM_ATTEMPTS = 20
DEFAULT_QUEUE = "Reviews"


# Into the queue ---------------------------------------------------------------------------------------------------


def put_in_queue(*, answer: Answer, inspection: Inspection, now: datetime, queue: Queue | None = None) -> Item:
    """Let `answer` wait for a reviewer, or renew what waits there. Sent twice, it waits once.

    An item that somebody holds, has flagged or has decided keeps the inspection it was shown with.
    """
    if queue is None:
        queue = answer.project.queues.order_by("pk").first()
    if queue is None:
        queue, _ = Queue.objects.get_or_create(project=answer.project, name=DEFAULT_QUEUE)
    audit = _share_of(queue.pk, "audit", answer.pk) < queue.audit_share
    priority = priority_of(queue=queue, answer=answer, inspection=inspection, audit=audit)
    item, fresh = Item.objects.get_or_create(
        queue=queue,
        answer=answer,
        defaults={
            "inspection": inspection,
            "priority": priority,
            "audit": audit,
            "inclusion_probability": queue.audit_share if audit else 1.0,
            "created_at": now,
        },
    )
    if fresh:
        Event.record("item.queued", item, project=queue.project_id, at=now, answer=str(answer.pk))
    else:
        renewed = Item.objects.filter(pk=item.pk, state=Item.State.WAITING).exclude(inspection=inspection)
        renewed.update(inspection=inspection, priority=priority, version=F("version") + 1)
        item.refresh_from_db()
    return item


def priority_of(*, queue: Queue, answer: Answer, inspection: Inspection, audit: bool = False) -> float:
    """How early an item is shown; higher comes first.

    ``weakest``: the probability that something is unsupported. ``uncertain``: nearness to the model's cut, where a label
    teaches most. ``newest``: when the answer came. ``random``: a fixed place by hash. Audit items take a random place in
    the first two orders, so that they are met all along the way and not only at its end.
    """
    if queue.order == Queue.Order.NEWEST:
        return answer.received_at.timestamp()
    if queue.order == Queue.Order.RANDOM or audit:
        return _share_of(queue.pk, "place", answer.pk)
    if queue.order == Queue.Order.UNCERTAIN:
        cut = float((inspection.report.get("engine") or {}).get("cut") or 0.5)
        return 1.0 - abs(inspection.unsupported_probability - cut)
    return inspection.unsupported_probability


def _share_of(*parts: object) -> float:
    """A number in [0, 1) that looks random and is the same on every machine."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


# Claims -----------------------------------------------------------------------------------------------------------


def claim_next_item(*, queue: Queue, reviewer: User, now: datetime) -> Claim | None:
    """Hold the most urgent waiting item of `queue` for `reviewer`; None when nothing waits for them.

    An item the reviewer holds already comes first. Two reviewers may pick the same row at once: the update succeeds for
    one of them only (it asks for the version it saw), and the other takes the next row.
    """
    hand_on_lapsed(queue=queue, now=now)
    held = selectors.open_claims(reviewer=reviewer, queue=queue).first()
    if held is not None:
        return renew_claim(claim=held, now=now)
    for item in selectors.waiting_items(queue=queue, for_reviewer=reviewer)[:CLAIM_ATTEMPTS]:
        claim = _take(item, reviewer=reviewer, now=now, expected=[Item.State.WAITING])
        if claim is not None:
            return claim
    return None


def claim_item(*, item: Item, reviewer: User, now: datetime) -> Claim:
    """Hold this very item. Raises ClaimLapsed when a colleague holds it or it is decided."""
    hand_on_lapsed(queue=item.queue, now=now)
    item.refresh_from_db()
    if item.state == Item.State.CLAIMED and item.held_by_id == reviewer.pk:
        return renew_claim(claim=open_claim_of(item, reviewer), now=now)
    claim = _take(item, reviewer=reviewer, now=now, expected=[Item.State.WAITING, Item.State.FLAGGED])
    if claim is None:
        raise ClaimLapsed(item, _draft_of(item, reviewer))
    return claim


def hand_on_lapsed(*, queue: Queue, now: datetime) -> int:
    """Let items whose lease has run out wait again; how many there were.

    The item goes first and the claim second, as in `renew_claim`: whoever renews meanwhile holds the item's row, and
    both conditions are looked at again after that.
    """
    if not Item.objects.filter(queue=queue, state=Item.State.CLAIMED, held_until__lt=now).exists():
        return 0
    with transaction.atomic():
        lapsed = Item.objects.filter(queue=queue, state=Item.State.CLAIMED, held_until__lt=now)
        count = lapsed.update(state=Item.State.WAITING, held_by=None, held_until=None, version=F("version") + 1)
        open_claims = Claim.objects.filter(item__queue=queue, released_at__isnull=True, until__lt=now)
        open_claims.exclude(item__state=Item.State.CLAIMED).update(released_at=now, how=Claim.How.LAPSED)
    return count


def renew_claim(*, claim: Claim, now: datetime) -> Claim:
    """Hold the item for another lease from `now`. Raises ClaimLapsed when somebody else has it by now."""
    with transaction.atomic():
        claim = _still_held(claim, now=now)
        claim.until = now + claim.item.queue.lease
        won = Item.objects.filter(pk=claim.item_id, state=Item.State.CLAIMED, held_by=claim.reviewer).update(
            held_until=claim.until
        )
        if not won:
            raise ClaimLapsed(claim.item, _draft_of(claim.item, claim.reviewer))
        claim.save(update_fields=["until"])
    return claim


def release_claim(*, claim: Claim, now: datetime) -> None:
    """Give the item back unread; the draft stays. Does nothing when it is not held any more."""
    with transaction.atomic():
        won = Item.objects.filter(pk=claim.item_id, state=Item.State.CLAIMED, held_by=claim.reviewer).update(
            state=Item.State.WAITING, held_by=None, held_until=None, version=F("version") + 1
        )
        if won:
            _end_claims(claim.item, how=Claim.How.RELEASED, now=now)


def open_claim_of(item: Item, reviewer: User) -> Claim:
    """The reviewer's open claim on an item. Raises ClaimLapsed when there is none."""
    claim = Claim.objects.filter(item=item, reviewer=reviewer, released_at__isnull=True).first()
    if claim is None:
        raise ClaimLapsed(item, _draft_of(item, reviewer))
    claim.item = item
    return claim


def _take(item: Item, *, reviewer: User, now: datetime, expected: Sequence[str]) -> Claim | None:
    """Move an item from one of the `expected` states to claimed; None when it has changed since it was read."""
    until = now + item.queue.lease
    try:
        with transaction.atomic():
            won = Item.objects.filter(pk=item.pk, version=item.version, state__in=expected).update(
                state=Item.State.CLAIMED, held_by=reviewer, held_until=until, version=F("version") + 1
            )
            if not won:
                return None
            claim = Claim.objects.create(item=item, reviewer=reviewer, issued_at=now, until=until)
    except IntegrityError:  # an open claim of somebody else: they were faster by a hair
        return None
    item.refresh_from_db()
    return claim


def _still_held(claim: Claim, *, now: datetime) -> Claim:
    """The open claim behind `claim`; takes the item again when the lease ran out and nobody wanted it meanwhile."""
    item = Item.objects.select_related("queue", "inspection", "answer").get(pk=claim.item_id)
    if item.state == Item.State.CLAIMED and item.held_by_id == claim.reviewer_id:
        return open_claim_of(item, claim.reviewer)
    if item.state == Item.State.WAITING and claim.how in ("", Claim.How.LAPSED):
        again = _take(item, reviewer=claim.reviewer, now=now, expected=[Item.State.WAITING])
        if again is not None:
            return again
    raise ClaimLapsed(item, _draft_of(item, claim.reviewer))


def _end_claims(item: Item, *, how: str, now: datetime) -> None:
    Claim.objects.filter(item=item, released_at__isnull=True).update(released_at=now, how=how)


# Work in progress -------------------------------------------------------------------------------------------------


def save_draft(
    *,
    claim: Claim,
    now: datetime,
    text: str | None = None,
    switched_off: Collection[int] | None = None,
    added_marks: Sequence[Mapping[str, Any]] | None = None,
) -> Draft:
    """Keep unfinished work, and the item with it. None leaves a part as it is.

    Raises ClaimLapsed when the item is somebody else's by now; the work is kept even then.
    """
    with transaction.atomic():
        draft = _draft_for_update(claim, now)
        if text is not None:
            draft.text = text
        if switched_off is not None:
            draft.switched_off = sorted(set(switched_off))
        if added_marks is not None:
            draft.added_marks = [dict(mark) for mark in added_marks]
        draft.saved_at = now
        draft.save()
    renew_claim(claim=claim, now=now)
    return draft


def set_verdict(*, claim: Claim, mark_index: int, verdict: str, now: datetime) -> Draft:
    """Say about one mark that it is unsupported, supported or unsure; an empty `verdict` takes it back.

    Raises UnknownMark, and ClaimLapsed after the verdict was kept in the draft.
    """
    if verdict and verdict not in Verdict.Says.values:
        raise UnknownMark(f"unknown verdict {verdict!r}")
    if not Mark.objects.filter(inspection__items=claim.item_id, index=mark_index).exists():
        raise UnknownMark(f"no mark {mark_index}")
    with transaction.atomic():
        draft = _draft_for_update(claim, now)
        if verdict:
            draft.verdicts[str(mark_index)] = verdict
        else:
            draft.verdicts.pop(str(mark_index), None)
        draft.saved_at = now
        draft.save()
    renew_claim(claim=claim, now=now)
    return draft


def add_mark(*, claim: Claim, first_token: int, last_token: int, now: datetime) -> Draft:
    """Add a mark the machine missed, from one word of the stored token stream to another (both included)."""
    item = Item.objects.select_related("inspection", "answer").get(pk=claim.item_id)
    stream = item.inspection.tokens
    first, last = sorted((first_token, last_token))
    if not 0 <= first <= last < len(stream):
        raise UnknownMark("no such words")
    start, end = int(stream[first][0]), int(stream[last][1])
    mark = {"start": start, "end": end, "text": item.answer.text[start:end]}
    draft = _draft_of(item, claim.reviewer)
    marks = [m for m in (draft.added_marks if draft else []) if m["end"] <= start or m["start"] >= end]
    return save_draft(claim=claim, now=now, added_marks=sorted([*marks, mark], key=lambda m: (m["start"], m["end"])))


def remove_mark(*, claim: Claim, start: int, now: datetime) -> Draft:
    """Take back an added mark, named by where it starts."""
    draft = _draft_of(claim.item, claim.reviewer)
    marks = [m for m in (draft.added_marks if draft else []) if m["start"] != start]
    return save_draft(claim=claim, now=now, added_marks=marks)


def reveal_marks(*, claim: Claim, now: datetime) -> Draft:
    """Show the marks of an audit item; from here on the reviewer's own marks stay as they are."""
    with transaction.atomic():
        draft = _draft_for_update(claim, now)
        draft.revealed_at = draft.revealed_at or now
        draft.saved_at = now
        draft.save()
    renew_claim(claim=claim, now=now)
    return draft


def _draft_for_update(claim: Claim, now: datetime) -> Draft:
    Draft.objects.get_or_create(item_id=claim.item_id, reviewer=claim.reviewer, defaults={"saved_at": now})
    return Draft.objects.select_for_update().get(item_id=claim.item_id, reviewer=claim.reviewer)


def _draft_of(item: Item, reviewer: User) -> Draft | None:
    return Draft.objects.filter(item=item, reviewer=reviewer).first()


# Decisions --------------------------------------------------------------------------------------------------------


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
    """Let the answer stand. Raises NeedsConfirmation when the reviewer called one of its marks unsupported."""
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
    earlier = Decision.objects.filter(request_key=choice.request_key, reviewer=claim.reviewer).first()
    if earlier is not None:
        return earlier
    try:
        with transaction.atomic():
            return _decide(claim, choice, now)
    except ClaimLapsed as lapsed:
        # The same sending may have got through on another connection while this one waited.
        earlier = Decision.objects.filter(request_key=choice.request_key, reviewer=claim.reviewer).first()
        if earlier is not None:
            return earlier
        lapsed.draft = _keep_work(claim, choice, now)
        raise


def _decide(claim: Claim, choice: Choice, now: datetime) -> Decision:
    held = _still_held(claim, now=now)
    item = held.item
    draft = _draft_of(item, held.reviewer)
    choice = _as_it_counts(item, choice)
    explicit = {int(index): verdict for index, verdict in (draft.verdicts if draft else {}).items()}
    said_unsupported = [index for index, verdict in explicit.items() if verdict == Verdict.Says.UNSUPPORTED]
    if choice.kind == Decision.Kind.KEEP and said_unsupported and not choice.confirmed:
        raise NeedsConfirmation(sorted(said_unsupported))
    decision = Decision.objects.create(
        item=item,
        inspection=item.inspection,
        reviewer=held.reviewer,
        kind=choice.kind,
        final_text=_final_text(item, choice),
        switched_off=list(choice.switched_off),
        added_marks=list(draft.added_marks) if draft else [],
        wording_only=choice.wording_only,
        reason=choice.reason,
        request_key=choice.request_key,
        seconds=max(0.0, (now - held.issued_at).total_seconds()),
        marks_hidden_first=item.audit,
        guideline_version=item.queue.guideline_version,
        nothing_else_unsupported=choice.nothing_else_unsupported,
        decided_at=now,
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


_EVENTS = {
    Decision.Kind.ACCEPT_HEALED: "decided",
    Decision.Kind.ACCEPT_EDITED: "decided",
    Decision.Kind.KEEP: "decided",
    Decision.Kind.REJECT: "decided",
    Decision.Kind.SKIP: "skipped",
    Decision.Kind.FLAG: "flagged",
}
_ENDS = {
    Decision.Kind.SKIP: (Item.State.WAITING, Claim.How.SKIPPED),
    Decision.Kind.FLAG: (Item.State.FLAGGED, Claim.How.FLAGGED),
}


def _as_it_counts(item: Item, choice: Choice) -> Choice:
    """Accepting what was not changed is keeping it."""
    if choice.kind == Decision.Kind.ACCEPT_HEALED and _final_text(item, choice) == item.answer.text:
        return replace(choice, kind=Decision.Kind.KEEP)
    if choice.kind == Decision.Kind.ACCEPT_EDITED and choice.text == item.answer.text:
        return replace(choice, kind=Decision.Kind.KEEP, wording_only=False)
    return choice


def _final_text(item: Item, choice: Choice) -> str:
    """What is served after this decision; empty when nothing is."""
    from proofing.healing import text_without

    if choice.kind == Decision.Kind.ACCEPT_HEALED:
        return str(text_without(selectors.healing_of(item.inspection), item.answer.text, choice.switched_off))
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
    state, how = _ENDS.get(Decision.Kind(decision.kind), (Item.State.DECIDED, Claim.How.DECIDED))
    won = Item.objects.filter(
        pk=item.pk, version=item.version, state=Item.State.CLAIMED, held_by=claim.reviewer
    ).update(state=state, held_by=None, held_until=None, version=F("version") + 1)
    if not won:
        raise ClaimLapsed(item)
    _end_claims(item, how=how, now=now)
    if decision.kind == Decision.Kind.SKIP:
        item.skipped_by.add(claim.reviewer)
    if state == Item.State.DECIDED:
        Answer.objects.filter(pk=item.answer_id).update(state=Answer.State.DECIDED)


def _keep_work(claim: Claim, choice: Choice, now: datetime) -> Draft:
    """What a late decision carried, written where the reviewer finds it again."""
    with transaction.atomic():
        draft = _draft_for_update(claim, now)
        if choice.text is not None:
            draft.text = choice.text
        draft.switched_off = list(choice.switched_off) or draft.switched_off
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
        state, _ = _ENDS.get(Decision.Kind(decision.kind), (Item.State.DECIDED, ""))
        claim = _take(item, reviewer=reviewer, now=now, expected=[state])
        if claim is None:
            raise CannotUndo("a colleague works on this answer by now")
        item.skipped_by.remove(reviewer)
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


__all__ = [
    "Choice", "accept_edited", "accept_healed", "add_mark", "claim_item", "claim_next_item", "decide", "flag",
    "hand_on_lapsed", "keep_original", "priority_of", "put_in_queue", "reject", "release_claim", "remove_mark",
    "renew_claim", "reveal_marks", "save_draft", "set_verdict", "skip", "undo_decision",
]  # fmt: skip
