"""Work in progress: verdicts, edits and marks of one's own, kept as they are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from webapp.records.models import Mark
from webapp.review import selectors
from webapp.review.models import Claim, Draft, Item, Verdict
from webapp.review.problems import UnknownMark
from webapp.review.services.checks import check_edits
from webapp.review.services.claims import renew_claim


def save_draft(
    *,
    claim: Claim,
    now: datetime,
    text: str | None = None,
    switched_off: Collection[int] | None = None,
    added_marks: Sequence[Mapping[str, Any]] | None = None,
    reason: str | None = None,
) -> Draft:
    """Keep unfinished work, and the item with it. None leaves a part as it is.

    Raises ClaimLapsed when the item is somebody else's by now; the work is kept even then. Raises Unusable when an
    index in `switched_off` names no edit.
    """
    with transaction.atomic():
        draft = draft_for_update(claim, now)
        if text is not None:
            draft.text = text
        if switched_off is not None:
            check_edits(claim, switched_off)
            draft.switched_off = sorted(set(switched_off))
        if added_marks is not None:
            draft.added_marks = [dict(mark) for mark in added_marks]
        if reason is not None:
            draft.reason = reason
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
        draft = draft_for_update(claim, now)
        if verdict:
            draft.verdicts[str(mark_index)] = verdict
        else:
            draft.verdicts.pop(str(mark_index), None)
        draft.saved_at = now
        draft.save()
    renew_claim(claim=claim, now=now)
    return draft


def choose_alternative(*, claim: Claim, mark_index: int, candidate: int | None, now: datetime) -> Draft:
    """Put one of the corrections that a receipt leaves open into the healed text; None takes it out again.

    Raises UnknownMark when the mark has no such candidate, and ClaimLapsed after the choice was kept.
    """
    inspection = Item.objects.select_related("inspection").get(pk=claim.item_id).inspection
    alternatives = {int(a["mark"]): a["candidates"] for a in selectors.healing_of(inspection).get("alternatives", ())}
    known = len(alternatives.get(mark_index, ()))
    if candidate is not None and not 0 <= candidate < known:
        raise UnknownMark(f"no alternative {candidate} for mark {mark_index}")
    with transaction.atomic():
        draft = draft_for_update(claim, now)
        draft.choices.pop(str(mark_index), None)
        if candidate is not None:
            draft.choices[str(mark_index)] = candidate
        # The edits of a choice come after the healer's own, so their numbers change with every choice.
        healers = len(selectors.offered_edits(inspection))
        draft.switched_off = [index for index in draft.switched_off if index < healers]
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
    draft = selectors.draft_of(item, claim.reviewer)
    marks = [m for m in (draft.added_marks if draft else []) if m["end"] <= start or m["start"] >= end]
    return save_draft(claim=claim, now=now, added_marks=sorted([*marks, mark], key=lambda m: (m["start"], m["end"])))


def remove_mark(*, claim: Claim, start: int, now: datetime) -> Draft:
    """Take back an added mark, named by where it starts."""
    draft = selectors.draft_of(claim.item, claim.reviewer)
    marks = [m for m in (draft.added_marks if draft else []) if m["start"] != start]
    return save_draft(claim=claim, now=now, added_marks=marks)


def reveal_marks(*, claim: Claim, now: datetime) -> Draft:
    """Show the marks of an audit item; from here on the reviewer's own marks stay as they are."""
    with transaction.atomic():
        draft = draft_for_update(claim, now)
        draft.revealed_at = draft.revealed_at or now
        draft.saved_at = now
        draft.save()
    renew_claim(claim=claim, now=now)
    return draft


def draft_for_update(claim: Claim, now: datetime) -> Draft:
    Draft.objects.get_or_create(item_id=claim.item_id, reviewer=claim.reviewer, defaults={"saved_at": now})
    return Draft.objects.select_for_update().get(item_id=claim.item_id, reviewer=claim.reviewer)
