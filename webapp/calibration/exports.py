"""Exports: labels written to a file in the background, with a manifest, to be fetched for a week."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from proofing.errors import BadInput
from proofing.exchange.formats import FORMATS as ALL
from proofing.exchange.reviews import write_reviews
from webapp.calibration import labels
from webapp.calibration.models import Export, LabelledSet
from webapp.calibration.projections import write_projection
from webapp.calibration.selectors import active_point
from webapp.intake.outbox import enqueue_export
from webapp.records.models import Project
from webapp.review.models import Event

logger = logging.getLogger(__name__)

KEPT = timedelta(days=7)
#: How many rows are written between two signs of life.
BEAT = 200

Line = Mapping[str, Any]
#: Formats by the name they are asked for and kept under; our own carry the number of their schema.
FORMATS = {
    {"reviews": "reviews/1", "answers": "answers/1"}.get(name, name): form for name, form in ALL.items() if form.writes
}


class CannotExport(BadInput):
    """The export as asked for is not possible; nothing was started."""


@transaction.atomic
def request_export(
    *,
    project: Project,
    now: datetime,
    format: str = "reviews/1",
    filters: Mapping[str, Any] | None = None,
    labelled_set: LabelledSet | None = None,
    user: Any = None,
) -> Export:
    """Have labels written to a file: those of a frozen set, or today's that a filter lets through.

    Raises:
        CannotExport: unknown format, filter or queue, or a filter on a frozen set.
    """
    format = {"reviews": "reviews/1", "answers": "answers/1"}.get(format, format)
    if format not in FORMATS:
        raise CannotExport(f"unknown format {format!r}: use one of {', '.join(FORMATS)}")
    try:
        chosen = labels.filters_of(project, filters or {})
    except BadInput as error:
        raise CannotExport(str(error)) from error
    if labelled_set is not None and chosen:
        raise CannotExport("a frozen set has its own filters; leave these out")
    export = Export.objects.create(
        project=project,
        format=format,
        filters=chosen if labelled_set is None else labelled_set.filters,
        labelled_set=labelled_set,
        created_by=user,
        created_at=now,
        heartbeat_at=now,
    )
    Event.record("export.requested", export, project=project, actor=user, at=now, format=format)
    enqueue_export(export.pk)
    return export


def run_export(*, export_id: UUID | str) -> None:
    """Write the file. Delivered twice it is written once; after a crash it is written anew."""
    moved = Export.objects.filter(pk=export_id, state=Export.State.REQUESTED).update(
        state=Export.State.RUNNING, heartbeat_at=timezone.now(), rows=0
    )
    if not moved:
        return
    export = Export.objects.select_related("project", "labelled_set", "created_by").get(pk=export_id)
    try:
        file, manifest = _write(export)
    except Exception as error:
        logger.exception("export %s failed", export.pk)
        shutil.rmtree(_folder(export.pk), ignore_errors=True)  # half a file helps nobody and may be what fills the disk
        Export.objects.filter(pk=export.pk, state=Export.State.RUNNING).update(
            state=Export.State.FAILED, error=f"{type(error).__name__}: {error}"[:500]
        )
        return
    _finish(export, file, manifest)


def _write(export: Export) -> tuple[Path, dict[str, Any]]:
    folder = _folder(export.pk)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    versions: set[str] = set()
    lines = _counted(export, _noting_guidelines(_lines(export), versions))
    about: dict[str, Any] = {
        "created_at": export.created_at.isoformat(),
        "created_by": "",
        "filters": dict(export.filters),
        "threshold": _threshold(export.project),
    }
    if export.format == "reviews/1":
        path = folder / "reviews.jsonl"
        manifest = write_reviews(path, lines, **about)
    else:
        path, manifest = write_projection(folder, FORMATS[export.format], lines, **about)
        manifest["lines"] = export.format
    manifest["guideline_versions"] = sorted(versions)
    if export.labelled_set is not None:
        manifest["labelled_set"] = {"name": export.labelled_set.name, "sha256": export.labelled_set.sha256}
    return path, manifest


def _lines(export: Export) -> Iterator[Line]:
    if export.labelled_set is not None:
        for row in export.labelled_set.members.order_by("pk").iterator(chunk_size=labels.CHUNK):
            yield row.line
    else:
        for item in labels.labelled_lines(export.project, export.filters):
            yield item.line


def _counted(export: Export, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines as they are, while the export's row shows how far it is."""
    for number, line in enumerate(lines, start=1):
        yield line
        if number % BEAT == 0:
            Export.objects.filter(pk=export.pk).update(rows=number, heartbeat_at=timezone.now())


def _noting_guidelines(lines: Iterable[Line], versions: set[str]) -> Iterator[Line]:
    for line in lines:
        versions.update(str(review["guideline_version"]) for review in line["reviews"])
        yield line


def _threshold(project: Project) -> dict[str, Any] | None:
    point = active_point(project=project, level="answer")
    return {"level": "answer", "threshold": point.threshold, "point": point.pk} if point else None


def _finish(export: Export, path: Path, manifest: dict[str, Any]) -> None:
    now = timezone.now()
    entry = manifest["files"][path.name]
    with transaction.atomic():
        moved = Export.objects.filter(pk=export.pk, state=Export.State.RUNNING).update(
            state=Export.State.DONE,
            rows=entry["rows"],
            rows_total=entry["rows"],
            file=f"exports/{export.pk}/{path.name}",
            sha256=entry["sha256"],
            manifest=manifest,
            heartbeat_at=now,
            expires_at=now + KEPT,
        )
        if moved:
            Event.record("export.ready", export, project=export.project_id, rows=entry["rows"], sha256=entry["sha256"])


def _folder(export_id: UUID) -> Path:
    return Path(settings.EXPORTS_DIR) / str(export_id)


def expire_exports(*, now: datetime) -> int:
    """Remove the files of exports whose time is over; returns how many."""
    over = Export.objects.filter(state=Export.State.DONE, expires_at__lt=now)
    count = 0
    for export_id in over.values_list("pk", flat=True):
        if over.filter(pk=export_id).update(state=Export.State.EXPIRED, file=""):
            shutil.rmtree(_folder(export_id), ignore_errors=True)
            count += 1
    return count
