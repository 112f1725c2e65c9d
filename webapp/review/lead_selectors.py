"""Reads for those who lead: who does what in a queue, where reviewers differ, what was put aside and why."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Any
from uuid import UUID

from django.db.models import (
    Case,
    Exists,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Value,
    When,
)

from proofing.learning import agreement
from proofing.learning.intervals import Interval
from proofing.learning.labels import answer_label
from webapp.accounts.models import User
from webapp.records.models import Project
from webapp.review.comparing import SAYING
from webapp.review.models import Decision, Gold, Item, Queue, Verdict

#: Decisions looked at, newest first: for the people of one queue, for agreement.
IN_QUEUE, COMPARED = 1000, 4000
STANDING = Q(decisions__undone_at__isnull=True, decisions__kind__in=SAYING)
#: What a standing decision says of the answer, as `proofing.learning.labels.answer_label` does.
LABEL = Case(
    When(decisions__kind="keep", then=Value(0)),
    When(decisions__kind="accept_edited", decisions__wording_only=True, then=Value(0)),
    default=Value(1),
    output_field=IntegerField(),
)


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One person's part in some decisions."""

    name: str
    decided: int
    skipped: int
    flagged: int
    seconds: float | None
    last: datetime | None
    healed: int = 0

    @property
    def made(self) -> int:
        return self.decided + self.skipped + self.flagged

    @property
    def healed_share(self) -> float | None:
        return self.healed / self.decided if self.decided else None


def people_of(decisions: QuerySet[Decision], *, newest: int) -> list[PersonRow]:
    """Who made the standing ones among the `newest` of these decisions, most first; one query.

    ``seconds`` is the median time an answer was held before it was decided.
    """
    fields = ("reviewer__username", "kind", "seconds", "decided_at")
    rows = decisions.filter(undone_at__isnull=True).order_by("-decided_at").values_list(*fields)[:newest]
    by_name: dict[str, list[tuple[str, float | None, datetime]]] = {}
    for name, kind, seconds, at in rows:
        by_name.setdefault(name, []).append((kind, seconds, at))
    people = []
    for name, own in by_name.items():
        said = [(kind, seconds) for kind, seconds, _ in own if kind in SAYING]
        times = [seconds for _, seconds in said if seconds is not None]
        kinds = [kind for kind, _, _ in own]
        people.append(
            PersonRow(
                name=name,
                decided=len(said),
                skipped=kinds.count("skip"),
                flagged=kinds.count("flag"),
                seconds=median(times) if times else None,
                last=own[0][2],
                healed=kinds.count("accept_healed"),
            )
        )
    return sorted(people, key=lambda row: (-row.decided, row.name))


def decisions_in(queue: Queue) -> QuerySet[Decision]:
    return Decision.objects.filter(item__queue=queue)


def members_who_review(project: Project) -> QuerySet[User]:
    """People to whom a queue can be assigned."""
    from webapp.accounts.access import PEOPLE

    rows = User.objects.filter(memberships__project=project, memberships__role__in=PEOPLE)
    return rows.order_by("username")


# Where reviewers differ -----------------------------------------------------------------------------------------


def compared_items(project: Project) -> QuerySet[Item]:
    """Items that at least two people decided on."""
    return Item.objects.filter(queue__project=project, voices__gte=2)


def with_differing_marks(items: Iterable[Item]) -> set[UUID]:
    """Those of some items in which one calls a mark unsupported that another calls supported, both explicitly."""
    said = Verdict.objects.filter(decision__item__in=list(items), decision__undone_at__isnull=True, source="explicit")
    by_mark: dict[tuple[UUID, int], set[str]] = {}
    for item, mark, verdict in said.values_list("decision__item", "mark", "verdict"):
        by_mark.setdefault((item, mark), set()).add(verdict)
    return {item for (item, _), verdicts in by_mark.items() if {"unsupported", "supported"} <= verdicts}


def disagreements(project: Project) -> QuerySet[Item]:
    """Items on which people differ (`Item.differs`) and that no lead has settled, the newest first; each with `said`
    (how many decided), `low` and `high` (their answer labels)."""
    return (
        Item.objects.filter(queue__project=project, differs=True, gold__isnull=True)
        .annotate(
            said=F("voices"),
            low=Min(LABEL, filter=STANDING),
            high=Max(LABEL, filter=STANDING),
            last=Max("decisions__decided_at", filter=STANDING),
        )
        .select_related("answer__question", "queue")
        .order_by("-last", "pk")
    )


def golds(project: Project) -> QuerySet[Gold]:
    """Settled items, newest first."""
    rows = Gold.objects.filter(item__queue__project=project)
    return rows.select_related("item__answer__question", "item__queue", "decided_by").order_by("-decided_at", "-pk")


@dataclass(frozen=True, slots=True)
class Side:
    """One reviewer's decision on an item: what it says of the answer and of each mark."""

    decision: Decision
    label: int | None
    verdicts: Mapping[int, str]
    explicit: frozenset[int]

    @property
    def choice(self) -> str:
        """What the form calls taking this decision over."""
        return f"d:{self.decision.pk}"


