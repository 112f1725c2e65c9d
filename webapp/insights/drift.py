"""Which answers say something else than earlier ones to their question, since when, and what they have in common.

Everything here reads the newest comparisons of a project, at most `WINDOW`; four queries, however many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from webapp.records.models import Answer, AnswerSource, Observation, Project
from webapp.review.models import Item

#: How many of the newest comparisons a page looks at.
WINDOW = 500
#: Over how many comparisons in a row the rate is taken; their questions may all be different ones.
RATE_WINDOW = 25
#: Rows of a table.
SHOWN = 50


@dataclass(frozen=True, slots=True)
class Seen:
    """One comparison: an answer as it was seen at one time."""

    pk: int
    seen_at: datetime
    history_key: str
    answer_id: UUID
    drifted: bool
    distance: float
    compared: int
    changed: tuple[str, ...]

    @property
    def question_key(self) -> str:
        return self.history_key.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Step:
    """The drift rate over the comparisons up to and including one."""

    seen: Seen
    rate: float


@dataclass(frozen=True, slots=True)
class Count:
    """How many of some comparisons drifted. `label` is for people, `key` goes into addresses."""

    key: Any
    label: str
    compared: int
    drifted: int
    last: datetime | None = None
    changed: bool = False

    @property
    def rate(self) -> float:
        return self.drifted / self.compared


@dataclass(frozen=True, slots=True)
class Drifted:
    """One answer that drifted, with the sources whose text had changed since the answers it was compared with."""

    seen: Seen
    answer: Answer
    sources: tuple[str, ...]

    @property
    def unchanged(self) -> tuple[str, ...]:
        return tuple(key for key in self.sources if key not in self.seen.changed)


@dataclass(slots=True)
class DriftPage:
    """What the drift page shows. `steps` and `days` run from old to new, the others begin with the worst or newest.

    Answers that somebody is still to read with their own eyes first are counted, but `held_back` from the list.
    """

    steps: list[Step] = field(default_factory=list)
    days: list[Count] = field(default_factory=list)
    drifting: list[Drifted] = field(default_factory=list)
    held_back: int = 0
    sources: list[Count] = field(default_factory=list)
    questions: list[Count] = field(default_factory=list)
    question_text: str = ""

    @property
    def compared(self) -> int:
        return len(self.steps)

    @property
    def drifted(self) -> int:
        return sum(step.seen.drifted for step in self.steps)

    @property
    def rate(self) -> float:
        return self.drifted / self.compared if self.steps else 0.0


def drift_page(project: Project, *, question: str = "", source: str = "") -> DriftPage:
    """Drift of a project over its newest comparisons.

    Args:
        question: only of the question with this key (`proofing.checks.drift.question_key`).
        source: only of answers that were given the source with this key.
    """
    seen = _newest(comparisons(project, question=question, source=source))
    if not seen:
        return DriftPage()
    keys = _source_keys(seen)
    newest_first = [row for row in reversed(seen) if row.drifted][:SHOWN]
    blind = Item.objects.filter(answer=OuterRef("pk"), audit=True).exclude(state=Item.State.DECIDED)
    answers = (
        Answer.objects.filter(~Exists(blind)).select_related("question").in_bulk([s.answer_id for s in newest_first])
    )
    shown = [
        Drifted(s, answers[s.answer_id], keys.get(s.answer_id, ())) for s in newest_first if s.answer_id in answers
    ]
    return DriftPage(
        steps=sliding_rate(seen),
        days=_by_day(seen),
        drifting=shown,
        held_back=len(newest_first) - len(shown),
        sources=_by_source(seen, keys),
        questions=_by_question(seen),
        question_text=_question_text(seen[-1]) if question else "",
    )


def _question_text(seen: Seen) -> str:
    return str(Answer.objects.values_list("question__text", flat=True).get(pk=seen.answer_id))


def comparisons(project: Project, *, question: str = "", source: str = "") -> QuerySet[Observation]:
    """Observations that were compared with earlier ones; the index `observations_compared` holds just these."""
    rows = Observation.objects.filter(project=project, drift_compared__gt=0)
    if question:
        rows = rows.filter(history_key=f"{project.pk}:{question}")
    if source:
        rows = rows.filter(answer__source_links__source__source_key=source)
    return rows


def drift_rate(project: Project) -> tuple[int, int]:
    """How many of the newest comparisons drifted, and of how many."""
    flags = list(comparisons(project).order_by("-seen_at", "-id").values_list("drifted", flat=True)[:WINDOW])
    return sum(flags), len(flags)


def _newest(rows: QuerySet[Observation]) -> list[Seen]:
    """The newest comparisons, old to new."""
    fields = ("pk", "seen_at", "history_key", "answer_id", "drifted", "drift_distance", "drift_compared")
    found = rows.order_by("-seen_at", "-id").values_list(*fields, "changed_sources")[:WINDOW]
    return [
        Seen(pk, seen_at, key, answer, drifted, distance or 0.0, compared, tuple(changed))
        for pk, seen_at, key, answer, drifted, distance, compared, changed in reversed(list(found))
    ]


def sliding_rate(seen: Sequence[Seen]) -> list[Step]:
    """At each comparison the share that drifted among the last `RATE_WINDOW`, or as many as there were by then."""
    steps, drifted = [], 0
    for number, row in enumerate(seen):
        drifted += row.drifted
        if number >= RATE_WINDOW:
            drifted -= seen[number - RATE_WINDOW].drifted
        steps.append(Step(row, drifted / min(number + 1, RATE_WINDOW)))
    return steps


def _by_day(seen: Sequence[Seen]) -> list[Count]:
    days: dict[date, list[Seen]] = {}
    for row in seen:
        days.setdefault(timezone.localdate(row.seen_at), []).append(row)
    return [
        Count(day, str(day), len(rows), sum(r.drifted for r in rows), rows[-1].seen_at) for day, rows in days.items()
    ]


def _by_source(seen: Sequence[Seen], keys: dict[UUID, tuple[str, ...]]) -> list[Count]:
    """Sources of the drifted answers: the one that most of them share first, then by rate."""
    rows: dict[str, list[Seen]] = {}
    for row in seen:
        for key in keys.get(row.answer_id, ()):
            rows.setdefault(key, []).append(row)
    counts = [
        Count(key, key, len(of), sum(r.drifted for r in of), of[-1].seen_at, any(key in r.changed for r in of))
        for key, of in rows.items()
    ]
    return sorted((c for c in counts if c.drifted), key=lambda c: (-c.drifted, -c.rate, c.label))[:SHOWN]


def _by_question(seen: Sequence[Seen]) -> list[Count]:
    """Questions whose answers drifted, those with the most drifted answers first."""
    rows: dict[str, list[Seen]] = {}
    for row in seen:
        rows.setdefault(row.question_key, []).append(row)
    worst = sorted(
        ((key, of) for key, of in rows.items() if any(r.drifted for r in of)),
        key=lambda pair: (-sum(r.drifted for r in pair[1]), pair[0]),
    )[:SHOWN]
    texts = dict(
        Answer.objects.filter(pk__in=[of[-1].answer_id for _, of in worst]).values_list("pk", "question__text")
    )
    return [
        Count(key, texts[of[-1].answer_id], len(of), sum(r.drifted for r in of), of[-1].seen_at) for key, of in worst
    ]


def _source_keys(seen: Sequence[Seen]) -> dict[UUID, tuple[str, ...]]:
    """Keys of the sources each answer was given, in the caller's order; one query."""
    keys: dict[UUID, list[str]] = {}
    links = AnswerSource.objects.filter(answer__in={row.answer_id for row in seen}).order_by("answer", "position")
    for answer_id, key in links.values_list("answer_id", "source__source_key"):
        keys.setdefault(answer_id, []).append(key)
    return {answer_id: tuple(of) for answer_id, of in keys.items()}
