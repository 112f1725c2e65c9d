"""Claims: who holds which item, for how long, and how it is handed on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from django.db import IntegrityError, transaction
from django.db.models import F

from webapp.accounts.models import User
from webapp.review import selectors
from webapp.review.models import Claim, Event, Item, Queue
from webapp.review.problems import ClaimLapsed
from webapp.review.services.queueing import audits_due

#: How many waiting items one request tries before it gives up; each failed try means that a colleague was faster.
CLAIM_ATTEMPTS = 20
#: How many of a reviewer's newest claims say whether an audit is due.
RECENT = 200


def claim_next_item(*, queue: Queue, reviewer: User, now: datetime) -> Claim | None:
    """Hold the most urgent waiting item of `queue` for `reviewer`; None when nothing waits for them.

    Audit items are dealt out at the queue's share all along the way, whatever their place in its order. An item the
    reviewer holds already comes first. Two reviewers may pick the same row at once: the update succeeds for one of
    them only (it asks for the version it saw), and the other takes the next row.
    """
    hand_on_lapsed(queue=queue, now=now)
    held = selectors.open_claims(reviewer=reviewer, queue=queue).first()
    if held is not None:
        return renew_claim(claim=held, now=now)
    for item in _in_turn(queue, reviewer):
        claim = take(item, reviewer=reviewer, now=now, expected=[Item.State.WAITING])
        if claim is not None:
            return claim
    return None


def item_after(*, item: Item, reviewer: User) -> Item | None:
    """What `claim_next_item` would most likely give once `item` is done; nothing is held by asking."""
    held = selectors.open_claims(reviewer=reviewer, queue=item.queue).exclude(item=item).first()
    return held.item if held is not None else next(_in_turn(item.queue, reviewer), None)


def _in_turn(queue: Queue, reviewer: User) -> Iterator[Item]:
    """Waiting items in the order they are dealt out to this reviewer."""
    waiting = selectors.waiting_items(queue=queue, for_reviewer=reviewer)
    turn = _is_audits_turn(queue, reviewer)
    for audit in (turn, not turn):
        items = waiting.filter(audit__in=[audit])  # "NOT audit", as an exact look-up says it, finds no index in SQLite
        for item in chain(items[:1], items[1:CLAIM_ATTEMPTS]):
            item.queue = queue
            yield item


def _is_audits_turn(queue: Queue, reviewer: User) -> bool:
    """Whether this reviewer has met fewer audit items of the queue than are due by now.

    Who has been here long is judged by the newest `RECENT` claims: what was dealt out then comes round again, so the
    share holds, and a turn costs the same after a hundred answers and after a hundred thousand.
    """
    if not queue.audit_share:
        return False
    claims = Claim.objects.filter(item__queue=queue, reviewer=reviewer).order_by("-issued_at")
    recent = list(claims.values_list("item", "item__audit")[:RECENT])
    met = dict(recent)
    if len(recent) < RECENT:
        return audits_due(queue=queue, seen=len(met), reviewer=reviewer.pk) > sum(met.values())
    return sum(met.values()) < queue.audit_share * len(met)


def claim_item(*, item: Item, reviewer: User, now: datetime) -> Claim:
    """Hold this very item. Raises ClaimLapsed when a colleague holds it, it is decided, or they decided it before."""
    hand_on_lapsed(queue=item.queue, now=now)
    item.refresh_from_db()
    if selectors.standing_decisions(reviewer).filter(item=item).exists():
        raise ClaimLapsed(item, selectors.draft_of(item, reviewer))
    if item.state == Item.State.CLAIMED and item.held_by_id == reviewer.pk:
        return renew_claim(claim=open_claim_of(item, reviewer), now=now)
    claim = take(item, reviewer=reviewer, now=now, expected=[Item.State.WAITING, Item.State.FLAGGED])
    if claim is None:
        item.refresh_from_db()
        if item.state == Item.State.CLAIMED and item.held_by_id == reviewer.pk:  # taken by them a moment ago
            return renew_claim(claim=open_claim_of(item, reviewer), now=now)
        raise ClaimLapsed(item, selectors.draft_of(item, reviewer))
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
        claim = still_held(claim, now=now)
        claim.until = now + claim.item.queue.lease
        won = Item.objects.filter(pk=claim.item_id, state=Item.State.CLAIMED, held_by=claim.reviewer).update(
            held_until=claim.until
        )
        if not won:
            raise ClaimLapsed(claim.item, selectors.draft_of(claim.item, claim.reviewer))
        claim.save(update_fields=["until"])
    return claim


def release_claim(*, claim: Claim, now: datetime, reason: str = "") -> None:
    """Put the item back into the queue undecided; the draft stays. Does nothing when it is not held any more."""
    with transaction.atomic():
        won = Item.objects.filter(pk=claim.item_id, state=Item.State.CLAIMED, held_by=claim.reviewer).update(
            state=Item.State.WAITING, held_by=None, held_until=None, version=F("version") + 1
        )
        if won:
            end_claims(claim.item, how=Claim.How.RELEASED, now=now)
            Event.record(
                "item.put_back", claim.item, project=claim.item.queue.project_id, actor=claim.reviewer, at=now,
                answer=str(claim.item.answer_id), reason=reason,
            )  # fmt: skip


def open_claim_of(item: Item, reviewer: User) -> Claim:
    """The reviewer's open claim on an item. Raises ClaimLapsed when there is none."""
    claim = Claim.objects.filter(item=item, reviewer=reviewer, released_at__isnull=True).first()
    if claim is None:
        raise ClaimLapsed(item, selectors.draft_of(item, reviewer))
    claim.item, claim.reviewer = item, reviewer
    return claim


def take(item: Item, *, reviewer: User, now: datetime, expected: Sequence[str]) -> Claim | None:
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
    item.state, item.held_by, item.held_until, item.version = Item.State.CLAIMED, reviewer, until, item.version + 1
    return claim


def still_held(claim: Claim, *, now: datetime) -> Claim:
    """The open claim behind `claim`; takes the item again when the lease ran out and nobody wanted it meanwhile."""
    item = Item.objects.select_related("queue", "inspection", "answer").get(pk=claim.item_id)
    if item.state == Item.State.CLAIMED and item.held_by_id == claim.reviewer_id:
        return open_claim_of(item, claim.reviewer)
    if item.state == Item.State.WAITING and claim.how in ("", Claim.How.LAPSED):
        again = take(item, reviewer=claim.reviewer, now=now, expected=[Item.State.WAITING])
        if again is not None:
            return again
    raise ClaimLapsed(item, selectors.draft_of(item, claim.reviewer))


def end_claims(item: Item, *, how: str, now: datetime) -> None:
    Claim.objects.filter(item=item, released_at__isnull=True).update(released_at=now, how=how)
