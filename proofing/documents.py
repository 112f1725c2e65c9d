"""Text as the engine reads it: sources, sentences and tokens with offsets into the caller's own string.

Offsets are zero-based, half-open and count Unicode code points of the text the caller gave; nothing here
ever rewrites that text. Every span can therefore be checked against a slice of the original.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open stretch of code points, ``text[start:end]``."""

    start: int
    end: int

    def overlaps(self, other: tuple[int, int]) -> bool:
        return self.start < other[1] and other[0] < self.end

    def contains(self, other: tuple[int, int]) -> bool:
        return self.start <= other[0] and other[1] <= self.end


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number piece or sign of a text.

    ``kind`` is ``"word"`` (letters, with inner apostrophes and hyphens kept apart as tokens of their own),
    ``"digits"`` or ``"sign"``.
    """

    text: str
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence (or list item, table row, heading) of a text; ``tokens`` is a slice into the text's tokens."""

    start: int
    end: int
    text: str
    first_token: int
    last_token: int  # half-open


@dataclass(frozen=True, slots=True)
class Source:
    """One retrieved source, as the caller names it."""

    id: str
    text: str
    title: str = ""
    url: str = ""
