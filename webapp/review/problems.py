"""What can stand in the way of a reviewer's step, each with what the person needs to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webapp.review.models import Draft, Item


class ReviewProblem(Exception):
    """Base of the problems in this room."""


class ClaimLapsed(ReviewProblem):
    """Somebody else holds or has decided the item by now. `draft` keeps what the reviewer had done."""

    def __init__(self, item: Item, draft: Draft | None = None) -> None:
        super().__init__(f"item {item.pk} is no longer held by this reviewer")
        self.item = item
        self.draft = draft


class NeedsConfirmation(ReviewProblem):
    """The decision goes against the reviewer's own verdicts; `marks` are the indexes called unsupported."""

    def __init__(self, marks: list[int]) -> None:
        super().__init__("the original is kept although a mark was called unsupported")
        self.marks = marks


class CannotUndo(ReviewProblem):
    """The decision was undone before, or the item has moved on to somebody else."""


class UnknownMark(ReviewProblem):
    """No such mark or word in this answer."""
