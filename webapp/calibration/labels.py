"""From decisions to labels: stored reviews as `reviews/1` lines.

What a decision says about an answer and its marks stands in one table, `proofing.learning.labels`; this module only
reads rows and hands them over. One line holds one inspected answer with every review of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from proofing.errors import BadInput
from proofing.exchange.jsonl import text_problem
from proofing.exchange.reviews import (
    canonical_json,
    groups_by_source,
    labelled_answer,
    mark_examples,
    pseudonym,
    review_line,
    split_of,
)
from webapp.records.models import AnswerSource, Project, RetrievedSource
from webapp.records.retrieved import corpus_of
from webapp.review.models import Decision, Item, Verdict
from webapp.review.services.gold import gold_record

#: How many items are read at once, so that memory does not grow with the number of labels.
CHUNK = 200
FILTERS = ("queue", "task", "decided_from", "decided_to")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One line with what calibration needs of it. `label` is None where the reviews say nothing or disagree."""

    line: dict[str, Any]
    decision: Decision
    label: int | None
    score: float
    split: str
    explicit: bool


def checked_filters(filters: Mapping[str, Any]) -> dict[str, str]:
    """The filters that are set, as text.

    Raises:
        BadInput: one is unknown, a date that cannot be read, or two dates with nothing between them.
    """
    for name in filters:
        if name not in FILTERS:
            raise BadInput(f"unknown filter {name!r}: use {', '.join(FILTERS)}")
        if not isinstance(filters[name], str | None):
            raise BadInput(f"{name}: must be text")
        if problem := text_problem(filters[name] or ""):
            raise BadInput(f"{name}: {problem}")
    chosen = {name: str(filters[name]) for name in FILTERS if filters.get(name) not in (None, "")}
    for name in ("decided_from", "decided_to"):
        if name in chosen:
            _moment(chosen[name], name)
    first, end = (chosen.get(name) for name in ("decided_from", "decided_to"))
    if first and end and _moment(first, "decided_from") >= _moment(end, "decided_to"):
        raise BadInput(f"decided_from: {first} must be a day before decided_to, {end}: nothing lies between them")
    return chosen


def filters_of(project: Project, filters: Mapping[str, Any]) -> dict[str, str]:
    """The filters that are set, where they can be used on this project.

    Raises:
        BadInput: as `checked_filters`; or the project has no queue of this name.
    """
    chosen = checked_filters(filters)
    if "queue" in chosen and not project.queues.filter(name=chosen["queue"]).exists():
        raise BadInput(f"queue: the project has no queue {chosen['queue']!r}")
    return chosen


def decided_items(project: Project, filters: Mapping[str, str]) -> QuerySet[Item]:
    """Items with at least one decision that stands, oldest first."""
    standing = Decision.objects.filter(item__queue__project=project, undone_at__isnull=True)
    if "decided_from" in filters:
        standing = standing.filter(decided_at__gte=_moment(filters["decided_from"], "decided_from"))
    if "decided_to" in filters:
        standing = standing.filter(decided_at__lt=_moment(filters["decided_to"], "decided_to"))
    rows = Item.objects.filter(queue__project=project, pk__in=standing.values("item"))
    if "queue" in filters:
        rows = rows.filter(queue__name=filters["queue"])
    if "task" in filters:
        rows = rows.filter(answer__task=filters["task"])
    return rows.order_by("created_at", "pk")


def _moment(text: str, field: str) -> datetime:
    try:
        return timezone.make_aware(datetime.combine(date.fromisoformat(text), time()))
    except ValueError:
        raise BadInput(f"{field}: {text!r} is no date; write 2026-01-31") from None


def labelled_lines(project: Project, filters: Mapping[str, str]) -> Iterator[Labelled]:
    """The project's labels, one line an inspected answer, in the order the items came."""
    pks = list(decided_items(project, filters).values_list("pk", flat=True))
    groups = _groups(pks)
    remaining = iter(pks)
    while chunk := list(islice(remaining, CHUNK)):
        found = {item.pk: item for item in _with_everything(Item.objects.filter(pk__in=chunk))}
        for pk in chunk:
            if pk in found:
                yield from _lines_of(found[pk], groups[pk], project)


def _groups(pks: list[UUID]) -> dict[UUID, str]:
    """A group per item: items that share any source text are in one, so that no source is on both sides of a split."""
    texts: dict[UUID, list[str]] = {pk: [] for pk in pks}
    remaining = iter(pks)
    while chunk := list(islice(remaining, CHUNK)):
        links = AnswerSource.objects.filter(answer__items__in=chunk).order_by("answer", "position")
        found = RetrievedSource.objects.filter(inspection__answer__items__in=chunk).order_by("inspection", "position")
        given = links.values_list("answer__items", "source__text_hash")
        for pk, digest in (*given, *found.values_list("inspection__answer__items", "source__text_hash")):
            if pk in texts and digest not in texts[pk]:
                texts[pk].append(digest)
    return dict(zip(pks, groups_by_source([texts[pk] for pk in pks]), strict=True))


