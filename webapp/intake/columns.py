"""Which column of an uploaded table fills which field, where the usual names do not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from proofing.errors import BadInput
from proofing.exchange import tables
from webapp.intake import imports
from webapp.intake.models import ImportBatch

#: Rows of the table that are shown.
ROWS = 5
#: Without a column for these there is no answer to proofread.
NEEDED = ("answer", "sources")


@dataclass(frozen=True, slots=True)
class Columns:
    """The beginning of a table: its columns, its first rows, and which column would fill which field by its name."""

    header: list[str]
    rows: list[list[str]]
    suggested: dict[str, str]

    @property
    def complete(self) -> bool:
        return all(field in self.suggested for field in NEEDED)


def columns_of(batch: ImportBatch) -> Columns | None:
    """The beginning of an uploaded table; None where the file is no table whose columns can be named.

    Raises:
        BadInput: the file cannot be read as a table.
    """
    delimiter = tables.DELIMITERS.get(batch.format)
    if delimiter is None:
        return None
    header, rows, suggested = tables.preview(Path(settings.DATA_DIR) / batch.file, delimiter, rows=ROWS)
    return Columns(header, rows, {**suggested, **batch.mapping})


def can_be_named(batch: ImportBatch) -> bool:
    """Whether the columns of an import can still be named: it is a table and has brought no answer in."""
    return batch.format in tables.DELIMITERS and not batch.imported and not batch.repeated


def name_columns(*, batch: ImportBatch, mapping: Mapping[str, str], user: Any, now: datetime) -> None:
    """Read an uploaded table anew with columns as named.

    Raises:
        Refused: a field or a column that is not there, no column for the answer or the sources, or the table has
            brought answers in already.
    """
    if not can_be_named(batch):
        raise imports.Refused("this file has brought answers in; its columns stay as they were read")
    found = columns_of(batch)
    if found is None:
        raise imports.Refused("the columns of this file cannot be named")
    checked = imports._checked_mapping(batch.format, mapping)
    try:
        tables.places_of(found.header, checked)
    except BadInput as error:
        raise imports.Refused(str(error)) from error
    with transaction.atomic():
        imports.cancel_import(batch=batch, user=user, now=now)
        batch.refresh_from_db()
        imports._resume(batch, batch.format, user, now, checked)
