"""Fields of a line that nobody reads: no fault (a later version may write them), but the report of a file names them.

>>> counted = UnreadFields(("answer", "sources"))
>>> counted.add(("sorces", "colour"))
>>> counted.add(("sorces",))
>>> [(field.name, field.lines, field.meant) for field in counted.found()]
[('sorces', 2, 'sources'), ('colour', 1, None)]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

#: So many names of a file are kept, each cut to so many characters: a file may use its texts as names.
MOST_NAMES, LONGEST_NAME = 50, 60
#: From this likeness on (difflib's ratio, 0-1) a known name is taken for what was meant.
LIKENESS = 0.75


@dataclass(frozen=True, slots=True)
class UnreadField:
    """A field that nobody reads: its name, in how many lines it stands, and which known name it resembles."""

    name: str
    lines: int
    meant: str | None = None

    def __str__(self) -> str:
        where = "1 line" if self.lines == 1 else f"{self.lines} lines"
        return f"{self.name} in {where}" + (f" (did you mean {self.meant}?)" if self.meant else "")


class UnreadFields:
    """Counts the fields of a file that nobody reads.

    Args:
        known: the names that are read.
        counts: what was counted before, by name.
    """

    def __init__(self, known: Collection[str], counts: Mapping[str, int] | None = None) -> None:
        self.known = known
        self.counts = dict(counts or {})

    def add(self, names: Iterable[str]) -> None:
        """The unread fields of one more line, each named once."""
        for name in names:
            if name in self.counts or len(self.counts) < MOST_NAMES:
                self.counts[name] = self.counts.get(name, 0) + 1

    def found(self) -> list[UnreadField]:
        """The most frequent first."""
        ordered = sorted(self.counts.items(), key=lambda entry: (-entry[1], entry[0]))
        return [UnreadField(name, lines, meant(name, self.known)) for name, lines in ordered]


def meant(name: str, known: Collection[str]) -> str | None:
    """The known name that `name` resembles; None where none does."""
    close = get_close_matches(name.lower(), sorted(known), n=1, cutoff=LIKENESS)
    return close[0] if close else None


def unread_names(record: Mapping[str, Any], known: Collection[str], prefix: str = "") -> Iterator[str]:
    """The fields of a record that are not among the known ones, as they can be shown and stored."""
    for name in record:
        if name not in known:
            shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in name[:LONGEST_NAME])
            yield prefix + shown
