"""Whether a project's answers are still like those of the time its calibration stands for.

A few numbers are kept of each answer when it is first proofread. When labels are frozen, the distributions of the
newest `WINDOW` of them are kept with the set. The page compares the newest `WINDOW` of today with those: of the set
that the point in force was fitted on, or else of the newest set. Only windows are read, however many answers there
are, and answers are compared with answers, not with labelled ones: those were dealt by weakness, so they differ from
all answers even where nothing moved. How far is too far is said in `proofing.learning.shift`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from proofing.learning.shift import LEAST, Part, Shape
from proofing.report import Report
from proofing.support.words import language_of
from webapp.calibration.models import AnswerInput, LabelledSet, OperatingPoint
from webapp.calibration.reading_models import name_in_force
from webapp.records.models import Answer, Project

#: How many of the newest answers are looked at.
WINDOW = 500
#: What is compared, and what people call it.
INPUTS: dict[str, Promise] = {
    "answer_words": _("length of answers, in words"),
    "source_count": _("number of sources"),
    "source_words": _("length of all sources together, in words"),
    "language": _("language"),
    "marked": _("answers with marks"),
    "route": _("routes"),
    "probability": _("probability of being unsupported"),
}
#: What depends on how answers are read, not only on what comes in: not compared across support models.
BY_ENGINE = frozenset({"marked", "route", "probability"})


def note_inputs(*, answer: Answer, report: Report, now: datetime) -> None:
    """Keep what an answer is like; of an answer that is read again, what was kept first stands."""
    row = AnswerInput(
        answer=answer, project_id=answer.project_id, at=now, answer_words=len(report.answer.split()),
        source_count=len(report.sources), source_words=sum(len(source.text.split()) for source in report.sources),
        language=language_of(report.answer.casefold().split()[:200], report.settings.locale),
        marked=bool(report.marks), route=report.quality.route if report.quality else "",
        probability=report.unsupported_probability,
    )  # fmt: skip
    AnswerInput.objects.bulk_create([row], ignore_conflicts=True)


def _window(project: Project) -> dict[str, list[float | str]]:
    """The newest answers' numbers, by input; one query."""
    rows = AnswerInput.objects.filter(project=project).order_by("-at", "-answer").values_list(*INPUTS)[:WINDOW]
    columns = list(zip(*rows, strict=True)) or [()] * len(INPUTS)
    found = dict(zip(INPUTS, map(list, columns), strict=True))
    return {**found, "marked": ["yes" if value else "no" for value in found["marked"]]}


def inputs_now(project: Project) -> dict[str, Any]:
    """The distributions of today, to be kept with a set."""
    shapes = {name: Shape.of(values).to_dict() for name, values in _window(project).items() if values}
    return {"model": name_in_force(project), "inputs": shapes}


@dataclass(frozen=True, slots=True)
class Moved:
    """One input that is not as it was.

    Attributes:
        index, limit: its population stability index, and from which on it counts.
        part: the values whose share changed most; of a yes or no, those with a yes.
        ranges: the bounds of `part` are those of ranges, not values that occur.
        medians: of a number, then and now, where they differ.
    """

    name: str
    what: Promise
    index: float
    limit: float
    part: Part
    ranges: bool
    medians: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class InputNotice:
    """What the notice says; false where nothing moved.

    Attributes:
        since: the set the answers are compared with; None: there is none that knows what answers were like.
        few: there are too few answers, then or now, to say anything.
        left_out: another model reads now, so what depends on it was not compared.
    """

    since: LabelledSet | None
    moved: tuple[Moved, ...] = ()
    few: bool = False
    left_out: bool = False
    calibrated: bool = False

    def __bool__(self) -> bool:
        return bool(self.moved)


def input_notice(project: Project) -> InputNotice:
    """Which inputs moved since the calibration in force, or since the newest set; at most five small queries."""
    since, calibrated = _baseline(project)
    if since is None or not since.inputs:
        return InputNotice(None)
    kept: Mapping[str, Any] = since.inputs
    shapes = {name: Shape.from_dict(record) for name, record in kept["inputs"].items() if name in INPUTS}
    values = _window(project)
    least = min([len(values["route"]), *(shape.total for shape in shapes.values())], default=0)
    if not shapes or least < LEAST:
        return InputNotice(since, few=True, calibrated=calibrated)
    other_model = kept.get("model") != name_in_force(project)
    moved = []
    for name, shape in shapes.items():
        if name in BY_ENGINE and other_model:
            continue
        shift = shape.shift(values[name])
        if shift.moved:
            part, medians = _part(shape, values[name]), _medians(shape, Shape.of(values[name]))
            moved.append(Moved(name, INPUTS[name], shift.index, shift.limit, part, bool(shape.edges), medians))
    moved.sort(key=lambda one: -one.index)
    return InputNotice(since, tuple(moved), left_out=other_model, calibrated=calibrated)


def _baseline(project: Project) -> tuple[LabelledSet | None, bool]:
    """The set the point in force was fitted on, else the newest that knows what answers were like."""
    points = OperatingPoint.objects.filter(project=project, level="answer", active=True)
    point = points.select_related("run__labelled_set").first()
    if point is not None and point.run.labelled_set.inputs:
        return point.run.labelled_set, True
    frozen = LabelledSet.objects.filter(project=project, state=LabelledSet.State.FROZEN, inputs__isnull=False)
    return frozen.defer("contents").order_by("-pk").first(), False


def _part(shape: Shape, values: list[float | str]) -> Part:
    if shape.counts.keys() <= {"yes", "no"}:
        return Part("yes", "yes", shape.counts.get("yes", 0) / shape.total, values.count("yes") / len(values))
    return shape.moved_most(values)


def _medians(then: Shape, now: Shape) -> tuple[float, float] | None:
    """Both, where they are seen to differ in two decimals."""
    if then.middle is None or now.middle is None or round(then.middle, 2) == round(now.middle, 2):
        return None
    return then.middle, now.middle
