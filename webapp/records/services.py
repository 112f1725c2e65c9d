"""Writing down what arrives: one row per content, one observation per time it was seen."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from proofing.checks.drift import question_key
from proofing.errors import ProofingError
from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import LineFault
from proofing.settings import Settings
from webapp.intake.models import ImportBatch
from webapp.records.history import judge_again
from webapp.records.models import Answer, AnswerSource, Observation, Project, Question, RetrievedSource, Source
from webapp.records.retrieved import source_rows
from webapp.review.models import Event, Item


class Conflict(ProofingError):
    """A key that names one answer came with another; nothing was stored. `answer` is the one it names."""

    def __init__(self, message: str, *, answer: Answer) -> None:
        super().__init__(message)
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Received:
    """What became of one delivery.

    Attributes:
        fresh: the answer was not known before.
        repeated: the delivery itself was known before (a retry), so that nothing was added.
    """

    answer: Answer
    fresh: bool
    repeated: bool


def content_hash(line: AnswerLine) -> str:
    """SHA-256 over what makes two deliveries the same answer: question, answer, sources with their ids, in order."""
    content = [line.question, line.answer, [[source.id, source.text] for source in line.sources]]
    return sha256_of(json.dumps(content, ensure_ascii=False, separators=(",", ":")))


def sha256_of(text: str) -> str:
    """SHA-256 of a text in UTF-8, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@transaction.atomic
def receive_answer(
    *,
    project: Project,
    line: AnswerLine,
    now: datetime,
    request_key: str | None = None,
    batch: ImportBatch | None = None,
    line_number: int | None = None,
    supersede: bool = False,
) -> Received:
    """Store one delivered answer, or recognise it.

    The same content again is one more `Observation` of the answer we have. A retry (same request key, same
    external id with the same content, same line of the same file) adds nothing. The caller enqueues the
    proofreading of a fresh answer.

    Args:
        now: when the answer was seen; observations are ordered by it.
        request_key: the request's Idempotency-Key, with the answer's place when the request held several.
        supersede: let an external id name this content from now on.

    Raises:
        LineFault: a name in the line is longer than we keep.
        Conflict: the external id names another content and `supersede` was not asked, or the request key was
            used for another content.
    """
    check_lengths(line)
    digest = content_hash(line)
    key = f"{project.pk}:{request_key}" if request_key else None
    retried = _retried(key, batch, line_number)
    if retried is not None:
        if retried.answer.content_hash != digest:
            raise Conflict("this Idempotency-Key was used for another answer; use a new one", answer=retried.answer)
        return Received(retried.answer, fresh=False, repeated=True)

    named = _named_answer(project, line.external_id, held=supersede) if line.external_id else None
    if named is not None and named.content_hash == digest:
        return Received(named, fresh=False, repeated=True)
    if named is not None and not supersede:
        raise Conflict(
            f"the external id {line.external_id!r} names another answer; send supersede to replace it", answer=named
        )

    answer, fresh = _store(project, line, digest, now, replaces=named)
    if named is None and line.external_id and answer.observations.filter(external_id=line.external_id).exists():
        return Received(answer, fresh=False, repeated=True)  # sent at the same time, and stored since we looked
    try:
        with transaction.atomic():
            observation = _observe(answer, line, now, key, batch, line_number, back=named is not None)
    except IntegrityError:
        # The same delivery came twice at once and the other one was first: its observation stands.
        return Received(answer, fresh=False, repeated=True)
    if not fresh:
        judge_again(observation=observation, settings=Settings.for_profile(project.profile))
    return Received(answer, fresh=fresh, repeated=False)


def check_lengths(line: AnswerLine) -> None:
    """One database cuts or refuses what another would keep, so the lengths are checked here, for all of them."""
    if not line.answer.strip():
        raise LineFault("is empty; there is nothing to proofread", field="answer")
    for field, text, longest in (
        ("external_id", line.external_id or "", 200),
        ("model", line.model, 200),
        ("task", line.task, 60),
        ("locale", line.locale or "", 35),
    ):
        if len(text) > longest:
            raise LineFault(f"longer than {longest} characters", field=field)
    for index, source in enumerate(line.sources):
        if len(source.id) > 500:
            raise LineFault("longer than 500 characters", field=f"sources[{index}].id")


def current_answer(*, project: Project, external_id: str) -> Answer | None:
    """The answer that `external_id` names now, whether it came with it first or was seen under it again later."""
    own = Answer.objects.filter(project=project, external_id=external_id, superseded_by__isnull=True).first()
    if own is not None:
        return own
    seen = (
        Observation.objects.filter(external_id=external_id, answer__project=project, answer__superseded_by__isnull=True)
        .select_related("answer")
        .order_by("-id")
        .first()
    )
    return seen.answer if seen else None


def _named_answer(project: Project, external_id: str, *, held: bool) -> Answer | None:
    """The answer an external id names; `held`: with its row locked, so that one request at a time replaces it."""
    while True:
        named = current_answer(project=project, external_id=external_id)
        if named is None or not held:
            return named
        locked = Answer.objects.select_for_update().filter(pk=named.pk, superseded_by__isnull=True).first()
        if locked is not None:  # else it was replaced while we waited for it
            return locked


def _retried(key: str | None, batch: ImportBatch | None, line_number: int | None) -> Observation | None:
    observations = Observation.objects.select_related("answer")
    if key is not None:
        return observations.filter(request_key=key).first()
    if batch is not None:
        return observations.filter(batch=batch, line=line_number).first()
    return None


