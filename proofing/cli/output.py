"""What every command does with its input and output: exit codes, progress, faults by name, files never overwritten.

Exit codes: 0 done; 1 done, with items that could not be used; 2 bad arguments or unreadable input; 3 refused (too
few labels).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from proofing.errors import BadInput

DONE, WITH_FAULTS, BAD_INPUT, REFUSED = 0, 1, 2, 3
T = TypeVar("T")
#: So many lines that could not be used are named.
NAMED = 5


def said_faults(count: int, faults: Sequence[Any] = ()) -> int:
    """Name the first few lines that could not be used; the exit code that goes with them."""
    for fault in faults[:NAMED]:
        click.echo(f"proofmark: {fault.sentence()}", err=True)
    if count:
        click.echo(f"proofmark: {count} {'line' if count == 1 else 'lines'} could not be used", err=True)
    return WITH_FAULTS if count else DONE


class Counted(Iterator[T]):
    """Items on their way, counted."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self.count = 0

    def __next__(self) -> T:
        item = next(self._items)
        self.count += 1
        return item


def said_left_out(faults: Sequence[Any], rows: int) -> int:
    """Name the first few rows that an export left out, and how many of all were and why; the exit code."""
    for fault in faults[:NAMED]:
        click.echo(f"proofmark: {fault.sentence()}", err=True)
    if faults:
        reasons = Counter(fault.reason for fault in faults).most_common(NAMED)
        why = ", ".join(f"{reason} ({count})" for reason, count in reasons)
        click.echo(f"proofmark: {len(faults)} of {rows} {'row' if rows == 1 else 'rows'} left out: {why}", err=True)
    return WITH_FAULTS if faults else DONE


def shown(items: Iterable[T], length: int | None, label: str) -> Iterator[T]:
    """The items, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, length=length, label=label, file=sys.stderr) as bar:
        yield from bar


def length_of(path: str) -> int | None:
    """Number of lines, for the progress bar; None when it cannot be known before reading."""
    if path == "-" or not sys.stderr.isatty():
        return None
    from proofing.exchange.jsonl import opened

    with opened(path) as stream:
        return sum(1 for line in stream if line.strip())


@contextmanager
def output(out: str, path: str) -> Iterator[BinaryIO]:
    """The output as bytes; the input is never overwritten, and an input that cannot be read leaves no output."""
    with readable(path):
        pass
    if path != "-" and Path(out).exists() and Path(out).samefile(path):
        raise BadInput(f"{out} is the input itself; give another file")
    if out == "-":
        yield sys.stdout.buffer
        return
    with open(out, "wb") as stream:
        yield stream


@contextmanager
def readable(path: str) -> Iterator[None]:
    """Raises BadInput when the input is neither a file that can be read nor a folder."""
    from proofing.exchange.jsonl import opened

    if path != "-" and not Path(path).is_dir():
        with opened(path):
            pass
    yield


def new_folder(out: str) -> Path:
    """The folder to write into.

    Raises:
        BadInput: something is there already.
    """
    folder = Path(out)
    if out == "-" or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise BadInput(f"{out}: give the name of a new or empty folder; this format is more than one file")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot make the folder {out}: {error.strerror or error}") from error
    return folder


def json_text(record: Any) -> str:
    from proofing.batch import json_line

    return json_line(record).decode().rstrip("\n")
