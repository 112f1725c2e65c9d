"""Pages of a project's corpus, for leads: documents in and out, the index, and what was uploaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from proofing.errors import BadInput
from proofing.exchange.documents import MOST_BYTES, DocumentLine, document_of_text
from webapp.accounts.access import get_project_or_404, may_administer
from webapp.corpus import building, selectors, services, uploads
from webapp.corpus.forms import ReplaceForm, UploadForm
from webapp.corpus.models import Document, Upload
from webapp.intake import again
from webapp.records.models import Project
from webapp.review.selectors import web_address

FAULTS_SHOWN = 200


def _tabs(request: HttpRequest, project: Project) -> dict[str, Any]:
    runs = may_administer(project, request.user)
    return {"section": "projects", "project": project, "tab": "corpus", "administers": runs}


def _is_part(request: HttpRequest) -> bool:
    return bool(request.headers.get("HX-Request")) and not request.headers.get("HX-Boosted")


def get_document_or_404(request: HttpRequest, project_slug: str, document_id: UUID) -> Document:
    """A document of a project the user leads."""
    project = get_project_or_404(request, project_slug)
    return get_object_or_404(Document.objects.select_related("project", "added_by"), project=project, pk=document_id)


def get_upload_or_404(request: HttpRequest, project_slug: str, upload_id: UUID) -> Upload:
    """An upload of a project the user leads."""
    project = get_project_or_404(request, project_slug)
    return get_object_or_404(Upload.objects.select_related("project", "created_by"), project=project, pk=upload_id)


# The corpus -----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def corpus(request: HttpRequest, project_slug: str) -> HttpResponse:
    """The documents with their index, and the form for more."""
    project = get_project_or_404(request, project_slug)
    if _is_part(request) and request.method == "GET":
        context = {"project": project, "summary": selectors.summary_of(project)}
        return render(request, "corpus/corpus.html#state", context)
    posted = request.method == "POST"
    form = UploadForm(request.POST if posted else None, request.FILES if posted else None)
    if posted and form.is_valid():
        taken = _take(request, project, form)
        if taken and not form.errors:
            if len(taken) == 1:
                return redirect("corpus:upload", project.slug, taken[0].pk)
            messages.success(request, _("%(n)s files are being read.") % {"n": len(taken)})
            return redirect("corpus:corpus", project.slug)
    return _corpus_page(request, project, form)


def _take(request: HttpRequest, project: Project, form: UploadForm) -> list[Upload]:
    """The files that could be taken; the form says why each other one could not."""
    taken = []
    for file in form.cleaned_data["documents"]:
        try:
            upload = uploads.start_upload(
                project=project, chunks=file.chunks(), filename=file.name or "upload",
                format=form.cleaned_data["format"], user=request.user, now=timezone.now(),
            )  # fmt: skip
            taken.append(upload)
        except BadInput as error:
            form.add_error("documents", f"{uploads.shown_name(file.name or '')}: {error}")
    return taken


def _corpus_page(request: HttpRequest, project: Project, form: UploadForm) -> HttpResponse:
    text = request.GET.get("q", "").strip()[:200]
    page = selectors.documents_page(project=project, text=text, cursor=request.GET.get("cursor", ""))
    context = {
        **_tabs(request, project),
        "summary": selectors.summary_of(project),
        "form": form,
        "q": text,
        "documents": page.documents,
        "earlier": _address(request.GET, page.earlier),
        "later": _address(request.GET, page.later),
        "uploads": selectors.uploads_of(project),
    }
    return render(request, "corpus/corpus.html", context, status=422 if form.errors else 200)


def _address(query: QueryDict, cursor: str | None) -> str | None:
    """The same search at another place of the list."""
    if cursor is None:
        return None
    query = query.copy()
    query["cursor"] = cursor
    return f"?{query.urlencode()}"


@require_POST
@login_required
def build(request: HttpRequest, project_slug: str) -> HttpResponse:
    """Have the index made anew."""
    project = get_project_or_404(request, project_slug)
    building.request_build(project=project, actor=request.user, now=timezone.now())
    return redirect("corpus:corpus", project.slug)


@require_POST
@login_required
def stop(request: HttpRequest, project_slug: str) -> HttpResponse:
    """Stop making the index."""
    project = get_project_or_404(request, project_slug)
    under_way = selectors.summary_of(project).build
    if under_way is not None:
        building.cancel_build(build=under_way, actor=request.user, now=timezone.now())
    return redirect("corpus:corpus", project.slug)


@require_POST
@login_required
def read_again(request: HttpRequest, project_slug: str) -> HttpResponse:
    """Have the answers that came without sources read again, against the corpus as it is now."""
    project = get_project_or_404(request, project_slug)
    answers = selectors.answers_without_sources(project)
    count = again.proofread_again(answers=answers, actor=request.user, now=timezone.now())
    said = ngettext("%(n)s answer is being read again.", "%(n)s answers are being read again.", count) % {"n": count}
    messages.success(
        request, said if count else _("There is no answer without sources that is not being read already.")
    )
    return redirect("corpus:corpus", project.slug)


@require_POST
@login_required
def clear(request: HttpRequest, project_slug: str) -> HttpResponse:
    """Take all documents out."""
    project = get_project_or_404(request, project_slug, administer=True)
    if request.POST.get("confirmed") != "1":
        messages.error(request, _("Tick the box first: deleted documents do not come back."))
        return redirect("corpus:corpus", project.slug)
    count = services.delete_documents(project=project, actor=request.user, now=timezone.now())
    messages.success(
        request, ngettext("%(n)s document is deleted.", "%(n)s documents are deleted.", count) % {"n": count}
    )
    return redirect("corpus:corpus", project.slug)


# One document ---------------------------------------------------------------------------------------------------


@require_safe
@login_required
def document(request: HttpRequest, project_slug: str, document_id: UUID) -> HttpResponse:
    """One document, cut as the index cuts it."""
    return _document_page(request, get_document_or_404(request, project_slug, document_id))


def _document_page(
    request: HttpRequest, found: Document, form: ReplaceForm | None = None, *, stale: bool = False
) -> HttpResponse:
    form = form or ReplaceForm(initial={"seen": found.text_hash})
    context = {
        **_tabs(request, found.project),
        "document": found,
        "address": web_address(found.url),
        "passages": selectors.passages_shown(found),
        "shortened": found.characters > selectors.SHOWN,
        "checked": selectors.answers_checked(found),
        "form": form,
        "stale": stale,
    }
    status = 409 if stale else 422 if form.is_bound and form.errors else 200
    return render(request, "corpus/document.html", context, status=status)


@require_POST
@login_required
def replace(request: HttpRequest, project_slug: str, document_id: UUID) -> HttpResponse:
    """Give a document another text."""
    found = get_document_or_404(request, project_slug, document_id)
    form = ReplaceForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            line = _line_given(form, found)
            became = services.replace_document(
                document=found, line=line, seen=form.cleaned_data["seen"], actor=request.user, now=timezone.now()
            )
        except services.Changed:
            # 404 when it is gone; else theirs is shown, and what was given stands in the box, the file's text, too.
            found = get_document_or_404(request, project_slug, document_id)
            kept = ReplaceForm(initial={"text": line.text, "seen": found.text_hash})
            return _document_page(request, found, kept, stale=True)
        except BadInput as error:
            form.add_error("file", str(error))
        else:
            said = (
                _("It was the same text; nothing is changed.") if became == "unchanged" else _("The text is replaced.")
            )
            messages.success(request, said)
            return redirect("corpus:document", project_slug, found.pk)
    return _document_page(request, found, form)


def _line_given(form: ReplaceForm, found: Document) -> DocumentLine:
    """The document of the file, else of what was typed."""
    file, typed = form.cleaned_data["file"], form.cleaned_data["text"]
    line = document_of_text(file.read(MOST_BYTES) if file else typed.encode(), found.key)
    title = found.title if line.title == found.key else line.title
    return DocumentLine(found.key, line.text, title, found.url)


@require_POST
@login_required
def delete(request: HttpRequest, project_slug: str, document_id: UUID) -> HttpResponse:
    """Take a document out."""
    found = get_document_or_404(request, project_slug, document_id)
    if request.POST.get("confirmed") != "1":
        messages.error(request, _("Tick the box first: a deleted document does not come back."))
        return redirect("corpus:document", project_slug, found.pk)
    services.delete_document(document=found, actor=request.user, now=timezone.now())
    messages.success(
        request, _("“%(name)s” is deleted. What was found in it before stays with its answers.") % {"name": found}
    )
    return redirect("corpus:corpus", project_slug)


# Uploads --------------------------------------------------------------------------------------------------------


@require_safe
@login_required
def upload(request: HttpRequest, project_slug: str, upload_id: UUID) -> HttpResponse:
    """One uploaded file; while it is read, the page asks for its progress partial."""
    found = get_upload_or_404(request, project_slug, upload_id)
    context = {
        **_tabs(request, found.project),
        "upload": found,
        "faults": found.faults.all()[:FAULTS_SHOWN],
        "percent": min(100, round(100 * found.bytes_done / found.size)) if found.size else 0,
    }
    return render(request, f"corpus/upload.html{'#progress' if _is_part(request) else ''}", context)


@require_POST
@login_required
def cancel(request: HttpRequest, project_slug: str, upload_id: UUID) -> HttpResponse:
    """Stop reading the file."""
    found = get_upload_or_404(request, project_slug, upload_id)
    uploads.cancel_upload(upload=found, user=request.user, now=timezone.now())
    return redirect("corpus:upload", project_slug, found.pk)


@require_POST
@login_required
def resume(request: HttpRequest, project_slug: str, upload_id: UUID) -> HttpResponse:
    """Go on reading a stopped file."""
    found = get_upload_or_404(request, project_slug, upload_id)
    uploads.resume_upload(upload=found, user=request.user, now=timezone.now())
    return redirect("corpus:upload", project_slug, found.pk)


@require_safe
@login_required
def faults(request: HttpRequest, project_slug: str, upload_id: UUID) -> StreamingHttpResponse:
    """Every line that was left out, one JSON object a line."""
    found = get_upload_or_404(request, project_slug, upload_id)

    def lines() -> Iterator[str]:
        for fault in found.faults.order_by("line").iterator(chunk_size=1000):
            record = {"line": fault.line, "field": fault.field, "reason": fault.reason}
            yield json.dumps(record, ensure_ascii=False) + "\n"

    response = StreamingHttpResponse(lines(), content_type="application/x-ndjson")
    response["Content-Disposition"] = f'attachment; filename="faults-{found.pk}.jsonl"'
    return response