def _store(
    project: Project, line: AnswerLine, digest: str, now: datetime, replaces: Answer | None
) -> tuple[Answer, bool]:
    """The answer row of this content, and whether it is new; `replaces` gives its external id up to it."""
    question, _ = Question.objects.get_or_create(
        project=project, text_hash=sha256_of(line.question), defaults={"text": line.question}
    )
    known = Answer.objects.filter(project=project, content_hash=digest).first()
    external_id = line.external_id or ""
    if replaces is not None and known is None:
        # The id must be free before the new row takes it; the link follows once there is a row to point at.
        Answer.objects.filter(pk=replaces.pk).update(external_id="")
    try:
        with transaction.atomic():
            answer, fresh = (known, False) if known else _create(project, line, question, digest, external_id, now)
    except IntegrityError:
        # Two other contents claimed the external id at the same moment.
        other = current_answer(project=project, external_id=external_id)
        if other is None:
            raise
        raise Conflict(f"the external id {external_id!r} names another answer", answer=other) from None
    if replaces is not None:
        _supersede(replaces, answer, external_id, now)
    return answer, fresh


def line_fields(line: AnswerLine, project: Project) -> dict[str, Any]:
    """The columns of an `Answer` that are its line's own."""
    return {
        "text": line.answer,
        "external_id": line.external_id or "",
        "model_name": line.model,
        "task": line.task,
        "locale": line.locale or project.locale,
        "latency_ms": line.latency_ms,
        "given_label": line.label,
        "given_labels": [label.to_dict() for label in line.labels or ()],
    }


def history_key(project_id: int, line: AnswerLine) -> str:
    """Under which an observation stands in the history of its question; empty where nothing was asked."""
    question = line.question.strip()
    return f"{project_id}:{question_key(question)}" if question else ""


def _create(
    project: Project, line: AnswerLine, question: Question, digest: str, external_id: str, now: datetime
) -> tuple[Answer, bool]:
    answer, fresh = Answer.objects.get_or_create(
        project=project,
        content_hash=digest,
        defaults={
            "question": question,
            **line_fields(line, project),
            "external_id": external_id,
            "heartbeat_at": timezone.now(),
            "received_at": now,
        },
    )
    if fresh:
        _link_sources(project, answer, line)
        Event.record("answer.received", answer, project=project, at=now)
    return answer, fresh


def _link_sources(project: Project, answer: Answer, line: AnswerLine) -> None:
    """Store the texts we do not have yet and link all of them in order; three queries, however many there are."""
    known = source_rows(project, line.sources)
    AnswerSource.objects.bulk_create(
        AnswerSource(answer=answer, source_id=known[given.id], position=position)
        for position, given in enumerate(line.sources)
    )


def _supersede(old: Answer, new: Answer, external_id: str, now: datetime) -> None:
    """`new` takes the place of `old`; an item of `old` that nobody has looked at yet leaves its queue."""
    Answer.objects.filter(pk=old.pk).update(superseded_by=new, external_id=external_id)
    Answer.objects.filter(pk=new.pk).update(superseded_by=None)  # an older text may come back
    Item.objects.filter(answer=old, state=Item.State.WAITING, decisions__isnull=True).delete()
    Event.record("answer.superseded", old, project=old.project_id, at=now, by=str(new.pk))


def _observe(
    answer: Answer,
    line: AnswerLine,
    now: datetime,
    key: str | None,
    batch: ImportBatch | None,
    line_number: int | None,
    *,
    back: bool,
) -> Observation:
    """`back`: the external id named another answer until now, and this one perhaps before."""
    external_id = line.external_id or ""
    if back and external_id and answer.observations.filter(external_id=external_id).exists():
        external_id = ""  # the id came back to this content; it is on record already
    return Observation.objects.create(
        answer=answer,
        project_id=answer.project_id,
        history_key=history_key(answer.project_id, line),
        seen_at=now,
        batch=batch,
        line=line_number,
        request_key=key,
        external_id=external_id,
    )


@transaction.atomic
def delete_answer(*, answer: Answer, actor: object, now: datetime) -> None:
    """Remove an answer with everything said about it; the log keeps that it was there, without its text.

    Raises:
        Conflict: a frozen labelled set holds it; that set has to go first.
    """
    row = answer.labelled_rows.select_related("labelled_set").first()
    if row is not None:
        raise Conflict(
            f"the labelled set {row.labelled_set.name!r} holds this answer; delete the set first", answer=answer
        )
    Event.record("answer.deleted", answer, project=answer.project_id, actor=actor, at=now)
    sources = set(answer.source_links.values_list("source_id", flat=True))
    sources |= set(RetrievedSource.objects.filter(inspection__answer=answer).values_list("source_id", flat=True))
    question = answer.question_id
    _leave_place(answer)
    answer.delete()
    # Texts that no other answer was given go with it.
    Source.objects.filter(pk__in=sources, answer_links__isnull=True, retrievals__isnull=True).delete()
    Question.objects.filter(pk=question, answers__isnull=True).delete()


def _leave_place(answer: Answer) -> None:
    """Let what `answer` took the place of point past it, so that an external id still names one current answer.

    Where it was the current one, the newest of its predecessors is current again.
    """
    before = list(Answer.objects.filter(superseded_by=answer).order_by("-received_at", "-id"))
    heir = answer.superseded_by or (before.pop(0) if before else None)
    if before:
        Answer.objects.filter(pk__in=[row.pk for row in before]).update(superseded_by=heir)
    Answer.objects.filter(pk=answer.pk).update(external_id="")  # free before its heir is current
