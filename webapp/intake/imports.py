"""Files of answers: uploaded once, read line by line in the background, resumable after every crash.

A file is read in small steps. One step is one transaction: its answers, its faults and the new `lines_done`
are stored together or not at all, so a killed import goes on exactly where its last step ended.
"""

from __future__ import annotations

import hashlib
import logging
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DataError, IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from proofing.errors import BadInput
from proofing.exchange.answers import READ_NAMES, AnswerLine
from proofing.exchange.formats import Found
from proofing.exchange.jsonl import BlankRow, LineFault, Place, text_problem
from proofing.exchange.tables import COLUMNS
from proofing.exchange.unread import UnreadFields
from webapp.celery import Queues
from webapp.intake import engine
from webapp.intake.models import ImportBatch, ImportFault
from webapp.intake.outbox import enqueue, enqueue_import
from webapp.intake.readers import FORMATS, MAPPED, known_name, read_lines
from webapp.records.arrivals import Known, receive_new
from webapp.records.models import Project
from webapp.records.services import Conflict, receive_answer
from webapp.review.models import Event, Queue

logger = logging.getLogger(__name__)

#: Lines stored in one transaction: enough to be fast, few enough to let other writers in.
STEP = 50
#: An import with more faults than this stops: the file is most likely not what its name says.
MAX_FAULTS = 10_000
#: How every gzip file begins.
GZIP_START = b"\x1f\x8b"

#: Formats of which every line is an answer, so that the lines counted at the upload say how much there is.
_COUNTED = ("jsonl", "csv", "tsv", "openinference")


class Refused(BadInput):
    """The upload as a whole cannot be taken; nothing was kept."""


# Taking a file ----------------------------------------------------------------------------------------------


def start_import(
    *,
    project: Project,
    chunks: Iterable[bytes],
    filename: str,
    format: str,
    now: datetime,
    queue: Queue | None = None,
    user: Any = None,
    mapping: Mapping[str, str] | None = None,
) -> tuple[ImportBatch, bool]:
    """Keep an uploaded file and have it read; returns its import and whether the file was new.

    The same file again is the same import and adds nothing. One that was cancelled or failed goes on instead, and one
    that ended without a single answer starts over.

    Args:
        mapping: which column of a table fills which field, where the usual names do not say.

    Raises:
        Refused: empty, too large, a format we do not read, or a mapping that means nothing for it.
    """
    format = known_name(format)
    if format not in FORMATS:
        raise Refused(f"unknown format {format!r}: use one of {', '.join(FORMATS)}")
    checked = _checked_mapping(format, mapping)
    kept = keep_upload(chunks)
    try:
        return _register(kept, project, filename, format, now, queue, user, checked)
    finally:
        kept.path.unlink(missing_ok=True)


def _checked_mapping(format: str, mapping: Mapping[str, str] | None) -> dict[str, str]:
    if not mapping:
        return {}
    if format not in MAPPED:
        raise Refused(f"columns can be named for {', '.join(sorted(MAPPED))} only")
    for field, column in mapping.items():
        if field not in COLUMNS:
            raise Refused(f"no field is called {field!r}; there are {', '.join(COLUMNS)}")
        if not isinstance(column, str) or text_problem(column):
            raise Refused(f"the column for {field} must be named in plain text")
    return dict(mapping)


