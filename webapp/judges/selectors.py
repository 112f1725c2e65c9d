"""Every read of the judges' room that is more than a `get`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from proofing.errors import BadInput
from proofing.judges.consensus import MAJORITY, ONE_OF_THREE, Consensus, consensus_of
from proofing.judges.stacking import Stack
from proofing.judges.votes import Case, Vote
from proofing.judges.words import Named, named_spans
from webapp.intake.engine import sources_of
from webapp.judges.asking import Question, vote_of
from webapp.judges.models import Doubt, JudgeRun, JudgeSettings, JudgeUsage, JudgeVote
from webapp.records.models import Answer, Project
from webapp.review.models import Item


def settings_of(project: Project) -> JudgeSettings:
    """What a lead chose for the project; all off where nobody chose anything."""
    return JudgeSettings.objects.filter(project=project).first() or JudgeSettings(project=project)


def threshold_of(found: JudgeSettings) -> float:
    """From which share of judges on an answer counts as unsupported; half of them while nothing is calibrated."""
    if found.threshold == JudgeSettings.Threshold.ONE_OF_THREE:
        return ONE_OF_THREE
    if found.threshold == JudgeSettings.Threshold.CALIBRATED and found.calibration:
        return float(found.calibration["threshold"])
    return MAJORITY


# The layer on the desk ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer; `named` where judges named it."""

    text: str
    named: Named | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """What judges said of one answer, apart from the engine's marks.

    Attributes:
        pieces: the whole answer, cut where judges named words; stretches that overlap are joined.
        lost: (judge, words) that stand nowhere in the answer.
        stacked: engine and votes taken together, where that was fitted; else None.
    """

    votes: list[Vote]
    consensus: Consensus
    pieces: list[Piece]
    named: list[Named]
    lost: list[tuple[str, str]]
    stacked: float | None

    @property
    def no(self) -> int:
        return self.consensus.valid - self.consensus.yes


def layer_of(item: Item) -> Layer | None:
    """The judges' layer of an item, in one query; None where judges are off or said nothing."""
    rows = list(
        JudgeVote.objects.filter(answer_id=item.answer_id).select_related("project__judge_settings").order_by("judge")
    )
    if not rows:
        return None
    found = getattr(rows[0].project, "judge_settings", None)
    if found is None or not found.enabled:
        return None
    votes = [vote_of(row) for row in rows]
    named, lost = named_spans(item.answer.text, votes)
    return Layer(
        votes=votes,
        consensus=consensus_of(votes, threshold=threshold_of(found), least=found.least_votes),
        pieces=_pieces(item.answer.text, named),
        named=named,
        lost=lost,
        stacked=_stacked(found, item, votes),
    )


def _stacked(found: JudgeSettings, item: Item, votes: Sequence[Vote]) -> float | None:
    if not found.stack:
        return None
    try:
        stack = Stack.from_dict(found.stack)
    except BadInput:  # written by another version: it has to be fitted again
        return None
    return stack.probability(item.inspection.unsupported_probability, votes)


def _pieces(text: str, named: Sequence[Named]) -> list[Piece]:
    pieces, at = [], 0
    for span in named:
        if span.start < at:  # inside the one before; it has its own line in the list below
            continue
        if span.start > at:
            pieces.append(Piece(text[at : span.start]))
        pieces.append(Piece(span.text, span))
        at = span.end
    if at < len(text):
        pieces.append(Piece(text[at:]))
    return pieces


# Asking -------------------------------------------------------------------------------------------------------


def question_of(answer: Answer) -> Question:
    """A stored answer as judges are asked about it."""
    return Question(Case(answer.text, sources_of(answer), answer.question.text, str(answer.pk)), answer)


def unjudged(project: Project) -> QuerySet[Item]:
    """Items that wait for a reviewer and that no judge was asked about, most urgent first."""
    waiting = Item.objects.filter(queue__project=project, state__in=[Item.State.WAITING, Item.State.CLAIMED])
    return waiting.exclude(answer__judge_votes__isnull=False).order_by("-priority", "created_at", "id")


def votes_by_answer(answers: Sequence[Any]) -> dict[Any, list[Vote]]:
    """The stored votes on some answers (their keys), by answer."""
    rows = JudgeVote.objects.filter(answer__in=answers).order_by("judge")
    found: dict[Any, list[Vote]] = {pk: [] for pk in answers}
    for row in rows:
        found[row.answer_id].append(vote_of(row))
    return found


# Pages --------------------------------------------------------------------------------------------------------


def runs_of(project: Project) -> QuerySet[JudgeRun]:
    return JudgeRun.objects.filter(project=project).select_related("created_by").order_by("-created_at", "pk")


@dataclass(frozen=True, slots=True)
class UsageRow:
    """A judge's month in one project, with means worked out."""

    usage: JudgeUsage

    @property
    def seconds(self) -> float | None:
        """Mean seconds of an answered vote."""
        answered = self.usage.valid + self.usage.invalid
        return self.usage.waited_ms / answered / 1000 if answered else None


def usage_of(project: Project, today: date | None = None) -> list[UsageRow]:
    month = (today or timezone.now().date()).replace(day=1)
    return [UsageRow(row) for row in JudgeUsage.objects.filter(project=project, month=month).order_by("judge")]


def doubts_of(project: Project, state: str) -> QuerySet[Doubt]:
    """The project's doubted labels of one state, most surprising first."""
    rows = Doubt.objects.filter(project=project, state=state)
    return rows.select_related("item__answer__question", "settled_by").order_by("-surprise", "id")
