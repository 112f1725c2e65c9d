"""Every write of the desk: one keyword-only function per verb, each of them check, execute, log.

No function reads a state and then writes it: changes are updates that ask for the state they saw, and the number of
rows changed says who won. Work is never lost: a step that comes too late keeps what it carried as a draft.
"""

from __future__ import annotations

from webapp.review.services.claims import (
    claim_item,
    claim_next_item,
    hand_on_lapsed,
    item_after,
    open_claim_of,
    release_claim,
    renew_claim,
)
from webapp.review.services.decisions import (
    Choice,
    accept_edited,
    accept_healed,
    decide,
    flag,
    keep_original,
    reject,
    skip,
    undo_decision,
)
from webapp.review.services.drafts import (
    add_mark,
    choose_alternative,
    remove_mark,
    reveal_marks,
    save_draft,
    set_verdict,
)
from webapp.review.services.queueing import priority_of, put_in_queue

__all__ = [
    "Choice",
    "accept_edited",
    "accept_healed",
    "add_mark",
    "choose_alternative",
    "claim_item",
    "claim_next_item",
    "decide",
    "flag",
    "hand_on_lapsed",
    "item_after",
    "keep_original",
    "open_claim_of",
    "priority_of",
    "put_in_queue",
    "reject",
    "release_claim",
    "remove_mark",
    "renew_claim",
    "reveal_marks",
    "save_draft",
    "set_verdict",
    "skip",
    "undo_decision",
]
