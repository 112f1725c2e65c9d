"""From stored answers to votes: what is known is not asked, what is asked is written down, budgets hold per month."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from proofing.judges.cache import MemoryCache
from proofing.judges.configuration import Judge
from proofing.judges.panel import Panel, Spent
from proofing.judges.prompt import vote_key
from proofing.judges.votes import CANCELLED, INVALID, Case, Vote
from webapp.judges.models import JudgeUsage, JudgeVote
from webapp.records.models import Answer, Project

#: Answers asked about at a time: so many are lost when a worker dies, and asked again.
HANDFUL = 5
#: Seconds between two signs of life while judges think.
BEAT = 1.0
#: Seconds after which a round gives its worker back for what is more urgent, and waits for its next turn.
SLICE = 60.0


class NotDone(Exception):
    """The slice is over and there is more to ask; what was said is kept."""


@dataclass(frozen=True, slots=True)
class Question:
    """One case with the answer it came from; None for a built-in case."""

    case: Case
    answer: Answer | None = None


def ask(
    *,
    project: Project,
    judges: Sequence[Judge],
    questions: Sequence[Question],
    beat: Callable[[int], bool],
    since: datetime,
) -> Iterator[tuple[Question, list[Vote]]]:
    """Ask the judges about each question and write down what they say; yields the votes, in order.

    Judges are asked from a thread of their own, which touches no row; this one writes, and gives a sign of life.

    Args:
        beat: called at least every other second with how many questions are done; False calls the rest off.
        since: when the round began; what was said from then on, failures too, belongs to it and is not asked again.

    Raises:
        NotDone: the slice of time is over.
    """
    over = time.monotonic() + SLICE
    for start in range(0, len(questions), HANDFUL):
        handful = questions[start : start + HANDFUL]
        votes = _said_before(project, judges, handful, since)
        if votes is None:
            if time.monotonic() > over:
                raise NotDone
            votes = _asked(project, judges, handful, partial(beat, start))
            _write_down(project, judges, handful, votes, timezone.now())
        for question, row in zip(handful, votes, strict=True):
            if any(vote.outcome == CANCELLED for vote in row):
                return
            yield question, row


def _said_before(
    project: Project, judges: Sequence[Judge], handful: Sequence[Question], since: datetime
) -> list[list[Vote]] | None:
    """The votes of an earlier slice of this round, when they are all there."""
    keys = [[vote_key(one.case, judge) for judge in judges] for one in handful]
    rows = JudgeVote.objects.filter(
        project=project, key__in={key for row in keys for key in row}, created_at__gte=since
    )
    said = {(row.judge, row.key, row.answer_id): vote_of(row) for row in rows}
    found = [
        [
            said.get((judge.name, key, one.answer.pk if one.answer else None))
            for judge, key in zip(judges, row, strict=True)
        ]
        for one, row in zip(handful, keys, strict=True)
    ]
    complete = [[vote for vote in row if vote is not None] for row in found]
    return complete if all(len(row) == len(judges) for row in complete) else None


def _asked(
    project: Project, judges: Sequence[Judge], handful: Sequence[Question], alive: Callable[[], bool]
) -> list[list[Vote]]:
    called_off = threading.Event()
    panel = Panel(judges, cache=_known(project, judges, handful), spent=spent_this_month(judges))
    with ThreadPoolExecutor(1) as aside:
        future = aside.submit(panel.ask_all, [one.case for one in handful], cancelled=called_off.is_set)
        while True:
            if not alive():
                called_off.set()
            try:
                return future.result(timeout=BEAT)
            except TimeoutError:
                if future.done():  # the fault is the panel's own
                    raise


def _known(project: Project, judges: Sequence[Judge], handful: Sequence[Question]) -> MemoryCache:
    """The votes of this project that need no asking."""
    cache = MemoryCache()
    keys = {vote_key(one.case, judge) for one in handful for judge in judges}
    rows = JudgeVote.objects.filter(project=project, key__in=keys, outcome__in=["valid", "invalid"])
    for row in rows.exclude(fault="too_long"):
        cache.put(row.key, vote_of(row))
    return cache


def vote_of(row: JudgeVote) -> Vote:
    return Vote(
        row.judge, row.outcome, row.unsupported, row.reason, tuple(row.words), row.form, row.fault, row.requests,
        row.tokens_in, row.tokens_out, row.cost, row.latency_ms,
    )  # fmt: skip


def spent_this_month(judges: Sequence[Judge], today: date | None = None) -> dict[str, Spent]:
    """What each judge has cost since the first of the month, over all projects: the operator pays for all of them."""
    rows = JudgeUsage.objects.filter(month=_month(today), judge__in=[judge.name for judge in judges])
    sums = rows.order_by().values_list("judge").annotate(Sum("requests"), Sum("cost"))
    return {name: Spent(int(requests), float(cost)) for name, requests, cost in sums}


def _month(today: date | None = None) -> date:
    return (today or timezone.now().date()).replace(day=1)


@transaction.atomic
def _write_down(
    project: Project,
    judges: Sequence[Judge],
    handful: Sequence[Question],
    votes: Sequence[Sequence[Vote]],
    now: datetime,
) -> None:
    # An answer may have been deleted while its judges thought; nothing of it is kept then.
    known = [one.answer.pk for one in handful if one.answer is not None]
    alive = set(Answer.objects.filter(pk__in=known).values_list("pk", flat=True))
    rows: dict[tuple[object, ...], JudgeVote] = {}
    for question, row in zip(handful, votes, strict=True):
        answer = question.answer
        if answer is not None and answer.pk not in alive:
            continue
        for judge, vote in zip(judges, row, strict=True):
            key = vote_key(question.case, judge)
            kept = _kept(project, answer, judge, key)
            if vote.outcome == CANCELLED or (vote.cached and kept.exists()):
                continue
            (kept if answer is None else JudgeVote.objects.filter(answer=answer, judge=judge.name)).delete()
            said = {name: getattr(vote, name) for name in _SAID}
            rows[answer and answer.pk, judge.name, key] = JudgeVote(
                project=project, answer=answer, key=key, words=list(vote.words), created_at=now, **said
            )
    JudgeVote.objects.bulk_create(rows.values(), ignore_conflicts=True)  # another run may have said it a moment ago
    for place, judge in enumerate(judges):
        _count(project, judge, [row[place] for row in votes])


def _kept(project: Project, answer: Answer | None, judge: Judge, key: str) -> QuerySet[JudgeVote]:
    return JudgeVote.objects.filter(project=project, answer=answer, judge=judge.name, key=key)


_SAID = (
    "judge", "outcome", "unsupported", "reason", "form", "fault", "requests", "tokens_in", "tokens_out", "cost",
    "latency_ms",
)  # fmt: skip


def _count(project: Project, judge: Judge, votes: Sequence[Vote]) -> None:
    asked = [vote for vote in votes if vote.outcome != CANCELLED or vote.requests]
    counts = {
        "valid": sum(vote.valid and not vote.cached for vote in asked),
        "invalid": sum(vote.outcome == INVALID and not vote.cached for vote in asked),
        "failed": sum(not vote.valid and vote.outcome not in (INVALID, CANCELLED) for vote in asked),
        "known": sum(vote.cached for vote in asked),
        "requests": sum(vote.requests for vote in asked),
        "tokens": sum(vote.tokens_in + vote.tokens_out for vote in asked if not vote.cached),
        "cost": sum(vote.cost for vote in asked),
        "waited_ms": sum(vote.latency_ms for vote in asked if not vote.cached),
    }
    usage, _ = JudgeUsage.objects.get_or_create(project=project, judge=judge.name, month=_month())
    JudgeUsage.objects.filter(pk=usage.pk).update(**{name: F(name) + n for name, n in counts.items()})
