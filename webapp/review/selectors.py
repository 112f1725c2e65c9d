"""Every read of the desk that is more than a `get`. The item page costs the same number of queries at any size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery

from proofing.learning.labels import answer_label
from webapp.accounts.access import PEOPLE
from webapp.accounts.models import User
from webapp.records import rendering, retrieved, tallies
from webapp.records.models import Answer, Inspection
from webapp.review.models import Claim, Decision, Draft, Item, Queue

WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x20]", re.IGNORECASE)


def queues_for(user: User) -> QuerySet[Queue]:
    """Queues of the projects in which `user` may review, in a fixed order."""
    # User and role stand in one filter, so that one membership has to meet both: colleagues' roles do not count.
    mine = Queue.objects.filter(project__memberships__user=user, project__memberships__role__in=PEOPLE)
    mine = mine.filter(project__archived_at__isnull=True)
    return mine.select_related("project").order_by("project__name", "name", "pk")


def waiting_items(*, queue: Queue, for_reviewer: User) -> QuerySet[Item]:
    """What waits for this reviewer, most urgent first: nothing they skipped or decided before.

    Nothing while the queue is paused, and nothing for people it is not assigned to. The conditions look at one row at
    a time and the order is that of an index, so the first few items cost the same however many wait. Filter by `audit`
    to stay on that index, and join nothing: SQLite would sort the whole queue.
    """
    if queue.paused_at is not None:
        return Item.objects.none()
    skipped = Item.skipped_by.through.objects.filter(item=OuterRef("pk"), user=for_reviewer)
    decided = standing_decisions(for_reviewer).filter(item=OuterRef("pk"))
    assigned = Queue.reviewers.through.objects.filter(queue=queue)
    waiting = Item.objects.filter(~Exists(skipped), queue=queue, state=Item.State.WAITING)
    waiting = waiting.filter(~Exists(assigned) | Exists(assigned.filter(user=for_reviewer)))
    if queue.slots > 1:  # with one decision asked, what was decided does not wait
        waiting = waiting.filter(~Exists(decided))
    return waiting.order_by("-priority", "created_at", "id")


def open_claims(*, reviewer: User, queue: Queue | None = None) -> QuerySet[Claim]:
    """Items the reviewer holds, the one taken last first."""
    claims = Claim.objects.filter(reviewer=reviewer, released_at__isnull=True, item__state=Item.State.CLAIMED)
    if queue is not None:
        claims = claims.filter(item__queue=queue)
    return claims.select_related("item", "item__queue", "item__queue__project", "reviewer").order_by("-issued_at", "pk")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a queue is. `mine` counts the reviewer's standing decisions in it."""

    total: int
    decided: int
    waiting: int
    claimed: int
    flagged: int
    mine: int = 0
    done: int = 0  # of those waiting for several decisions, how many the reviewer has decided already

    @property
    def left(self) -> int:
        """How many wait for the reviewer."""
        return max(0, self.waiting - self.done)


def progress_of(queue: Queue) -> Progress:
    """Counts by state; what it costs does not grow with the queue."""
    return _progress(tallies.items_by_state([queue])[queue.pk], 0)


def _progress(states: dict[str, int], mine: int, done: int = 0) -> Progress:
    return Progress(
        total=sum(n for state, n in states.items() if state != Item.State.ARCHIVED),
        decided=states.get(Item.State.DECIDED, 0),
        waiting=states.get(Item.State.WAITING, 0),
        claimed=states.get(Item.State.CLAIMED, 0),
        flagged=states.get(Item.State.FLAGGED, 0),
        mine=mine,
        done=done,
    )


