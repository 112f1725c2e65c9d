"""The formats by name, for `proofmark import` and `proofmark export`.

A format is at most two functions on decoded JSON objects, one a line: `read` gives an `AnswerLine`, `write` gives
the format's own record from an `answers/1` or `reviews/1` record. A format that is no JSON Lines brings `scan`, which
reads a whole file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofing.errors import BadInput
from proofing.exchange import ragas
from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import LineFault, scan_records
from proofing.exchange.reviews import SCHEMA, labelled_of_record
from proofing.exchange.tables import DELIMITERS, scan_table

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """One format; None where it cannot go that way."""

    name: str
    read: Callable[[Record, int], AnswerLine] | None
    write: Callable[[Record, int], dict[str, Any]] | None
    scan: Callable[[str | Path], Iterator[tuple[int, AnswerLine | LineFault]]] | None = None

    @property
    def can_read(self) -> bool:
        return self.read is not None or self.scan is not None


def _native(record: Record, line: int) -> AnswerLine:
    return labelled_of_record(record, line).line


def _answers(record: Record, line: int) -> dict[str, Any]:
    return labelled_of_record(record, line).line.to_dict()


def _reviews(record: Record, line: int) -> dict[str, Any]:
    if record.get("schema") != SCHEMA:
        raise LineFault("only reviews/1 lines can be written as reviews/1", field="schema", line=line)
    labelled_of_record(record, line)
    return dict(record)


FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("answers", _native, _answers),
        Format("reviews", _native, _reviews),
        Format("ragas", ragas.from_ragas, ragas.sample_of_record),
        Format("csv", None, None, lambda path: scan_table(Path(path), DELIMITERS["csv"])),
        Format("tsv", None, None, lambda path: scan_table(Path(path), DELIMITERS["tsv"])),
    )
}


def format_named(name: str, *, to_write: bool) -> Format:
    """The format of that name.

    Raises:
        BadInput: there is none, or it does not go that way; the message lists those that do.
    """
    form = FORMATS.get(name)
    if form is None or not (form.write if to_write else form.can_read):
        known = ", ".join(f.name for f in FORMATS.values() if (f.write if to_write else f.can_read))
        raise BadInput(f"cannot {'write' if to_write else 'read'} the format {name!r}; known: {known}")
    return form


def imported(name: str, path: str | Path) -> Iterator[dict[str, Any] | LineFault]:
    """`answers/1` records from a file in the named format, with faults in their place.

    Raises:
        BadInput: unknown format, or the file cannot be read.
    """
    form = format_named(name, to_write=False)
    if form.scan is not None:
        for _, line in form.scan(path):
            yield line if isinstance(line, LineFault) else line.to_dict()
        return
    read = form.read
    if read is None:
        return
    for number, record in scan_records(path):
        try:
            yield record if isinstance(record, LineFault) else read(record, number).to_dict()
        except LineFault as fault:
            yield fault


def exported(name: str, path: str | Path) -> Iterator[dict[str, Any] | LineFault]:
    """Records in the named format from a file of `answers/1` or `reviews/1` lines, with faults in their place.

    Raises:
        BadInput: unknown format, or the file cannot be read.
    """
    write = format_named(name, to_write=True).write
    if write is None:
        return
    for number, record in scan_records(path):
        try:
            yield record if isinstance(record, LineFault) else write(record, number)
        except LineFault as fault:
            yield fault
