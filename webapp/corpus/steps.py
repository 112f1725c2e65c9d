"""The lines of one step of an upload: told apart, and stored together."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import DataError, IntegrityError, transaction

from proofing.exchange.documents import DocumentLine, FoundDocument
from proofing.exchange.jsonl import BlankRow, LineFault
from webapp.corpus.models import Upload
from webapp.corpus.services import Put, known_documents, put_all

logger = logging.getLogger(__name__)


def told_apart(
    upload: Upload, step: list[FoundDocument]
) -> tuple[list[tuple[int, DocumentLine]], list[tuple[int, LineFault]]]:
    """The documents of a step, each key once, and why its other lines are left out."""
    keys = [item.key for _, item, _ in step if isinstance(item, DocumentLine)]
    rows = known_documents(upload.project, keys).filter(upload=upload)
    taken: dict[str, int] = {row.key: row.line for row in rows if row.line is not None and row.line < step[0][0]}
    lines: list[tuple[int, DocumentLine]] = []
    faults: list[tuple[int, LineFault]] = []
    for number, item, _ in step:
        if isinstance(item, DocumentLine) and item.key in taken:
            said = f"{item.key!r} stands in line {taken[item.key]} already; only that one was taken"
            faults.append((number, LineFault(said, field="id")))
        elif isinstance(item, DocumentLine):
            taken[item.key] = number
            lines.append((number, item))
        elif not isinstance(item, BlankRow):
            faults.append((number, item))
    return lines, faults


def put_lines(
    upload: Upload, lines: list[tuple[int, DocumentLine]], began: datetime
) -> tuple[list[Put], list[tuple[int, LineFault]]]:
    """Store documents together, or one by one where that cannot be; and those that could not be stored at all."""
    try:
        with transaction.atomic():
            return put_all(
                project=upload.project, lines=lines, actor=upload.created_by, now=began, upload=upload
            ), []  # fmt: skip
    except (IntegrityError, DataError, ValueError):
        if len(lines) == 1:
            logger.exception("line %d of upload %s", lines[0][0], upload.pk)
            return [], [(lines[0][0], LineFault("could not be stored"))]
    each = [put_lines(upload, [line], began) for line in lines]
    return [one for put, _ in each for one in put], [fault for _, unfit in each for fault in unfit]
