"""Newer readings of an answer that somebody holds: they decide on what they see, and may take the newer one."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from webapp.records.models import Inspection
from webapp.review.models import Claim, Draft, Event, Item
from webapp.review.services.claims import still_held


def newer_reading(item: Item) -> Inspection | None:
    """The newest inspection of the item's answer, when it is not the one the item shows; one query."""
    newest = Inspection.objects.filter(answer=item.answer_id).order_by("-version").first()
    return newest if newest is not None and newest.pk != item.inspection_id else None


@transaction.atomic
def take_newer(*, claim: Claim, now: datetime) -> bool:
    """Show the holder the newest reading; False when there is none newer.

    Their own text and the words they marked stay in the draft; verdicts, switched-off edits and chosen alternatives
    count marks and edits of the old reading, so they are dropped.

    Raises:
        ClaimLapsed: somebody else holds the item by now.
    """
    held = still_held(claim, now=now)
    item = held.item
    newest = newer_reading(item)
    if newest is None:
        return False
    won = Item.objects.filter(pk=item.pk, version=item.version, held_by=held.reviewer).update(
        inspection=newest, version=F("version") + 1
    )
    if not won:
        return False
    Draft.objects.filter(item=item, reviewer=held.reviewer).update(
        verdicts={}, switched_off=[], choices={}, saved_at=now
    )
    Event.record("item.newer_taken", item, project=item.queue.project_id, actor=held.reviewer, at=now,
                 inspection=newest.version)  # fmt: skip
    return True
