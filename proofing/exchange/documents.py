"""Documents of a corpus: one text or Markdown file, JSON Lines with ``id`` and ``text``, or a table with such columns.

All are read a line at a time; what cannot be used is said with its line. A text file is one document as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from proofing.errors import BadInput
from proofing.exchange.encodings import likely_encoding, refuse_wide
from proofing.exchange.jsonl import BEGINNING, BOM, BlankRow, LineFault, Place, json_type, scan_places, text_problem
from proofing.exchange.tables import DELIMITERS, open_table
from proofing.exchange.unread import unread_names

#: Formats by name, with what people call them.
FORMATS = {"text": "text or Markdown", "jsonl": "JSON Lines", "csv": "CSV", "tsv": "TSV"}
ENDINGS = {
    ".txt": "text", ".md": "text", ".markdown": "text", ".text": "text",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv",
}  # fmt: skip
#: Endings of what people send and is not read, with its name and what to do.
_AS_TEXT, _AS_TABLE, _UNPACK = "save its text as .txt or .md", "save it as CSV in UTF-8", "unpack it first"
UNREAD = {
    ".pdf": ("PDF", _AS_TEXT), ".doc": ("Word", _AS_TEXT), ".docx": ("Word", _AS_TEXT),
    ".odt": ("OpenDocument", _AS_TEXT),
    ".rtf": ("RTF", _AS_TEXT), ".ppt": ("PowerPoint", _AS_TEXT), ".pptx": ("PowerPoint", _AS_TEXT),
    ".html": ("HTML", _AS_TEXT), ".htm": ("HTML", _AS_TEXT), ".epub": ("EPUB", _AS_TEXT),
    ".xls": ("Excel", _AS_TABLE), ".xlsx": ("Excel", _AS_TABLE), ".ods": ("OpenDocument", _AS_TABLE),
    ".zip": ("zip", _UNPACK), ".gz": ("gzip", _UNPACK), ".json": ("JSON", "write one object a line and call it .jsonl"),
}  # fmt: skip
#: The longest document, in characters.
LONGEST = 2_000_000
#: A longer file holds more than `LONGEST` characters in any case.
MOST_BYTES = 4 * LONGEST + 4
#: Longest names, in characters.
LENGTHS = {"id": 300, "title": 500, "url": 2000}
#: Names a field may carry, the first one being ours.
NAMES = {"id": ("id", "key"), "text": ("text", "content", "body"), "title": ("title", "name"), "url": ("url", "link")}
#: All of them.
READ_NAMES = frozenset(name for names in NAMES.values() for name in names)
#: How files begin that are no text, and what they are.
_BINARY = (
    (b"\x1f\x8b", "gzip"), (b"PK\x03\x04", "zip"), (b"%PDF", "PDF"), (b"\xd0\xcf\x11\xe0", "Office"),
    (b"{\\rtf", "RTF"), (b"\x89PNG", "image"), (b"\xff\xd8\xff", "image"), (b"GIF8", "image"),
)  # fmt: skip
_HEADING = re.compile(r"^#{1,3}[ \t]+(\S.{0,299}?)[ \t#]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """One document as it came in: its caller's key, its text, and where there are any its title and address.

    ``unread``: names of fields that nobody reads; they are no fault.
    """

    key: str
    text: str
    title: str = ""
    url: str = ""
    unread: tuple[str, ...] = ()


#: A number that grows, a document or why there is none, and the byte at which reading can go on.
FoundDocument = tuple[int, DocumentLine | LineFault, int]


def format_of(filename: str) -> str | None:
    """The format a file's name suggests; None when it suggests none."""
    return ENDINGS.get(PurePosixPath(filename.lower()).suffix)


def why_unread(filename: str) -> str | None:
    """What to do with a file whose name says that it is of a kind that is not read; None for any other."""
    kind = UNREAD.get(PurePosixPath(filename.lower()).suffix)
    return f"{kind[0]} is not read; {kind[1]}" if kind else None


def refuse_binary(start: bytes) -> None:
    """Raises BadInput for a file that begins with these bytes and is no plain text in UTF-8."""
    for sign, name in _BINARY:
        if start.startswith(sign):
            advice = "unpack it first" if name in ("gzip", "zip") else "save its text as .txt or .md first"
            raise BadInput(f"this is a file of type {name}, not plain text; {advice}")
    refuse_wide(start)
    if b"\0" in start:
        raise BadInput("the file is not plain text (it holds NUL bytes); save its text as .txt or .md first")


