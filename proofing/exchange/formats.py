"""The formats by name, for the command line, the pages and the API.

A format is at most two things: `scan`, which reads a file of it as answers, and `sink`, which takes rows and writes
them. Both stream.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from proofing.errors import BadInput
from proofing.exchange import argilla, labelstudio, lettucedetect, openinference, ragas, webannotation
from proofing.exchange.answers import AnswerLine
from proofing.exchange.arrays import begins_a_list, scan_objects
from proofing.exchange.hfdatasets import DatasetFolder, scan_dataset
from proofing.exchange.jsonl import BEGINNING, BlankRow, LineFault, Place, opened, scan_places, scan_records
from proofing.exchange.ragtruth import RagtruthFolder, scan_ragtruth
from proofing.exchange.reviews import SCHEMA, labelled_of_record
from proofing.exchange.rows import Row, row_of_record
from proofing.exchange.sinks import JsonLines, JsonList, Sink, singly
from proofing.exchange.tables import DELIMITERS, Table, scan_table
from proofing.exchange.unread import UnreadFields
from proofing.exchange.workbooks import Workbook, scan_workbook

Record = Mapping[str, Any]
#: What reading gives: a number that grows, the answer or why there is none, and the offset (in bytes of the unpacked
#: file) at which reading can go on; 0 where a file can only be read from its start.
Found = tuple[int, AnswerLine | LineFault, int]
Scan = Callable[[Path, Mapping[str, str] | None, Place], Iterator[Found]]


@dataclass(frozen=True, slots=True)
class Format:
    """One format; None where it cannot go that way.

    Attributes:
        title: what people call it.
        file: the name of the file written; a format of several files gives a folder (`folder`), a zip file of it in
            the web.
        mapped: whether columns can be named for it.
    """

    name: str
    title: str
    scan: Scan | None = None
    sink: Callable[[BinaryIO], Sink] | None = None
    folder: Callable[[Path], Sink] | None = None
    file: str = ""
    content_type: str = "application/x-ndjson"
    mapped: bool = False

    @property
    def writes(self) -> bool:
        return self.sink is not None or self.folder is not None


# Reading ---------------------------------------------------------------------------------------------------------


def _lines(read: Callable[[Record, int], AnswerLine]) -> Scan:
    """A scan of JSON Lines, which can be entered anywhere, or of one JSON list, which cannot."""
    as_list = _list(read)

    def scan(path: Path, mapping: Mapping[str, str] | None, start: Place) -> Iterator[Found]:
        if _is_list(path):
            yield from as_list(path, mapping, start)
            return
        for number, record, offset in scan_places(path, start):
            yield number, _read(read, record, number), offset

    return scan


def _is_list(path: Path) -> bool:
    if str(path) == "-":
        return False
    with opened(path) as stream:
        try:
            return begins_a_list(stream.read(4096))
        except (OSError, EOFError, zlib.error):
            return False  # reading the lines says what is wrong


def _list(
    read: Callable[[Record, int], AnswerLine],
    objects: Callable[[Path], Iterator[tuple[int, dict[str, Any] | LineFault]]] = scan_objects,
) -> Scan:
    """A scan of one JSON list, or of JSON Lines."""
    return _from_start(lambda path: ((number, _read(read, record, number)) for number, record in objects(path)))


def _read(read: Callable[[Record, int], AnswerLine], record: Record | LineFault, number: int) -> AnswerLine | LineFault:
    if isinstance(record, LineFault):
        return record
    try:
        return read(record, number)
    except LineFault as fault:
        return LineFault(fault.reason, field=fault.field, line=number, id=fault.id)
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        # Other tools' records nest deeply; what is wrong far down in one is told by its kind.
        return LineFault(f"does not have the shape of this format ({type(error).__name__})", line=number)


def _from_start(items: Callable[[Path], Iterator[tuple[int, AnswerLine | LineFault]]]) -> Scan:
    """A scan that can only pass over what was read before."""

    def scan(path: Path, mapping: Mapping[str, str] | None, start: Place) -> Iterator[Found]:
        for number, item in items(path):
            if number > start.number:
                yield number, item, 0

    return scan


def _table(name: str) -> Scan:
    return lambda path, mapping, start: scan_table(path, DELIMITERS[name], mapping, start)


def _workbook(path: Path, mapping: Mapping[str, str] | None, start: Place) -> Iterator[Found]:
    for number, item in scan_workbook(path, mapping):
        if number > start.number:
            yield number, item, 0


def _native(record: Record, line: int) -> AnswerLine:
    return labelled_of_record(record, line).line


# Writing ---------------------------------------------------------------------------------------------------------


def _jsonl(project: Callable[[Row], Record]) -> Callable[[BinaryIO], Sink]:
    return lambda stream: JsonLines(stream, project)


def _json_list(project: Callable[[Row], Record]) -> Callable[[BinaryIO], Sink]:
    return lambda stream: JsonList(stream, singly(project))


def _reviews(row: Row) -> Record:
    if row.record.get("schema") != SCHEMA:
        raise LineFault("only reviews/1 lines can be written as reviews/1", field="schema")
    return row.record


def _answers(row: Row) -> dict[str, Any]:
    out = row.line.to_dict()
    if row.spans is not None:
        out["labels"] = [span.to_dict() for span in row.spans]
    return out


_JSON = "application/json"
_ZIP = "application/zip"

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("reviews", "Proofmark, decisions (reviews/1)", _lines(_native), _jsonl(_reviews), file="reviews.jsonl"),
        Format("answers", "Proofmark, answers (answers/1)", _lines(_native), _jsonl(_answers), file="answers.jsonl"),
        Format("csv", "CSV", _table("csv"), lambda stream: Table(stream, ","), file="answers.csv",
               content_type="text/csv; charset=utf-8", mapped=True),
        Format("tsv", "TSV", _table("tsv"), lambda stream: Table(stream, "\t"), file="answers.tsv",
               content_type="text/tab-separated-values; charset=utf-8", mapped=True),
        Format("xlsx", "Excel workbook (XLSX)", _workbook, Workbook, file="answers.xlsx",
               content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", mapped=True),
        Format("ragas", "Ragas samples", _lines(ragas.from_ragas), _jsonl(ragas.sample_of_row), file="ragas.jsonl"),
        Format("ragas-alignment", "Ragas alignment of a judge", None,
               lambda stream: JsonList(stream, ragas.alignment_samples, ragas.ALIGNMENT_HEAD, ragas.ALIGNMENT_TAIL),
               file="ragas-alignment.json", content_type=_JSON),
        Format("ragtruth", "RAGTruth pair of files", _from_start(scan_ragtruth), folder=RagtruthFolder,
               file="ragtruth.zip", content_type=_ZIP),
        Format("label-studio", "Label Studio tasks", _list(labelstudio.answer_of_task, labelstudio.scan_tasks),
               folder=labelstudio.LabelStudioFolder, file="label-studio.zip", content_type=_ZIP),
        Format("argilla", "Argilla records", _list(argilla.answer_of_argilla), _json_list(argilla.record_of_row),
               file="argilla.json", content_type=_JSON),
        Format("lettucedetect", "LettuceDetect samples", _list(lettucedetect.answer_of_sample),
               _json_list(lettucedetect.sample_of_row), file="lettucedetect.json", content_type=_JSON),
        Format("datasets", "Hugging Face data set folder", _from_start(scan_dataset), folder=DatasetFolder,
               file="dataset.zip", content_type=_ZIP),
        Format("openinference", "OpenInference spans", _from_start(openinference.scan_spans),
               _jsonl(openinference.span_of_row), file="openinference.jsonl"),
        Format("web-annotation", "W3C Web Annotations", None,
               lambda stream: JsonList(stream, webannotation.annotations_of_row, *webannotation.AROUND_ITEMS),
               file="web-annotations.json", content_type=_JSON),
    )
}  # fmt: skip


def format_named(name: str, *, to_write: bool) -> Format:
    """The format of that name.

    Raises:
        BadInput: there is none, or it does not go that way; the message lists those that do.
    """
    form = FORMATS.get(name)
    if form is None or not _goes(form, to_write=to_write):
        known = ", ".join(sorted(form.name for form in FORMATS.values() if _goes(form, to_write=to_write)))
        raise BadInput(f"cannot {'write' if to_write else 'read'} the format {name!r}; known: {known}")
    return form


def _goes(form: Format, *, to_write: bool) -> bool:
    return form.writes if to_write else form.scan is not None


#: Formats whose lines are read by our own names (or Ragas'); in other tools' files there is much that we leave there.
OWN_LINES = ("answers", "reviews", "ragas")


def imported(
    name: str, path: str | Path, mapping: Mapping[str, str] | None = None, unread: UnreadFields | None = None
) -> Iterator[dict[str, Any] | LineFault]:
    """`answers/1` records from a file in the named format, with faults in their place.

    Args:
        unread: takes the fields that nobody reads, where the format is one of `OWN_LINES`.

    Raises:
        BadInput: unknown format, or the file cannot be read.
    """
    scan = format_named(name, to_write=False).scan
    if scan is None:
        return
    for number, item, _ in scan(Path(path), mapping, BEGINNING):
        if isinstance(item, BlankRow):
            yield item
        elif isinstance(item, LineFault):
            yield LineFault(item.reason, field=item.field, line=number, id=item.id)
        else:
            if unread is not None and name in OWN_LINES:
                unread.add(item.unread)
            yield item.to_dict()


def rows_of_file(path: str | Path) -> Iterator[Row | LineFault]:
    """Rows of a file of `answers/1` or `reviews/1` lines, with faults in their place.

    Raises:
        BadInput: the file cannot be read.
    """
    for number, record in scan_records(path):
        try:
            yield record if isinstance(record, LineFault) else row_of_record(record, number)
        except LineFault as fault:
            yield LineFault(fault.reason, field=fault.field, line=number, id=fault.id)


def poured(rows: Iterable[Row | LineFault], sink: Sink) -> Iterator[LineFault]:
    """Put rows into a sink; what the format cannot hold is given back, with the faults that came along."""
    for row in rows:
        if isinstance(row, LineFault):
            yield row
            continue
        try:
            sink.add(row)
        except LineFault as fault:
            yield LineFault(fault.reason, field=fault.field, line=row.line.line, id=row.line.id)
