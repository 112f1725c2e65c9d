"""Small honest counts: what was routed where, and what people decided; see `webapp.records.tallies`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Sum
from django.utils import timezone

from webapp.records import tallies
from webapp.records.models import Project, Tally

#: How many of the newest days with answers the routes are shown for.
DAYS = 30
#: A day of 25 hours, where the clocks go back, and one that is cut off at the end of what is read.
QUARTERS_A_DAY = 25 * 4
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


def routes(project: Project) -> list[Row]:
    """How answers were routed, by the newest inspection of each that no other answer took the place of."""
    return _rows(tallies.totals(project, "route").items())


def risks(project: Project) -> list[Row]:
    """How risky the same answers were found."""
    return _rows(tallies.totals(project, "risk").items())


@dataclass(frozen=True, slots=True)
class RouteDay:
    """How the answers that came on one day were routed: one row for each route, in a fixed order."""

    day: date
    total: int
    rows: tuple[Row, ...]


def routes_by_day(project: Project) -> list[RouteDay]:
    """The newest days on which answers came, old to new, with their routes; one query."""
    rows = Tally.objects.filter(project=project, subject="route_then").order_by("-quarter", "code")
    found = rows.values_list("quarter", "code").annotate(total=Sum("n"))[: DAYS * QUARTERS_A_DAY * len(ROUTES)]
    counts: dict[date, dict[str, int]] = {}
    zone = timezone.get_current_timezone()
    for quarter, route, n in found:
        day = datetime.fromtimestamp(quarter * tallies.QUARTER, zone).date()
        of_day = counts.setdefault(day, {})
        of_day[route] = of_day.get(route, 0) + n
    days = []
    for day in sorted(day for day, of_day in counts.items() if any(of_day.values()))[-DAYS:]:
        total = sum(counts[day].values())
        shares = (Row(route, counts[day].get(route, 0), counts[day].get(route, 0) / total) for route in ROUTES)
        days.append(RouteDay(day, total, tuple(shares)))
    return days


def decisions(project: Project) -> list[Row]:
    """Standing decisions by kind."""
    return _rows(tallies.totals(project, "decision").items())


def healed_accept_rate(project: Project) -> float | None:
    """Share of the answers with an applied healing that people accepted as healed, unchanged; None without any."""
    counts = tallies.totals(project, "healed")
    return counts.get("as_healed", 0) / counts["offered"] if counts.get("offered") else None
