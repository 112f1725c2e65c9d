"""Files of documents: uploaded, read in the background in small steps, resumable after every crash.

One step is one transaction: its documents, its faults and the place in the file are stored together or not at all. A
document is known by its key: the same text again changes nothing, another one takes its place. When the file has been
read it is removed; the documents are what is kept.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from proofing.errors import BadInput
from proofing.exchange.documents import (
    FORMATS,
    LENGTHS,
    READ_NAMES,
    DocumentLine,
    FoundDocument,
    format_of,
    refuse_binary,
    scan_documents,
    why_unread,
)
from proofing.exchange.jsonl import Place
from proofing.exchange.unread import UnreadFields
from webapp.corpus.building import request_build
from webapp.corpus.models import Upload, UploadFault
from webapp.corpus.outbox import enqueue_upload
from webapp.corpus.services import ADDED, UNCHANGED, Room, TooMuch, check_room
from webapp.corpus.steps import put_lines, told_apart
from webapp.intake.imports import Refused, keep_upload
from webapp.lost_work import give_again, silent_since
from webapp.records.models import Project
from webapp.review.models import Event

logger = logging.getLogger(__name__)

State = Upload.State
#: Documents stored in one transaction, and after how many characters a step ends earlier.
STEP, STEP_CHARACTERS = 50, 1_000_000
#: Seconds that other writers have between two steps, at least.
GAP = 0.03
#: A file with more faults than this is most likely not what its name says.
MAX_FAULTS = 1_000


def start_upload(
    *, project: Project, chunks: Iterable[bytes], filename: str, format: str = "", user: Any = None, now: datetime
) -> Upload:
    """Keep an uploaded file and have its documents read.

    The same file again is the same upload: one that is under way goes on, one that has ended is gone through once more.

    Args:
        format: one of `proofing.exchange.documents.FORMATS`; left out: as the file's name says.

    Raises:
        Refused: empty, too large, or nothing we read; nothing was kept.
    """
    name = shown_name(filename)
    chosen = format or format_of(name)
    if chosen is None:
        raise Refused(why_unread(name) or f"the name of {name} does not say what it is; choose the format")
    if chosen not in FORMATS:
        raise Refused(f"unknown format {chosen!r}: use one of {', '.join(FORMATS)}")
    kept = keep_upload(chunks)
    try:
        with open(kept.path, "rb") as stream:
            refuse_binary(stream.read(8192))
        return _register(kept.path, kept.digest.hexdigest(), kept.size, project, name, chosen, user, now)
    except Refused:
        raise
    except BadInput as error:
        raise Refused(str(error)) from error
    finally:
        kept.path.unlink(missing_ok=True)


def shown_name(filename: str) -> str:
    """What the uploader called the file, without folders and without signs that cannot be shown."""
    name = Path(filename.replace("\\", "/")).name
    printable = "".join(sign if sign.isprintable() else "_" for sign in name)
    return printable.strip()[-min(255, LENGTHS["id"]) :] or "upload"


@transaction.atomic
def _register(
    path: Path, sha256: str, size: int, project: Project, name: str, format: str, user: Any, now: datetime
) -> Upload:
    upload, fresh = Upload.objects.select_for_update().get_or_create(
        project=project,
        file_sha256=sha256,
        filename=name,
        defaults={"size": size, "format": format, "created_by": user, "created_at": now, "heartbeat_at": now},
    )
    if upload.unfinished and upload.format == format and not fresh:
        return upload
    if not upload.file:  # a new one, or one whose file was of no use and removed
        upload.file = f"uploads/documents-{upload.pk}"
        upload.save(update_fields=["file"])
    target = Path(settings.DATA_DIR) / upload.file
    os.replace(path, target)
    if not fresh:
        _begin_again(upload, now, format=format, user=user)
    Event.record("documents.upload", upload, project=project, actor=user, at=now, filename=name)
    enqueue_upload(upload.pk)
    return upload


def _begin_again(upload: Upload, now: datetime, **changes: Any) -> None:
    """From the first line: what is there already will count as unchanged."""
    changes = {"format": changes.get("format", upload.format), "created_by": changes.get("user"), "created_at": now}
    changes |= dict.fromkeys(("lines_done", "bytes_done", "added", "replaced", "unchanged", "failed"), 0)
    Upload.objects.filter(pk=upload.pk).update(**changes, unread=None, state=State.RECEIVED, error="", heartbeat_at=now)
    upload.faults.all().delete()
    upload.refresh_from_db()


def cancel_upload(*, upload: Upload, user: Any, now: datetime) -> bool:
    """Stop reading after the step it is in; documents that came in stay. False when it had ended already."""
    with transaction.atomic():
        moved = Upload.objects.filter(pk=upload.pk, state__in=[State.RECEIVED, State.RUNNING]).update(
            state=State.CANCELLED, heartbeat_at=now
        )
        if moved:
            Event.record("documents.cancelled", upload, project=upload.project_id, actor=user, at=now)
            upload.refresh_from_db()
            _index_what_came(upload, now)
    return bool(moved)


def resume_upload(*, upload: Upload, user: Any, now: datetime) -> bool:
    """Go on with a cancelled or failed file; False when it is neither (any more), or nothing in it could be read."""
    with transaction.atomic():
        stopped = Upload.objects.filter(pk=upload.pk, state__in=[State.CANCELLED, State.FAILED])
        moved = stopped.exclude(file="").update(state=State.RECEIVED, error="", heartbeat_at=now)
        if moved:
            Event.record("documents.resumed", upload, project=upload.project_id, actor=user, at=now)
            enqueue_upload(upload.pk)
    return bool(moved)


# Reading it -------------------------------------------------------------------------------------------------


def run_upload(*, upload_id: UUID | str) -> None:
    """Read a file from its last finished step to its end. Only one caller at a time gets to."""
    taken = Upload.objects.filter(pk=upload_id, state=State.RECEIVED).update(
        state=State.RUNNING, heartbeat_at=timezone.now()
    )
    if not taken:
        return
    upload = Upload.objects.select_related("project").get(pk=upload_id)
    room, began = Room(upload.project), timezone.now()
    path = Path(settings.DATA_DIR) / upload.file
    try:
        for step in _steps(upload, path):
            since = time.monotonic()
            if not _store_step(upload, step, room, began):
                return
            _let_others_write(time.monotonic() - since)
    except (TooMuch, OSError) as error:
        # Another time there may be room. Where the file lies here is nobody's business; what its uploader called it is.
        _end(upload, State.FAILED, str(error).replace(str(path), upload.filename))
    except (BadInput, UnicodeError) as error:
        # The file is what is wrong, and stays so: there is nothing to go on with, and nothing to keep.
        if _end(upload, State.FAILED, str(error).replace(str(path), upload.filename), file=""):
            path.unlink(missing_ok=True)
    except Exception as error:
        logger.exception("upload %s stopped", upload.pk)
        _end(upload, State.FAILED, f"Stopped by an error ({type(error).__name__}); you can go on with it.")
    else:
        if _end(upload, State.DONE, ""):
            path.unlink(missing_ok=True)


def _let_others_write(took: float) -> None:
    """Wait between two steps, in seconds as long as the one before took, where only one can write at a time.

    SQLite keeps no line of those who wait: each looks again now and then, and meets nobody only in a gap.
    """
    if connection.vendor == "sqlite":
        time.sleep(min(max(took, GAP), 1.0))


def _steps(upload: Upload, path: Path) -> Iterator[list[FoundDocument]]:
    found = scan_documents(path, upload.format, upload.filename, Place(upload.lines_done, upload.bytes_done))
    while step := list(islice(_some(found), STEP)):
        yield step


def _some(found: Iterator[FoundDocument]) -> Iterator[FoundDocument]:
    """Documents until there are enough characters for one step."""
    held = 0
    for row in found:
        yield row
        held += len(row[1].text) if isinstance(row[1], DocumentLine) else 0
        if held > STEP_CHARACTERS:
            return


def _store_step(upload: Upload, step: list[FoundDocument], room: Room, began: datetime) -> bool:
    """Store some documents and the new place; False when somebody cancelled the upload or took it over."""
    left = room.left()
    with transaction.atomic():
        held = Upload.objects.select_for_update().get(pk=upload.pk)
        if held.state != State.RUNNING or held.lines_done != upload.lines_done:
            return False
        lines, faults = told_apart(held, step)
        put, unfit = put_lines(held, lines, began)
        grown = sum(one.grown for one in put)
        check_room(left - grown)
        for one in put:
            name = {ADDED: "added", UNCHANGED: "unchanged"}.get(one.became, "replaced")
            setattr(held, name, getattr(held, name) + 1)
        faults += unfit
        held.failed += len(faults)
        UploadFault.objects.bulk_create(
            UploadFault(upload=held, line=number, field=fault.field[:100], reason=fault.reason[:2000])
            for number, fault in faults
        )
        if held.failed > MAX_FAULTS:
            raise BadInput(f"more than {MAX_FAULTS:,} lines could not be used; is this the right file?")
        held.unread = _unread(held, step)
        held.lines_done, held.bytes_done, held.heartbeat_at = step[-1][0], step[-1][2], timezone.now()
        counted = ["added", "replaced", "unchanged", "failed", "unread"]
        held.save(update_fields=[*counted, "lines_done", "bytes_done", "heartbeat_at"])
    room.take(grown)
    upload.lines_done, upload.bytes_done = held.lines_done, held.bytes_done
    return True


def _unread(upload: Upload, step: list[FoundDocument]) -> dict[str, int] | None:
    """The fields nobody reads, with those of this step."""
    unread = UnreadFields(READ_NAMES, upload.unread)
    for _, item, _ in step:
        unread.add(item.unread if isinstance(item, DocumentLine) else ())
    return unread.counts or None


def _end(upload: Upload, state: str, error: str, **changes: Any) -> bool:
    """The last word on an upload; whatever came in by then is put into an index."""
    now = timezone.now()
    with transaction.atomic():
        moved = Upload.objects.filter(pk=upload.pk, state=State.RUNNING).update(
            state=state, error=error[:2000], heartbeat_at=now, **changes
        )
        if not moved:
            return False
        upload.refresh_from_db()
        Event.record(
            f"documents.{state}", upload, project=upload.project_id, at=now, added=upload.added,
            replaced=upload.replaced, failed=upload.failed,
        )  # fmt: skip
        _index_what_came(upload, now)
    return True


def _index_what_came(upload: Upload, now: datetime) -> None:
    if upload.added or upload.replaced:
        request_build(project=upload.project, actor=upload.created_by, now=now)


def sweep(*, now: datetime) -> int:
    """Send uploads again whose worker fell silent or whose message was lost; how many."""
    silent = silent_since(now, at_least=120)
    lost = Upload.objects.filter(state__in=[State.RUNNING, State.RECEIVED], heartbeat_at__lt=silent)
    return give_again(lost, state=State.RECEIVED, send=enqueue_upload, now=now)
