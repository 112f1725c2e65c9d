"""Where rows go on their way out. A sink takes one row after the other and holds none of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Protocol

from proofing.exchange.rows import Row

#: One record of another format from one row; raises LineFault when the format cannot hold it.
Projection = Callable[[Row], Mapping[str, Any]]


class Sink(Protocol):
    """Takes rows. `add` raises LineFault, and adds nothing, when the format cannot hold the row."""

    def add(self, row: Row) -> None: ...

    def close(self) -> None: ...


@contextmanager
def closing(sink: Sink) -> Iterator[Sink]:
    """The sink, closed at the end; after an error it is closed as far as that goes."""
    try:
        yield sink
    except BaseException:
        with suppress(Exception):
            sink.close()
        raise
    sink.close()


def json_bytes(value: Any, *, indent: int | None = None) -> bytes:
    """JSON in UTF-8, in the order the keys were given, never with NaN."""
    spare = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=spare, indent=indent).encode("utf-8")


class JsonLines:
    """One object a line."""

    def __init__(self, stream: BinaryIO, project: Projection) -> None:
        self._stream = stream
        self._project = project

    def add(self, row: Row) -> None:
        self._stream.write(json_bytes(self._project(row)) + b"\n")

    def close(self) -> None:
        pass


class JsonList:
    """One JSON list, an element a line; `head` and `tail` stand around it."""

    def __init__(
        self,
        stream: BinaryIO,
        project: Callable[[Row], list[Mapping[str, Any]]],
        head: bytes = b"[",
        tail: bytes = b"]",
    ) -> None:
        self._stream = stream
        self._project = project
        self._tail = tail
        self._rows = 0
        stream.write(head)

    def add(self, row: Row) -> None:
        for record in self._project(row):
            self._stream.write((b",\n" if self._rows else b"\n") + json_bytes(record))
            self._rows += 1

    def close(self) -> None:
        self._stream.write((b"\n" if self._rows else b"") + self._tail + b"\n")


def singly(project: Projection) -> Callable[[Row], list[Mapping[str, Any]]]:
    """A projection to one record as one to a list of records."""
    return lambda row: [project(row)]
