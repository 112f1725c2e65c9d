"""The label audit: stored labels held against engine and judges, listed until a lead settles each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from proofing.exchange.reviews import groups_by_source
from proofing.judges.auditing import heard_of, heard_on_labels
from proofing.learning.audit import Heard, denied_by, surprise_of
from webapp.calibration.labels import labelled_lines
from webapp.judges import selectors
from webapp.judges.models import Doubt
from webapp.records.models import Project
from webapp.review.models import Decision, Event, Item
from webapp.review.services.gold import clear_gold, set_gold

#: How many doubts are kept: nobody settles more in a week, and the next audit finds the rest.
MOST_DOUBTS = 1000
LONGEST_NOTE = 1000


@dataclass(frozen=True, slots=True)
class StoredLabel:
    """One label of the project. `origin`: decision, gold (settled by a lead) or given (came with the answer)."""

    item: Item
    label: int
    score: float
    group: str
    origin: str
    weakest: str


def stored_labels(project: Project) -> Iterator[StoredLabel]:
    """The project's labels: from decisions, and those that came with answers nobody has decided."""
    decided = set()
    for line in labelled_lines(project, {}):
        item = line.decision.item
        decided.add(item.pk)
        if line.label is None:
            continue
        origin = "gold" if line.line.get("gold") else "decision"
        yield _stored(item, line.label, line.score, line.line["group"], origin, line.decision.inspection)
    given = Item.objects.filter(queue__project=project, answer__given_label__isnull=False).exclude(pk__in=decided)
    rows = list(given.select_related("answer__question", "inspection").order_by("created_at", "pk"))
    groups = groups_by_source(
        [[source.text for source in selectors.question_of(row.answer).case.sources] for row in rows]
    )
    for row, group in zip(rows, groups, strict=True):
        score = row.inspection.unsupported_probability
        yield _stored(row, int(row.answer.given_label or 0), score, f"given {group}", "given", row.inspection)


def _stored(item: Item, label: int, score: float, group: str, origin: str, inspection: Any) -> StoredLabel:
    marks = inspection.report.get("marks") or []
    return StoredLabel(item, label, float(score), group, origin, str(marks[0]["text"])[:300] if marks else "")


def keep_doubts(project: Project, labels: Sequence[StoredLabel], *, with_judges: bool, now: datetime) -> dict[str, Any]:
    """Write down which labels are denied, most surprising first; what a lead has settled stays settled.

    An open doubt that nobody shares any more is gone, and so is a settled one whose label has changed since.
    """
    heard: list[Heard] | list[None] = [None] * len(labels)
    if with_judges:
        votes = selectors.votes_by_answer([one.item.answer_id for one in labels])
        rows = [votes[one.item.answer_id] for one in labels]
        scores, truths, groups = (
            [one.score for one in labels],
            [one.label for one in labels],
            [one.group for one in labels],
        )
        heard = heard_on_labels(scores, rows, truths, groups) if any(rows) else [heard_of(row) for row in rows]
    found = []
    for one, said in zip(labels, heard, strict=True):
        surprise = surprise_of(one.label, one.score, said)
        by = denied_by(one.label, one.score, said) or ("together" if surprise >= 0.5 else None)
        if by is not None:
            found.append((surprise, by, one, said))
    found.sort(key=lambda row: -row[0])
    with transaction.atomic():
        return _written(project, found[:MOST_DOUBTS], len(labels), now)


def _written(
    project: Project, found: Sequence[tuple[float, str, StoredLabel, Heard | None]], labels: int, now: datetime
) -> dict[str, Any]:
    known = {doubt.item_id: doubt for doubt in Doubt.objects.select_for_update().filter(project=project)}
    listed = set()
    for surprise, by, one, said in found:
        settled = known.get(one.item.pk)
        if (
            settled is not None
            and settled.state in (Doubt.State.KEPT, Doubt.State.CHANGED)
            and settled.label == one.label
        ):
            listed.add(one.item.pk)
            continue
        if one.origin == "gold":
            continue  # a lead has settled this one
        listed.add(one.item.pk)
        against = said.against(one.label) if said else 0
        reasons = [[judge, why] for judge, says, why in (said.reasons if said else ()) if says != bool(one.label)]
        Doubt.objects.update_or_create(
            item=one.item,
            defaults={
                "project": project, "label": one.label, "origin": one.origin, "surprise": round(surprise, 6),
                "probability": one.score, "by": by, "votes": said.valid if said else 0, "against": against,
                "reasons": reasons, "weakest": one.weakest, "state": Doubt.State.OPEN, "note": "", "settled_by": None,
                "settled_at": None, "found_at": now,
            },
        )  # fmt: skip
    gone = Doubt.objects.filter(project=project, state=Doubt.State.OPEN).exclude(item__in=listed)
    gone.update(state=Doubt.State.GONE)
    left = Doubt.objects.filter(project=project, state=Doubt.State.OPEN).count()
    return {"labels": labels, "doubted": left}


@transaction.atomic
def settle(*, doubt: Doubt, change: bool, actor: Any, now: datetime, note: str = "") -> bool:
    """A lead's word: keep the label, or change it, which makes gold of the other one. False: it was settled already.

    Raises:
        Unusable: the note cannot be stored.
    """
    state = Doubt.State.CHANGED if change else Doubt.State.KEPT
    moved = Doubt.objects.filter(pk=doubt.pk, state=Doubt.State.OPEN).update(
        state=state, settled_by=actor, settled_at=now, note=note[:LONGEST_NOTE]
    )
    if not moved:
        return False
    if change:
        # The other label: an answer called supported is rejected, one called unsupported is kept as it is.
        kind = Decision.Kind.KEEP if doubt.label else Decision.Kind.REJECT
        set_gold(item=doubt.item, kind=kind, actor=actor, now=now, reason=note[:LONGEST_NOTE])
    Event.record(
        f"label.{state}", doubt.item, project=doubt.project_id, actor=actor, at=now, label=doubt.label, by=doubt.by
    )
    return True


@transaction.atomic
def reopen(*, doubt: Doubt, actor: Any, now: datetime) -> bool:
    """Take a lead's word back, with the gold that it made. False: it was not settled (any more)."""
    settled = Doubt.objects.filter(pk=doubt.pk, state__in=[Doubt.State.KEPT, Doubt.State.CHANGED])
    if not settled.update(state=Doubt.State.OPEN, settled_by=None, settled_at=None):
        return False
    if doubt.state == Doubt.State.CHANGED:
        clear_gold(item=doubt.item, actor=actor, now=now)
    Event.record("label.reopened", doubt.item, project=doubt.project_id, actor=actor, at=now)
    return True
