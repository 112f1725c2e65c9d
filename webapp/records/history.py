"""The drift history of a project, read from its observations.

Every time an answer was seen counts: the same text sent five times is five observations, and the sixth answer to
the same question is compared with all five. What is earlier follows from when answers were seen, not from the
order in which workers happen to proofread them. What a comparison found is kept with its observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Q

from proofing.checks.drift import DriftResult, Fingerprint, fingerprint, judge_drift
from proofing.settings import Settings
from webapp.records.models import Answer, AnswerSource, Observation


class ObservedHistory:
    """The `proofing.checks.drift.DriftHistory` of one answer that is being proofread."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def compare_and_record(self, question_key: str, fingerprint: Fingerprint, settings: Settings) -> DriftResult:
        """Compare with the observations before the answer was first seen; keep the fingerprint with its own.

        Recording is filling in columns, so proofreading an answer again, or twice at once, changes nothing.
        """
        own = self.answer.observations.order_by("seen_at", "id").first()
        self.answer.observations.filter(fingerprint__isnull=True).update(fingerprint=fingerprint.to_dict())
        if own is None or not own.history_key:
            return judge_drift(fingerprint, [], settings)
        return _judge(own, fingerprint, settings)


def judge_again(*, observation: Observation, settings: Settings) -> DriftResult | None:
    """Compare a repeated delivery with what was seen before it; None where that needs a worker first.

    An answer that came back is not proofread again, but whether it still says what its neighbours in time say
    belongs into the drift rate like that of any other.
    """
    known = observation.answer.observations.filter(fingerprint__isnull=False).first()
    if known is None or not observation.history_key:
        return None
    observation.fingerprint = known.fingerprint
    Observation.objects.filter(pk=observation.pk).update(fingerprint=known.fingerprint)
    return _judge(observation, Fingerprint.from_dict(known.fingerprint), settings)


def _judge(own: Observation, now: Fingerprint, settings: Settings) -> DriftResult:
    """Judge one observation by those before it and write down what was found."""
    earlier = _earlier(own, settings.drift_window)
    result = judge_drift(now, [_fingerprint_of(row) for row in earlier], settings)
    if result.drifted:
        changed = changed_sources(own.answer_id, [row.answer_id for row in earlier[: result.compared]])
        result = replace(result, changed_sources=changed)
    Observation.objects.filter(pk=own.pk).update(
        drift_compared=result.compared,
        drift_distance=result.distance,
        drifted=result.drifted,
        changed_sources=list(result.changed_sources),
    )
    return result


def _earlier(own: Observation, limit: int) -> list[Observation]:
    """The newest observations before `own`, newest first."""
    before = Q(seen_at__lt=own.seen_at) | Q(seen_at=own.seen_at, id__lt=own.pk)
    return list(
        Observation.objects.filter(before, history_key=own.history_key)
        .select_related("answer")
        .only("fingerprint", "answer__text", "answer__locale")
        .order_by("-seen_at", "-id")[:limit]
    )


def _fingerprint_of(row: Observation) -> Fingerprint:
    """The kept fingerprint; made now for an observation whose answer no worker has reached yet."""
    if row.fingerprint is None:
        row.fingerprint = fingerprint(row.answer.text, row.answer.locale).to_dict()
        Observation.objects.filter(pk=row.pk).update(fingerprint=row.fingerprint)
    return Fingerprint.from_dict(row.fingerprint)


def changed_sources(answer_id: object, earlier: Sequence[object]) -> tuple[str, ...]:
    """Keys under which an answer was given another text than every earlier answer: an index that was built anew.

    Args:
        answer_id: the answer that drifted.
        earlier: ids of the answers it was compared with.
    """
    links = AnswerSource.objects.filter(answer__in=[answer_id, *earlier]).order_by("answer", "position")
    own: dict[str, str] = {}
    theirs: dict[str, set[str]] = {}
    for owner, key, digest in links.values_list("answer_id", "source__source_key", "source__text_hash"):
        if owner == answer_id:
            own[key] = digest
        else:
            theirs.setdefault(key, set()).add(digest)
    return tuple(key for key, digest in own.items() if key in theirs and digest not in theirs[key])
