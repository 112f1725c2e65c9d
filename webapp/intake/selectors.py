"""Reads about imports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, QuerySet

from webapp.intake.models import ImportBatch
from webapp.records.models import Answer, Project


def imports_of(project: Project) -> QuerySet[ImportBatch]:
    """Imports, newest first."""
    return ImportBatch.objects.filter(project=project).select_related("created_by").order_by("-created_at", "-pk")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import and the proofreading of its answers are.

    `proofread` counts answers that are through (failed ones too), out of `answers` that came with this file.
    """

    answers: int
    proofread: int
    failed: int
    reading: bool

    @property
    def waiting(self) -> bool:
        """Whether the file has been read and answers of it still wait to be proofread."""
        return not self.reading and self.proofread < self.answers

    @property
    def working(self) -> bool:
        return self.reading or self.proofread < self.answers


def progress_of(batch: ImportBatch) -> Progress:
    """One query, whatever the size of the file."""
    return with_progress([batch])[0][1]


def with_progress(batches: Iterable[ImportBatch]) -> list[tuple[ImportBatch, Progress]]:
    """Imports with how far they are; one query, whatever their number."""
    shown = list(batches)
    counts: dict[UUID | None, dict[str, int]] = {batch.pk: {} for batch in shown}
    rows = Answer.objects.filter(observations__batch__in=counts).order_by().values_list("observations__batch", "state")
    for pk, state, n in rows.annotate(n=Count("pk", distinct=True)):
        counts[pk][state] = n
    return [(batch, _progress(batch, counts[batch.pk])) for batch in shown]


def _progress(batch: ImportBatch, counts: dict[str, int]) -> Progress:
    through = sum(counts.get(state, 0) for state in (Answer.State.PROOFREAD, Answer.State.FAILED, Answer.State.DECIDED))
    return Progress(
        answers=sum(counts.values()),
        proofread=through,
        failed=counts.get(Answer.State.FAILED, 0),
        reading=batch.state in (ImportBatch.State.RECEIVED, ImportBatch.State.RUNNING),
    )
