"""Reads about documents, uploads and indexes."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from proofing.corpus import passages_of_document
from proofing.documents import Source
from webapp.corpus.models import Document, IndexBuild, Upload
from webapp.corpus.retrieving import newest
from webapp.records.models import Answer, AnswerSource, Project

#: Documents on one page.
PAGE = 50
#: How much of a long document its page shows.
SHOWN = 200_000
#: Answers without sources that one press has read again, the newest first.
AGAIN = 5_000


@dataclass(frozen=True, slots=True)
class DocumentsPage:
    """Some documents, and cursors of the pages before and after; None where there is none."""

    documents: list[Document]
    earlier: str | None
    later: str | None


def documents_page(*, project: Project, text: str = "", cursor: str = "", size: int = PAGE) -> DocumentsPage:
    """Documents without their texts, newest change first, by keyset: a page stays right while documents come in.

    Args:
        text: what key, title or text must hold, whatever its case; "" = anything.
        cursor: from an earlier page; one that cannot be read is the first page.
    """
    rows = Document.objects.filter(project=project).defer("text")
    if text:
        rows = rows.filter(Q(key__icontains=text) | Q(title__icontains=text) | Q(text__icontains=text))
    place = _place_of(cursor)
    if place is None:
        found = list(rows.order_by("-changed_at", "-id")[: size + 1])
        return DocumentsPage(found[:size], None, _cursor("older", found[size - 1]) if len(found) > size else None)
    direction, at, pk = place
    onward = direction == "older"
    beyond = "lt" if onward else "gt"
    further = rows.filter(Q(**{f"changed_at__{beyond}": at}) | Q(changed_at=at, **{f"id__{beyond}": pk}))
    sign = "-" if onward else ""
    found = list(further.order_by(f"{sign}changed_at", f"{sign}id")[: size + 1])
    shown, more = found[:size], len(found) > size
    if not onward:
        shown.reverse()
    back, on = (bool(shown), more) if onward else (more, bool(shown))
    return DocumentsPage(
        shown, _cursor("newer", shown[0]) if back else None, _cursor("older", shown[-1]) if on else None
    )


def _cursor(direction: str, document: Document) -> str:
    plain = f"{direction}|{document.changed_at.isoformat()}|{document.pk}"
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def is_cursor(cursor: str) -> bool:
    """Whether `documents_page` gave it, or may have."""
    return _place_of(cursor) is not None


def _place_of(cursor: str) -> tuple[str, datetime, UUID] | None:
    try:
        direction, at, pk = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split("|")
        place = direction, datetime.fromisoformat(at), UUID(pk)
    except (ValueError, binascii.Error):
        return None
    usable = place[1].tzinfo is not None and 1970 < place[1].year < 9000
    return place if direction in ("older", "newer") and usable else None


@dataclass(frozen=True, slots=True)
class Summary:
    """A corpus in figures.

    Attributes:
        index: the index in use; None: there is none yet.
        build: the build that is wanted or under way.
        trouble: the newest build, where it failed or was stopped.
    """

    documents: int
    characters: int
    index: IndexBuild | None
    build: IndexBuild | None
    trouble: IndexBuild | None

    @property
    def working(self) -> bool:
        return self.build is not None

    @property
    def stale(self) -> bool:
        """Whether documents changed since the index in use, and nothing is under way."""
        return self.build is None and self.trouble is not None


def summary_of(project: Project) -> Summary:
    """Three queries, whatever the number of documents."""
    held = Document.objects.filter(project=project).aggregate(n=Count("pk"), characters=Sum("characters"))
    index = newest(project)
    done = index if index is not None and index.state == IndexBuild.State.DONE else None
    last = list(IndexBuild.objects.filter(project=project).order_by("-pk")[:2])
    build = next((row for row in reversed(last) if row.unfinished), None)
    over = last and last[0].state in (IndexBuild.State.FAILED, IndexBuild.State.CANCELLED)
    return Summary(held["n"], held["characters"] or 0, done, build, last[0] if over else None)


def uploads_of(project: Project, most: int = 20) -> list[Upload]:
    """The newest uploads."""
    rows = Upload.objects.filter(project=project).select_related("created_by")
    return list(rows.order_by("-created_at", "-pk")[:most])


def passages_shown(document: Document) -> Sequence[Source]:
    """The passages of a document as the index cuts them, for its page; the beginning of a long one."""
    source = Source(document.key, document.text[:SHOWN], document.title, document.url)
    return list(passages_of_document(source))


def answers_checked(document: Document) -> int:
    """How many answers were last read against a passage of this document or of one that had its key."""
    links = AnswerSource.objects.filter(source__project=document.project_id, score__isnull=False)
    return links.filter(source__source_key__startswith=f"{document.key}#").values("answer").distinct().count()


def answers_without_sources(project: Project) -> QuerySet[Answer]:
    """The newest answers that came without sources, whatever was found for them."""
    given = AnswerSource.objects.filter(answer=OuterRef("pk"), score__isnull=True)
    rows = Answer.objects.filter(project=project, superseded_by__isnull=True).filter(~Exists(given))
    return rows.order_by("-received_at", "-id")[:AGAIN]
