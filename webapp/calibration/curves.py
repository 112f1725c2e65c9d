"""The figures behind a calibration run, for its page: curves, bars, groups, and the rows behind each of them.

A labelled set is frozen, so what is computed once for a run holds as long as the run does, and is kept in the cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet

from proofing.learning.calibrate import Share
from proofing.learning.curves import Bin, CutPoint, cut_points, histogram
from webapp.calibration import labels
from webapp.calibration.models import CalibrationRun, FittedModel, LabelledRow, OperatingPoint
from webapp.calibration.reading_models import models_of, name_in_force
from webapp.records.models import Inspection, Project

#: Points of a drawn curve.
MOST = 40
#: Groups of a table, the largest first.
GROUPS = 30
#: How long computed figures are kept, in seconds.
KEPT = 24 * 3600
#: Minutes that a review takes where nothing was timed.
USUAL_MINUTES = 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled example of a run and where it came from."""

    score: float
    label: int
    explicit: bool
    task: str
    reviewers: tuple[str, ...]
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Group:
    """The point's figures on the examples of one task or one reviewer."""

    name: str
    count: int
    found: Share | None
    false: Share | None


@dataclass(slots=True)
class Curves:
    """Everything the page of a run draws.

    Attributes:
        cuts: at most `MOST` cuts from the highest score down, over all examples.
        explicit, implied: the same for labels that people clicked, and that follow from decisions alone.
        bins: ten bars over 0-1.
        minutes: how long one review takes, in minutes (the median of what was timed).
        positives, negatives: examples of each kind.
    """

    cuts: list[CutPoint] = field(default_factory=list)
    explicit: list[CutPoint] = field(default_factory=list)
    implied: list[CutPoint] = field(default_factory=list)
    bins: list[Bin] = field(default_factory=list)
    tasks: list[Group] = field(default_factory=list)
    reviewers: list[Group] = field(default_factory=list)
    positives: int = 0
    negatives: int = 0
    minutes: float = USUAL_MINUTES

    def costs(self) -> list[tuple[CutPoint, float, int]]:
        """Each cut with its minutes of review and the faults it misses."""
        return [(cut, cut.flagged * self.minutes, round((1 - cut.recall) * self.positives)) for cut in self.cuts]


def curves_of(run: CalibrationRun) -> Curves:
    """The curves of a finished run, computed once and then kept."""
    key = f"curves:{run.pk}:{run.labelled_set.sha256}"
    found = cache.get(key)
    if not isinstance(found, Curves):
        found = _computed(list(examples_of(run)), threshold=float((run.result or {}).get("threshold", 1.0)))
        cache.set(key, found, KEPT)
    return found


def examples_of(run: CalibrationRun) -> Iterable[Example]:
    """The examples the run was fitted on, as `calibration.services` reads them."""
    of_model = scores_of(run)
    for row in run.labelled_set.members.order_by("pk").iterator(chunk_size=labels.CHUNK):
        if of_model is not None and row.pk not in of_model:
            continue
        if run.level == "mark":
            yield from (_example(row, score, label, explicit=True) for score, label in labels.mark_scores(row.line))
        elif row.label is not None:
            explicit = any(labels.is_explicit(review) for review in row.line["reviews"])
            score = row.score if of_model is None else of_model[row.pk]
            yield _example(row, score, row.label, explicit=explicit)


def scores_of(run: CalibrationRun) -> dict[int, float] | None:
    """What the run's model says of each row, by the row's key; None: the run goes by the stored scores."""
    if run.model_id is None:
        return None
    pairs = FittedModel.objects.values_list("scores", flat=True).get(pk=run.model_id)
    return {int(key): float(score) for key, score in pairs}


def _example(row: LabelledRow, score: float, label: int, *, explicit: bool) -> Example:
    reviews = row.line["reviews"]
    seconds = [review["seconds"] for review in reviews if review.get("seconds") is not None]
    return Example(
        score=score,
        label=label,
        explicit=explicit,
        task=str(row.line.get("task") or ""),
        reviewers=tuple(sorted({str(review["reviewer"]) for review in reviews})),
        seconds=median(seconds) if seconds else None,
    )


def _computed(examples: Sequence[Example], *, threshold: float) -> Curves:
    def cuts(rows: Sequence[Example]) -> list[CutPoint]:
        scores, truths = [row.score for row in rows], [row.label for row in rows]
        return cut_points(scores, truths, most=MOST) if 0 < sum(truths) < len(truths) else []

    timed = [row.seconds for row in examples if row.seconds]
    return Curves(
        cuts=cuts(examples),
        explicit=cuts([row for row in examples if row.explicit]),
        implied=cuts([row for row in examples if not row.explicit]),
        bins=histogram([row.score for row in examples], [row.label for row in examples]),
        tasks=_groups(((row.task, row) for row in examples), threshold),
        reviewers=_groups(((name, row) for row in examples for name in row.reviewers), threshold),
        positives=sum(row.label for row in examples),
        negatives=sum(1 - row.label for row in examples),
        minutes=median(timed) / 60 if timed else USUAL_MINUTES,
    )


