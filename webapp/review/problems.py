"""What can stand in the way of a reviewer's step, each with what the person needs to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
    """The decision calls the answer right although the reviewer called words of it unsupported.

    Attributes:
        marks: indexes of the machine's marks called unsupported.
        added: the reviewer's own marks, as ``{"start", "end", "text"}``.
        kind: the decision, to be sent again with ``confirmed``.
    """

    def __init__(self, marks: list[int], added: Sequence[Mapping[str, Any]] = (), kind: str = "keep") -> None:
        super().__init__("the answer is called right although words of it were called unsupported")
        self.marks = marks
        self.added = list(added)
        self.kind = kind

    @property
    def count(self) -> int:
        return len(self.marks) + len(self.added)


class CannotUndo(ReviewProblem):
    """The decision was undone before, or the item has moved on to somebody else."""


class Unusable(ReviewProblem):
    """A part of what was sent cannot be used: `field` and `reason`."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class WasUndone(ReviewProblem):
    """The same sending decided before and was taken back since; deciding again needs a key of its own."""


class UnknownMark(ReviewProblem):
    """No such mark or word in this answer."""