def _with_everything(items: QuerySet[Item]) -> QuerySet[Item]:
    decisions = (
        Decision.objects.filter(undone_at__isnull=True)
        .select_related("reviewer", "inspection")
        .prefetch_related("inspection__retrieved__source")
        .prefetch_related(Prefetch("verdicts", Verdict.objects.select_related("mark").order_by("mark__index")))
        .order_by("decided_at", "pk")
    )
    return items.select_related("answer__question", "queue", "gold__inspection", "gold__decided_by").prefetch_related(
        Prefetch("decisions", decisions, to_attr="standing"),
        "answer__source_links__source",
        "gold__inspection__marks",
    )


def _lines_of(item: Any, group: str, project: Project) -> Iterator[Labelled]:
    """Reviews of one inspection stand in one line; an item that was proofread again in between gives two."""
    by_inspection: dict[int, list[Decision]] = {}
    for decision in item.standing:
        by_inspection.setdefault(decision.inspection_id, []).append(decision)
    for decisions in by_inspection.values():
        line = _line(item, decisions, group, project)
        example = labelled_answer(line)
        yield Labelled(
            line=line,
            decision=decisions[-1],
            label=example.label,
            score=float(decisions[-1].inspection.unsupported_probability),
            split=line["split"],
            explicit=any(is_explicit(review) for review in line["reviews"]),
        )


def _line(item: Any, decisions: list[Decision], group: str, project: Project) -> dict[str, Any]:
    answer, inspection = item.answer, decisions[0].inspection
    line = review_line(
        _report_with_offered_edits(inspection),
        question=answer.question.text,
        sources=[(link.source.source_key, link.source.text) for link in _links(answer, inspection)],
        answer=answer.text,
        model=answer.model_name,
        external_id=answer.external_id or None,
        reviews=[_review(decision, project) for decision in decisions],
        gold=_gold(item, inspection, project),
        sampling={"policy": "audit" if item.audit else item.queue.order, "probability": item.inclusion_probability},
        split=split_of(group),
    )
    return {**line, "task": answer.task or None, "locale": answer.locale, "group": group}


def _links(answer: Any, inspection: Any) -> list[Any]:
    """The sources this very inspection was made on: its own, where it found them in the corpus."""
    if corpus_of(inspection.report) is not None:
        return list(inspection.retrieved.all())
    return [link for link in answer.source_links.all() if link.score is None]


def _gold(item: Any, inspection: Any, project: Project) -> dict[str, Any] | None:
    """The agreed label, where a lead settled one on this very inspection."""
    gold = getattr(item, "gold", None)
    if gold is None or gold.inspection_id != inspection.pk:
        return None
    return gold_record(gold, by=pseudonym(gold.decided_by.get_username(), f"{settings.SECRET_KEY}:{project.pk}"))


def _report_with_offered_edits(inspection: Any) -> dict[str, Any]:
    """Reviewers switch the edits they were offered, so these are the edits their indexes count."""
    report = {**inspection.report, "settings": inspection.settings}
    healing = dict(report.get("healing") or {})
    if healing.get("proposal"):
        healing["edits"] = healing.get("proposed") or []
    return {**report, "healing": healing}


def _review(decision: Any, project: Project) -> dict[str, Any]:
    return {
        "id": str(decision.pk),
        "reviewer": pseudonym(decision.reviewer.get_username(), f"{settings.SECRET_KEY}:{project.pk}"),
        "decision": decision.kind,
        "final": decision.final_text or None,
        "guideline_version": decision.guideline_version,
        "seconds": decision.seconds,
        "wording_only": decision.wording_only,
        "switched_off": decision.switched_off,
        "verdicts": [
            {"mark_id": f"m{verdict.mark.index}", "verdict": verdict.verdict, "source": verdict.source}
            for verdict in decision.verdicts.all()
        ],
        "added": decision.added_marks,
        "nothing_else_unsupported": decision.nothing_else_unsupported,
        "marks_hidden_first": decision.marks_hidden_first,
    }


def is_explicit(review: Mapping[str, Any]) -> bool:
    """Whether somebody judged words, and not only the answer as a whole."""
    judged = any(verdict["source"] == Verdict.Origin.EXPLICIT for verdict in review["verdicts"])
    return bool(judged or review["added"] or review["nothing_else_unsupported"])


def mark_scores(line: Mapping[str, Any]) -> list[tuple[float, int]]:
    """(probability, label) of each mark of a line that people judged explicitly and in agreement."""
    return mark_examples(line)


def content_of(line: Mapping[str, Any]) -> str:
    """A hash over question, sources and answer: rows that share it must be on one side of every split."""
    sources = [source["text"] for source in line["sources"]]
    return hashlib.sha256(canonical_json([line["question"], sources, line["answer"]["sha256"]])).hexdigest()
