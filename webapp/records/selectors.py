"""Reads of answers that are more than a `get`."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from webapp.records.models import Answer, AnswerSource, Inspection, Observation, Project
from webapp.review.models import Decision, Event, Item

PAGE = 50


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """What a list of answers is narrowed to; empty fields narrow nothing."""

    text: str = ""
    state: str = ""
    risk: str = ""
    route: str = ""
    external_id: str = ""
    source: str = ""
    drift: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Some answers, newest first, with the cursors around them."""

    answers: list[Answer]
    earlier: str | None
    later: str | None


def newest_inspection(answer: Answer) -> Inspection | None:
    """The inspection with the highest version."""
    return answer.inspections.order_by("-version").first()


def standing_decision(answer: Answer) -> Decision | None:
    """The newest decision on an answer that was not undone and is more than a skip or a flag."""
    return (
        Decision.objects.filter(item__answer=answer, undone_at__isnull=True)
        .exclude(kind__in=[Decision.Kind.SKIP, Decision.Kind.FLAG])
        .order_by("-decided_at", "-pk")
        .first()
    )


def answers_of(project: Project, chosen: AnswerFilter | None = None) -> QuerySet[Answer]:
    """The project's answers that a filter lets through, each with `risk`, `route` and `probability` of its newest
    inspection (None before there is one), and `blind` (see `is_blind`)."""
    newest = Inspection.objects.filter(answer=OuterRef("pk")).order_by("-version")
    rows = Answer.objects.filter(project=project).annotate(
        risk=Subquery(newest.values("risk")[:1]),
        route=Subquery(newest.values("route")[:1]),
        probability=Subquery(newest.values("unsupported_probability")[:1]),
        blind=Exists(Item.objects.filter(answer=OuterRef("pk"), audit=True).exclude(state=Item.State.DECIDED)),
    )
    return rows.filter(_condition(chosen or AnswerFilter())).select_related("question")


def _condition(chosen: AnswerFilter) -> Q:
    condition = Q()
    if chosen.text:
        condition &= Q(text__icontains=chosen.text) | Q(question__text__icontains=chosen.text)
    for name in ("state", "risk", "route"):
        if value := getattr(chosen, name):
            condition &= Q(**{name: value})
    if chosen.external_id:
        # An answer may have been sent under several ids; its row knows the first, its observations the others.
        seen = Observation.objects.filter(external_id=chosen.external_id)
        condition &= Q(external_id=chosen.external_id) | Q(pk__in=seen.values("answer"))
    if chosen.source:
        condition &= Q(pk__in=AnswerSource.objects.filter(source__source_key=chosen.source).values("answer"))
    if chosen.drift:
        condition &= Q(pk__in=Observation.objects.filter(drifted=True).values("answer"))
    return condition


def answers_page(*, project: Project, chosen: AnswerFilter | None = None, cursor: str = "", size: int = PAGE) -> Page:
    """One page of answers, newest first, by keyset: a page stays right while answers come in.

    Args:
        cursor: from an earlier page's `earlier` or `later`; one that cannot be read is the first page.
    """
    rows = answers_of(project, chosen)
    place = _place_of(cursor)
    if place is None:
        found = list(rows.order_by("-received_at", "-id")[: size + 1])
        return Page(found[:size], None, _cursor("older", found[size - 1]) if len(found) > size else None)
    direction, at, pk = place
    if direction == "older":
        found = list(
            rows.filter(Q(received_at__lt=at) | Q(received_at=at, id__lt=pk)).order_by("-received_at", "-id")[
                : size + 1
            ]
        )
        shown = found[:size]
        more = len(found) > size
        return Page(shown, _cursor("newer", shown[0]) if shown else None, _cursor("older", shown[-1]) if more else None)
    found = list(
        rows.filter(Q(received_at__gt=at) | Q(received_at=at, id__gt=pk)).order_by("received_at", "id")[: size + 1]
    )
    shown = list(reversed(found[:size]))
    more = len(found) > size
    return Page(shown, _cursor("newer", shown[0]) if more else None, _cursor("older", shown[-1]) if shown else None)


def _cursor(direction: str, answer: Answer) -> str:
    plain = f"{direction}|{answer.received_at.isoformat()}|{answer.pk}"
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def is_cursor(cursor: str) -> bool:
    """Whether `answers_page` gave it, or may have."""
    return _place_of(cursor) is not None


def _place_of(cursor: str) -> tuple[str, datetime, UUID] | None:
    try:
        plain = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        direction, at, pk = plain.split("|")
        place = direction, datetime.fromisoformat(at), UUID(pk)
    except (ValueError, binascii.Error):
        return None
    # A year near the ends of the calendar is none in another time zone, and no answer is from then.
    usable = place[1].tzinfo is not None and 1970 < place[1].year < 9000
    return place if direction in ("older", "newer") and usable else None


def answer_with_everything(answers: QuerySet[Answer]) -> QuerySet[Answer]:
    """Prefetches what the page of one answer shows."""
    return answers.select_related("question", "project", "superseded_by").prefetch_related(
        "source_links__source",
        Prefetch("inspections", Inspection.objects.order_by("-version").prefetch_related("marks")),
        "observations__batch",
    )


def is_blind(answer: Answer) -> bool:
    """Whether a person is still to judge this answer without knowing what the machine thinks of it."""
    return answer.items.filter(audit=True).exclude(state=Item.State.DECIDED).exists()


def decisions_on(answer: Answer, *, seen_by: Any) -> list[Decision]:
    """The decisions on an answer, newest first. While it waits for more of them, people see only their own."""
    rows = Decision.objects.filter(item__answer=answer).select_related("reviewer", "inspection").order_by("-decided_at")
    if answer.items.exclude(state=Item.State.DECIDED).exists():
        rows = rows.filter(reviewer=seen_by)
    return list(rows)


def events_of(answer: Answer) -> list[dict[str, Any]]:
    """What happened to an answer, its items and its decisions, oldest first."""
    own = Q(object_type="answer", object_id=str(answer.pk))
    items = [str(pk) for pk in answer.items.values_list("pk", flat=True)]
    decisions = [str(pk) for pk in Decision.objects.filter(item__answer=answer).values_list("pk", flat=True)]
    theirs = Q(object_type="item", object_id__in=items) | Q(object_type="decision", object_id__in=decisions)
    rows = Event.objects.filter(own | theirs, project=answer.project_id).select_related("actor").order_by("at", "id")
    return [{"kind": row.kind, "at": row.at, "actor": row.actor, "data": row.data} for row in rows]
