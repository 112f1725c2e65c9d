"""The project's corpus through the API: documents in, out and listed, and how far its index is."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Field, Query, Router, Schema

from proofing.exchange.documents import LENGTHS, LONGEST, DocumentLine, document_of_record
from proofing.exchange.jsonl import LineFault
from webapp.corpus import selectors, services
from webapp.corpus.models import Document
from webapp.intake.api_access import READ, WRITE, TokenRequest
from webapp.intake.api_answers import PROBLEMS, respond
from webapp.intake.api_schemas import Name, ProblemOut, Text
from webapp.intake.idempotency import once
from webapp.intake.problems import Problem

router = Router()
#: How many documents one request may carry, and one page may show.
MOST = 100


class DocumentIn(Schema):
    """One document; the same `id` again replaces it, the same text again changes nothing."""

    id: Name = Field(None, description=f"Your key for it, at most {LENGTHS['id']} characters. Needed.")
    text: Text = Field(None, description=f"At most {LONGEST:,} characters. Needed.")
    title: Text = Field(None, description="What people see; stands with every passage that is found.")
    url: Text = Field(None, description="Where people may open it.")


class DocumentsIn(Schema):
    """Up to 100 documents; all are taken or none."""

    documents: list[DocumentIn]


class DocumentOut(Schema):
    document: UUID = Field(description="Its key in addresses of this API.")
    id: str = Field(description="Your key.")
    title: str
    url: str
    characters: int
    sha256: str = Field(description="Of the text in UTF-8.")
    created_at: datetime
    changed_at: datetime


class DocumentFullOut(DocumentOut):
    text: str


class DocumentPutOut(DocumentOut):
    became: Literal["added", "replaced", "unchanged"]


class DocumentsPutOut(Schema):
    documents: list[DocumentPutOut]


class DocumentsPage(Schema):
    documents: list[DocumentOut]
    next: str | None = Field(description="Cursor of the following page; null on the last.")


class CorpusOut(Schema):
    """Answers without sources are read against `version`; null: there is none yet."""

    documents: int
    characters: int
    version: str | None = Field(description="SHA-256 of the passages in use.")
    passages: int
    searched_by: list[Literal["words", "meaning"]]
    building: bool = Field(description="An index is wanted or being made.")
    error: str | None = Field(description="Why the newest index could not be made.")


@router.post(
    "/documents", auth=WRITE, operation_id="put_documents", summary="Put documents into the project's corpus",
    response={200: DocumentsPutOut, **PROBLEMS},
)  # fmt: skip
def put_documents(request: TokenRequest, payload: DocumentsIn) -> HttpResponse:
    """Stores or replaces up to 100 documents, and has the index made anew where one of them changed.

    All are taken or none. `GET corpus` says when the index is there.
    """
    project = request.auth.project

    def act() -> HttpResponse:
        lines = _lines(payload.documents)
        try:
            done = services.put_documents(project=project, lines=lines, actor=request.auth.acts_as, now=timezone.now())
        except services.TooMuch as error:
            raise Problem(413, "corpus-full", f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
        return respond({"documents": [_document_dict(document) | {"became": became} for document, became in done]})

    return once(request, project, request.body, act)


def _lines(records: list[DocumentIn]) -> list[DocumentLine]:
    if len(records) > MOST:
        raise Problem(413, "too-many", f"At most {MOST} documents in one request.")
    if not records:
        raise Problem(422, "invalid", "Send at least one document.")
    lines: dict[str, DocumentLine] = {}
    errors = []
    for index, record in enumerate(records):
        try:
            line = document_of_record(record.model_dump(exclude_unset=True))
            if line.key in lines:
                raise LineFault("stands twice in this request", field="id")
            lines[line.key] = line
        except LineFault as fault:
            errors.append({"field": f"documents[{index}].{fault.field}", "reason": fault.reason})
    if errors:
        raise Problem(422, "unusable-document", "Nothing was stored.", errors=errors)
    return list(lines.values())


def _document_dict(document: Document, *, text: bool = False) -> dict[str, Any]:
    names = ("title", "url", "characters", "created_at", "changed_at", *(("text",) if text else ()))
    known = {"document": document.pk, "id": document.key, "sha256": document.text_hash}
    return known | {name: getattr(document, name) for name in names}


@router.get("/documents", auth=READ, operation_id="list_documents", response={200: DocumentsPage, **PROBLEMS})
def list_documents(
    request: TokenRequest,
    cursor: str = "",
    q: Annotated[str, Query(max_length=200)] = "",
    id: Annotated[str, Query(max_length=LENGTHS["id"])] = "",
    limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
) -> HttpResponse:
    """Documents without their texts, newest change first. Follow `next` for the following page.

    `q` finds words in id, title and text; `id` the one document that has exactly your key.
    """
    if cursor and not selectors.is_cursor(cursor):
        fault = {"field": "cursor", "reason": "is none that this API gave; take it from `next`"}
        raise Problem(422, "invalid", "The cursor cannot be used.", errors=[fault])
    project = request.auth.project
    if id:
        rows = Document.objects.filter(project=project, key=id).defer("text")
        return respond({"documents": [_document_dict(row) for row in rows], "next": None})
    page = selectors.documents_page(project=project, text=q, cursor=cursor, size=limit)
    return respond({"documents": [_document_dict(row) for row in page.documents], "next": page.later})


@router.get(
    "/documents/{document_id}", auth=READ, operation_id="get_document", url_name="get_document",
    response={200: DocumentFullOut, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def get_document(request: TokenRequest, document_id: UUID) -> HttpResponse:
    """One document with its text."""
    return respond(_document_dict(_own(request, document_id), text=True))


@router.delete(
    "/documents/{document_id}", auth=WRITE, operation_id="delete_document",
    response={204: None, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def remove_document(request: TokenRequest, document_id: UUID) -> HttpResponse:
    """Takes a document out and has the index made anew. Answers read before keep what was found for them."""
    document = _own(request, document_id)
    services.delete_document(document=document, actor=request.auth.acts_as, now=timezone.now())
    return respond(None, 204)


@router.get("/corpus", auth=READ, operation_id="get_corpus", response={200: CorpusOut, **PROBLEMS})
def get_corpus(request: TokenRequest) -> HttpResponse:
    """What the corpus holds, and how far its index is."""
    found = selectors.summary_of(request.auth.project)
    index = found.index
    ways = [] if index is None or not index.passages else ["words", "meaning"] if index.encoder else ["words"]
    return respond(
        {
            "documents": found.documents,
            "characters": found.characters,
            "version": index.version if index else None,
            "passages": index.passages if index else 0,
            "searched_by": ways,
            "building": found.working,
            "error": (found.trouble.error or None) if found.trouble else None,
        }
    )


def _own(request: TokenRequest, document_id: UUID) -> Document:
    """The one way from an id to a document: within the token's project."""
    return get_object_or_404(Document.objects.select_related("project"), pk=document_id, project=request.auth.project)
