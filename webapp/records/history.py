"""The drift history of a project, read from its observations.

Every time an answer was seen counts: the same text sent five times is five observations, and the sixth answer to
the same question is compared with all five. What is earlier follows from when answers were seen, not from the
order in which workers happen to proofread them.
"""

from __future__ import annotations

from django.db.models import Q

from proofing.checks.drift import DriftResult, Fingerprint, fingerprint, judge_drift
from proofing.settings import Settings
from webapp.records.models import Answer, Observation


class ObservedHistory:
    """The `proofing.checks.drift.DriftHistory` of one answer that is being proofread."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def compare_and_record(self, question_key: str, fingerprint: Fingerprint, settings: Settings) -> DriftResult:
        """Compare with the observations before the answer was first seen; keep the fingerprint with its own.

        Recording is filling in a column, so proofreading an answer again, or twice at once, changes nothing.
        """
        own = self.answer.observations.order_by("seen_at", "id").first()
        self.answer.observations.filter(fingerprint__isnull=True).update(fingerprint=fingerprint.to_dict())
        if own is None:
            return judge_drift(fingerprint, [], settings)
        history_key = f"{self.answer.project_id}:{question_key}"
        return judge_drift(fingerprint, _earlier(history_key, own, settings.drift_window), settings)


def _earlier(history_key: str, own: Observation, limit: int) -> list[Fingerprint]:
    """Fingerprints of the newest observations before `own`, newest first."""
    before = Q(seen_at__lt=own.seen_at) | Q(seen_at=own.seen_at, id__lt=own.pk)
    rows = list(
        Observation.objects.filter(before, history_key=history_key)
        .select_related("answer")
        .only("fingerprint", "answer__text", "answer__locale")
        .order_by("-seen_at", "-id")[:limit]
    )
    return [_fingerprint_of(row) for row in rows]


def _fingerprint_of(row: Observation) -> Fingerprint:
    """The kept fingerprint; made now for an observation whose answer no worker has reached yet."""
    if row.fingerprint is None:
        row.fingerprint = fingerprint(row.answer.text, row.answer.locale).to_dict()
        Observation.objects.filter(pk=row.pk).update(fingerprint=row.fingerprint)
    return Fingerprint.from_dict(row.fingerprint)
