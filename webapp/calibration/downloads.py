"""Export files on their way to people and programs."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpResponse

from webapp.calibration.exports import FORMATS
from webapp.calibration.models import Export


def file_of(export: Export, *, now: datetime) -> FileResponse | None:
    """The export's file, streamed as a download; None when there is none or its time is over."""
    path = path_of(export)
    if export.state != Export.State.DONE or path is None or (export.expires_at and export.expires_at <= now):
        return None
    return FileResponse(
        open(path, "rb"),  # the response closes it
        as_attachment=True,
        filename=f"proofmark-{export.project.slug}-{export.created_at:%Y%m%d}-{path.name}",
        content_type=FORMATS[export.format].content_type if export.format in FORMATS else "application/octet-stream",
        headers={"X-Content-SHA256": export.sha256},
    )


def manifest_of(export: Export) -> HttpResponse | None:
    """The manifest as a download."""
    if export.manifest is None:
        return None
    text = json.dumps(export.manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    name = f"proofmark-{export.project.slug}-{export.created_at:%Y%m%d}-manifest.json"
    return HttpResponse(
        text, content_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def path_of(export: Export) -> Path | None:
    """Where the file lies, if it does."""
    path = Path(settings.DATA_DIR) / export.file
    return path if export.file and path.is_file() else None
