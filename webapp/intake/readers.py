"""Uploaded files as numbered answers, one after the other, with the lines that cannot be used in their place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from proofing.exchange.answers import AnswerLine, scan_answers
from proofing.exchange.jsonl import LineFault
from proofing.exchange.tables import DELIMITERS, scan_table

#: Formats an import takes, with what people call them. JSON Lines covers our own field names and Ragas'.
FORMATS = {"jsonl": "JSON Lines (Proofmark or Ragas)", "csv": "CSV", "tsv": "TSV"}


def format_of(filename: str) -> str | None:
    """The format a file's name suggests; None when it suggests none."""
    name = filename.lower().removesuffix(".gz")
    return {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv"}.get(
        Path(name).suffix
    )


def read_lines(path: Path, format: str) -> Iterator[tuple[int, AnswerLine | LineFault]]:
    """Numbers (from 1) and answers of a file, streamed.

    Raises:
        BadInput: the file as a whole cannot be read; the message says how to mend it.
    """
    if format == "jsonl":
        for item in scan_answers(path):
            yield item.line or 0, item
        return
    yield from scan_table(path, DELIMITERS[format])
