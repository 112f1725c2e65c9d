"""The drift history of a project, read from its observations.

Every time an answer was seen counts: the same text sent five times is five observations, and the sixth answer to
the same question is compared with all five. What is earlier follows from when answers were seen, not from the
order in which workers happen to proofread them. Answers to the same words about other sources answer another
question (see `proofing.checks.ground`). What a comparison found is kept with its observation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Q

from proofing.checks.drift import DriftResult, Fingerprint, fingerprint, judge_drift
from proofing.checks.ground import ground_of
from proofing.documents import Source
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
    """Compare a repeated delivery with what was seen before it; None where its question has no history.

    An answer that came back is not proofread again, but whether it still says what its neighbours in time say
    belongs into the drift rate like that of any other.
    """
    if not observation.history_key:
        return None
    known = observation.answer.observations.filter(fingerprint__isnull=False).values_list("fingerprint", flat=True)
    observation.fingerprint = known.first()
    if observation.fingerprint is not None:
        Observation.objects.filter(pk=observation.pk).update(fingerprint=observation.fingerprint)
    return _judge(observation, _fingerprints_of([observation])[0], settings)


def _judge(own: Observation, now: Fingerprint, settings: Settings) -> DriftResult:
    """Judge one observation by those before it and write down what was found."""
    rows = _earlier(own, settings.drift_window)
    past = [pair for pair in zip(rows, _fingerprints_of(rows), strict=True) if now.is_about_the_same(pair[1])]
    result = judge_drift(now, [mark for _, mark in past], settings)
    if result.drifted:
        changed = changed_sources(own.answer_id, [row.answer_id for row, _ in past[: result.compared]])
        result = replace(result, changed_sources=changed)
    Observation.objects.filter(pk=own.pk).update(
        drift_compared=result.compared,
        drift_distance=result.distance,
        drifted=result.drifted,
        changed_sources=list(result.changed_sources),
    )
    return result


def _earlier(own: Observation, limit: int) -> list[Observation]:
    """The newest observations before `own`, newest first; those of answers that could not be read say nothing."""
    before = Q(seen_at__lt=own.seen_at) | Q(seen_at=own.seen_at, id__lt=own.pk)
    return list(
        Observation.objects.filter(before, history_key=own.history_key)
        .exclude(answer__state=Answer.State.FAILED)
        .select_related("answer")
        .only("fingerprint", "answer__text", "answer__locale")
        .order_by("-seen_at", "-id")[:limit]
    )


def _fingerprints_of(rows: Sequence[Observation]) -> list[Fingerprint]:
    """The kept fingerprints; those of answers that no worker has reached yet are made now."""
    missing = [row for row in rows if not (row.fingerprint or {}).get("ground")]
    sources = _sources_of(row.answer_id for row in missing)
    for row in missing:
        made = replace(
            fingerprint(row.answer.text, row.answer.locale), ground=ground_of(sources.get(row.answer_id, ()))
        )
        row.fingerprint = made.to_dict()
        Observation.objects.filter(pk=row.pk).update(fingerprint=row.fingerprint)
    return [Fingerprint.from_dict(row.fingerprint or {}) for row in rows]


def _sources_of(answer_ids: Iterable[object]) -> dict[object, list[Source]]:
    """The sources each answer was given; one query."""
    found: dict[object, list[Source]] = {}
    links = AnswerSource.objects.filter(answer__in=set(answer_ids)).order_by("answer", "position")
    fields = ("source__source_key", "source__text", "source__title", "source__url")
    for answer_id, key, text, title, url in links.values_list("answer_id", *fields):
        found.setdefault(answer_id, []).append(Source(key, text, title, url))
    return found


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
