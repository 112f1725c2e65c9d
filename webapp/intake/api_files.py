"""Files and operating points through the API."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from ninja import File, Form, Router, UploadedFile

from proofing.exchange.jsonl import text_problem
from webapp.calibration import downloads
from webapp.calibration import selectors as calibration
from webapp.calibration import services as calibration_services
from webapp.calibration.models import Export, LabelledSet
from webapp.intake import imports, readers
from webapp.intake.api_access import EXPORT, READ, WRITE, TokenRequest
from webapp.intake.api_answers import PROBLEMS, respond
from webapp.intake.api_schemas import ExportIn, ExportOut, FormatOut, ImportOut, PointOut, ProblemOut
from webapp.intake.idempotency import once
from webapp.intake.models import ImportBatch
from webapp.intake.problems import Problem
from webapp.intake.readers import format_of
from webapp.review.models import Queue

router = Router()
FAULTS_SHOWN = 100


@router.post("/imports", auth=WRITE, operation_id="start_import", response={200: ImportOut, 202: ImportOut, **PROBLEMS})
def start_import(
    request: TokenRequest,
    file: File[UploadedFile],
    format: Form[str] = "",
    queue: Form[str] = "",
    mapping: Form[str] = "",
) -> HttpResponse:
    """Uploads a file of answers. The same file again is the same import (200) and adds nothing.

    `mapping` names the columns of a table, as a JSON object from field to column.
    """
    project = request.auth.project
    columns = _columns(mapping)
    chosen = format or format_of(file.name or "") or "jsonl"
    if text_problem(queue) or text_problem(chosen):
        raise Problem(422, "invalid", "The form holds characters that no name has.")
    target = get_object_or_404(Queue, project=project, name=queue) if queue else None

    def act() -> HttpResponse:
        try:
            batch, fresh = imports.start_import(
                project=project,
                chunks=file.chunks(),
                filename=file.name or "upload",
                format=chosen,
                queue=target,
                mapping=columns,
                user=request.auth.acts_as,
                now=timezone.now(),
            )
        except imports.Refused as error:
            raise Problem(422, "unusable-file", f"{error}.") from error
        location = reverse("api:get_import", args=[batch.pk])
        return respond(_import_dict(batch), 202 if fresh else 200, Location=location)

    digest = hashlib.sha256(f"{chosen}|{queue}|{mapping}|".encode())
    for chunk in file.chunks():
        digest.update(chunk)
    return once(request, project, digest.digest(), act)


def _columns(mapping: str) -> dict[str, Any] | None:
    if not mapping:
        return None
    try:
        value = json.loads(mapping)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        fault = {"field": "mapping", "reason": "must be a JSON object from field to column"}
        raise Problem(422, "invalid", "The mapping cannot be used.", errors=[fault])
    return value


@router.post("/imports/{import_id}/cancel", auth=WRITE, operation_id="cancel_import",
             response={200: ImportOut, 404: ProblemOut, **PROBLEMS})  # fmt: skip
def cancel_import(request: TokenRequest, import_id: UUID) -> HttpResponse:
    """Stops the import after the step it is in; what came in stays. Does nothing to one that has ended."""
    batch = get_object_or_404(ImportBatch, pk=import_id, project=request.auth.project)
    imports.cancel_import(batch=batch, user=request.auth.acts_as, now=timezone.now())
    batch.refresh_from_db()
    return respond(_import_dict(batch))


@router.get("/formats", auth=READ, operation_id="list_formats", response={200: list[FormatOut], **PROBLEMS})
def list_formats(request: TokenRequest) -> HttpResponse:
    """The formats by the names that imports and exports know."""
    names = {**dict.fromkeys(readers.FORMATS), **dict.fromkeys(calibration_services.FORMATS)}
    return respond([_format_dict(name) for name in names])


def _format_dict(name: str) -> dict[str, Any]:
    written = calibration_services.FORMATS.get(name)
    title = str(written.title) if written is not None else readers.FORMATS[name]
    return {"name": name, "title": title, "reads": name in readers.FORMATS, "writes": written is not None,
            "mapped": name in readers.MAPPED}  # fmt: skip


@router.get("/imports/{import_id}", auth=READ, operation_id="get_import", url_name="get_import",
            response={200: ImportOut, 404: ProblemOut, **PROBLEMS})  # fmt: skip
def get_import(request: TokenRequest, import_id: UUID) -> HttpResponse:
    """How far an import is, and which lines it could not use."""
    return respond(_import_dict(get_object_or_404(ImportBatch, pk=import_id, project=request.auth.project)))


def _import_dict(batch: ImportBatch) -> dict[str, Any]:
    names = (
        "id", "state", "filename", "format", "lines_total", "lines_done", "imported", "repeated", "failed", "blank",
    )  # fmt: skip
    faults = batch.faults.all()[:FAULTS_SHOWN]
    return {name: getattr(batch, name) for name in names} | {
        "sha256": batch.file_sha256,
        "unread_fields": [asdict(field) for field in batch.unread_fields],
        "error": batch.error or None,
        "faults": [{"line": fault.line, "field": fault.field, "reason": fault.reason} for fault in faults],
    }


@router.post(
    "/exports", auth=EXPORT, operation_id="request_export", response={202: ExportOut, 404: ProblemOut, **PROBLEMS}
)
def request_export(request: TokenRequest, payload: ExportIn) -> HttpResponse:
    """Has the decided answers, or a frozen labelled set, written to a file in the background."""
    project = request.auth.project
    chosen = None
    if payload.labelled_set is not None:
        chosen = get_object_or_404(
            LabelledSet, pk=payload.labelled_set, project=project, state=LabelledSet.State.FROZEN
        )

    def act() -> HttpResponse:
        try:
            export = calibration_services.request_export(
                project=project,
                format=payload.format,
                filters=payload.filters,
                labelled_set=chosen,
                user=request.auth.acts_as,
                now=timezone.now(),
            )
        except calibration_services.CannotExport as error:
            raise Problem(422, "unusable-export", f"{error}.") from error
        return respond(_export_dict(export), 202, Location=reverse("api:get_export", args=[export.pk]))

    return once(request, project, request.body, act)


@router.get("/exports/{export_id}", auth=EXPORT, operation_id="get_export", url_name="get_export",
            response={200: ExportOut, 404: ProblemOut, **PROBLEMS})  # fmt: skip
def get_export(request: TokenRequest, export_id: UUID) -> HttpResponse:
    """How far an export is, and where its file lies."""
    return respond(_export_dict(get_object_or_404(Export, pk=export_id, project=request.auth.project)))


@router.get("/exports/{export_id}/file", auth=EXPORT, operation_id="get_export_file", url_name="get_export_file",
            response={200: None, 404: ProblemOut, 410: ProblemOut, **PROBLEMS})  # fmt: skip
def get_export_file(request: TokenRequest, export_id: UUID) -> HttpResponseBase:
    """The file, streamed. 410 once it has expired."""
    export = get_object_or_404(Export, pk=export_id, project=request.auth.project)
    response = downloads.file_of(export, now=timezone.now())
    if response is None:
        raise Problem(410 if export.state == Export.State.EXPIRED else 409, "no-file", "This export has no file (now).")
    return response


def _export_dict(export: Export) -> dict[str, Any]:
    done = export.state == Export.State.DONE
    return {
        "id": export.pk,
        "state": export.state,
        "format": export.format,
        "rows": export.rows,
        "sha256": export.sha256 or None,
        "manifest": export.manifest,
        "file": reverse("api:get_export_file", args=[export.pk]) if done else None,
        "expires_at": export.expires_at,
        "error": export.error or None,
    }


@router.get(
    "/operating-points", auth=READ, operation_id="list_operating_points", response={200: list[PointOut], **PROBLEMS}
)
def list_operating_points(request: TokenRequest) -> HttpResponse:
    """Every operating point that was chosen, newest first; `active` ones are in force."""
    names = ("id", "level", "threshold", "active", "result", "reason", "created_at")
    points = calibration.points_of(request.auth.project)
    return respond(
        [
            {name: getattr(point, name) for name in names}
            | {"chosen_by": point.chosen_by.username if point.chosen_by else None}
            for point in points
        ]
    )
