"""Writes of the calibration room: labelled sets, runs, operating points."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from proofing.errors import BadInput, Refused
from proofing.exchange.reviews import canonical_json
from webapp.calibration import curves, freezing, labels, refits
from webapp.calibration.exports import FORMATS, CannotExport, expire_exports, request_export, run_export
from webapp.calibration.freezing import NameTaken, NothingChosen, delete_set, freeze_set, request_set
from webapp.calibration.models import CalibrationRun, Export, FittedModel, LabelledRow, LabelledSet, OperatingPoint
from webapp.intake.outbox import enqueue_calibration, enqueue_export
from webapp.lost_work import give_again, silent_since
from webapp.records.models import Project
from webapp.review.models import Event

__all__ = [
    "FORMATS",
    "CannotExport",
    "NameTaken",
    "NothingChosen",
    "activate_point",
    "choose_point",
    "delete_set",
    "expire_exports",
    "freeze_set",
    "request_calibration",
    "request_export",
    "request_set",
    "requeue_stale",
    "run_calibration",
    "run_export",
]

logger = logging.getLogger(__name__)


# Calibration runs -------------------------------------------------------------------------------------------


@transaction.atomic
def request_calibration(
    *,
    labelled_set: LabelledSet,
    now: datetime,
    target_recall: float = 0.95,
    level: str = "answer",
    model: FittedModel | None = None,
    user: Any = None,
) -> CalibrationRun:
    """Have an operating point fitted on a frozen set, in the background.

    Args:
        model: calibrate what this model says, which was fitted on this very set: out of fold where it was fitted, so
            that it is not judged on what it learned. None: the scores that the answers had when they were decided on.

    Raises:
        BadInput: the recall is not in (0, 1], the level is unknown, the set is not frozen yet, or the model was fitted
            on another set or says nothing at this level.
    """
    if not 0 < target_recall <= 1:
        raise BadInput("the recall must be over 0 and at most 1")
    if level not in ("answer", "mark"):
        raise BadInput(f"unknown level {level!r}: use answer or mark")
    if labelled_set.state != LabelledSet.State.FROZEN:
        raise BadInput("this set is not frozen yet")
    if model is not None and model.refit.labelled_set_id != labelled_set.pk:
        raise BadInput("this model was fitted on another set")
    if model is not None and level != "answer":
        raise BadInput("a refit changes the probabilities of answers only; calibrate marks on stored scores")
    run = CalibrationRun.objects.create(
        labelled_set=labelled_set,
        model=model,
        target_recall=target_recall,
        level=level,
        created_by=user,
        created_at=now,
        heartbeat_at=now,
    )
    Event.record("calibration.requested", run, project=labelled_set.project_id, actor=user, at=now, level=level)
    enqueue_calibration(run.pk)
    return run


def run_calibration(*, run_id: int | str) -> None:
    """Fit the point, or keep the refusal with what is missing. Delivered twice, it runs once."""
    moved = CalibrationRun.objects.filter(pk=run_id, state=CalibrationRun.State.REQUESTED).update(
        state=CalibrationRun.State.RUNNING
    )
    if not moved:
        return
    run = CalibrationRun.objects.select_related("labelled_set", "model__refit").defer("model__content").get(pk=run_id)
    try:
        result = _fit(run)
    except Refused as refusal:
        _end_run(run, state=CalibrationRun.State.REFUSED, refusal=str(refusal))
    except Exception as error:
        logger.exception("calibration run %s failed", run.pk)
        _end_run(run, state=CalibrationRun.State.FAILED, refusal=f"{type(error).__name__}: {error}"[:500])
    else:
        _end_run(run, state=CalibrationRun.State.DONE, result=result)


def _fit(run: CalibrationRun) -> dict[str, Any]:
    from proofing.learning.calibrate import calibrate

    scores: list[float] = []
    truths: list[int] = []
    groups: list[str] = []
    keys: list[str] = []
    sources = {"explicit": 0, "implied": 0}
    engines: dict[bytes, dict[str, Any]] = {}
    of_model = curves.scores_of(run)
    for row in run.labelled_set.members.order_by("pk").iterator(chunk_size=labels.CHUNK):
        examples = labels.mark_scores(row.line) if run.level == "mark" else _answer_example(row, of_model)
        for place, (score, label) in enumerate(examples):
            scores.append(score)
            truths.append(label)
            groups.append(row.line["group"])
            keys.append(f"{labels.content_of(row.line)}/{place}")
            explicit = run.level == "mark" or any(labels.is_explicit(review) for review in row.line["reviews"])
            sources["explicit" if explicit else "implied"] += 1
        engine = (row.line.get("scan") or {}).get("engine") or {}
        engines[canonical_json(engine)] = engine
    point = calibrate(
        scores,
        truths,
        run.target_recall,
        groups,
        level=run.level,
        keys=keys,
        label_sources=sources,
        engine=curves.engine_of(run, list(engines.values())),
        name=f"{run.labelled_set.name} ({run.level}, {run.target_recall:g})",
    )
    return point.to_dict()


def _answer_example(row: LabelledRow, of_model: Mapping[int, float] | None) -> list[tuple[float, int]]:
    score = row.score if of_model is None else of_model.get(row.pk)
    return [] if row.label is None or score is None else [(score, row.label)]


def _end_run(run: CalibrationRun, *, state: str, result: dict[str, Any] | None = None, refusal: str = "") -> None:
    with transaction.atomic():
        moved = CalibrationRun.objects.filter(pk=run.pk, state=CalibrationRun.State.RUNNING).update(
            state=state, result=result, refusal=refusal
        )
        if moved:
            Event.record(f"calibration.{state}", run, project=run.labelled_set.project_id)


# Operating points -------------------------------------------------------------------------------------------


@transaction.atomic
def choose_point(*, run: CalibrationRun, reason: str, user: Any, now: datetime) -> OperatingPoint:
    """Put the point of a finished run in force. Who, when and why are kept.

    Raises:
        BadInput: the run has no result.
    """
    if run.result is None:
        raise BadInput("this run has no result to choose")
    project = run.labelled_set.project
    _deactivate(project.pk, run.level)
    point = OperatingPoint.objects.create(
        project=project,
        run=run,
        level=run.level,
        threshold=run.result["threshold"],
        result=run.result,
        chosen_by=user,
        reason=reason,
        active=True,
        created_at=now,
    )
    Event.record("point.chosen", point, project=project, actor=user, at=now, threshold=point.threshold, reason=reason)
    return point


@transaction.atomic
def activate_point(*, point: OperatingPoint, user: Any, now: datetime) -> None:
    """Put an older point in force again."""
    _deactivate(point.project_id, point.level)
    OperatingPoint.objects.filter(pk=point.pk).update(active=True)
    Event.record("point.activated", point, project=point.project_id, actor=user, at=now, threshold=point.threshold)


def _deactivate(project_id: int, level: str) -> None:
    # The project's row is the lock: two leads who choose at once do so one after the other.
    Project.objects.select_for_update().get(pk=project_id)
    OperatingPoint.objects.filter(project_id=project_id, level=level, active=True).update(active=False)


# Finding what was lost --------------------------------------------------------------------------------------


def requeue_stale(*, now: datetime) -> int:
    """Send exports and runs again whose worker died or whose message was lost; both start over harmlessly."""
    silent = silent_since(now)
    exports = Export.objects.filter(state__in=[Export.State.REQUESTED, Export.State.RUNNING], heartbeat_at__lt=silent)
    unfinished = [CalibrationRun.State.REQUESTED, CalibrationRun.State.RUNNING]
    runs = CalibrationRun.objects.filter(state__in=unfinished, heartbeat_at__lt=silent)
    sent = give_again(exports, state=Export.State.REQUESTED, send=enqueue_export, now=now)
    sent += give_again(runs, state=CalibrationRun.State.REQUESTED, send=enqueue_calibration, now=now)
    return sent + freezing.requeue_stale(now=now) + refits.requeue_stale(now=now)
