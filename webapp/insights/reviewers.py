"""Who decided how much, when, and how fast; for leads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, Max, Q
from django.db.models.functions import TruncDate
from django.utils import timezone

from webapp.accounts.models import User
from webapp.records.models import Project
from webapp.review.comparing import SAYING
from webapp.review.lead_selectors import PersonRow, people_of
from webapp.review.models import Decision

#: Lengths of time that can be looked at, in days.
PERIODS = (7, 30, 90)
#: How many of the newest decisions of a period say how long one takes.
TIMED = 500


@dataclass(frozen=True, slots=True)
class Day:
    """Decisions of one day, by person."""

    day: date
    by_person: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(count for _name, count in self.by_person)


@dataclass(frozen=True, slots=True)
class Progress:
    """What people did in a period: the days from old to new, `names` in the order of each day's pairs."""

    people: list[PersonRow]
    names: tuple[str, ...]
    days: list[Day]

    @property
    def total(self) -> int:
        return sum(day.total for day in self.days)


def progress_of(project: Project, *, days: int, now: datetime) -> Progress:
    """Standing decisions of the newest `days` days, today among them; three queries.

    Counts are of all of them, median times of the newest `TIMED` (None for who is not among those).
    """
    first = timezone.localdate(now) - timedelta(days=days - 1)
    since = timezone.make_aware(datetime.combine(first, time()))
    rows = Decision.objects.filter(project=project, decided_at__gte=since, undone_at__isnull=True)
    counted = list(
        rows.annotate(day=TruncDate("decided_at"))
        .order_by()
        .values_list("reviewer", "day")
        .annotate(
            said=Count("kind", filter=Q(kind__in=SAYING)),
            healed=Count("kind", filter=Q(kind="accept_healed")),
            skipped=Count("kind", filter=Q(kind="skip")),
            flagged=Count("kind", filter=Q(kind="flag")),
            last=Max("decided_at"),
        )
    )
    # Asked for afterwards: with them, each of the decisions would be looked up twice.
    names = dict(User.objects.filter(pk__in={row[0] for row in counted}).values_list("pk", "username"))
    timed = {person.name: person.seconds for person in people_of(rows, newest=TIMED)} if counted else {}
    by_person: dict[int, list[tuple[Any, ...]]] = {}
    for reviewer, *of_day in counted:
        by_person.setdefault(reviewer, []).append(tuple(of_day))
    people, by_day = [], {}
    for reviewer, own in by_person.items():
        on, said, healed, skipped, flagged, last = zip(*own, strict=True)
        name = names[reviewer]
        by_day[name] = dict(zip(on, said, strict=True))
        people.append(
            PersonRow(
                name=name,
                decided=sum(said),
                skipped=sum(skipped),
                flagged=sum(flagged),
                seconds=timed.get(name),
                last=max(last),
                healed=sum(healed),
            )
        )
    people.sort(key=lambda row: (-row.decided, row.name))
    shown = [first + timedelta(days=number) for number in range(days)]
    return Progress(
        people=people,
        names=tuple(person.name for person in people),
        days=[Day(day, tuple((row.name, by_day[row.name].get(day, 0)) for row in people)) for day in shown],
    )
