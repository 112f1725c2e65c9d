"""Answers in XLSX workbooks: the first sheet, its columns named in the first row as in `tables`."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from proofing.errors import BadInput
from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import BlankRow, LineFault
from proofing.exchange.rows import Row
from proofing.exchange.tables import WRITTEN, answer_of_cells, cells_of_row, places_of

#: The most a workbook may unpack to, in bytes: its shared texts are held in memory.
MOST_UNPACKED = 256 * 2**20
#: The longest text a cell holds, in characters (Excel's own limit).
LONGEST_CELL = 32_767
#: The most rows a sheet holds (Excel's own limit), the header among them.
MOST_ROWS = 1_048_576
#: What XML cannot hold or would change stands in a workbook as _x000D_ (ECMA-376, ST_Xstring), and so does the first
#: sign of a text that reads like such an escape itself.
_ESCAPES = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def scan_workbook(
    path: str | Path, mapping: Mapping[str, str] | None = None
) -> Iterator[tuple[int, AnswerLine | LineFault]]:
    """Row numbers (from 1) and answers of the first sheet, streamed. Formulas give the value stored with them.

    Raises:
        BadInput: it is no workbook, too large, or has no column for the answer or the sources.
    """
    _need_openpyxl()
    from openpyxl import load_workbook

    _refuse_unfit(path)
    stream = open(path, "rb")  # noqa: SIM115 - by its bytes: by its name openpyxl would refuse it
    try:
        book = load_workbook(stream, read_only=True, data_only=True)
        sheet = book.worksheets[0]
    except Exception as error:  # whatever the bytes hold, openpyxl's own errors are of many kinds
        stream.close()
        raise BadInput(f"cannot read {path}: no readable workbook ({type(error).__name__})") from error
    try:
        rows = sheet.iter_rows(values_only=True)
        header = [_text(value) for value in next(rows, ())]
        while header and not header[-1]:
            header.pop()
        if not header:
            raise BadInput("the first sheet is empty")
        places = places_of(header, mapping)
        blank: list[int] = []  # a sheet may go on for a million formatted rows after its last one
        for number, values in enumerate(rows, start=2):
            cells = [_text(value) for value in values[: len(header)]]
            cells += [""] * (len(header) - len(cells))
            if not any(cells):
                blank.append(number)
                continue
            yield from ((passed, BlankRow(passed)) for passed in blank)
            blank = []
            yield number, answer_of_cells(cells, places, header, number)
    finally:
        book.close()
        stream.close()


def _refuse_unfit(path: str | Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (OSError, zipfile.BadZipFile) as error:
        raise BadInput(f"cannot read {path}: no workbook") from error
    if unpacked > MOST_UNPACKED:
        raise BadInput(f"{path} unpacks to more than {MOST_UNPACKED // 2**20} MiB; save it as CSV")


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), str(value))


def _escaped(text: str) -> str:
    return _ESCAPES.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def _need_openpyxl() -> None:
    if find_spec("openpyxl") is None:
        raise BadInput("workbooks need openpyxl (pip install 'proofmark[exchange]')")


class Workbook:
    """Writes one sheet, a row at a time. Every text is stored as text, so nothing in it is computed."""

    def __init__(self, stream: BinaryIO) -> None:
        _need_openpyxl()
        from openpyxl import Workbook as Book

        self._stream = stream
        self._book = Book(write_only=True)
        self._sheet = self._book.create_sheet("answers")
        self._sheet.append(list(WRITTEN))
        self._rows = 1

    def add(self, row: Row) -> None:
        cells = cells_of_row(row)
        for name, cell in zip(WRITTEN, cells, strict=True):
            if isinstance(cell, str) and len(cell) > LONGEST_CELL:
                raise LineFault(f"longer than the {LONGEST_CELL} characters a cell holds", field=name,
                                line=row.line.line, id=row.line.id)  # fmt: skip
        if self._rows >= MOST_ROWS:
            raise LineFault(f"a sheet holds at most {MOST_ROWS} rows", line=row.line.line, id=row.line.id)
        self._sheet.append([self._cell(cell) for cell in cells])
        self._rows += 1

    def _cell(self, value: str | int | float | None) -> Any:
        from openpyxl.cell import WriteOnlyCell

        if not isinstance(value, str):
            return value
        cell = WriteOnlyCell(self._sheet, value=_escaped(value))
        cell.data_type = "s"
        return cell

    def close(self) -> None:
        self._book.save(self._stream)
