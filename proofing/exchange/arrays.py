"""Files that hold one JSON list, read an element at a time; a file of JSON Lines is read as well."""

from __future__ import annotations

import codecs
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from proofing.errors import BadInput
from proofing.exchange.encodings import likely_encoding, refuse_wide
from proofing.exchange.jsonl import MAX_LINE_BYTES, LineFault, json_problem, json_type, opened, records_of, scan_records

CHUNK = 1 << 16
_SPACE = " \t\n\r"


def scan_objects(path: str | Path) -> Iterator[tuple[int, dict[str, Any] | LineFault]]:
    """Numbers (from 1) and objects of a JSON list, or of a file with one object a line.

    An element that is no object comes as its fault. Standard input (``-``) is read as lines.

    Raises:
        BadInput: the file cannot be read, or the list breaks off or is no JSON; what came before was given.
    """
    if str(path) == "-":
        yield from scan_records(path)
        return
    with opened(path) as stream:
        yield from scan_stream(stream, path)


def scan_stream(stream: BinaryIO, path: str | Path) -> Iterator[tuple[int, dict[str, Any] | LineFault]]:
    """As `scan_objects`, from an open file that can be read again from its start; `path` is what errors call it.

    Raises:
        BadInput: as `scan_objects`.
    """
    try:
        head = stream.read(CHUNK)
        stream.seek(0)
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"cannot read {path}: {error}") from error
    refuse_wide(head)
    if begins_a_list(head):
        yield from _elements(stream, path)
        return
    for number, record, _ in records_of(stream, path):
        yield number, record


def begins_a_list(head: bytes) -> bool:
    """Whether a file that begins with these bytes is one JSON list; a line of JSON Lines is an object."""
    return head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")


def _elements(stream: BinaryIO, path: str | Path) -> Iterator[tuple[int, dict[str, Any] | LineFault]]:
    text = _Text(stream, path)
    text.skip("[")
    number = 0
    while text.peek() != "]":
        if number:
            text.skip(",")
        number += 1
        value = text.value(number)
        if isinstance(value, dict):
            yield number, value
        else:
            yield number, LineFault(f"an element must be an object, not {json_type(value)}", line=number)


class _Text:
    """The not yet read rest of a JSON text, filled up as needed."""

    def __init__(self, stream: BinaryIO, path: str | Path) -> None:
        self._stream = stream
        self._path = path
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._parser = json.JSONDecoder()
        self._held = ""
        self._at = 0
        self._ended = False

    def _fill(self, size: int) -> bool:
        """Read on; False at the end of the file."""
        if self._ended:
            return False
        try:
            raw = self._stream.read(size)
            more = self._decoder.decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            raise BadInput(
                f"{self._path} is not UTF-8 (it reads as {likely_encoding(error.object)}); save it as UTF-8"
            ) from error
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"cannot read {self._path}: {error}") from error
        self._held, self._at, self._ended = self._held[self._at :] + more, 0, not raw
        return True

    def peek(self) -> str:
        """The next sign that is no white space; "" at the end."""
        while True:
            while self._at < len(self._held) and self._held[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._fill(CHUNK):
                raise BadInput(f"{self._path}: the JSON list breaks off")

    def skip(self, sign: str) -> None:
        if self.peek() != sign:
            raise BadInput(f"{self._path}: not a readable JSON list ({sign!r} expected)")
        self._at += 1

    def value(self, number: int) -> Any:
        """The next value. While it is not whole, twice as much is read, so that a long one is not parsed too often."""
        self.peek()
        size = CHUNK
        while True:
            try:
                value, end = self._parser.raw_decode(self._held, self._at)
                # A number at the end of what is held may go on.
                if end < len(self._held) or self._ended:
                    self._at = end
                    return value
                problem: ValueError | None = None
            except RecursionError as error:
                raise BadInput(f"{self._path}: element {number} is nested too deeply") from error
            except ValueError as error:
                problem = error
            if len(self._held) > MAX_LINE_BYTES:
                raise BadInput(f"{self._path}: element {number} is longer than {MAX_LINE_BYTES} characters")
            if not self._fill(size) and problem is not None:
                raise BadInput(f"{self._path}: element {number} is not valid JSON{json_problem(problem)}") from problem
            size *= 2