def standing_decisions(reviewer: User) -> QuerySet[Decision]:
    """The reviewer's decisions that were not undone, without skips and flags."""
    return Decision.objects.filter(reviewer=reviewer, undone_at__isnull=True).exclude(
        kind__in=[Decision.Kind.SKIP, Decision.Kind.FLAG]
    )


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One line of the queue list."""

    queue: Queue
    progress: Progress
    people: tuple[str, ...]
    last_decided_at: datetime | None


def queue_rows(user: User) -> list[QueueRow]:
    """Every queue the user may review, with progress and who is on it; at most six queries whatever their number.

    Each starts where few rows are: at counts, at open claims, at the newest decisions. Only where several people decide
    on each answer the user's own decisions are gone through, for those that wait for others.
    """
    queues = list(queues_for(user))
    counts = tallies.items_by_state(queues)
    people: dict[int, list[str]] = {}
    held = Claim.objects.filter(released_at__isnull=True, item__queue__in=queues, item__state=Item.State.CLAIMED)
    for pk, name in held.order_by("reviewer__username").values_list("item__queue", "reviewer__username").distinct():
        people.setdefault(pk, []).append(name)
    mine = tallies.decided_by(user, queues)
    several = [queue for queue in queues if queue.slots > 1]
    own = standing_decisions(user).filter(item__queue__in=several, item__state=Item.State.WAITING).order_by()
    done = dict(own.values_list("item__queue").annotate(n=Count("pk")))
    last = _last_decisions([queue for queue in queues if queue.slots > 1 or _has_decisions(counts[queue.pk])])
    return [
        QueueRow(
            queue=queue,
            progress=_progress(counts[queue.pk], mine.get(queue.pk, 0), done.get(queue.pk, 0)),
            people=tuple(people.get(queue.pk, ())),
            last_decided_at=last.get(queue.pk),
        )
        for queue in queues
    ]


def _has_decisions(states: dict[str, int]) -> bool:
    """Whether decisions can stand in a queue of these counts where one is asked of each answer."""
    return any(states.get(state) for state in (Item.State.DECIDED, Item.State.FLAGGED, Item.State.ARCHIVED))


def _last_decisions(queues: Sequence[Queue]) -> dict[int, datetime]:
    """When the newest decision that stands was made, by queue.

    Goes back from the newest decision of all until one is of the queue, so only queues with decisions are asked for.
    """
    here = Item.objects.filter(pk=OuterRef("item"), queue=OuterRef(OuterRef("pk")))
    newest = Decision.objects.filter(Exists(here), undone_at__isnull=True).exclude(kind__in=["skip", "flag"])
    when = Subquery(newest.order_by("-decided_at").values("decided_at")[:1])
    rows = Queue.objects.filter(pk__in=[queue.pk for queue in queues]).values_list("pk", when)
    return {pk: at for pk, at in rows if at is not None}


#: After how long an answer that nobody has begun to proofread is worth a word on the start page.
LONG_WAIT = timedelta(minutes=2)


def waiting_long_for_the_worker(rows: Sequence[QueueRow], *, now: datetime) -> int:
    """How many answers of these queues' projects have waited so long to be proofread that the worker may be down."""
    projects = {row.queue.project_id for row in rows}
    unread = Answer.objects.filter(project__in=projects, state=Answer.State.RECEIVED, heartbeat_at__lt=now - LONG_WAIT)
    return unread.count()


def draft_of(item: Item, reviewer: User) -> Draft | None:
    """The reviewer's unfinished work on an item, if there is any."""
    return Draft.objects.filter(item=item, reviewer=reviewer).first()


