"""Reads of the calibration room."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from proofing.learning.calibrate import LEAST_LABELLED, LEAST_OF_EACH_CLASS
from proofing.learning.refitting import LEAST_HELD_OUT
from webapp.calibration.models import CalibrationRun, Export, LabelledSet, OperatingPoint
from webapp.records.models import Mark, Project
from webapp.review.models import Item


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
    return LabelledSet.objects.filter(project=project).defer("contents", "inputs").order_by("-pk")


def frozen_sets(project: Project) -> QuerySet[LabelledSet]:
    """Those whose rows are all written, newest first."""
    return sets_of(project).filter(state=LabelledSet.State.FROZEN)


def runs_of(labelled_set: LabelledSet) -> QuerySet[CalibrationRun]:
    """Calibration runs of a set, newest first."""
    return labelled_set.runs.select_related("model").defer("model__content", "model__scores").order_by("-pk")


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
    """How many answers of a project carry which label; a first look, before a set is frozen."""

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


def missing_answers(labelled_set: LabelledSet) -> LabelsMissing:
    """What a set lacks for a calibration of answers."""
    supported = labelled_set.rows - labelled_set.positives
    return LabelCounts(labelled_set.rows, labelled_set.positives, supported).missing


def missing_to_fit(labelled_set: LabelledSet) -> LabelsMissing:
    """What a set lacks at least for a support model, with what is held out of each kind.

    How its sources divide is known only when it is fitted, so that more may turn out to be missing.
    """
    left = labelled_set.rows - 2 * LEAST_HELD_OUT
    unsupported = labelled_set.positives - LEAST_HELD_OUT
    return LabelCounts(left, unsupported, left - unsupported).missing


def _says_unsupported(way: str) -> Q:
    """As `proofing.learning.labels.answer_label` says 1; `way` leads to the decision or the gold."""
    edited = Q(**{f"{way}kind": "accept_edited", f"{way}wording_only": False})
    return edited | Q(**{f"{way}kind__in": ["accept_healed", "reject"]})


def _says_supported(way: str) -> Q:
    """As `proofing.learning.labels.answer_label` says 0."""
    edited = Q(**{f"{way}kind": "accept_edited", f"{way}wording_only": True})
    return edited | Q(**{f"{way}kind": "keep"})


def label_counts(project: Project) -> LabelCounts:
    """Counts of answers by what gold, or else all their standing decisions, say of them (one query).

    Answers on which reviewers differ count when a lead has settled them. The set itself is exact.
    """
    standing = Q(decisions__undone_at__isnull=True)
    counted = Item.objects.filter(queue__project=project).annotate(
        no=Count("decisions", filter=standing & _says_unsupported("decisions__")),
        yes=Count("decisions", filter=standing & _says_supported("decisions__")),
    )
    agreed = Q(gold__isnull=True)
    found = counted.aggregate(
        unsupported=Count("pk", filter=_says_unsupported("gold__") | (agreed & Q(no__gt=0, yes=0))),
        supported=Count("pk", filter=_says_supported("gold__") | (agreed & Q(yes__gt=0, no=0))),
    )
    return LabelCounts(found["unsupported"] + found["supported"], found["unsupported"], found["supported"])


@dataclass(frozen=True, slots=True)
class Preview:
    """What a point would change: how many waiting answers, or their marks, lie above it, of how many.

    ``moved``: how many change sides against the point in force; None where none is.
    """

    above: int
    waiting: int
    moved: int | None = None


def preview(run: CalibrationRun) -> Preview | None:
    """None for a run without a result."""
    if run.result is None:
        return None
    project, cut = run.labelled_set.project, float(run.result["threshold"])
    if run.level == "answer":
        field = "inspection__unsupported_probability"
        things = Item.objects.filter(queue__project=project, state=Item.State.WAITING).values(field)
    else:
        field = "probability"
        things = Mark.objects.filter(
            inspection__items__queue__project=project, inspection__items__state=Item.State.WAITING
        ).values(field)
    point = active_point(project=project, level=run.level)
    between = sorted((cut, point.threshold)) if point else [cut, cut]
    found = things.aggregate(
        above=Count("pk", filter=Q(**{f"{field}__gte": cut})),
        waiting=Count("pk"),
        moved=Count("pk", filter=Q(**{f"{field}__gte": between[0], f"{field}__lt": between[1]})),
    )
    return Preview(found["above"], found["waiting"], found["moved"] if point else None)
