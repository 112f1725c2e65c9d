"""Writes about documents: put in, replaced, taken out. Each asks for a new index; answers read before keep theirs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from proofing.errors import BadInput
from proofing.exchange.documents import DocumentLine
from webapp.corpus.building import request_build
from webapp.corpus.models import Document, Upload
from webapp.records.models import Project
from webapp.review.models import Event

#: What became of a document that was put in.
ADDED, REPLACED, UNCHANGED = "added", "replaced", "unchanged"


class TooMuch(BadInput):
    """The corpus would hold more text than it may."""


def room_left(project: Project) -> int:
    """How many characters the project's corpus may still take."""
    held = Document.objects.filter(project=project).aggregate(total=Sum("characters"))["total"] or 0
    return int(settings.CORPUS_LIMIT) - int(held)


def put_documents(
    *, project: Project, lines: Sequence[DocumentLine], actor: Any, now: datetime
) -> list[tuple[Document, str]]:
    """Put documents in, each in the place of the one of the same key, and have the index made anew where needed.

    Returns:
        Each document with `ADDED`, `REPLACED` or `UNCHANGED`.

    Raises:
        TooMuch: there is no room for all of them; nothing was changed.
    """
    with transaction.atomic():
        room = room_left(project)
        done = []
        for line in lines:
            document, became, grown = put_document(project=project, line=line, actor=actor, now=now)
            room -= grown
            done.append((document, became))
        check_room(room)
        changed = [document for document, became in done if became != UNCHANGED]
        if changed:
            Event.record("documents.put", project, project=project, actor=actor, at=now, documents=len(changed))
            request_build(project=project, actor=actor, now=now)
    return done


def check_room(room: int) -> None:
    if room < 0:
        limit = settings.CORPUS_LIMIT // 1_000_000
        raise TooMuch(
            f"the corpus may hold {limit} million characters, and this is {-room:,} too many; delete documents, or let "
            "your operator raise PROOFMARK_CORPUS_LIMIT"
        )


def put_document(
    *,
    project: Project,
    line: DocumentLine,
    actor: Any,
    now: datetime,
    upload: Upload | None = None,
    number: int | None = None,
) -> tuple[Document, str, int]:
    """Store one document; the caller holds the transaction, looks at the room and asks for the index.

    Returns:
        The document, what became of it, and by how many characters the corpus grew.
    """
    fields = {
        "title": line.title,
        "url": line.url,
        "text": line.text,
        "text_hash": hashlib.sha256(line.text.encode()).hexdigest(),
        "characters": len(line.text),
        "upload": upload,
        "line": number,
    }
    document, fresh = Document.objects.get_or_create(
        project=project,
        key=line.key,
        defaults={**fields, "added_by": actor, "created_at": now, "changed_at": now},
    )
    if fresh:
        return document, ADDED, len(line.text)
    same = all(getattr(document, name) == fields[name] for name in ("title", "url", "text_hash"))
    grown = 0 if same else len(line.text) - document.characters
    kept = {"upload": upload, "line": number} if same else {**fields, "changed_at": now}
    Document.objects.filter(pk=document.pk).update(**kept)
    for name, value in kept.items():
        setattr(document, name, value)
    return document, UNCHANGED if same else REPLACED, grown


def replace_document(*, document: Document, line: DocumentLine, actor: Any, now: datetime) -> str:
    """Give a document another text (and title, and address) under its own key.

    Raises:
        TooMuch: there is no room for it.
    """
    renamed = DocumentLine(document.key, line.text, line.title, line.url)
    return put_documents(project=document.project, lines=[renamed], actor=actor, now=now)[0][1]


@transaction.atomic
def delete_document(*, document: Document, actor: Any, now: datetime) -> bool:
    """Take a document out; False when somebody else did.

    Answers that were checked against it keep the passages they were checked against, and what was decided on them.
    Until the index is made anew, answers may still find it.
    """
    gone, _ = Document.objects.filter(pk=document.pk).delete()
    if gone:
        Event.record("document.deleted", document, project=document.project_id, actor=actor, at=now)
        request_build(project=document.project, actor=actor, now=now)
    return bool(gone)


@transaction.atomic
def delete_documents(*, project: Project, actor: Any, now: datetime) -> int:
    """Take all documents out; how many there were."""
    gone = Document.objects.filter(project=project).count()
    if gone:
        Document.objects.filter(project=project).delete()
        Event.record("documents.deleted", project, project=project, actor=actor, at=now, documents=gone)
        request_build(project=project, actor=actor, now=now)
    return gone