def scan_documents(path: Path, format: str, filename: str, start: Place = BEGINNING) -> Iterator[FoundDocument]:
    """Line numbers, documents and offsets, from a place in the file on.

    Args:
        format: one of `FORMATS`.
        filename: what a text file is called; that is its key.

    Raises:
        BadInput: the file as a whole cannot be read.
    """
    if format == "text":
        if start.number == 0:
            with open(path, "rb") as stream:
                yield 1, document_of_text(stream.read(MOST_BYTES), filename), 0
    elif format == "jsonl":
        for number, record, offset in scan_places(path, start):
            yield number, record if isinstance(record, LineFault) else _read(record, number), offset
    else:
        yield from _rows(path, DELIMITERS[format], start)


def document_of_record(record: Mapping[str, Any], line: int | None = None) -> DocumentLine:
    """A document from a decoded object.

    Raises:
        LineFault: with the field and the reason.
    """
    found = {field: _text(record, field) for field in NAMES}
    key, text = " ".join(found["id"].split()), found["text"]
    if not key:
        raise LineFault("missing; it names the document, so that it can be replaced", field="id", line=line)
    if not key.isprintable():
        raise LineFault("holds signs that cannot be shown", field="id", line=line)
    _check_text(text)
    title, url = " ".join(found["title"].split()), found["url"].strip()
    for field, value in (("id", key), ("title", title), ("url", url)):
        if len(value) > LENGTHS[field]:
            raise LineFault(f"longer than {LENGTHS[field]} characters", field=field, line=line)
    return DocumentLine(key, text, title, url, tuple(unread_names(record, READ_NAMES)))


def _check_text(text: str) -> None:
    if not text.strip():
        raise LineFault("is empty; there is nothing to search", field="text")
    if len(text) > LONGEST:
        raise LineFault(f"longer than {LONGEST:,} characters; cut it into chapters", field="text")


def _read(record: Mapping[str, Any], number: int) -> DocumentLine | LineFault:
    try:
        return document_of_record(record, number)
    except LineFault as fault:
        return LineFault(fault.reason, field=fault.field, line=number)


def _text(record: Mapping[str, Any], field: str) -> str:
    name = next((name for name in NAMES[field] if record.get(name) is not None), field)
    value = record.get(name)
    if value is None:
        return ""
    if field == "id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise LineFault(f"must be text, not {json_type(value)}", field=name)
    problem = text_problem(value)
    if problem:
        raise LineFault(problem, field=name)
    return value


def document_of_text(raw: bytes, filename: str) -> DocumentLine:
    """A file that is one document, by its first `MOST_BYTES` bytes. Its title is its first heading, else its name.

    Raises:
        BadInput: it is empty, too long, or no text in UTF-8; with the line where that shows.
    """
    refuse_binary(raw[:8192])
    try:
        text = raw.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        if len(raw) >= MOST_BYTES:
            raise BadInput(f"the document is longer than {LONGEST:,} characters; cut it into chapters") from error
        line = raw.count(b"\n", 0, error.start) + 1
        reads = likely_encoding(raw[error.start :][:4096])
        raise BadInput(f"the file is not UTF-8 (near line {line}; it reads as {reads}); save it as UTF-8") from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    heading = _HEADING.search(text, 0, 20_000)
    title = heading[1] if heading else filename
    try:
        return document_of_record({"id": filename, "text": text, "title": title})
    except LineFault as fault:
        raise BadInput(str(fault)) from fault


def _rows(path: Path, delimiter: str, start: Place) -> Iterator[FoundDocument]:
    with open_table(path, delimiter) as (lines, header, rows):
        places = _places(header)
        lines.go_on(start)
        for cells in rows:
            if lines.number <= start.number:
                continue
            if not any(cells):
                yield lines.number, BlankRow(lines.number), lines.offset
            elif len(cells) > len(header):
                reason = f"has {len(cells)} cells, but the first row names {len(header)} columns"
                yield lines.number, LineFault(reason, line=lines.number), lines.offset
            else:
                record = {field: cells[at] for field, at in places.items() if at < len(cells)}
                yield lines.number, _read(record, lines.number), lines.offset


def _places(header: Sequence[str]) -> dict[str, int]:
    """Which column holds which field."""
    named = [cell.strip().lower() for cell in header]
    found = {field: next((named.index(n) for n in names if n in named), None) for field, names in NAMES.items()}
    for field in ("id", "text"):
        if found[field] is None:
            known = ", ".join(repr(cell) for cell in header[:20])
            raise BadInput(f"no column is called {' or '.join(NAMES[field])}; the first row names {known}")
    return {field: at for field, at in found.items() if at is not None}
