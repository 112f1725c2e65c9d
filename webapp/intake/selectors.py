"""Reads about imports."""

from __future__ import annotations

from dataclasses import dataclass

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
    def working(self) -> bool:
        return self.reading or self.proofread < self.answers


def progress_of(batch: ImportBatch) -> Progress:
    """One query, whatever the size of the file."""
    counts = dict(
        Answer.objects.filter(observations__batch=batch)
        .order_by()
        .values_list("state")
        .annotate(n=Count("pk", distinct=True))
    )
    through = sum(counts.get(state, 0) for state in (Answer.State.PROOFREAD, Answer.State.FAILED, Answer.State.DECIDED))
    return Progress(
        answers=sum(counts.values()),
        proofread=through,
        failed=counts.get(Answer.State.FAILED, 0),
        reading=batch.state in (ImportBatch.State.RECEIVED, ImportBatch.State.RUNNING),
    )
