"""Records as sources often carry them: JSON objects and Python literals, read with offsets, forgiving at the edges.

>>> [(f.path, f.text) for f in read_record("{'hours': {'Friday': '8:0-18:0'}, 'dogs': None}", 0)[0]]
[(('hours', 'Friday'), '8:0-18:0'), (('dogs',), 'None')]
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PIECE = re.compile(
    r"\s*(?:u?(?:\"(?P<double>[^\"\\]*(?:\\.[^\"\\]*)*)\"|'(?P<single>[^'\\]*(?:\\.[^'\\]*)*)')"
    r"|(?P<bare>[-+]?\d[\w.+-]*|[A-Za-z_]\w*)|(?P<sign>[{}\[\]():,]))",
    re.DOTALL,
)
_OPEN = {"{": "}", "[": "]", "(": ")"}


class Field(NamedTuple):
    """One scalar of a record: its span (inside the quotation marks) and the keys over it, outermost first."""

    start: int
    end: int
    text: str
    path: tuple[str, ...]


class _Level:
    """One open bracket: a mapping with its current key, or a sequence with its current position."""

    __slots__ = ("closer", "key", "position", "prefix", "waits_for_key")

    def __init__(self, closer: str, prefix: tuple[str, ...]) -> None:
        self.closer = closer
        self.prefix = prefix
        self.key: str | None = None
        self.position = 0
        self.waits_for_key = closer == "}"

    def path(self) -> tuple[str, ...]:
        last = self.key if self.closer == "}" else str(self.position)
        return self.prefix if last is None else (*self.prefix, last)


#: Deeper nesting than this is not read as a record (a path of its own for each level would cost its square).
MAX_DEPTH = 50


def read_record(text: str, start: int) -> tuple[list[Field], int]:
    """The scalars of the record that opens at `start`, and the position behind it.

    A record that breaks off or breaks the rules is read up to there. Nothing (and 0) comes back when
    the text does not look like a record at all: a mapping with at least one key, or a list of such.
    """
    fields: list[Field] = []
    levels: list[_Level] = []
    position = start
    keys = 0
    while True:
        match = _PIECE.match(text, position)
        if match is None:
            break
        position = match.end()
        sign = match["sign"]
        if sign is None:
            if not levels:
                break
            keys += _scalar(match, levels[-1], fields)
        elif sign in _OPEN:
            if len(levels) >= MAX_DEPTH:
                break
            levels.append(_Level(_OPEN[sign], levels[-1].path() if levels else ()))
        elif sign in "}])":
            if not levels or levels.pop().closer != sign:
                break
            if not levels:
                break
        elif sign == ",":
            if levels[-1].closer == "}":
                levels[-1].waits_for_key = True
            else:
                levels[-1].position += 1
    return (fields, position) if keys and fields else ([], 0)


def _scalar(match: re.Match[str], level: _Level, fields: list[Field]) -> int:
    """Take a scalar as the key the mapping waits for (1) or as a field (0)."""
    name = "double" if match["double"] is not None else "single" if match["single"] is not None else "bare"
    text = match[name]
    if level.waits_for_key:
        level.key, level.waits_for_key = text, False
        return 1
    fields.append(Field(match.start(name), match.end(name), text, level.path()))
    return 0
