"""Pages of the imports: upload, watch, stop, and fetch what could not be used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from proofing.errors import BadInput
from webapp.accounts.access import LEADS, fetch_or_404, project_of_request, projects_of, role_in
from webapp.intake import columns, selectors
from webapp.intake import imports as services
from webapp.intake.forms import ColumnsForm, UploadForm
from webapp.intake.models import ImportBatch

FAULTS_SHOWN = 200


def get_import_or_404(request: HttpRequest, batch_id: UUID) -> ImportBatch:
    """An import of a project the user is in."""
    return fetch_or_404(ImportBatch.objects.select_related("created_by", "queue"), request, pk=batch_id)


def _may_change(request: HttpRequest, batch: ImportBatch) -> bool:
    """Whoever uploaded a file may stop it and go on with it, and so may the project's leads."""
    return batch.created_by_id == request.user.pk or role_in(batch.project, request.user) in LEADS


def _import_to_change(request: HttpRequest, batch_id: UUID) -> ImportBatch:
    batch = get_import_or_404(request, batch_id)
    if not _may_change(request, batch):
        raise PermissionDenied("only the uploader and leads")
    return batch


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def imports(request: HttpRequest) -> HttpResponse:
    """The project's imports, and the form for a new one."""
    project = project_of_request(request)
    posted = request.method == "POST"
    form = UploadForm(request.POST if posted else None, request.FILES if posted else None, project=project)
    if posted and form.is_valid():
        try:
            batch, fresh = services.start_import(
                project=project,
                chunks=form.cleaned_data["file"].chunks(),
                filename=form.cleaned_data["file"].name,
                format=form.cleaned_data["format"],
                queue=form.cleaned_data["queue"],
                user=request.user,
                now=timezone.now(),
            )
        except services.Refused as error:
            form.add_error("file", str(error))
        else:
            if _needs_columns(batch):
                return redirect("intake:columns", batch.pk)
            page = reverse("intake:import", args=[batch.pk])
            return redirect(page if fresh else f"{page}?again=1")
    context = {
        "section": "imports",
        "project": project,
        "projects": projects_of(request.user),
        "form": form,
        "imports": selectors.with_progress(selectors.imports_of(project)[:100]),
    }
    return render(request, "intake/imports.html", context, status=422 if form.errors else 200)


def _needs_columns(batch: ImportBatch) -> bool:
    """Whether a table's own names do not say where the answers are, so that a person has to."""
    try:
        found = columns.columns_of(batch) if columns.can_be_named(batch) else None
    except BadInput:  # the import itself says what is wrong with the file
        return False
    return found is not None and not found.complete


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def name_columns(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """The first rows of a table, and the form that says which column holds what."""
    batch = _import_to_change(request, batch_id)
    try:
        found = columns.columns_of(batch) if columns.can_be_named(batch) else None
    except BadInput:
        found = None
    if found is None:
        return redirect("intake:import", batch.pk)
    form = ColumnsForm(request.POST if request.method == "POST" else None, columns=found)
    if request.method == "POST" and form.is_valid():
        try:
            columns.name_columns(batch=batch, mapping=form.mapping(), user=request.user, now=timezone.now())
        except services.Refused as error:
            form.add_error(None, str(error))
        else:
            return redirect("intake:import", batch.pk)
    context = {"section": "imports", "batch": batch, "columns": found, "form": form}
    return render(request, "intake/columns.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def import_page(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """One import; while it works, the page asks for its progress partial."""
    batch = get_import_or_404(request, batch_id)
    context = {
        "section": "imports",
        "batch": batch,
        "progress": selectors.progress_of(batch),
        "faults": batch.faults.all()[:FAULTS_SHOWN],
        "may_change": _may_change(request, batch),
        "again": "again" in request.GET,
        "can_name": columns.can_be_named(batch) and batch.state in ("failed", "cancelled", "done"),
    }
    partial = "#progress" if request.headers.get("HX-Request") and not request.headers.get("HX-Boosted") else ""
    return render(request, f"intake/import.html{partial}", context)


@require_POST
@login_required
def cancel(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Stop reading the file."""
    batch = _import_to_change(request, batch_id)
    services.cancel_import(batch=batch, user=request.user, now=timezone.now())
    return redirect("intake:import", batch.pk)


@require_POST
@login_required
def resume(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Go on reading a stopped file."""
    batch = _import_to_change(request, batch_id)
    services.resume_import(batch=batch, user=request.user, now=timezone.now())
    return redirect("intake:import", batch.pk)


@require_safe
@login_required
def faults(request: HttpRequest, batch_id: UUID) -> StreamingHttpResponse:
    """Every line that was left out, one JSON object a line."""
    batch = get_import_or_404(request, batch_id)

    def lines() -> Iterator[str]:
        for fault in batch.faults.order_by("line").iterator(chunk_size=1000):
            record = {"line": fault.line, "field": fault.field, "reason": fault.reason}
            yield json.dumps(record, ensure_ascii=False) + "\n"

    response = StreamingHttpResponse(lines(), content_type="application/x-ndjson")
    response["Content-Disposition"] = f'attachment; filename="faults-{batch.pk}.jsonl"'
    return response
