"""Writes of the judges' room: what a lead switches on, rounds of asking, what is fitted on labels."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from proofing.errors import BadInput, ProofingError, Refused
from proofing.judges.consensus import consensus_of
from proofing.judges.sanity import judged, sanity_cases
from proofing.judges.stacking import fit_stack
from proofing.learning.calibrate import calibrate
from webapp.intake.outbox import enqueue_judge_run
from webapp.judges import audit, selectors
from webapp.judges.asking import NotDone, Question, ask
from webapp.judges.models import JudgeRun, JudgeSettings
from webapp.judges.operators import agreement, may_ask, site_judges
from webapp.lost_work import give_again, silent_since
from webapp.records.models import Answer, Project
from webapp.review.models import Event

logger = logging.getLogger(__name__)

#: Answers of one round: enough for a morning, few enough to see what it costs before going on.
MOST_ANSWERS = 200
#: A worker that dies this often on one round is not given it again.
ATTEMPTS = 3


class NotAgreed(BadInput):
    """Judges cannot be switched on before a lead has agreed to where the texts go."""


@transaction.atomic
def configure(
    *,
    project: Project,
    actor: Any,
    now: datetime,
    enabled: bool,
    names: Sequence[str],
    agreed: bool,
    automatic: bool = False,
    threshold: str = JudgeSettings.Threshold.MAJORITY,
    least_votes: int = 2,
) -> JudgeSettings:
    """Choose which of the site's judges serve a project, and how their votes are read.

    Args:
        names: the judges ticked.
        agreed: the lead says yes to sending this project's texts to them; needed whenever a judge is asked that the
            project had not agreed to before.

    Raises:
        NotAgreed: there is a judge among them that nobody has agreed to.
        BadInput: an unknown judge, threshold or number of votes.
    """
    chosen = [judge for judge in site_judges() if judge.name in names]
    unknown = sorted(set(names) - {judge.name for judge in chosen})
    if unknown:
        raise BadInput(f"this site has no judge {unknown[0]!r}")
    if threshold not in JudgeSettings.Threshold.values:
        raise BadInput(f"unknown threshold {threshold!r}")
    if not 1 <= least_votes <= 50:
        raise BadInput("the number of votes must be from 1 to 50")
    if enabled and not chosen:
        raise BadInput("tick at least one judge, or leave judges off")
    JudgeSettings.objects.get_or_create(project=project)
    found = JudgeSettings.objects.select_for_update().get(project=project)
    wanted = agreement(chosen)
    fresh = {name for name, place in wanted.items() if found.agreed.get(name) != place}
    if enabled and (fresh or not found.enabled) and not agreed:
        raise NotAgreed("say that you agree to where the texts are sent")
    found.enabled, found.automatic = enabled, automatic and enabled
    found.threshold, found.least_votes = threshold, least_votes
    if enabled:
        found.agreed = wanted
        if agreed:
            found.agreed_by, found.agreed_at = actor, now
    found.save()
    Event.record(
        "judges.configured", found, project=project, actor=actor, at=now, enabled=enabled, judges=sorted(wanted),
        hosts=sorted({judge.host for judge in chosen}), automatic=found.automatic, threshold=threshold,
    )  # fmt: skip
    return found


# Rounds -------------------------------------------------------------------------------------------------------


@transaction.atomic
def request_run(*, project: Project, kind: str, now: datetime, actor: Any = None, with_judges: bool = True) -> JudgeRun:
    """Begin a round in the background; while one of its kind is unfinished, that one.

    Raises:
        BadInput: an unknown kind, or judges are needed and none may be asked.
    """
    if kind not in JudgeRun.Kind.values:
        raise BadInput(f"unknown kind {kind!r}: use {', '.join(JudgeRun.Kind.values)}")
    if (with_judges or kind != JudgeRun.Kind.AUDIT) and not may_ask(selectors.settings_of(project)):
        raise BadInput("judges are off in this project, or none of those agreed to is at its old address")
    unfinished = JudgeRun.objects.filter(project=project, kind=kind, state__in=JudgeRun.UNFINISHED)
    try:
        with transaction.atomic():
            run = JudgeRun.objects.create(
                project=project, kind=kind, with_judges=with_judges, created_by=actor, created_at=now, heartbeat_at=now
            )
    except IntegrityError:
        return unfinished.get()
    Event.record("judges.requested", run, project=project, actor=actor, at=now, round=kind, with_judges=with_judges)
    enqueue_judge_run(run.pk)
    return run


@transaction.atomic
def cancel_run(*, run: JudgeRun, actor: Any, now: datetime) -> bool:
    """Call a round off; its worker notices within seconds. False when it had ended already."""
    moved = JudgeRun.objects.filter(pk=run.pk, state__in=JudgeRun.UNFINISHED).update(state=JudgeRun.State.CANCELLED)
    if moved:
        Event.record("judges.cancelled", run, project=run.project_id, actor=actor, at=now)
    return bool(moved)


def run_judges(*, run_id: Any) -> None:
    """Carry out a slice of a round. Delivered twice, it runs once; called off, it stops and keeps what it has.

    A round that is not done within its slice of time waits for the next turn, so that a worker is never kept from
    what somebody waits for.
    """
    moved = JudgeRun.objects.filter(pk=run_id, state=JudgeRun.State.REQUESTED).update(
        state=JudgeRun.State.RUNNING, attempts=F("attempts") + 1, heartbeat_at=timezone.now()
    )
    if not moved:
        return
    run = JudgeRun.objects.select_related("project").get(pk=run_id)
    try:
        result = _ROUNDS[run.kind](run, _beat(run))
    except NotDone:
        _next_slice(run)
    except ProofingError as error:
        _end(run, JudgeRun.State.FAILED, error=str(error))
    except Exception as error:
        # No traceback: its locals may hold texts, which do not belong in logs.
        logger.error("judges' round %s failed: %s", run.pk, type(error).__name__)
        _end(run, JudgeRun.State.FAILED, error=type(error).__name__)
    else:
        _end(run, JudgeRun.State.DONE, result=result)


def _mine(run: JudgeRun) -> QuerySet[JudgeRun]:
    """The row while this worker has it: not when it was called off, or given to another worker."""
    return JudgeRun.objects.filter(pk=run.pk, state=JudgeRun.State.RUNNING, attempts=run.attempts)


def _beat(run: JudgeRun) -> Callable[[int], bool]:
    """A sign of life that says whether to go on."""

    def beat(done: int) -> bool:
        return bool(_mine(run).update(done=done, heartbeat_at=timezone.now()))

    return beat


@transaction.atomic
def _next_slice(run: JudgeRun) -> None:
    if _mine(run).update(state=JudgeRun.State.REQUESTED, attempts=0, heartbeat_at=timezone.now()):
        enqueue_judge_run(run.pk)


@transaction.atomic
def _end(run: JudgeRun, state: str, *, result: dict[str, Any] | None = None, error: str = "") -> None:
    if _mine(run).update(state=state, result=result, error=error[:2000], heartbeat_at=timezone.now()):
        if state == JudgeRun.State.DONE:
            JudgeRun.objects.filter(pk=run.pk).update(done=F("total"))
        Event.record(f"judges.{state}", run, project=run.project_id, round=run.kind)


def _begun(run: JudgeRun, plan: Callable[[], list[Any]]) -> list[Any]:
    """What the round is about: chosen in its first slice, and kept."""
    if run.plan is None:
        run.plan = plan()
        _mine(run).update(plan=run.plan, total=len(run.plan))
    return run.plan


def _questions(run: JudgeRun) -> list[Question]:
    """The planned answers that are still there, in the order of the plan."""
    plan = run.plan or []
    rows = Answer.objects.filter(pk__in=plan, project=run.project).select_related("question", "project")
    found = {str(answer.pk): answer for answer in rows}
    return [selectors.question_of(found[key]) for key in plan if key in found]


def _sanity(run: JudgeRun, beat: Callable[[int], bool]) -> dict[str, Any]:
    cases = sanity_cases()
    judges = may_ask(selectors.settings_of(run.project))
    _begun(run, lambda: [one.case.id for one in cases])
    questions = [Question(one.case) for one in cases]
    asked = ask(project=run.project, judges=judges, questions=questions, beat=beat, since=run.created_at)
    votes = [row for _, row in asked]
    return judged(cases[: len(votes)], votes, [judge.name for judge in judges]).to_dict()


def _answers(run: JudgeRun, beat: Callable[[int], bool]) -> dict[str, Any]:
    found = selectors.settings_of(run.project)
    _begun(run, lambda: [str(item.answer_id) for item in selectors.unjudged(run.project)[:MOST_ANSWERS]])
    counts = {"answers": 0, "unsupported": 0, "supported": 0, "no_consensus": 0}
    for _, votes in ask(
        project=run.project, judges=may_ask(found), questions=_questions(run), beat=beat, since=run.created_at
    ):
        said = consensus_of(votes, threshold=selectors.threshold_of(found), least=found.least_votes).unsupported
        counts["answers"] += 1
        counts["no_consensus" if said is None else "unsupported" if said else "supported"] += 1
    return counts


def _audit(run: JudgeRun, beat: Callable[[int], bool]) -> dict[str, Any]:
    labels = list(audit.stored_labels(run.project))
    _begun(run, lambda: [str(one.item.answer_id) for one in labels])
    if run.with_judges:
        judges = may_ask(selectors.settings_of(run.project))
        for _ in ask(project=run.project, judges=judges, questions=_questions(run), beat=beat, since=run.created_at):
            pass
    if not beat(len(labels)):  # called off: half the votes would rank the labels by who was asked
        return {}
    return audit.keep_doubts(run.project, labels, with_judges=run.with_judges, now=timezone.now())


_ROUNDS: dict[str, Callable[[JudgeRun, Callable[[int], bool]], dict[str, Any]]] = {
    JudgeRun.Kind.SANITY: _sanity,
    JudgeRun.Kind.ANSWERS: _answers,
    JudgeRun.Kind.AUDIT: _audit,
}


# Fitting on labels --------------------------------------------------------------------------------------------


def fit_on_labels(*, project: Project, actor: Any, now: datetime, target_recall: float = 0.95) -> JudgeSettings:
    """Fit the threshold on shares of judges, and engine and votes together, on the project's labels with votes.

    Raises:
        Refused: too few of the labelled answers have a consensus; the message says how many are missing.
    """
    found = selectors.settings_of(project)
    if found.pk is None:
        raise Refused("judges were never switched on in this project")
    labels = list(audit.stored_labels(project))
    votes = selectors.votes_by_answer([one.item.answer_id for one in labels])
    used = []
    for one in labels:
        share = consensus_of(votes[one.item.answer_id], least=found.least_votes).share
        if share is not None:
            used.append((one, share))
    truths = [one.label for one, _ in used]
    point = calibrate(
        [share for _, share in used],
        truths,
        target_recall,
        [one.group for one, _ in used],
        name=f"judges of {project.slug}",
    )
    stack = fit_stack([one.score for one, _ in used], [votes[one.item.answer_id] for one, _ in used], truths)
    with transaction.atomic():
        JudgeSettings.objects.filter(pk=found.pk).update(
            calibration=point.to_dict(), stack=stack.to_dict(), threshold=JudgeSettings.Threshold.CALIBRATED
        )
        Event.record(
            "judges.fitted", found, project=project, actor=actor, at=now, n=len(used), threshold=point.threshold
        )
    found.refresh_from_db()
    return found


# Finding what was lost, and what is new -----------------------------------------------------------------------


def sweep(*, now: datetime) -> int:
    """Give rounds of silent workers out again, and begin rounds where new answers are to be judged by themselves."""
    return _revive(now) + _begin_automatic(now)


def _revive(now: datetime) -> int:
    return give_again(
        JudgeRun.objects.filter(state__in=JudgeRun.UNFINISHED, heartbeat_at__lt=silent_since(now)),
        state=JudgeRun.State.REQUESTED, send=enqueue_judge_run, now=now, attempts=ATTEMPTS,
        given_up={"state": JudgeRun.State.FAILED, "error": f"its worker died {ATTEMPTS} times"},
    )  # fmt: skip


def _begin_automatic(now: datetime) -> int:
    begun = 0
    for found in JudgeSettings.objects.filter(enabled=True, automatic=True).select_related("project"):
        if found.project.archived_at is not None or not selectors.unjudged(found.project).exists():
            continue
        if JudgeRun.objects.filter(project=found.project, kind="answers", state__in=JudgeRun.UNFINISHED).exists():
            continue
        if may_ask(found):
            request_run(project=found.project, kind=JudgeRun.Kind.ANSWERS, now=now)
            begun += 1
    return begun
