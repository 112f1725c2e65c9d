"""What a decision may carry, whichever door it came through."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from proofing.exchange.jsonl import text_problem
from webapp.review import selectors
from webapp.review.models import Claim, Decision, Item
from webapp.review.problems import Unusable

if TYPE_CHECKING:
    from webapp.review.services.decisions import Choice

#: The longest text and the longest reason a reviewer may send, in code points.
LONGEST_TEXT = 400_000
LONGEST_REASON = 2000


def check_choice(claim: Claim, choice: Choice) -> None:
    """Raises Unusable when a part of the decision cannot be stored or means nothing for this answer."""
    for field, text, longest in (("text", choice.text, LONGEST_TEXT), ("reason", choice.reason, LONGEST_REASON)):
        problem = text_problem(text or "")
        if problem is None and len(text or "") > longest:
            problem = f"longer than {longest} characters"
        if problem is not None:
            raise Unusable(field, problem)
    if choice.kind == Decision.Kind.ACCEPT_EDITED and not (choice.text or "").strip():
        raise Unusable("text", "an edited answer needs some words; to discard the answer, reject it")
    check_edits(claim, choice.switched_off)


def check_edits(claim: Claim, switched_off: Collection[int]) -> None:
    """Raises Unusable when an index names no edit that was offered."""
    if not switched_off:
        return
    item = Item.objects.select_related("inspection").get(pk=claim.item_id)
    known = len(selectors.offered_edits(item.inspection, selectors.draft_of(item, claim.reviewer)))
    if min(switched_off) < 0 or max(switched_off) >= known:
        raise Unusable("switched_off", f"this answer has {known} edits, counted from 0")
