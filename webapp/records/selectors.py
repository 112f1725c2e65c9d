"""Reads of answers that are more than a `get`."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from webapp.accounts.models import User
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
    queue: str = ""  # its id
    review: str = ""  # a state of its item (waiting, decided, ...), or "none"
    decision: str = ""  # a kind of a standing decision
    reviewer: str = ""  # a user name
    model: str = ""
    task: str = ""
    received_from: date | None = None
    received_to: date | None = None
    seen_by: Any = None  # who looks, where they may not learn by filtering what pages hide from them; None: a lead


#: How a list of answers can be sorted: the row's field, and whether its largest values come first.
SORTS = {"newest": ("received_at", True), "oldest": ("received_at", False), "unsupported": ("probability", True)}


@dataclass(frozen=True, slots=True)
class Page:
    """Some answers in their order, with the cursors around them."""

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
    """The project's answers that a filter lets through."""
    chosen = chosen or AnswerFilter()
    rows = Answer.objects.filter(_condition(chosen), project=project)
    if chosen.seen_by is not None and (chosen.risk or chosen.route):
        rows = rows.filter(~_to_be_read_blind())
    return rows.filter(reduce(or_, _texts(chosen), Q())).select_related("question")


def _to_be_read_blind() -> Exists:
    return Exists(_audits().filter(answer=OuterRef("pk")))


def _audits() -> QuerySet[Item]:
    return Item.objects.filter(audit=True).exclude(state=Item.State.DECIDED)


def _tell_blind(answers: list[Answer]) -> None:
    """Set `blind` on each: whether it is still to be judged without the machine's opinion (see `is_blind`).

    Asked of the rows that are shown alone: as a column of the list, PostgreSQL answers it for every audit there is.
    """
    blind = set(_audits().filter(answer__in=answers).values_list("answer", flat=True))
    for answer in answers:
        answer.blind = answer.pk in blind  # type: ignore[attr-defined]


def _texts(chosen: AnswerFilter) -> list[Q]:
    """Where the words that are looked for may stand; none where no words are."""
    return [Q(text__icontains=chosen.text), Q(question__text__icontains=chosen.text)] if chosen.text else []


def _condition(chosen: AnswerFilter) -> Q:
    """Everything of a filter but its words."""
    condition = Q()
    for name in ("state", "risk", "route"):
        if value := getattr(chosen, name):
            condition &= Q(**{name: value})
    if chosen.external_id:
        # An answer may have been sent under several ids; its row knows the first, its observations all of them.
        seen = Observation.objects.filter(external_id=chosen.external_id)
        condition &= Q(pk__in=seen.values("answer"))
    if chosen.source:
        condition &= Q(pk__in=AnswerSource.objects.filter(source__source_key=chosen.source).values("answer"))
    if chosen.drift:
        condition &= Q(drifted=True)
    for name, own in (("model", "model_name"), ("task", "task")):
        if value := getattr(chosen, name):
            condition &= Q(**{own: value})
    if chosen.received_from:
        condition &= Q(received_at__gte=_midnight(chosen.received_from))
    if chosen.received_to and chosen.received_to < date.max:
        condition &= Q(received_at__lt=_midnight(chosen.received_to + timedelta(days=1)))
    return condition & _reviewed(chosen)


def _reviewed(chosen: AnswerFilter) -> Q:
    """What was done with an answer: one item has to meet all of it."""
    items = Item.objects.all()
    if chosen.queue:
        items = items.filter(queue=int(chosen.queue))
    if chosen.review == "none":
        return ~Q(pk__in=items.values("answer"))
    if chosen.review:
        items = items.filter(state=chosen.review)
    if chosen.decision or chosen.reviewer:
        items = items.filter(pk__in=_standing(chosen).values("item"))
    asked = chosen.queue or chosen.review or chosen.decision or chosen.reviewer
    return Q(pk__in=items.values("answer")) if asked else Q()