def _groups(named: Iterable[tuple[str, Example]], threshold: float) -> list[Group]:
    counts: Counter[tuple[str, int, bool]] = Counter()
    for name, row in named:
        counts[name, row.label, row.score >= threshold] += 1
    names = {name for name, _, _ in counts}
    groups = [
        Group(
            name,
            sum(counts[name, label, flagged] for label in (0, 1) for flagged in (False, True)),
            _share(counts[name, 1, True], counts[name, 1, False]),
            _share(counts[name, 0, True], counts[name, 0, False]),
        )
        for name in names
    ]
    return sorted(groups, key=lambda group: (-group.count, group.name))[:GROUPS] if len(names) > 1 else []


def _share(hits: int, misses: int) -> Share | None:
    return Share.of(hits, hits + misses) if hits + misses else None


def rows_between(run: CalibrationRun, *, low: float, high: float) -> Sequence[LabelledRow]:
    """The labelled answers whose score lies in ``[low, high)``, or ``[low, 1]``, the highest first."""
    of_model = scores_of(run)
    rows = LabelledRow.objects.filter(labelled_set=run.labelled_set).select_related("answer__question")
    if of_model is not None:
        held = {key: score for key, score in of_model.items() if low <= score and (high >= 1 or score < high)}
        return _ByModel(rows.defer("line"), held)
    rows = rows.filter(score__gte=low)
    rows = rows if high >= 1 else rows.filter(score__lt=high)
    if run.level == "answer":
        rows = rows.filter(label__isnull=False)
    found: Any = rows.order_by("-score", "pk")
    return found  # type: ignore[no-any-return]  # a query is as good as a list to a page


class _ByModel(Sequence[LabelledRow]):
    """Rows in the order of what a model says of them, read a page at a time, with its score as theirs."""

    def __init__(self, rows: QuerySet[LabelledRow], scores: Mapping[int, float]) -> None:
        self.rows, self.scores = rows, scores
        self.order = sorted(scores, key=lambda key: (-scores[key], key))

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, place: Any) -> Any:
        keys = self.order[place]
        found = self.rows.in_bulk(keys if isinstance(place, slice) else [keys])
        for key, row in found.items():
            row.score = self.scores[key]
        return [found[key] for key in keys if key in found] if isinstance(place, slice) else found[keys]


# Whether a point still fits what is read today ------------------------------------------------------------------

#: What a score depends on.
ENGINE = ("version", "tier", "profile", "encoder", "support_model")


#: What stands for a part of the engine that differed among the answers of a set.
SEVERAL = "several"


def engine_now(project: Project) -> dict[str, Any]:
    """What would proofread the project's next answer, by its newest one and the model in force; empty before one."""
    newest = Inspection.objects.filter(answer__project=project).order_by("-created_at", "-pk")
    found = newest.values_list("report__engine", flat=True).first()
    return {**found, "support_model": name_in_force(project)} if found else {}


def engine_of(run: CalibrationRun, engines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the scores of a run come from: the engine that its rows agree on, or its model's."""
    if run.model is not None:
        return {**(run.model.refit.result or {}).get("engine", {}), "support_model": run.model.reported}
    if len(engines) <= 1:
        return dict(next(iter(engines), {}))
    found = {}
    for name in ENGINE:
        values = {str(engine.get(name)) for engine in engines}
        found[name] = engines[0].get(name) if len(values) == 1 else SEVERAL
    return found


def changed_since(
    result: Mapping[str, Any], now: Mapping[str, Any], bases: Mapping[str, str] | None = None
) -> list[tuple[str, str, str]]:
    """In what the engine differs from the one a point was fitted on: (what, then, now); empty where it does not.

    Args:
        bases: refitted models and the model each was made from; given where these two are as good as one, because
            only the probabilities of words count.
    """
    then, bases = result.get("engine") or {}, bases or {}
    return [
        (name, str(then[name]), str(now[name]))
        for name in ENGINE
        if then.get(name) is not None
        and now.get(name) is not None
        and bases.get(str(then[name]), then[name]) != bases.get(str(now[name]), now[name])
    ]


def stale_points(project: Project, points: Sequence[OperatingPoint]) -> dict[int, list[tuple[str, str, str]]]:
    """For each point what has changed since it was fitted; see `changed_since`."""
    if not points:
        return {}
    now, bases = engine_now(project), bases_of(project)
    return {point.pk: changed_since(point.result, now, bases if point.level == "mark" else None) for point in points}


def bases_of(project: Project) -> dict[str, str]:
    """The project's refitted models, as reports name them, and the model each was made from."""
    return {model.reported: str(model.card.get("base", "")) for model in models_of(project)}
