"""Small honest counts: what was routed where, what people decided, which questions drift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, QuerySet

from proofing.checks.drift import drift_rate
from webapp.records.models import AnswerSource, Inspection, Project, Source
from webapp.review.models import Decision

#: Over how many of the newest compared answers drift is counted across questions.
WINDOW = 500
DRIFTS_SHOWN = 50


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
    newest = Inspection.objects.filter(answer__project=project, answer__superseded_by__isnull=True)
    return newest.annotate(last=Max("answer__inspections__version")).filter(version=F("last"))


def routes(project: Project) -> list[Row]:
    """How answers were routed."""
    return _rows(Counter(newest_inspections(project).values_list("route", flat=True)).items())


def risks(project: Project) -> list[Row]:
    """How risky answers were found."""
    return _rows(Counter(newest_inspections(project).values_list("risk", flat=True)).items())


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


@dataclass(frozen=True, slots=True)
class Drifted:
    """One answer that differs from the earlier ones to its question."""

    inspection: Inspection
    distance: float
    compared: int
    rebuilt: tuple[str, ...]


def drifting(project: Project) -> list[Drifted]:
    """The newest answers that drifted, with the sources whose text had changed by then."""
    found = list(
        Inspection.objects.filter(answer__project=project, report__checks__drift__drifted=True)
        .select_related("answer__question")
        .order_by("-created_at", "-pk")[:DRIFTS_SHOWN]
    )
    keys = _source_keys(inspection.answer_id for inspection in found)
    changed = changed_sources(project)
    rows = []
    for inspection in found:
        drift: dict[str, Any] = inspection.report["checks"]["drift"]
        rebuilt = tuple(key for key in keys.get(inspection.answer_id, ()) if key in changed)
        rows.append(Drifted(inspection, float(drift["distance"]), int(drift["compared"]), rebuilt))
    return rows


def changed_sources(project: Project) -> set[str]:
    """Keys under which the project has seen more than one text: an index that was built anew."""
    rows = (
        Source.objects.filter(project=project).order_by().values("source_key").annotate(n=Count("pk")).filter(n__gt=1)
    )
    return set(rows.values_list("source_key", flat=True))


@dataclass(frozen=True, slots=True)
class SourceDrift:
    """How often answers that used a source had drifted."""

    source_key: str
    rate: float
    rebuilt: bool


def drift_by_source(project: Project) -> list[SourceDrift]:
    """Sources of the drifted answers among the newest compared ones, worst first."""
    compared = list(
        Inspection.objects.filter(answer__project=project, report__checks__drift__compared__gt=0)
        .order_by("-created_at", "-pk")
        .values_list("answer_id", "report__checks__drift__drifted")[:WINDOW]
    )
    keys = _source_keys(answer_id for answer_id, _ in compared)
    rates = drift_rate([(bool(drifted), keys.get(answer_id, ())) for answer_id, drifted in compared])
    changed = changed_sources(project)
    return [SourceDrift(key, rate, key in changed) for key, rate in rates.items() if rate > 0][:DRIFTS_SHOWN]


def _source_keys(answers: Iterable[Any]) -> dict[Any, list[str]]:
    """Keys of the sources of some answers, in one query."""
    keys: dict[Any, list[str]] = {}
    links = AnswerSource.objects.filter(answer__in=list(answers)).order_by("answer", "position")
    for answer_id, key in links.values_list("answer_id", "source__source_key"):
        keys.setdefault(answer_id, []).append(key)
    return keys