# The item page ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class HealedView:
    """What the healed panel shows. ``offered`` is False where accepting would change nothing."""

    strategy: str
    declined: bool
    text: str
    segments: list[rendering.DiffSegment]
    edits: list[rendering.EditView]
    offered: bool


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a score, 0-1 before its weight; without a weight it is added as it is."""

    code: str
    value: float
    weight: float | None


@dataclass(frozen=True, slots=True)
class Decided:
    """What people decided about an item so far, as far as its reader may know.

    Attributes:
        seen: the decisions that stand, oldest first; only the reader's own while others' are hidden from them.
        own: the reader's own, if it stands.
        count: how many stand, hidden or not.
        wanted: how many the queue asks for.
        agree: whether those seen say the same about the answer; None with fewer than two.
    """

    seen: Sequence[Decision]
    own: Decision | None
    count: int
    wanted: int
    agree: bool | None


@dataclass(slots=True)
class DeskItem:
    """One item, ready for the page."""

    item: Item
    answer: rendering.AnswerView
    sources: list[rendering.SourceView]
    healed: HealedView
    report: dict[str, Any]
    draft: Draft | None
    hidden: bool
    claim: Claim | None = None
    added: Sequence[dict[str, Any]] = field(default_factory=list)
    decided: Decided | None = None

    @property
    def question(self) -> str:
        return str(self.item.answer.question.text)

    @property
    def unbacked(self) -> list[str]:
        """Sentences that no source backs although nothing in them could be marked, in text order."""
        if self.hidden:
            return []
        claims = self.report.get("checks", {}).get("faithfulness", {}).get("claims", ())
        marks = self.report.get("marks", ())
        return [
            str(claim["text"]).strip()
            for claim in claims
            if not claim["grounded"] and not any(claim["start"] <= mark["start"] < claim["end"] for mark in marks)
        ]

    @property
    def score_parts(self) -> list[ScorePart]:
        """What the score is made of; the penalty for drift only where there is one."""
        from proofing.quality import WEIGHTS

        parts = (self.report.get("quality") or {}).get("components") or {}
        shown = [ScorePart(code, float(parts[code]), weight) for code, weight in WEIGHTS.items() if code in parts]
        return shown + ([ScorePart("drift", float(parts["drift"]), None)] if parts.get("drift") else [])

    @property
    def corpus(self) -> dict[str, Any] | None:
        """The project's corpus, where the sources were found in it."""
        return retrieved.corpus_of(self.report)

    @property
    def verification(self) -> dict[str, Any] | None:
        """The verification score with its parts and what each weighs; None without sources."""
        check = (self.report.get("checks") or {}).get("verification") or {}
        if check.get("score") is None:
            return None
        alpha = float(check.get("alpha", 1.0)) if check.get("question_best") is not None else 1.0
        return {**check, "alpha": alpha, "rest": 1.0 - alpha}

    @property
    def edit_text(self) -> str:
        """What the editor starts with: the reviewer's own text, else the healed one."""
        if self.draft is not None and self.draft.text is not None:
            return str(self.draft.text)
        return self.healed.text


def get_item(item_id: Any) -> Item:
    """An item with everything its page reads from single rows, and the key of its answer's newest inspection.

    Raises Item.DoesNotExist.
    """
    newest = Inspection.objects.filter(answer=OuterRef("answer")).order_by("-version").values("pk")
    rows = Item.objects.select_related("queue", "queue__project", "answer", "answer__question", "inspection", "held_by")
    return rows.annotate(newest_inspection=Subquery(newest[:1])).get(pk=item_id)


def desk_item(*, item: Item, reviewer: User, ahead: bool = False) -> DeskItem:
    """The page of one item as this reviewer may see it: audit items without marks until they marked themselves.

    `ahead`: the reviewer does not hold it yet and nobody else does.
    """
    draft = draft_of(item, reviewer)
    claim = None if ahead else open_claims(reviewer=reviewer).filter(item=item).first()
    hidden = item.audit and (draft is None or draft.revealed_at is None) and item.state != Item.State.DECIDED
    report = item.inspection.report
    stream = item.inspection.tokens if item.inspection.render_version == rendering.RENDER_VERSION else None
    answer = rendering.render_answer(
        item.answer.text,
        report,
        stream or None,
        verdicts=draft.verdicts if draft else {},
        choices=choices_of(draft),
        hidden=hidden,
        added=draft.added_marks if draft else (),
    )
    scores = retrieved.scores_of(report)
    sources = [
        rendering.render_source(
            source.source_key,
            source.text,
            answer.marks,
            title=source.title,
            url=web_address(source.url),
            score=scores.get(source.source_key),
        )
        for source in retrieved.sources_of(item.inspection)
    ]
    return DeskItem(
        item=item,
        answer=answer,
        sources=sources,
        healed=_healed_view(item, draft, hidden=hidden),
        report=report,
        draft=draft,
        hidden=hidden,
        claim=claim,
        added=list(draft.added_marks) if draft else [],
        decided=None if claim or ahead else decided_on(item, reviewer),
    )


