"""One step over many answers: planned so that it can be shown before, made in one transaction, and taken back.

A step changes at most `MOST` answers. Each changed row is written down with the version it got, so that taking the
step back changes only what nobody has touched since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery

from webapp.accounts.models import User
from webapp.records import tallies
from webapp.records.models import Answer, Inspection, Project
from webapp.review.models import BulkChange, Decision, Event, Item, Queue
from webapp.review.problems import Unusable
from webapp.review.services.queueing import is_audit_place, moved_by, place_in_order, step_of

#: Answers changed in one step: enough for an afternoon's work, few enough for one transaction.
MOST = 2000
#: Answers shown of a plan.
SHOWN = 10
Kind = BulkChange.Kind
PLACES = ("first", "usual", "last")
#: Kinds that say why.
WITH_REASON = frozenset({Kind.FLAG, Kind.ARCHIVE, Kind.RETURN})
#: From which states a kind moves an item, and to which.
MOVES: dict[str, tuple[tuple[str, ...], str]] = {
    Kind.FLAG: ((Item.State.WAITING,), Item.State.FLAGGED),
    Kind.ARCHIVE: ((Item.State.WAITING, Item.State.FLAGGED), Item.State.ARCHIVED),
    Kind.RETURN: ((Item.State.DECIDED, Item.State.FLAGGED, Item.State.ARCHIVED), Item.State.WAITING),
}
EVENTS = {Kind.FLAG: "item.flagged", Kind.ARCHIVE: "item.archived", Kind.RETURN: "item.returned"}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a step would do.

    Attributes:
        answers: the answers it would change, in the order of the list they were chosen from.
        left_out: how many others were chosen but would not change, by why (a code).
        more: whether more than `MOST` were chosen; the rest is for another step.
        items: the items it would change; for other kinds than items' empty.
    """

    kind: str
    answers: list[Any] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    more: bool = False
    items: list[Item] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.answers)


def plan(*, project: Project, kind: str, chosen: QuerySet[Answer], options: Mapping[str, Any]) -> Plan:
    """What `apply` would do to the chosen answers of a project.

    Args:
        chosen: answers, filtered and in the order of the page; only those of `project` count.
        options: ``queue`` (a Queue) for queue, ``place`` for priority, ``reason`` for flag, archive and return.

    Raises:
        Unusable: an unknown kind, or an option that is missing or means nothing.
    """
    _check(project, kind, options)
    keys = list(chosen.filter(project=project).values_list("pk", flat=True)[: MOST + 1])
    more, keys = len(keys) > MOST, keys[:MOST]
    if kind == Kind.QUEUE:
        answers, left_out, items = _to_queue(keys, options["queue"])
    elif kind == Kind.AGAIN:
        answers, left_out, items = _again(keys)
    else:
        answers, left_out, items = _to_move(keys, kind)
    return Plan(kind, answers, left_out, more, items)


def _check(project: Project, kind: str, options: Mapping[str, Any]) -> None:
    if kind not in Kind.values:
        raise Unusable("action", f"use one of {', '.join(Kind.values)}")
    queue = options.get("queue")
    if kind == Kind.QUEUE and (not isinstance(queue, Queue) or queue.project_id != project.pk):
        raise Unusable("queue", "choose a queue of this project")
    if kind == Kind.PRIORITY and options.get("place") not in PLACES:
        raise Unusable("place", f"use one of {', '.join(PLACES)}")
    if kind in WITH_REASON and not str(options.get("reason", "")).strip():
        raise Unusable("reason", "say why")


Found = tuple[list[Any], dict[str, int], list[Item]]


def _to_queue(keys: list[Any], queue: Queue) -> Found:
    there = set(Item.objects.filter(queue=queue, answer__in=keys).values_list("answer", flat=True))
    read = set(Inspection.objects.filter(answer__in=keys).values_list("answer", flat=True))
    replaced = set(Answer.objects.filter(pk__in=keys, superseded_by__isnull=False).values_list("pk", flat=True))
    answers, left_out = [], Counter[str]()
    for key in keys:
        why = "there" if key in there else "unread" if key not in read else "replaced" if key in replaced else ""
        if why:
            left_out[why] += 1
        else:
            answers.append(key)
    return answers, dict(left_out), []


def _again(keys: list[Any]) -> Found:
    states = dict(Answer.objects.filter(pk__in=keys).values_list("pk", "state"))
    usable = (Answer.State.PROOFREAD, Answer.State.DECIDED, Answer.State.FAILED)
    answers = [key for key in keys if states[key] in usable]
    left = len(keys) - len(answers)
    return answers, {"unread": left} if left else {}, []


