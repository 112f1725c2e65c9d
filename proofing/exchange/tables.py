"""Answers in tables, CSV and TSV: one row each, columns named in the first row.

The cell of the sources is one text, or a JSON list of sources as in `answers/1`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proofing.errors import BadInput
from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.jsonl import LineFault, opened

#: What stands between two cells, by format.
DELIMITERS = {"csv": ",", "tsv": "\t"}
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
}


def scan_table(path: Path, delimiter: str) -> Iterator[tuple[int, AnswerLine | LineFault]]:
    """Line numbers (from 1) and answers of a table whose first row names its columns, streamed.

    Raises:
        BadInput: the file as a whole cannot be read, or has no column for the answer or the sources.
    """
    csv.field_size_limit(MAX_CELL)
    with opened(path) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as stream:
        rows = csv.reader(stream, delimiter=delimiter, strict=True)
        try:
            header = next(rows, None)
            if header is None:
                raise BadInput("the file is empty")
            places = _places(header)
            for cells in rows:
                if any(cells):
                    yield rows.line_num, _answer_of_cells(cells, places, header, rows.line_num)
        except UnicodeDecodeError as error:
            raise BadInput(
                f"the file is not UTF-8 (near line {rows.line_num + 1}: {error.reason}); save it as UTF-8"
            ) from error
        except csv.Error as error:
            raise BadInput(f"line {rows.line_num}: not a readable table row ({error})") from error


def _places(header: list[str]) -> dict[str, int]:
    """Which column fills which field.

    Raises:
        BadInput: there is no column for the answer or for the sources.
    """
    names = [name.strip().lower() for name in header]
    places = {
        field: names.index(known) for field, choices in COLUMNS.items() for known in reversed(choices) if known in names
    }
    for field in ("answer", "sources"):
        if field not in places:
            raise BadInput(
                f"no column for the {field}: name one of them {' or '.join(COLUMNS[field])}; found {', '.join(names)}"
            )
    return places


def _answer_of_cells(
    cells: list[str], places: Mapping[str, int], header: list[str], number: int
) -> AnswerLine | LineFault:
    if len(cells) != len(header):
        return LineFault(f"has {len(cells)} cells where the header has {len(header)}", line=number)
    record: dict[str, Any] = {field: cells[place] for field, place in places.items() if cells[place] != ""}
    try:
        record["sources"] = _sources_of_cell(record.get("sources", ""))
        for field in ("latency_ms", "label"):
            if field in record:
                record[field] = _number(record[field], field)
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


def _number(cell: str, field: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise LineFault(f"must be a number, not {cell[:40]!r}", field=field) from None