def sides_of(item: Item) -> list[Side]:
    """The standing decisions on an item, oldest first; two queries."""
    rows = (
        Decision.objects.filter(item=item, undone_at__isnull=True, kind__in=SAYING)
        .select_related("reviewer", "inspection")
        .prefetch_related(Prefetch("verdicts", Verdict.objects.select_related("mark")))
        .order_by("decided_at", "pk")
    )
    return [
        Side(
            decision=row,
            label=answer_label(row.kind, wording_only=row.wording_only),
            verdicts={verdict.mark.index: verdict.verdict for verdict in row.verdicts.all()},
            explicit=frozenset(v.mark.index for v in row.verdicts.all() if v.source == "explicit"),
        )
        for row in rows
    ]


# What was put aside ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aside:
    """An item somebody put aside, with who last said why."""

    item: Item
    decision: Decision | None


def flagged(project: Project, *, most: int = 200) -> list[Aside]:
    """Flagged items, those flagged last first, each with the flag that stands; two queries."""
    return _aside(Item.objects.filter(queue__project=project, state=Item.State.FLAGGED), "flag", most)


def skipped(project: Project, *, most: int = 200) -> list[Aside]:
    """Items that wait although somebody skipped them, with the newest skip; two queries."""
    skips = Decision.objects.filter(item=OuterRef("pk"), kind="skip", undone_at__isnull=True)
    waiting = Item.objects.filter(Exists(skips), queue__project=project, state=Item.State.WAITING)
    return _aside(waiting, "skip", most)


def _aside(items: QuerySet[Item], kind: str, most: int) -> list[Aside]:
    rows = Decision.objects.filter(kind=kind, undone_at__isnull=True).select_related("reviewer").order_by("-decided_at")
    found = list(
        items.annotate(put=Max("decisions__decided_at", filter=Q(decisions__kind=kind)))
        .select_related("answer__question", "queue")
        .prefetch_related(Prefetch("decisions", rows, to_attr="reasons"))
        .order_by(F("put").desc(nulls_last=True), "pk")[:most]
    )
    return [Aside(item, next(iter(getattr(item, "reasons", [])), None)) for item in found]


# Agreement ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Agreement:
    """How far the reviewers of a project agree.

    Attributes:
        items: how many answers at least two people decided on.
        same: on how many of them all say the same of the answer.
        alpha: Krippendorff's alpha of what decisions say of the answer; `interval` its 95 % bootstrap.
        marks, mark_alpha: the same for explicit verdicts on marks that two judged.
        words_f1: mean F1 of the words called unsupported, over pairs of decisions.
    """

    items: int = 0
    same: int = 0
    alpha: float | None = None
    interval: Interval | None = None
    marks: int = 0
    mark_alpha: float | None = None
    words_f1: float | None = None
    word_pairs: int = 0
    pairs: list[agreement.Pair] = field(default_factory=list)

    @property
    def same_share(self) -> float | None:
        return self.same / self.items if self.items else None


def agreement_of(project: Project) -> Agreement:
    """Agreement over the newest `COMPARED` decisions on answers that two or more people decided on; two queries."""
    rows = list(
        Decision.objects.filter(item__queue__project=project, item__voices__gte=2, undone_at__isnull=True)
        .filter(kind__in=SAYING)
        .select_related("reviewer")
        .prefetch_related(Prefetch("verdicts", Verdict.objects.select_related("mark")))
        .order_by("-decided_at", "pk")[:COMPARED]
    )
    answers: dict[Any, dict[str, Hashable]] = {}
    marks: dict[int, dict[str, Hashable]] = {}
    words: dict[Any, list[set[int]]] = {}
    for row in rows:
        name = row.reviewer.get_username()
        answers.setdefault(row.item_id, {})[name] = answer_label(row.kind, wording_only=row.wording_only)
        for verdict in row.verdicts.all():
            if verdict.source == "explicit" and verdict.verdict != "unsure":
                marks.setdefault(verdict.mark_id, {})[name] = verdict.verdict
        words.setdefault(row.item_id, []).append(_unsupported(row))
    units = [said for said in answers.values() if len(said) >= 2]
    judged = [said for said in marks.values() if len(said) >= 2]
    scores = [score for own in words.values() for score in _f1s(own)]
    return Agreement(
        items=len(units),
        same=sum(len(set(said.values())) == 1 for said in units),
        alpha=agreement.krippendorff_alpha([list(said.values()) for said in units]),
        interval=agreement.alpha_interval([list(said.values()) for said in units]),
        marks=len(judged),
        mark_alpha=agreement.krippendorff_alpha([list(said.values()) for said in judged]),
        words_f1=sum(scores) / len(scores) if scores else None,
        word_pairs=len(scores),
        pairs=agreement.pairs_of(units),
    )


def _unsupported(decision: Decision) -> set[int]:
    """The places of the answer's characters that a decision calls unsupported."""
    places: set[int] = set()
    for verdict in decision.verdicts.all():
        if verdict.verdict == Verdict.Says.UNSUPPORTED:
            places |= set(range(verdict.mark.start, verdict.mark.end))
    for mark in decision.added_marks:
        places |= set(range(mark["start"], mark["end"]))
    return places


def _f1s(words: list[set[int]]) -> Iterable[float]:
    for place, first in enumerate(words):
        for second in words[place + 1 :]:
            score = agreement.word_f1(first, second)
            if score is not None:
                yield score
