"""Naming the encoding of a file that is not in UTF-8, so that whoever made it knows what to change."""

from __future__ import annotations

import codecs

from proofing.errors import BadInput

#: Marks at the start of a file, the longer ones first: that of UTF-16 begins that of UTF-32.
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def wide_encoding(start: bytes) -> str | None:
    """UTF-16 or UTF-32 when a file that begins with these bytes is in one of them; None otherwise."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    # Without a mark, every other byte of common text in UTF-16 is zero.
    head = start[:64]
    if len(head) >= 8 and max(head[::2].count(0), head[1::2].count(0)) * 2 > 0.8 * len(head):
        return "UTF-16"
    return None


def refuse_wide(start: bytes) -> None:
    """Raises BadInput when a file that begins with these bytes is in UTF-16 or UTF-32."""
    name = wide_encoding(start)
    if name is not None:
        raise BadInput(f"the file is in {name}; save it as UTF-8")


def likely_encoding(raw: bytes) -> str:
    """What `raw`, which is not UTF-8, is most likely written in. Text that is mostly no ASCII is not guessed at.

    >>> likely_encoding("Die Straße – 5 €".encode("cp1252"))
    'Windows-1252'
    """
    wide = wide_encoding(raw)
    if wide is not None:
        return wide
    high = sum(byte > 0x7F for byte in raw)
    if high > 0.3 * (high + sum(chr(byte).isalpha() for byte in raw if byte <= 0x7F)):
        return "another encoding, such as Windows-1251, Shift JIS or GB 18030"
    return "Windows-1252" if any(0x80 <= byte <= 0x9F for byte in raw) else "ISO 8859-1"
