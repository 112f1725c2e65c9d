"""Answers in tables, CSV and TSV: one row each, columns named in the first row.

The cell of the sources is one text, or a JSON list of sources as in `answers/1`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from proofing.errors import BadInput
from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.cells import plain_cell, safe_cell
from proofing.exchange.encodings import likely_encoding, refuse_wide
from proofing.exchange.jsonl import BEGINNING, BOM, BlankRow, LineFault, Place, opened
from proofing.exchange.rows import Row

#: What stands between two cells, by format.
DELIMITERS = {"csv": ",", "tsv": "\t"}
#: What is tried where the first row has none of the usual ones.
OTHER_SEPARATORS = (";", "\t", ",")
#: A longer table cell ends the import: it is most likely a quotation mark that was never closed.
MAX_CELL = 16 * 1024 * 1024
#: Names a table's columns may carry, by the field they fill.
COLUMNS = {
    "question": ("question", "user_input"),
    "answer": ("answer", "response"),
    "sources": ("sources", "contexts", "retrieved_contexts", "context", "source"),
    "id": ("id",),
    "external_id": ("external_id",),
    "model": ("model",),
    "task": ("task",),
    "locale": ("locale",),
    "latency_ms": ("latency_ms",),
    "label": ("label",),
    "labels": ("labels",),
    "score": ("score", "unsupported_probability"),
    "group": ("group",),
}
#: The columns of a table we write, in their order.
WRITTEN = (
    "id", "external_id", "question", "answer", "sources", "model", "task", "locale", "latency_ms", "label", "labels",
    "score", "group", "decision", "final_text", "risk", "route", "marks", "split",
)  # fmt: skip


def scan_table(
    path: Path, delimiter: str, mapping: Mapping[str, str] | None = None, start: Place = BEGINNING
) -> Iterator[tuple[int, AnswerLine | LineFault, int]]:
    """Line numbers, answers and end offsets of a table whose first row names its columns, streamed.

    A row's number is that of its last line in the file.

    Args:
        mapping: which column fills which field ({"answer": "Bot reply"}); None: by the usual names.
        start: where to go on, as given with an earlier row.

    Raises:
        BadInput: the file as a whole cannot be read, or has no column for the answer or the sources.
    """
    with open_table(path, delimiter) as (lines, header, rows):
        places = places_of(header, mapping)
        lines.go_on(start)
        for cells in rows:
            if lines.number <= start.number:
                continue
            found = answer_of_cells(cells, places, header, lines.number) if any(cells) else BlankRow(lines.number)
            yield lines.number, found, lines.offset


@contextmanager
def open_table(path: Path, delimiter: str) -> Iterator[tuple[_Lines, list[str], Iterator[list[str]]]]:
    """The lines of a table, its first row, and the rows after it; what cannot be read is said with its line."""
    csv.field_size_limit(MAX_CELL)
    with opened(path) as raw:
        lines = _Lines(raw, path)
        rows = csv.reader(lines, delimiter=lines.separator(delimiter), strict=True)
        try:
            header = next(rows, None)
            if header is None:
                raise BadInput("the file is empty")
            yield lines, header, rows
        except csv.Error as error:
            raise BadInput(f"line {lines.number}: not a readable table row ({error})") from error


class _Lines:
    """The lines of a file as text, with the number and the end offset of the last one given."""

    def __init__(self, raw: BinaryIO, path: Path) -> None:
        self._raw = raw
        self._path = path
        self._pieces: list[bytes] = []
        self.number = 0
        self.offset = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if not self._pieces:
            self._pieces = self._read()
        piece = self._pieces.pop(0)
        self.number += 1
        self.offset += len(piece)
        if self.number == 1:
            refuse_wide(piece)
            piece = piece.removeprefix(BOM)
        try:
            return piece.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadInput(
                f"the file is not UTF-8 (near line {self.number}; it reads as {likely_encoding(piece)}); "
                "save it as UTF-8"
            ) from error

    def separator(self, usual: str) -> str:
        """What stands between the cells of the first row: spreadsheets write semicolons where the comma is decimal."""
        if not self._pieces:
            try:
                self._pieces = self._read()
            except StopIteration:
                return usual
        return next((sign for sign in (usual, *OTHER_SEPARATORS) if sign.encode() in self._pieces[0]), usual)

    def _read(self) -> list[bytes]:
        try:
            line = self._raw.readline(MAX_CELL)
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"cannot read {self._path} after line {self.number}: {error}") from error
        if not line:
            raise StopIteration
        # Some programs end lines with a carriage return alone.
        return re.split(rb"(?<=\r)(?=[^\n])", line) if b"\r" in line else [line]

    def go_on(self, start: Place) -> None:
        """Read on at a place; without an offset in it the rows up to there are read and passed over."""
        if start.offset:
            self._raw.seek(start.offset)
            self._pieces = []
            self.number, self.offset = start


def preview(path: Path, delimiter: str, rows: int = 5) -> tuple[list[str], list[list[str]], dict[str, str]]:
    """The header of a table, its first rows, and which column would fill which field by its name.

    Raises:
        BadInput: the file cannot be read as such a table.
    """
    with open_table(path, delimiter) as (_, header, cells):
        first = [row for row in islice(cells, rows) if any(row)]
    return header, first, {field: header[place] for field, place in _known_places(header).items()}


def places_of(header: Sequence[str], mapping: Mapping[str, str] | None = None) -> dict[str, int]:
    """Which column fills which field.

    Raises:
        BadInput: there is no column for the answer or for the sources, or the mapping names what is not there.
    """
    if mapping:
        for field, column in mapping.items():
            if field not in COLUMNS:
                raise BadInput(f"no field is called {field!r}; there are {', '.join(COLUMNS)}")
            if column not in header:
                raise BadInput(f"no column is called {column!r}; found {', '.join(header)}")
        places = {field: list(header).index(column) for field, column in mapping.items()}
    else:
        places = _known_places(header)
    for field in ("answer", "sources"):
        if field not in places:
            raise BadInput(
                f"no column for the {field}: name one of them {' or '.join(COLUMNS[field])}; found {', '.join(header)}"
            )
    return places


def _known_places(header: Sequence[str]) -> dict[str, int]:
    names = [name.strip().lower() for name in header]
    return {
        field: names.index(known) for field, choices in COLUMNS.items() for known in reversed(choices) if known in names
    }


def answer_of_cells(
    cells: Sequence[str], places: Mapping[str, int], header: Sequence[str], number: int
) -> AnswerLine | LineFault:
    """One row as an answer, or why it is none."""
    if len(cells) != len(header):
        return LineFault(f"has {len(cells)} cells where the header has {len(header)}", line=number)
    record: dict[str, Any] = {field: plain_cell(cells[at]) for field, at in places.items() if cells[at] != ""}
    try:
        record["sources"] = _sources_of_cell(record.get("sources", ""))
        for field in ("latency_ms", "label", "score"):
            if field in record:
                record[field] = _number(record[field], field)
        if "labels" in record:
            record["labels"] = _labels_of_cell(record["labels"])
        return answer_of_record(record, line=number)
    except LineFault as fault:
        return LineFault(fault.reason, field=fault.field, line=number, id=fault.id)


def _sources_of_cell(cell: str) -> list[Any]:
    """A cell that is a JSON list holds the sources as in `answers/1`; any other text is one source."""
    if cell.lstrip().startswith("["):
        try:
            value = json.loads(cell)
        except (ValueError, RecursionError):
            return [cell]
        if isinstance(value, list):
            return value
    return [cell] if cell.strip() else []


def _labels_of_cell(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise LineFault("must be a JSON list of spans", field="labels") from None


def _number(cell: str, field: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise LineFault(f"must be a number, not {cell[:40]!r}", field=field) from None


# Writing ---------------------------------------------------------------------------------------------------------


def cells_of_row(row: Row) -> list[str | int | float | None]:
    """The cells of `WRITTEN`; what is no plain text is JSON."""
    line = row.line
    marks = [{name: mark.get(name) for name in ("start", "end", "text", "reason", "probability")} for mark in row.marks]
    cells: list[str | int | float | None] = [
        line.id, line.external_id, line.question, line.answer,
        _json([{"id": source.id, "text": source.text} for source in line.sources]),
        line.model, line.task, line.locale, line.latency_ms, line.label,
        None if row.spans is None else _json([span.to_dict() for span in row.spans]),
        line.score, line.group, row.last_decision, row.taken, row.scan.get("risk"), row.scan.get("route"),
        _json(marks) if row.scan else None, row.split,
    ]  # fmt: skip
    return [safe_cell(cell) if isinstance(cell, str) else cell for cell in cells]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class Table:
    """Writes CSV or TSV; a cell that a spreadsheet would take for a formula is made harmless."""

    def __init__(self, stream: BinaryIO, delimiter: str) -> None:
        self._text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
        self._rows = csv.writer(self._text, delimiter=delimiter, lineterminator="\r\n")
        self._rows.writerow(WRITTEN)

    def add(self, row: Row) -> None:
        self._rows.writerow(cells_of_row(row))

    def close(self) -> None:
        self._text.detach()  # flushes; the stream itself is its owner's to close
