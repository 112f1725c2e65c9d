"""Reads of the calibration room."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from proofing.learning.calibrate import LEAST_LABELLED, LEAST_OF_EACH_CLASS
from webapp.calibration.models import CalibrationRun, Export, LabelledSet, OperatingPoint
from webapp.records.models import Project
from webapp.review.models import Decision, Item


def active_point(*, project: Project, level: str) -> OperatingPoint | None:
    """The operating point in force, or None while the project is uncalibrated at this level."""
    return OperatingPoint.objects.filter(project=project, level=level, active=True).first()


def points_of(project: Project) -> QuerySet[OperatingPoint]:
    """Every point that was ever chosen, newest first."""
    return (
        OperatingPoint.objects.filter(project=project).select_related("chosen_by", "run__labelled_set").order_by("-pk")
    )


def sets_of(project: Project) -> QuerySet[LabelledSet]:
    """Labelled sets, newest first."""
    return LabelledSet.objects.filter(project=project).prefetch_related("runs").order_by("-pk")


def runs_of(labelled_set: LabelledSet) -> QuerySet[CalibrationRun]:
    """Calibration runs of a set, newest first."""
    return labelled_set.runs.order_by("-pk")


def exports_of(project: Project) -> QuerySet[Export]:
    """Exports, newest first."""
    return (
        Export.objects.filter(project=project)
        .select_related("created_by", "labelled_set")
        .order_by("-created_at", "-pk")
    )


@dataclass(frozen=True, slots=True)
class LabelsMissing:
    """How many labelled answers a calibration still needs, in all and of each kind; 0 where there are enough."""

    labelled: int
    unsupported: int
    supported: int

    def __bool__(self) -> bool:
        return bool(self.labelled or self.unsupported or self.supported)


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many answers of a project carry which standing decision; a first look, before a set is frozen."""

    decided: int
    unsupported: int
    supported: int

    @property
    def missing(self) -> LabelsMissing:
        """What a calibration still needs at least."""
        return LabelsMissing(
            labelled=max(0, LEAST_LABELLED - self.decided),
            unsupported=max(0, LEAST_OF_EACH_CLASS - self.unsupported),
            supported=max(0, LEAST_OF_EACH_CLASS - self.supported),
        )


def label_counts(project: Project) -> LabelCounts:
    """Counts of standing decisions by what they say of the answer (one query; the set itself is exact)."""
    kinds = dict(
        Decision.objects.filter(item__queue__project=project, undone_at__isnull=True)
        .order_by()
        .values_list("kind")
        .annotate(n=Count("item", distinct=True))
    )
    unsupported = sum(kinds.get(kind, 0) for kind in ("accept_healed", "accept_edited", "reject"))
    return LabelCounts(unsupported + kinds.get("keep", 0), unsupported, kinds.get("keep", 0))


@dataclass(frozen=True, slots=True)
class Preview:
    """What a point would change: how many waiting answers lie above it, of how many."""

    above: int
    waiting: int


def preview(run: CalibrationRun) -> Preview | None:
    """None for a run without a result."""
    if run.result is None or run.level != "answer":
        return None
    waiting = Item.objects.filter(queue__project=run.labelled_set.project_id, state=Item.State.WAITING)
    above = waiting.filter(inspection__unsupported_probability__gte=run.result["threshold"])
    return Preview(above.count(), waiting.count())
