"""Reads of the calibration room."""

from __future__ import annotations

from django.db.models import QuerySet

from webapp.calibration.models import CalibrationRun, Export, LabelledSet, OperatingPoint
from webapp.records.models import Project


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