def _to_move(keys: list[Any], kind: str) -> Found:
    """Items of the chosen answers that are in a state from which the step can take them."""
    states = MOVES[kind][0] if kind in MOVES else (Item.State.WAITING,)
    by_answer: dict[Any, list[Item]] = {}
    for item in Item.objects.filter(answer__in=keys).select_related("queue").order_by("created_at", "pk"):
        by_answer.setdefault(item.answer_id, []).append(item)
    answers, items, left_out = [], [], Counter[str]()
    for key in keys:
        own = by_answer.get(key, [])
        fit = [item for item in own if item.state in states]
        if fit:
            answers.append(key)
            items += fit
        elif not own:
            left_out["no_queue"] += 1
        elif any(item.state == Item.State.CLAIMED for item in own):
            left_out["held"] += 1
        else:
            left_out["state"] += 1
    return answers, dict(left_out), items


# Doing it -------------------------------------------------------------------------------------------------------


@transaction.atomic
def apply(
    *,
    project: Project,
    kind: str,
    chosen: QuerySet[Answer],
    options: Mapping[str, Any],
    actor: User,
    now: datetime,
    filters: Mapping[str, Any] | None = None,
    proofread_again: Callable[..., Any] | None = None,
) -> BulkChange:
    """Carry out what `plan` shows, and write down how to take it back.

    A row that somebody moves at the same moment is left to them. Raises as `plan`.
    """
    planned = plan(project=project, kind=kind, chosen=chosen, options=options)
    change = BulkChange.objects.create(
        project=project,
        kind=kind,
        options={name: value.pk if isinstance(value, Queue) else value for name, value in options.items() if value},
        filters=dict(filters or {}),
        actor=actor,
        at=now,
    )
    if kind == Kind.QUEUE:
        change.before = _put_in(change, planned, options["queue"])
    elif kind == Kind.PRIORITY:
        change.before = _prioritise(change, planned, str(options["place"]))
    elif kind == Kind.AGAIN:
        change.before = _read_again(planned, actor, now, proofread_again)
    else:
        change.before = _move(change, planned, str(options["reason"]).strip())
    change.count = len(change.before)
    change.save(update_fields=["before", "count"])
    Event.record("bulk.applied", change, project=project, actor=actor, at=now, action=kind, count=change.count)
    return change


def _log(change: BulkChange, kind: str, item_ids: list[Any], **data: Any) -> None:
    """One event for each item, so that every answer's history tells."""
    at = change.undone_at or change.at
    actor = change.undone_by or change.actor
    Event.objects.bulk_create(
        Event(
            project_id=change.project_id, kind=kind, object_type="item", object_id=str(pk), actor=actor, at=at,
            data={"bulk": str(change.pk), **data},
        )
        for pk in item_ids
    )  # fmt: skip


def _put_in(change: BulkChange, planned: Plan, queue: Queue) -> list[Any]:
    newest = Inspection.objects.filter(answer=OuterRef("pk")).order_by("-version")
    rows = Answer.objects.filter(pk__in=planned.answers).annotate(seen=Subquery(newest.values("pk")[:1]))
    answers = {pk: (received_at, seen) for pk, received_at, seen in rows.values_list("pk", "received_at", "seen")}
    inspections = Inspection.objects.filter(pk__in=[seen for _, seen in answers.values()])
    found = {
        pk: (probability, risk, cut)
        for pk, probability, risk, cut in inspections.values_list(
            "pk", "unsupported_probability", "risk", "report__engine__cut"
        )
    }
    place = tallies.items_in(queue)
    items = []
    for number, key in enumerate(planned.answers):
        received_at, inspection = answers[key]
        probability, risk, cut = found[inspection]
        audit = is_audit_place(queue=queue, place=place + number)
        priority = place_in_order(
            queue, answer_id=key, received_at=received_at, probability=probability, risk=risk, cut=cut, audit=audit
        )
        items.append(
            Item(
                queue=queue, answer_id=key, inspection_id=inspection, priority=priority, audit=audit,
                inclusion_probability=queue.audit_share if audit else 1.0, created_at=change.at,
            )
        )  # fmt: skip
    Item.objects.bulk_create(items)
    _log(change, "item.queued", [item.pk for item in items])
    return [str(item.pk) for item in items]


def _prioritise(change: BulkChange, planned: Plan, place: str) -> list[Any]:
    before = []
    for item in planned.items:
        usual = item.priority - moved_by(item.queue, item.priority)
        step = {"first": step_of(item.queue), "usual": 0.0, "last": -step_of(item.queue)}[place]
        won = Item.objects.filter(pk=item.pk, version=item.version, state=Item.State.WAITING).update(
            priority=usual + step
        )
        if won and usual + step != item.priority:
            before.append([str(item.pk), item.priority])
    _log(change, "item.moved", [pk for pk, _ in before], place=place)
    return before


def _move(change: BulkChange, planned: Plan, reason: str) -> list[Any]:
    _states, target = MOVES[change.kind]
    before: list[Any] = []
    for item in planned.items:
        won = Item.objects.filter(pk=item.pk, version=item.version, state=item.state).update(
            state=target, version=F("version") + 1
        )
        if won:
            before.append([str(item.pk), item.state, item.version + 1])
    moved: list[Any] = [row[0] for row in before]
    if change.kind == Kind.FLAG:
        _flag_decisions(change, moved, reason)
    if change.kind == Kind.RETURN:
        taken_back = _take_back_decisions(change, moved)
        before = [[pk, state, version, taken_back.get(pk, [])] for pk, state, version in before]
    _log(change, EVENTS[Kind(change.kind)], moved, reason=reason)
    return before


