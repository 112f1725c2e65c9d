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


def verified_span(text: str, start: int, end: int, expected: str | None) -> tuple[int, int, str] | None:
    """The span in code points of `text` and the unit its offsets were counted in; None when no unit fits.

    Without `expected` there is nothing to verify with, so the offsets are taken as code points and must
    lie inside the text.
    """
    if not 0 <= start < end:
        return None
    if end <= len(text) and (expected is None or text[start:end] == expected):
        return start, end, "codepoint"
    if expected is None:
        return None
    for unit, width in (("utf-16", _utf16_width), ("utf-8", _utf8_width)):
        span = _span_in_unit(text, start, end, width)
        if span is not None and text[span[0] : span[1]] == expected:
            return (*span, unit)
    return None


def _utf16_width(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1


def _utf8_width(character: str) -> int:
    code = ord(character)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _span_in_unit(text: str, start: int, end: int, width: Callable[[str], int]) -> tuple[int, int] | None:
    """Code-point offsets of a span given in a unit of which a character takes `width(character)`."""
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
