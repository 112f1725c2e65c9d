"""Who decided how much, when, and how fast; for leads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, Max
from django.db.models.functions import TruncDate
from django.utils import timezone

from webapp.records.models import Project
from webapp.review.comparing import SAYING
from webapp.review.lead_selectors import PersonRow, people_of
from webapp.review.models import Decision

#: Lengths of time that can be looked at, in days.
PERIODS = (7, 30, 90)
#: How many of the newest decisions of a period say how long one takes.
TIMED = 2000


@dataclass(frozen=True, slots=True)
class Day:
    """Decisions of one day, by person."""

    day: date
    total: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """What people did in a period: the days from old to new, `names` in the order of each day's counts."""

    people: list[PersonRow]
    names: tuple[str, ...]
    days: list[Day]

    @property
    def total(self) -> int:
        return sum(day.total for day in self.days)


def progress_of(project: Project, *, days: int, now: datetime) -> Progress:
    """Standing decisions of the newest `days` days, today among them; two queries.

    Counts are of all of them, median times of the newest `TIMED` (None for who is not among those).
    """
    first = timezone.localdate(now) - timedelta(days=days - 1)
    since = timezone.make_aware(datetime.combine(first, time()))
    rows = Decision.objects.filter(item__queue__project=project, decided_at__gte=since, undone_at__isnull=True)
    counted = (
        rows.annotate(day=TruncDate("decided_at"))
        .order_by()
        .values_list("reviewer__username", "day", "kind")
        .annotate(n=Count("pk"), last=Max("decided_at"))
    )
    by_kind: dict[str, Counter[str]] = {}
    by_day: dict[str, Counter[date]] = {}
    newest: dict[str, datetime] = {}
    for name, day, kind, n, last in counted:
        by_kind.setdefault(name, Counter())[kind] += n
        by_day.setdefault(name, Counter())[day] += n if kind in SAYING else 0
        newest[name] = max(last, newest.get(name, last))
    timed = {person.name: person.seconds for person in people_of(rows, newest=TIMED)} if by_kind else {}
    people = [
        PersonRow(
            name=name,
            decided=sum(own[kind] for kind in SAYING),
            skipped=own["skip"],
            flagged=own["flag"],
            seconds=timed.get(name),
            last=newest[name],
            healed=own["accept_healed"],
        )
        for name, own in by_kind.items()
    ]
    people.sort(key=lambda row: (-row.decided, row.name))
    shown = [first + timedelta(days=number) for number in range(days)]
    counts = [tuple(by_day[person.name][day] for person in people) for day in shown]
    return Progress(
        people=people,
        names=tuple(person.name for person in people),
        days=[Day(day, sum(own), own) for day, own in zip(shown, counts, strict=True)],
    )