class Kept:
    """An upload on disk, not yet anybody's: where it lies, its hash, size and number of lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.digest = hashlib.sha256()
        self.size = 0
        self.lines = 0
        self.first = b""
        self.last = b""

    @property
    def packed(self) -> bool:
        """Whether it is a gzip file, whatever its name says (RFC 1952, 2.3.1)."""
        return self.first == GZIP_START

    @property
    def lines_total(self) -> int:
        return self.lines + (self.last != b"" and self.last != b"\n")


def keep_upload(chunks: Iterable[bytes]) -> Kept:
    """Write an upload to disk under a name of ours; whoever asked takes the file from there or removes it.

    Raises:
        Refused: it is empty or larger than `UPLOAD_LIMIT`; nothing is left behind.
    """
    folder = Path(settings.UPLOADS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    kept = Kept(folder / f"{uuid.uuid4().hex}.part")
    try:
        with open(kept.path, "xb") as stream:
            for chunk in chunks:
                kept.size += len(chunk)
                if kept.size > settings.UPLOAD_LIMIT:
                    raise Refused(f"the file is larger than {settings.UPLOAD_LIMIT // 2**20} MiB")
                kept.digest.update(chunk)
                kept.lines += chunk.count(b"\n")
                kept.first = (kept.first + chunk[:2])[:2]
                kept.last = chunk[-1:] or kept.last
                stream.write(chunk)
            stream.flush()
            os.fsync(stream.fileno())
        if kept.size == 0:
            raise Refused("the file is empty")
    except BaseException:
        kept.path.unlink(missing_ok=True)
        raise
    return kept


@transaction.atomic
def _register(
    kept: Kept,
    project: Project,
    filename: str,
    format: str,
    now: datetime,
    queue: Queue | None,
    user: Any,
    mapping: dict[str, str],
) -> tuple[ImportBatch, bool]:
    sha256 = kept.digest.hexdigest()
    # The name is ours: what the uploader called the file never reaches the file system.
    name = f"{project.pk}-{sha256}{'.gz' if kept.packed else ''}"
    target = Path(settings.UPLOADS_DIR) / name
    if not target.exists():
        os.replace(kept.path, target)
    batch, fresh = ImportBatch.objects.get_or_create(
        project=project,
        file_sha256=sha256,
        defaults={
            "queue": queue,
            "file": f"uploads/{name}",
            "filename": Path(filename.replace("\\", "/")).name[:255] or "upload",
            "size": kept.size,
            "format": format,
            "mapping": mapping,
            # Formats that are no lines are counted when they have been read.
            "lines_total": kept.lines_total if format in _COUNTED and not kept.packed else None,
            "created_by": user,
            "created_at": now,
            "heartbeat_at": now,
        },
    )
    if fresh:
        Event.record("import.started", batch, project=project, actor=user, at=now, filename=batch.filename)
        enqueue_import(batch.pk)
    else:
        if batch.file != f"uploads/{name}":  # kept earlier under a name that hid what it was
            ImportBatch.objects.filter(pk=batch.pk).update(file=f"uploads/{name}")
            batch.file = f"uploads/{name}"
        _resume(batch, format, user, now, mapping)
        transaction.on_commit(lambda: _remove_file(batch))  # a file that is known was put there again
    return batch, fresh


def _resume(batch: ImportBatch, format: str, user: Any, now: datetime, mapping: dict[str, str]) -> None:
    """Let a stopped import go on, or start over what was read in vain.

    It starts over when it is read as another format or with other columns, since its lines may mean something else
    then, and when it ended without a single answer. A file that brought answers in is left alone,
    whatever it is called now.
    """
    stopped = Q(state__in=[ImportBatch.State.CANCELLED, ImportBatch.State.FAILED])
    in_vain = Q(state=ImportBatch.State.DONE, imported=0, repeated=0, failed__gt=0)
    changes: dict[str, Any] = {"state": ImportBatch.State.RECEIVED, "error": "", "heartbeat_at": now}
    over = (format, mapping) != (batch.format, batch.mapping) or batch.state == ImportBatch.State.DONE
    if over:
        changes |= {"format": format, "mapping": mapping, "lines_done": 0, "bytes_done": 0}
        changes |= {"imported": 0, "repeated": 0, "failed": 0, "blank": 0, "unread": None}
    moved = ImportBatch.objects.filter(stopped | in_vain, pk=batch.pk, state=batch.state).update(**changes)
    if moved:
        if over:
            batch.faults.all().delete()
        batch.refresh_from_db()
        Event.record("import.resumed", batch, project=batch.project_id, actor=user, at=now)
        enqueue_import(batch.pk)


def cancel_import(*, batch: ImportBatch, user: Any, now: datetime) -> bool:
    """Stop an import after the step it is in; what was imported stays. False when it had ended already."""
    unfinished = [ImportBatch.State.RECEIVED, ImportBatch.State.RUNNING]
    with transaction.atomic():
        moved = ImportBatch.objects.filter(pk=batch.pk, state__in=unfinished).update(
            state=ImportBatch.State.CANCELLED, heartbeat_at=now
        )
        if moved:
            Event.record("import.cancelled", batch, project=batch.project_id, actor=user, at=now)
    return bool(moved)


def resume_import(*, batch: ImportBatch, user: Any, now: datetime) -> None:
    """Go on with a cancelled or failed import."""
    with transaction.atomic():
        _resume(batch, batch.format, user, now, batch.mapping)


# Reading it -------------------------------------------------------------------------------------------------


def run_import(*, batch_id: UUID | str) -> None:
    """Read a file from its last finished step to its end. Only one caller at a time gets to."""
    now = timezone.now()
    taken = ImportBatch.objects.filter(pk=batch_id, state=ImportBatch.State.RECEIVED).update(
        state=ImportBatch.State.RUNNING, heartbeat_at=now
    )
    if not taken:
        return
    batch = ImportBatch.objects.select_related("project").get(pk=batch_id)
    try:
        for step in _steps(batch):
            if not _store_step(batch, step):
                return
    except (BadInput, UnicodeError, OSError) as error:
        # Where the file lies here is nobody's business; what its uploader called it is.
        said = str(error).replace(str(Path(settings.DATA_DIR) / batch.file), batch.filename)
        _end(batch, ImportBatch.State.FAILED, said)
    except Exception as error:
        # Not the file's fault as far as we know: say so and keep the place, so that it can go on.
        logger.exception("import %s stopped", batch.pk)
        _end(batch, ImportBatch.State.FAILED, f"Stopped by an error ({type(error).__name__}); you can go on with it.")
    else:
        _end(batch, ImportBatch.State.DONE, "")
        _remove_file(batch)


def _remove_file(batch: ImportBatch) -> None:
    """Remove an upload whose answers are in: what is erased later must not live on in it.

    One read in vain stays, for other columns or another format; so does one that was stopped, to go on.
    """
    if batch.state == ImportBatch.State.DONE and (batch.imported or batch.repeated or not batch.failed):
        (Path(settings.DATA_DIR) / batch.file).unlink(missing_ok=True)


def _steps(batch: ImportBatch) -> Iterator[list[Found]]:
    path = Path(settings.DATA_DIR) / batch.file
    left = read_lines(path, batch.format, batch.mapping, Place(batch.lines_done, batch.bytes_done))
    while step := list(islice(left, STEP)):
        yield step


def _store_step(batch: ImportBatch, step: list[Found]) -> bool:
    """Store some lines and the new place; False when somebody cancelled the import or took it over."""
    now = timezone.now()
    with transaction.atomic():
        held = ImportBatch.objects.select_for_update().get(pk=batch.pk)
        if held.state != ImportBatch.State.RUNNING or held.lines_done != batch.lines_done:
            return False
        unused = list(_receive_all(held, step, now))
        faults = [(number, fault) for number, fault in unused if not isinstance(fault, BlankRow)]
        held.blank += len(unused) - len(faults)
        held.failed += len(faults)
        ImportFault.objects.bulk_create(
            ImportFault(batch=held, line=number, field=fault.field[:100], reason=fault.reason[:2000])
            for number, fault in faults
        )
        if held.failed > MAX_FAULTS:
            raise BadInput(f"more than {MAX_FAULTS} lines could not be used; is this the right file?")
        held.unread = _unread(held, step)
        held.lines_done, held.bytes_done = step[-1][0], step[-1][2]
        held.heartbeat_at = now
        counted = ["imported", "repeated", "failed", "blank", "unread"]
        held.save(update_fields=[*counted, "lines_done", "bytes_done", "heartbeat_at"])
    batch.lines_done, batch.bytes_done = held.lines_done, held.bytes_done
    return True


def _unread(batch: ImportBatch, step: list[Found]) -> dict[str, int] | None:
    """The fields nobody reads, with those of this step; other tools' files hold much that we leave there."""
    if batch.format != "jsonl":
        return batch.unread
    unread = UnreadFields(READ_NAMES, batch.unread)
    for _, item, _ in step:
        if isinstance(item, AnswerLine):
            unread.add(item.unread)
    return unread.counts or None


