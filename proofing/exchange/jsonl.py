"""Reading JSON Lines: one object a line, with the number of every line that cannot be used.

Files are read a line at a time, so their size does not matter; ``.gz`` files are unpacked on the way.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from proofing.errors import BadInput
from proofing.exchange.encodings import likely_encoding, refuse_wide

#: A longer line is reported and skipped; it keeps one runaway line from filling the memory.
MAX_LINE_BYTES = 64 * 1024 * 1024


#: How some programs begin a file in UTF-8.
BOM = b"\xef\xbb\xbf"


class LineFault(BadInput):
    """One line that cannot be used: `field` at fault, `reason`, and the line's number and id when known."""

    def __init__(self, reason: str, *, field: str = "", line: int | None = None, id: str | None = None) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.reason = reason
        self.field = field
        self.line = line
        self.id = id

    def sentence(self) -> str:
        """Where and why, for people: "line 3, answer: missing"."""
        place = ", ".join(part for part in ("" if self.line is None else f"line {self.line}", self.field) if part)
        return f"{place}: {self.reason}" if place else self.reason

    def to_dict(self) -> dict[str, Any]:
        """The error line of `proofmark batch`."""
        return {"id": self.id, "error": {"line": self.line, "reason": str(self)}}


class BlankRow(LineFault):
    """A row of a table in which no cell holds anything: nobody's fault, but counted."""

    def __init__(self, line: int) -> None:
        super().__init__("the row is blank", line=line)


class Place(NamedTuple):
    """Where reading goes on: after how many lines, and at which byte of the unpacked file (0: count the lines)."""

    number: int = 0
    offset: int = 0


BEGINNING = Place()


def scan_records(path: str | Path) -> Iterator[tuple[int, dict[str, Any] | LineFault]]:
    """Line numbers (from 1) and JSON objects of a file; a line that is no JSON object comes as its fault.

    Blank lines are passed over but counted.

    Raises:
        BadInput: the file cannot be opened or unpacked.
    """
    for number, record, _ in scan_places(path):
        yield number, record


def scan_places(path: str | Path, start: Place = BEGINNING) -> Iterator[tuple[int, dict[str, Any] | LineFault, int]]:
    """As `scan_records`, from a place on, with the offset (in bytes, unpacked) at which the following line begins.

    Raises:
        BadInput: as `scan_records`.
    """
    with opened(path) as stream:
        yield from records_of(stream, path, start)


def records_of(
    stream: BinaryIO, path: str | Path, start: Place = BEGINNING
) -> Iterator[tuple[int, dict[str, Any] | LineFault, int]]:
    """As `scan_places`, from an open file; `path` is what errors call it."""
    for number, raw, offset in numbered_lines(stream, path, start):
        if isinstance(raw, LineFault):
            yield number, raw, offset
        elif raw.strip():
            try:
                yield number, record_of_bytes(raw, line=number), offset
            except LineFault as fault:
                yield number, fault, offset


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """The file's bytes; ``-`` is standard input, ``.gz`` is unpacked.

    Raises:
        BadInput: it is not there, is a folder, or may not be read.
    """
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        stream: Any = gzip.open(path, "rb") if str(path).endswith(".gz") else open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    with stream:
        yield stream


def numbered_lines(
    stream: BinaryIO, path: str | Path, start: Place = BEGINNING
) -> Iterator[tuple[int, bytes | LineFault, int]]:
    """Numbers, bytes and end offsets of the lines after `start`; a line that is too long comes as its fault.

    Raises:
        BadInput: the file breaks off, is packed wrongly, or is written in UTF-16 or UTF-32.
    """
    number, offset = start if start.offset else Place()
    try:
        if offset:
            stream.seek(offset)
        while True:
            raw = stream.readline(MAX_LINE_BYTES + 1)
            overlong = len(raw) > MAX_LINE_BYTES
            offset += len(raw)
            while overlong and raw and not raw.endswith(b"\n"):
                raw = stream.readline(MAX_LINE_BYTES)
                offset += len(raw)
            if not raw and not overlong:
                return
            number += 1
            if number == 1:
                refuse_wide(raw)
            if number <= start.number:
                continue
            if overlong:
                yield number, LineFault(f"longer than {MAX_LINE_BYTES} bytes", line=number), offset
            else:
                yield number, raw.removeprefix(BOM) if number == 1 else raw, offset
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"cannot read {path} after line {number}: {error}") from error


def record_of_bytes(raw: bytes | str, line: int | None = None) -> dict[str, Any]:
    """One line's JSON object.

    Raises:
        LineFault: not UTF-8, not JSON, or not an object.
    """
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
    except UnicodeDecodeError as error:
        raise LineFault(
            f"not UTF-8 (byte {error.start + 1}; it reads as {likely_encoding(error.object)}); save the file as UTF-8",
            line=line,
        ) from error
    try:
        record = json.loads(text.rstrip())  # a fault at its end is told by its column, not as one of the next line
    except RecursionError as error:
        raise LineFault("nested too deeply", line=line) from error
    except ValueError as error:
        raise LineFault(f"not valid JSON{json_problem(error)}", line=line) from error
    if not isinstance(record, dict):
        raise LineFault(f"a line must be a JSON object, not {json_type(record)}", line=line)
    return record


def json_problem(error: ValueError) -> str:
    """What Python's parser says, put so that it follows "not valid JSON": some of its messages end in "at"."""
    detail = re.sub(r"(?: starting)? at$", "", str(getattr(error, "msg", "a number is too long")))
    column = getattr(error, "colno", None)
    return f" at column {column} ({detail})" if column else f" ({detail})"


def text_problem(text: str) -> str | None:
    """Why `text` may not enter: it holds a NUL or half of a surrogate pair. None when it may."""
    zero = text.find("\x00")
    if zero >= 0:
        return f"holds a NUL character at offset {zero}"
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"holds half of a surrogate pair at offset {error.start}"
    return None


def json_type(value: Any) -> str:
    """What JSON calls the type of `value`."""
    names = {bool: "true/false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "null")
