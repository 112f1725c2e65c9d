"""Writes about documents: put in, replaced, taken out. Each asks for a new index; answers read before keep theirs."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum

from proofing.errors import BadInput
from proofing.exchange.documents import DocumentLine
from webapp.corpus.building import request_build
from webapp.corpus.models import Document, Upload
from webapp.records.models import Project
from webapp.review.models import Event

#: What became of a document that was put in.
ADDED, REPLACED, UNCHANGED = "added", "replaced", "unchanged"

#: Seconds for which a count of the corpus is good enough for an upload.
RECOUNT = 10.0


class TooMuch(BadInput):
    """The corpus would hold more text than it may."""


def room_left(project: Project) -> int:
    """How many characters the project's corpus may still take."""
    held = Document.objects.filter(project=project).aggregate(total=Sum("characters"))["total"] or 0
    return int(settings.CORPUS_LIMIT) - int(held)


class Room:
    """What is left for a long upload: counted now and then, since counting reads every document there is."""

    def __init__(self, project: Project) -> None:
        self._project, self._counted, self._left = project, -math.inf, 0

    def left(self) -> int:
        """Characters; what others brought in may be missing for up to `RECOUNT` seconds."""
        if time.monotonic() - self._counted > RECOUNT:
            self._left, self._counted = room_left(self._project), time.monotonic()
        return self._left

    def take(self, characters: int) -> None:
        self._left -= characters


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
        put = put_all(project=project, lines=[(None, line) for line in lines], actor=actor, now=now)
        done = [(one.document, one.became) for one in put]
        check_room(room - sum(one.grown for one in put))
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


@dataclass(frozen=True, slots=True)
class Put:
    """A document that was put in: what became of it, and by how many characters the corpus grew."""

    document: Document
    became: str
    grown: int


def put_all(
    *,
    project: Project,
    lines: Sequence[tuple[int | None, DocumentLine]],
    actor: Any,
    now: datetime,
    upload: Upload | None = None,
) -> list[Put]:
    """Store some documents in a few statements; the caller holds the transaction and looks at the room.

    They count as changed a microsecond apart, the first one last, so that lists that begin with the newest change show
    them in the order they came in.

    Args:
        lines: each with its number in the file it came in; no two of them have the same key.
    """
    known = {row.key: row for row in known_documents(project, [line.key for _, line in lines])}
    put, changed, kept = [], [], []
    for place, (number, line) in enumerate(lines):
        before = known.get(line.key)
        digest = hashlib.sha256(line.text.encode()).hexdigest()
        moment = now - timedelta(microseconds=place if number is None else number)
        if before is not None and (before.title, before.url, before.text_hash) == (line.title, line.url, digest):
            before.upload, before.line = upload, number
            kept.append(before)
            put.append(Put(before, UNCHANGED, 0))
            continue
        document = Document(
            project=project, key=line.key, title=line.title, url=line.url, text=line.text, text_hash=digest,
            characters=len(line.text), upload=upload, line=number, added_by=actor, created_at=now, changed_at=moment,
        )  # fmt: skip
        changed.append(document)
        if before is None:
            put.append(Put(document, ADDED, len(line.text)))
        else:
            document.id, document.added_by, document.created_at = before.id, before.added_by, before.created_at
            put.append(Put(document, REPLACED, len(line.text) - before.characters))
    # A key that somebody else brought in at this very moment is one of `update_conflicts`, too: the later text stands.
    names = ["title", "url", "text", "text_hash", "characters", "upload", "line", "changed_at"]
    Document.objects.bulk_create(changed, update_conflicts=True, unique_fields=["project", "key"], update_fields=names)
    if kept:
        Document.objects.bulk_update(kept, ["upload", "line"])
    return put


def known_documents(project: Project, keys: Sequence[str]) -> QuerySet[Document]:
    """The documents of these keys that are there, without their texts."""
    return Document.objects.filter(project=project, key__in=keys).select_related("added_by").defer("text")


class Changed(BadInput):
    """Somebody gave the document another text, or took it out, since it was opened."""


@transaction.atomic
def replace_document(*, document: Document, line: DocumentLine, seen: str, actor: Any, now: datetime) -> str:
    """Give a document another text (and title, and address) under its own key.

    Args:
        seen: SHA-256 of the text that the writer saw.

    Raises:
        Changed: it has another one meanwhile; nothing was changed.
        TooMuch: there is no room for it.
    """
    held = Document.objects.select_for_update().filter(pk=document.pk).values_list("text_hash", flat=True).first()
    if held is None:
        raise Changed("the document was deleted meanwhile")
    if seen and held not in (seen, hashlib.sha256(line.text.encode()).hexdigest()):
        raise Changed("the text was changed meanwhile")
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