def decided_on(item: Item, reader: User) -> Decided:
    """The decisions on an item. In a blind queue others' are hidden until one's own is in or the item is decided."""
    rows = Decision.objects.filter(item=item, undone_at__isnull=True).exclude(
        kind__in=[Decision.Kind.SKIP, Decision.Kind.FLAG]
    )
    standing = list(rows.select_related("reviewer").order_by("decided_at", "pk"))
    own = next((decision for decision in standing if decision.reviewer_id == reader.pk), None)
    seen = standing if may_see_others(item, own=own is not None) else [d for d in standing if d is own]
    labels = {answer_label(decision.kind, wording_only=decision.wording_only) for decision in seen}
    agree = len(labels) == 1 if len(seen) > 1 else None
    return Decided(seen, own, len(standing), item.queue.slots, agree)


def may_see_others(item: Item, *, own: bool) -> bool:
    """Whether a reader may know what others decided about the item; `own`: their own decision stands."""
    return own or not item.queue.blind or item.state == Item.State.DECIDED


def web_address(url: str) -> str:
    """`url` when a page may link to it: a script's or a file's address is no link."""
    return url if WEB_ADDRESS.match(url) else ""


def _healed_view(item: Item, draft: Draft | None, *, hidden: bool) -> HealedView:
    from proofing.healing import text_without

    if hidden:
        return HealedView("none", False, item.answer.text, [], [], False)
    healing = healing_of(item.inspection)
    edits = offered_edits(item.inspection, draft)
    off = frozenset(draft.switched_off) if draft else frozenset()
    segments = rendering.render_diff(item.answer.text, edits, off)
    text = healed_text(item, draft)
    everything = str(text_without(healing, item.answer.text, (), choices_of(draft)))
    return HealedView(
        strategy=str(healing.get("strategy", "none")),
        declined=healing.get("strategy") == "safe_decline" and not healing.get("proposal"),
        text=text,
        segments=segments if edits else [],
        edits=[segment.edit for segment in segments if segment.edit is not None],
        offered=everything != item.answer.text,
    )


def healing_of(inspection: Inspection) -> dict[str, Any]:
    """The stored healing in the shape of ``report/1``."""
    return dict(inspection.report.get("healing") or {"strategy": "none", "applied": False, "text": "", "edits": []})


def offered_edits(inspection: Inspection, draft: Draft | None = None) -> list[dict[str, Any]]:
    """The edits a reviewer can switch, in the order their indexes count; those they chose themselves come last."""
    from proofing.healing import offered_edits

    return [edit.to_dict() for edit in offered_edits(healing_of(inspection), choices_of(draft))]


def choices_of(draft: Draft | None) -> dict[int, int]:
    """Which alternative the reviewer chose for which mark."""
    return {int(mark): int(candidate) for mark, candidate in draft.choices.items()} if draft else {}


def healed_text(item: Item, draft: Draft | None) -> str:
    """The healed answer less the edits the reviewer has switched off."""
    from proofing.healing import text_without

    off = frozenset(draft.switched_off) if draft else frozenset()
    return str(text_without(healing_of(item.inspection), item.answer.text, off, choices_of(draft)))


def edit_text(item: Item, reviewer: User) -> str:
    """What the editor of this reviewer holds: their own words, else the healed answer."""
    draft = draft_of(item, reviewer)
    return str(draft.text) if draft is not None and draft.text is not None else healed_text(item, draft)
