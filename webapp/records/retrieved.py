"""Sources that an answer was not given but that were found for it in the project's corpus.

Each inspection keeps the passages it was made on (`RetrievedSource`), so that its marks can always be checked against
their evidence. Those of the newest one stand among the answer's sources, too, where everything finds them that asks
what an answer was read against.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from proofing.documents import Source as Passage
from proofing.report import Report
from webapp.records.models import Answer, AnswerSource, Inspection, Project, RetrievedSource, Source


def corpus_of(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """The corpus a stored report was made on: version, method, k, passages; None where sources were given."""
    checks = report.get("checks") or {}
    found = (checks.get("verification") or {}).get("corpus")
    return dict(found) if found else None


def scores_of(report: Mapping[str, Any]) -> dict[str, float]:
    """How near each passage was that was found in the corpus, by its id."""
    passages = (corpus_of(report) or {}).get("passages", ())
    return {str(passage["source_id"]): float(passage["score"]) for passage in passages}


def sources_of(inspection: Inspection) -> list[Source]:
    """The sources an inspection was made on, in order; one query."""
    if corpus_of(inspection.report) is None:
        links = AnswerSource.objects.filter(answer=inspection.answer_id, score__isnull=True)
        return [link.source for link in links.select_related("source").order_by("position")]
    rows = RetrievedSource.objects.filter(inspection=inspection).select_related("source").order_by("position")
    return [row.source for row in rows]


def keep_retrieved(*, answer: Answer, inspection: Inspection, report: Report) -> None:
    """Write down what an inspection found in the corpus; the caller holds the transaction.

    An answer that was given sources is left alone.
    """
    if report.retrieval is None and report.sources:
        return
    AnswerSource.objects.filter(answer=answer, score__isnull=False).delete()
    if report.retrieval is None or not report.retrieval.found:
        return
    keys = source_rows(answer.project, report.retrieval.sources)
    found = [(keys[one.source.id], one.score) for one in report.retrieval.found]
    RetrievedSource.objects.bulk_create(
        RetrievedSource(inspection=inspection, source_id=pk, position=position, score=score)
        for position, (pk, score) in enumerate(found)
    )
    AnswerSource.objects.bulk_create(
        AnswerSource(answer=answer, source_id=pk, position=position, score=score)
        for position, (pk, score) in enumerate(found)
    )


def source_rows(project: Project, passages: Sequence[Passage]) -> dict[str, int]:
    """Row ids of the sources with these ids and very texts, made where there are none; two or three queries."""
    hashes = {passage.id: hashlib.sha256(passage.text.encode()).hexdigest() for passage in passages}
    known = _known(project, hashes)
    missing = [
        Source(project=project, source_key=p.id, text_hash=hashes[p.id], text=p.text, title=p.title, url=p.url)
        for p in passages
        if p.id not in known
    ]
    if missing:
        # Somebody else may store the same text at this moment: theirs is as good as ours.
        Source.objects.bulk_create(missing, ignore_conflicts=True)
        known = _known(project, hashes)
    return known


def _known(project: Project, hashes: Mapping[str, str]) -> dict[str, int]:
    rows = Source.objects.filter(project=project, source_key__in=hashes, text_hash__in=set(hashes.values()))
    found: Iterable[tuple[str, str, int]] = rows.values_list("source_key", "text_hash", "pk")
    return {key: pk for key, digest, pk in found if hashes[key] == digest}
