"""Who decided how much, when, and how fast; for leads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.utils import timezone

from webapp.records.models import Project
from webapp.review.comparing import SAYING
from webapp.review.lead_selectors import IN_PERIOD, PersonRow, people_of
from webapp.review.models import Decision

#: Lengths of time that can be looked at, in days.
PERIODS = (7, 30, 90)


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
    """Standing decisions of the newest `days` days, today among them; two queries."""
    first = timezone.localdate(now) - timedelta(days=days - 1)
    since = timezone.make_aware(datetime.combine(first, time()))
    rows = Decision.objects.filter(item__queue__project=project, decided_at__gte=since, undone_at__isnull=True)
    people = people_of(rows, newest=IN_PERIOD)
    names = tuple(person.name for person in people)
    counted = (
        rows.filter(kind__in=SAYING)
        .annotate(day=TruncDate("decided_at"))
        .order_by()
        .values_list("day", "reviewer__username")
        .annotate(n=Count("pk"))
    )
    by_day: dict[date, dict[str, int]] = {}
    for day, name, n in counted:
        by_day.setdefault(day, {})[name] = n
    shown = [first + timedelta(days=number) for number in range(days)]
    return Progress(
        people=people,
        names=names,
        days=[
            Day(day, sum(by_day.get(day, {}).values()), tuple(by_day.get(day, {}).get(name, 0) for name in names))
            for day in shown
        ],
    )