def _receive_all(batch: ImportBatch, step: list[Found], now: datetime) -> Iterator[tuple[int, LineFault]]:
    """Store the answers of a step in their order; yields the lines that were none, with their numbers.

    Lines that are new in every way are stored together, up to the next one that has to be looked at by itself.
    """
    read = list(_readable(batch, step))
    known = Known(batch.project, [(number, item) for number, item in read if isinstance(item, AnswerLine)], batch)
    new: list[tuple[int, AnswerLine]] = []
    for number, item in read:
        if isinstance(item, AnswerLine) and known.claim(number, item):
            new.append((number, item))
            continue
        yield from _receive_new(batch, new, known, now)
        new = []
        if isinstance(item, AnswerLine):
            yield from _receive(batch, number, item, now)
        else:
            yield number, item
    yield from _receive_new(batch, new, known, now)


def _readable(batch: ImportBatch, step: list[Found]) -> Iterator[tuple[int, AnswerLine | LineFault]]:
    """The lines with their numbers; those that are too long to be read as faults."""
    limits = engine.settings_of(batch.project)
    for number, item, _ in step:
        if isinstance(item, AnswerLine):
            try:
                engine.check_sizes(item, limits)
            except LineFault as fault:
                yield number, fault
                continue
        yield number, item


def _receive_new(
    batch: ImportBatch, lines: list[tuple[int, AnswerLine]], known: Known, now: datetime
) -> Iterator[tuple[int, LineFault]]:
    """Store new lines together, or one by one where that cannot be."""
    if not lines:
        return
    answers = receive_new(project=batch.project, lines=lines, known=known, now=now, batch=batch)
    batch.imported += len(answers)
    for answer in answers:
        enqueue(answer.pk, Queues.BULK)
    if not answers:
        for number, line in lines:
            yield from _receive(batch, number, line, now)


