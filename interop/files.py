"""Writes the sample answers of the tests in one format: ``python -m interop.files FORMAT TARGET``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from proofing.exchange.formats import format_named, poured
from proofing.exchange.rows import row_of_record
from proofing.exchange.sinks import closing
from tests.proofing.exchange.samples import LABELLED, RTL, reviewed

#: What is written: labelled answers, and answers with marks and decisions.
RECORDS = [
    *LABELLED,
    reviewed(),
    reviewed(RTL.replace(",", " in,"), id="r-2"),
    reviewed(decision="keep", id="r-3"),
    reviewed(decision="reject", id="r-4"),
]
#: Alignment files hold judged answers only.
JUDGED = [record for record in RECORDS if "scan" in record]


def write(name: str, target: Path) -> None:
    """Put the records in the named format into the folder `target`, which is emptied first."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    form = format_named(name, to_write=True)
    rows = [row_of_record(record, number) for number, record in enumerate(records_for(name), start=1)]
    if form.folder is not None:
        with closing(form.folder(target)) as sink:
            faults = list(poured(rows, sink))
    elif form.sink is not None:
        with (target / form.file).open("wb") as stream, closing(form.sink(stream)) as sink:
            faults = list(poured(rows, sink))
    assert not faults, faults


def records_for(name: str) -> list[dict]:
    return JUDGED if name == "ragas-alignment" else RECORDS


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]))
