"""From a stored answer to a call of the engine: which settings, history, model and operating point count for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings

from proofing.documents import Source
from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import LineFault
from proofing.limits import TooMuch
from proofing.limits import check_sizes as check_against
from proofing.report import Report
from proofing.settings import Settings
from webapp.calibration.reading_models import support_model_of
from webapp.calibration.selectors import active_point
from webapp.corpus.retrieving import retrieval_for
from webapp.records.history import ObservedHistory
from webapp.records.models import Answer, Project

if TYPE_CHECKING:
    from proofing.learning.model import SupportModel


def settings_of(project: Project, locale: str = "und", **changes: Any) -> Settings:
    """The engine settings of a project; an answer's own `locale` wins over the project's.

    A calibrated point of level `mark` moves the line above which words are drawn as marks.
    """
    point = active_point(project=project, level="mark")
    if point is not None:
        changes.setdefault("mark_cut", point.threshold)
    return Settings.for_profile(
        project.profile,
        **{
            "tier": project.tier,
            "locale": locale if locale != "und" else project.locale,
            "entity_model": settings.ENTITY_MODEL,
            "encoder": settings.ENCODER,
            **project.thresholds,
            **changes,
        },
    )


def sources_of(answer: Answer, *, given: bool = False) -> tuple[Source, ...]:
    """The answer's sources in the caller's order; `given`: without those that were found in the project's corpus."""
    links = answer.source_links.select_related("source").order_by("position")
    if given:
        links = links.filter(score__isnull=True)
    return tuple(Source(s.source_key, s.text, s.title, s.url) for s in (link.source for link in links))


def check_sizes(line: AnswerLine, settings: Settings) -> None:
    """Refuse at the door what the engine would refuse; what is too long to be read is not stored either.

    Raises:
        LineFault: the answer or its sources are over a limit of `settings`.
    """
    try:
        check_against(line.answer, line.sources, settings)
    except TooMuch as error:
        raise LineFault(str(error), field=error.field, id=line.id) from None


def inspect_answer(answer: Answer) -> Report:
    """Proofread, heal and score a stored answer; one that came without sources against the project's corpus.

    Raises:
        BadInput: the engine refuses the texts (too long, not text); trying again would not help.
        NotReady: it needs the corpus, whose first index is being made.
    """
    from proofing.pipeline import proofread_whole

    sources = sources_of(answer, given=True)
    retrieval = None if sources else retrieval_for(answer.project, answer.question.text, answer.text)
    return proofread_whole(
        answer.question.text,
        retrieval.sources if retrieval else sources,
        answer.text,
        settings=settings_of(answer.project, answer.locale),
        history=ObservedHistory(answer),
        model=model_of(answer.project),
        latency_ms=answer.latency_ms,
        id=str(answer.pk),
        retrieval=retrieval,
        point=point_of(answer.project),
    )


def log_if_flagged(report: Report) -> None:
    """One JSON line on the logger ``proofing`` for an answer of high or critical risk, for those who watch logs."""
    from proofing.inspection import log_if_flagged

    log_if_flagged(report)


def model_of(project: Project) -> SupportModel | None:
    """The support model that reads the project's answers; None = the one that ships."""
    return support_model_of(project)


def point_of(project: Project) -> Mapping[str, Any] | None:
    """The active answer-level operating point as the engine takes it; None while the project is uncalibrated."""
    point = active_point(project=project, level="answer")
    if point is None:
        return None
    name = point.result.get("name") or f"point {point.pk}"
    return {"name": name, "level": "answer", "threshold": point.threshold, "fpr": point.result["fpr"]["value"]}