def _standing(chosen: AnswerFilter) -> QuerySet[Decision]:
    """The decisions that a filter asks for, as far as its reader may know of them."""
    standing = Decision.objects.filter(undone_at__isnull=True)
    if chosen.seen_by is not None:
        open_to_all = Q(item__queue__blind=False) | Q(item__state=Item.State.DECIDED)
        standing = standing.filter(open_to_all | Q(reviewer=chosen.seen_by))
    if chosen.decision:
        standing = standing.filter(kind=chosen.decision)
    if chosen.reviewer:
        # One value and no join: the order of the reviewer's own index is kept.
        standing = standing.filter(reviewer=User.objects.filter(username=chosen.reviewer).values("pk")[:1])
    return standing


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def answers_page(
    *, project: Project, chosen: AnswerFilter | None = None, cursor: str = "", size: int = PAGE, sort: str = "newest"
) -> Page:
    """One page of answers by keyset: a page stays right while answers come in.

    Args:
        cursor: from an earlier page's `earlier` or `later`; one that cannot be read, or of another order, is the
            first page.
        sort: one of `SORTS`; answers that were not proofread yet, or are to be read blind, are left out of the
            order by probability.
    """
    field, largest_first = SORTS[sort]
    chosen = chosen or AnswerFilter()
    place = _place_of(cursor, field)
    onward = place is None or place.direction == "older"  # further on in the order of the page, whatever that is
    found = _first(project, chosen, _Stretch(field, largest_first == onward, place, size + 1))
    shown, more = found[:size], len(found) > size
    _tell_blind(shown)
    if not onward:
        shown.reverse()
    back, on = (bool(shown) and place is not None, more) if onward else (more, bool(shown))
    return Page(
        shown,
        _cursor("newer", field, shown[0]) if back else None,
        _cursor("older", field, shown[-1]) if on else None,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page goes on: an answer's value and key, and the way from there."""

    direction: str
    value: datetime | float
    pk: UUID


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The first `count` rows in an order, from the beginning or from a place on."""

    field: str
    largest_first: bool
    place: _Place | None
    count: int

    def of(self, rows: QuerySet[Any], key: str = "id") -> QuerySet[Any]:
        """These of `rows`, which have the field and, under the name `key`, the answer's key."""
        if self.place is not None:
            beyond = "lt" if self.largest_first else "gt"
            at, pk = self.place.value, self.place.pk
            further = Q(**{f"{self.field}__{beyond}": at}) | Q(**{self.field: at, f"{key}__{beyond}": pk})
            # The other condition says nothing new, but an index can begin there, and cannot at either of these two.
            rows = rows.filter(further, **{f"{self.field}__{beyond}e": at})
        return rows.order_by(*_order(self.field, self.largest_first, key))[: self.count]


def _first(project: Project, chosen: AnswerFilter, stretch: _Stretch) -> list[Answer]:
    """The answers of a filter in a stretch of an order.

    PostgreSQL has an index of the words of answers and one of those of questions, and none for "in either": it is
    asked for both lists, which are then joined. Rows of either list are rows of the filter.
    """
    texts = _texts(chosen)
    if chosen.reviewer and chosen.review != "none" and not texts and stretch.field == "received_at":
        found = _first_decided(project, chosen, stretch)
    else:
        rows = _sortable(answers_of(project, chosen), stretch.field)
        if not texts or connection.vendor != "postgresql":
            return list(stretch.of(rows))
        found = [row for text in texts for row in stretch.of(rows.filter(text))]
    by_key = {row.pk: row for row in found}
    in_order = sorted(
        by_key.values(), key=lambda row: (getattr(row, stretch.field), row.pk), reverse=stretch.largest_first
    )
    return in_order[: stretch.count]


def _first_decided(project: Project, chosen: AnswerFilter, stretch: _Stretch) -> list[Answer]:
    """The answers that a person decided in a stretch of the order by time, in no order.

    Read from the person's decisions, which have an index in that order; from the answers it would be from all of them.
    """
    rows = _standing(chosen).filter(project=project)
    if chosen.queue:
        rows = rows.filter(item__queue=int(chosen.queue))
    if chosen.review:
        rows = rows.filter(item__state=chosen.review)
    others = replace(chosen, queue="", review="", decision="", reviewer="")
    rows = rows.filter(answer__in=answers_of(project, others).values("pk"))
    keys = stretch.of(rows.values_list(stretch.field, "answer_id").distinct(), "answer_id")
    return list(Answer.objects.filter(pk__in=[key for _, key in keys]).select_related("question"))


def answers_in_order(project: Project, chosen: AnswerFilter, *, sort: str = "newest") -> QuerySet[Answer]:
    """All answers a filter lets through, in the order of the page."""
    field, largest_first = SORTS[sort]
    rows = _sortable(answers_of(project, chosen), field)
    return rows.order_by(*_order(field, largest_first))


def _sortable(rows: QuerySet[Answer], field: str) -> QuerySet[Answer]:
    """What is still to be judged without the machine's opinion has no place in an order by it."""
    return rows.filter(~_to_be_read_blind(), probability__isnull=False) if field == "probability" else rows


def _order(field: str, largest_first: bool, key: str = "id") -> tuple[str, str]:
    sign = "-" if largest_first else ""
    return f"{sign}{field}", f"{sign}{key}"


def _cursor(direction: str, field: str, answer: Answer) -> str:
    value = getattr(answer, field)
    plain = f"{direction}|{value.isoformat() if isinstance(value, datetime) else repr(value)}|{answer.pk}"
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def is_cursor(cursor: str) -> bool:
    """Whether `answers_page` gave it in the order by time, or may have."""
    return _place_of(cursor, "received_at") is not None


def _place_of(cursor: str, field: str) -> _Place | None:
    try:
        plain = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        direction, at, pk = plain.split("|")
        value = float(at) if field == "probability" else datetime.fromisoformat(at)
        place = _Place(direction, value, UUID(pk))
    except (ValueError, binascii.Error):
        return None
    if isinstance(value, float):
        return place if direction in ("older", "newer") and 0 <= value <= 1 else None
    # A year near the ends of the calendar is none in another time zone, and no answer is from then.
    usable = value.tzinfo is not None and 1970 < value.year < 9000
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


def others_hidden(answer: Answer, reader: Any) -> bool:
    """Whether `reader` is not to know yet what others decided: it waits for more decisions, theirs among them."""
    open_and_blind = answer.items.filter(queue__blind=True).exclude(state=Item.State.DECIDED)
    own = Decision.objects.filter(item__answer=answer, reviewer=reader, undone_at__isnull=True)
    return open_and_blind.exists() and not own.exclude(kind__in=[Decision.Kind.SKIP, Decision.Kind.FLAG]).exists()


def decisions_on(answer: Answer, *, seen_by: Any) -> list[Decision]:
    """The decisions on an answer, newest first; only the reader's own while others' are hidden from them."""
    rows = Decision.objects.filter(item__answer=answer).select_related("reviewer", "inspection").order_by("-decided_at")
    return list(rows.filter(reviewer=seen_by) if others_hidden(answer, seen_by) else rows)


def events_of(answer: Answer, *, seen_by: Any) -> list[dict[str, Any]]:
    """What happened to an answer, its items and its decisions, oldest first; without what others decided while that
    is hidden from the reader."""
    own = Q(object_type="answer", object_id=str(answer.pk))
    items = [str(pk) for pk in answer.items.values_list("pk", flat=True)]
    decisions = [str(pk) for pk in Decision.objects.filter(item__answer=answer).values_list("pk", flat=True)]
    theirs = Q(object_type="item", object_id__in=items) | Q(object_type="decision", object_id__in=decisions)
    rows = Event.objects.filter(own | theirs, project=answer.project_id).select_related("actor").order_by("at", "id")
    if others_hidden(answer, seen_by):
        rows = rows.filter(~Q(object_type="decision") | Q(actor=seen_by))
    return [{"kind": row.kind, "at": row.at, "actor": row.actor, "data": row.data} for row in rows]
