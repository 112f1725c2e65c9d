"""Spans that other tools counted in their own unit, brought back to code points.

A browser counts UTF-16 code units and some tools count UTF-8 bytes. A span that carries its text can be
verified, and repaired when another unit explains it; one that no unit explains is reported, never stored.

>>> verified_span("😀 1932", 3, 7, "1932")      # counted in UTF-16 units
(2, 6, 'utf-16')
>>> verified_span("Opened in 1932.", 10, 14, "1932")
(10, 14, 'codepoint')
"""

from __future__ import annotations

from collections.abc import Callable


def verified_span(
    text: str, start: int, end: int, expected: str | None, first: str = "codepoint"
) -> tuple[int, int, str] | None:
    """The span in code points of `text` and the unit its offsets were counted in; None when no unit fits.

    Without `expected` there is nothing to verify with, so the offsets are taken as counted in `first` and must
    lie inside the text.

    Args:
        first: the unit to try first, where the file's makers are known to count in it.
    """
    if not 0 <= start < end:
        return None
    for unit in (first, *(unit for unit in _WIDTHS if unit != first)):
        span = _span_in_unit(text, start, end, _WIDTHS[unit])
        if span is not None and (expected is None or text[span[0] : span[1]] == expected):
            return (*span, unit)
        if expected is None:
            return None
    return None


def utf16_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Offsets of a span of `text` in UTF-16 code units, as browsers count.

    >>> utf16_span("😀 1932", 2, 6)
    (3, 7)
    """
    before = len(text[:start].encode("utf-16-le")) // 2
    return before, before + len(text[start:end].encode("utf-16-le")) // 2


def _utf16_width(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1


def _utf8_width(character: str) -> int:
    code = ord(character)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


#: How many units a character takes; None: one.
_WIDTHS: dict[str, Callable[[str], int] | None] = {"codepoint": None, "utf-16": _utf16_width, "utf-8": _utf8_width}


def _span_in_unit(text: str, start: int, end: int, width: Callable[[str], int] | None) -> tuple[int, int] | None:
    """Code-point offsets of a span given in a unit of which a character takes `width(character)`."""
    if width is None or text.isascii():
        return (start, end) if end <= len(text) else None
    position, first = 0, None
    for index, character in enumerate(text):
        if position == start:
            first = index
        if position == end and first is not None:
            return first, index
        if position > end:
            return None
        position += width(character)
    return (first, len(text)) if first is not None and position == end else None
