"""Small honest counts: what was routed where, and what people decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.functions import TruncDate

from webapp.records.models import Inspection, Project
from webapp.review.models import Decision

#: How many of the newest days with answers the routes are shown for.
DAYS = 30
ROUTES = ("accept", "healed_accept", "fallback", "discard")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a small table: a code, how often, and its share of the whole."""

    code: str
    count: int
    share: float


def _rows(counts: Iterable[tuple[str, int]]) -> list[Row]:
    pairs = sorted(counts, key=lambda pair: (-pair[1], pair[0]))
    total = sum(count for _, count in pairs)
    return [Row(code, count, count / total) for code, count in pairs]


def newest_inspections(project: Project) -> QuerySet[Inspection]:
    """The newest inspection of each answer that no other answer took the place of."""
    later = Inspection.objects.filter(answer=OuterRef("answer"), version__gt=OuterRef("version"))
    return Inspection.objects.filter(
        ~Exists(later), answer__project=project, answer__superseded_by__isnull=True
    ).order_by()


def routes(project: Project) -> list[Row]:
    """How answers were routed."""
    return _rows(newest_inspections(project).values_list("route").annotate(n=Count("pk")))


def risks(project: Project) -> list[Row]:
    """How risky answers were found."""
    return _rows(newest_inspections(project).values_list("risk").annotate(n=Count("pk")))


@dataclass(frozen=True, slots=True)
class RouteDay:
    """How the answers that came on one day were routed: one row for each route, in a fixed order."""

    day: date
    total: int
    rows: tuple[Row, ...]


def routes_by_day(project: Project) -> list[RouteDay]:
    """The newest days on which answers came, old to new, with their routes; one query."""
    counts: dict[date, dict[str, int]] = {}
    rows = newest_inspections(project).annotate(day=TruncDate("answer__received_at")).values_list("day", "route")
    for day, route, count in rows.annotate(n=Count("pk")).order_by("-day")[: DAYS * len(ROUTES)]:
        counts.setdefault(day, {})[route] = count
    days = []
    for day in sorted(counts)[-DAYS:]:
        total = sum(counts[day].values())
        found = (Row(route, counts[day].get(route, 0), counts[day].get(route, 0) / total) for route in ROUTES)
        days.append(RouteDay(day, total, tuple(found)))
    return days


def decisions(project: Project) -> list[Row]:
    """Standing decisions by kind."""
    rows = Decision.objects.filter(item__queue__project=project, undone_at__isnull=True).order_by()
    return _rows(rows.values_list("kind").annotate(n=Count("pk")))


def healed_accept_rate(project: Project) -> float | None:
    """Share of the answers with an applied healing that people accepted as healed, unchanged; None without any."""
    offered = Decision.objects.filter(
        item__queue__project=project, undone_at__isnull=True, inspection__healing__applied=True
    ).exclude(kind__in=[Decision.Kind.SKIP, Decision.Kind.FLAG])
    total = offered.count()
    return offered.filter(kind=Decision.Kind.ACCEPT_HEALED, switched_off=[]).count() / total if total else None