def _flag_decisions(change: BulkChange, moved: list[Any], reason: str) -> None:
    """A flag by a lead stands beside those of reviewers, with its reason."""
    versions = dict(Item.objects.filter(pk__in=moved).values_list("pk", "queue__guideline_version"))
    Decision.objects.bulk_create(
        Decision(
            item_id=item.pk, inspection_id=item.inspection_id, reviewer=change.actor, kind=Decision.Kind.FLAG,
            reason=reason, request_key=f"bulk:{change.pk}:{item.pk}", decided_at=change.at,
            guideline_version=versions[item.pk],
        )
        for item in Item.objects.filter(pk__in=moved)
    )  # fmt: skip


def _take_back_decisions(change: BulkChange, moved: list[Any]) -> dict[str, list[str]]:
    """Decisions on returned items do not stand any more; who skipped one may see it again."""
    standing = Decision.objects.filter(item__in=moved, undone_at__isnull=True)
    taken_back: dict[str, list[str]] = {}
    for pk, item in standing.values_list("pk", "item"):
        taken_back.setdefault(str(item), []).append(str(pk))
    standing.update(undone_at=change.at, undone_by=change.actor)
    Item.skipped_by.through.objects.filter(item__in=moved).delete()
    Answer.objects.filter(items__in=moved, state=Answer.State.DECIDED).update(state=Answer.State.PROOFREAD)
    return taken_back


def _read_again(planned: Plan, actor: User, now: datetime, proofread_again: Callable[..., Any] | None) -> list[Any]:
    if proofread_again is None:
        raise Unusable("action", "answers cannot be proofread again here")
    proofread_again(answers=planned.answers, actor=actor, now=now)
    return [str(key) for key in planned.answers]


# Taking it back -------------------------------------------------------------------------------------------------


@transaction.atomic
def undo(*, change: BulkChange, actor: User, now: datetime) -> int:
    """Take a step back where nobody has gone on since; how many rows went back.

    Raises:
        Unusable: it was taken back before, or it is of a kind that cannot be.
    """
    if change.kind == Kind.AGAIN:
        raise Unusable("action", "what was proofread again stays; the earlier inspections are kept, too")
    won = BulkChange.objects.filter(pk=change.pk, undone_at__isnull=True).update(undone_at=now, undone_by=actor)
    if not won:
        raise Unusable("action", "this was taken back before")
    change.refresh_from_db()
    if change.kind == Kind.QUEUE:
        back = _take_out(change)
    elif change.kind == Kind.PRIORITY:
        back = _put_back_priorities(change)
    else:
        back = _move_back(change)
    BulkChange.objects.filter(pk=change.pk).update(undone_count=back)
    change.undone_count = back
    Event.record("bulk.undone", change, project=change.project_id, actor=actor, at=now, action=change.kind, count=back)
    return back


def _take_out(change: BulkChange) -> int:
    """Items nobody has touched leave the queue again."""
    untouched = Item.objects.filter(
        pk__in=change.before, state=Item.State.WAITING, decisions__isnull=True, claims__isnull=True, drafts__isnull=True
    )
    keys = list(untouched.values_list("pk", flat=True))
    _log(change, "item.unqueued", keys)
    Item.objects.filter(pk__in=keys).delete()
    return len(keys)


def _put_back_priorities(change: BulkChange) -> int:
    later = BulkChange.objects.filter(
        project=change.project_id, kind=change.kind, at__gt=change.at, undone_at__isnull=True
    )
    moved_again = {str(pk) for before in later.values_list("before", flat=True) for pk, _ in before}
    back = [
        pk
        for pk, priority in change.before
        if str(pk) not in moved_again and Item.objects.filter(pk=pk, state=Item.State.WAITING).update(priority=priority)
    ]
    _log(change, "item.moved", back, place="undone")
    return len(back)


def _move_back(change: BulkChange) -> int:
    _states, target = MOVES[change.kind]
    back: list[Any] = []
    decisions: list[Any] = []
    for pk, state, version, *taken_back in change.before:
        won = Item.objects.filter(pk=pk, state=target, version=version).update(state=state, version=F("version") + 1)
        if won:
            back.append(pk)
            decisions += taken_back[0] if taken_back else []
    if change.kind == Kind.FLAG:
        flags = Decision.objects.filter(request_key__startswith=f"bulk:{change.pk}:", item__in=back)
        flags.update(undone_at=change.undone_at, undone_by=change.undone_by)
    if change.kind == Kind.RETURN:
        Decision.objects.filter(pk__in=decisions).update(undone_at=None, undone_by=None)
        decided = Item.objects.filter(pk__in=back, state=Item.State.DECIDED)
        Answer.objects.filter(items__in=decided, state=Answer.State.PROOFREAD).update(state=Answer.State.DECIDED)
    _log(change, "item.put_back", back)
    return len(back)
