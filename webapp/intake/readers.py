"""Uploaded files as numbered answers, one after the other, with the lines that cannot be used in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from proofing.exchange.formats import FORMATS as ALL
from proofing.exchange.formats import OWN_LINES, Found
from proofing.exchange.jsonl import BEGINNING, Place

#: Our own lines and Ragas' differ only in names that are all read, so people need not know which they have.
LINES = OWN_LINES
#: Formats an import takes, with what people call them.
FORMATS = {
    "jsonl": "JSON Lines (Proofmark or Ragas)",
    **{name: form.title for name, form in ALL.items() if form.scan is not None and name not in LINES},
}
#: Formats whose columns can be named.
MAPPED = frozenset(name for name, form in ALL.items() if form.mapped)


def known_name(format: str) -> str:
    """The name under which a format is kept; those of JSON Lines are one."""
    return "jsonl" if format in LINES else format


def format_of(filename: str) -> str | None:
    """The format a file's name suggests; None when it suggests none."""
    name = filename.lower().removesuffix(".gz")
    known = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".xlsx": "xlsx"}
    return known.get(Path(name).suffix)


def read_lines(
    path: Path, format: str, mapping: Mapping[str, str] | None = None, start: Place = BEGINNING
) -> Iterator[Found]:
    """Numbers, answers and the offsets where to go on, from a place in the file; streamed.

    Raises:
        BadInput: the file as a whole cannot be read; the message says how to mend it.
    """
    scan = ALL["reviews" if format == "jsonl" else format].scan
    if scan is not None:
        yield from scan(path, mapping or None, start)