def _receive(batch: ImportBatch, number: int, line: AnswerLine, now: datetime) -> Iterator[tuple[int, LineFault]]:
    """Store one line; yields why it could not be stored, when it could not."""
    try:
        received = receive_answer(project=batch.project, line=line, now=now, batch=batch, line_number=number)
    except LineFault as fault:
        yield number, fault
    except Conflict as conflict:
        yield number, LineFault(str(conflict), field="external_id", line=number)
    except (IntegrityError, DataError, ArithmeticError, TypeError, ValueError):
        # Whatever one line holds, the others are read.
        logger.exception("line %d of import %s", number, batch.pk)
        yield number, LineFault("could not be stored", line=number)
    else:
        if received.fresh:
            batch.imported += 1
            enqueue(received.answer.pk, Queues.BULK)
        else:
            batch.repeated += 1


def _end(batch: ImportBatch, state: str, error: str) -> None:
    """The last word on an import, committed by itself."""
    now = timezone.now()
    with transaction.atomic():
        changes: dict[str, Any] = {"state": state, "error": error[:2000], "heartbeat_at": now}
        if state == ImportBatch.State.DONE and batch.lines_total is None:
            changes["lines_total"] = batch.lines_done
        moved = ImportBatch.objects.filter(pk=batch.pk, state=ImportBatch.State.RUNNING).update(**changes)
        if moved:
            batch.refresh_from_db()
            Event.record(
                f"import.{state}", batch, project=batch.project_id, at=now,
                imported=batch.imported, repeated=batch.repeated, failed=batch.failed, blank=batch.blank,
            )  # fmt: skip
