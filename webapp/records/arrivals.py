"""Many answers of a file at once: what is new in every way is stored together, in a dozen statements.

`receive_answer` decides about one delivery and looks a lot up for it. Most lines of most files need none of that:
nobody has seen their content, their external id or their line. Those are stored here; all others are left to it, and
so is everything when somebody else stores one of the same texts at the same moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import DataError, IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import LineFault
from webapp.intake.models import ImportBatch
from webapp.records.models import Answer, AnswerSource, Observation, Project, Question, Source
from webapp.records.services import check_lengths, content_hash, history_key, line_fields, sha256_of
from webapp.review.models import Event

Numbered = tuple[int, AnswerLine]


class Known:
    """What a database holds of the lines of one step, and what the step has brought so far."""

    def __init__(self, project: Project, lines: Sequence[Numbered], batch: ImportBatch) -> None:
        self.hashes = {number: content_hash(line) for number, line in lines}
        names = {line.external_id for _, line in lines if line.external_id}
        answers = Answer.objects.filter(project=project)
        self._contents = set(
            answers.filter(content_hash__in=set(self.hashes.values())).values_list("content_hash", flat=True)
        )
        self._names = set(answers.filter(external_id__in=names).values_list("external_id", flat=True)) | set(
            Observation.objects.filter(external_id__in=names, answer__project=project).values_list(
                "external_id", flat=True
            )
        )
        self._lines = set(
            Observation.objects.filter(batch=batch, line__in=list(self.hashes)).values_list("line", flat=True)
        )

    def claim(self, number: int, line: AnswerLine) -> bool:
        """Whether nobody has seen this line's content, name or place; from now on they count as seen."""
        new = (
            number not in self._lines
            and self.hashes[number] not in self._contents
            and not (line.external_id and line.external_id in self._names)
            and _storable(line)
        )
        self._contents.add(self.hashes[number])
        if line.external_id:
            self._names.add(line.external_id)
        return new


def _storable(line: AnswerLine) -> bool:
    """False where `receive_answer` has something to say about the line."""
    try:
        check_lengths(line)
    except LineFault:
        return False
    return True


def receive_new(
    *, project: Project, lines: Sequence[Numbered], known: Known, now: datetime, batch: ImportBatch
) -> list[Answer]:
    """Store lines that `known` let through, in order, as `receive_answer` would store each.

    Returns:
        Their answers, in the order of `lines`; empty where one could not be stored, and then none is.
    """
    try:
        with transaction.atomic():
            return _store(project, lines, known, now, batch)
    except (IntegrityError, DataError, ArithmeticError, TypeError, ValueError):
        # Somebody else was first with one of them, or one does not fit: each is looked at by itself then.
        return []


def _store(
    project: Project, lines: Sequence[Numbered], known: Known, now: datetime, batch: ImportBatch
) -> list[Answer]:
    questions = _questions(project, [line.question for _, line in lines])
    heartbeat = timezone.now()
    answers = Answer.objects.bulk_create(
        Answer(
            project=project,
            question_id=questions[sha256_of(line.question)],
            content_hash=known.hashes[number],
            heartbeat_at=heartbeat,
            received_at=now,
            **line_fields(line, project),
        )
        for number, line in lines
    )
    _link_sources(project, [(answer, line) for answer, (_, line) in zip(answers, lines, strict=True)])
    Event.record_all("answer.received", answers, project=project, at=now)
    Observation.objects.bulk_create(
        Observation(
            answer=answer, project=project, history_key=history_key(project.pk, line), seen_at=now, batch=batch,
            line=number, external_id=line.external_id or "",
        )
        for answer, (number, line) in zip(answers, lines, strict=True)
    )  # fmt: skip
    return answers


def _questions(project: Project, texts: Sequence[str]) -> dict[str, int]:
    """Row ids of the questions by the hash of their text; those nobody asked before are stored."""
    by_hash = {sha256_of(text): text for text in texts}

    def rows() -> dict[str, int]:
        return dict(Question.objects.filter(project=project, text_hash__in=by_hash).values_list("text_hash", "pk"))

    found = rows()
    missing = [Question(project=project, text=by_hash[key], text_hash=key) for key in by_hash if key not in found]
    if missing:
        Question.objects.bulk_create(missing, ignore_conflicts=True)
        found = rows()
    return found


def _link_sources(project: Project, given: Sequence[tuple[Answer, AnswerLine]]) -> None:
    wanted = {(source.id, sha256_of(source.text)): source for _, line in given for source in line.sources}

    def rows() -> dict[tuple[str, str], int]:
        same = Q(source_key__in={key for key, _ in wanted}, text_hash__in={digest for _, digest in wanted})
        found = Source.objects.filter(same, project=project).values_list("source_key", "text_hash", "pk")
        return {(key, digest): pk for key, digest, pk in found}

    found = rows()
    missing = [
        Source(project=project, source_key=key, text_hash=digest, text=g.text, title=g.title, url=g.url)
        for (key, digest), g in wanted.items()
        if (key, digest) not in found
    ]
    if missing:
        Source.objects.bulk_create(missing, ignore_conflicts=True)
        found = rows()
    AnswerSource.objects.bulk_create(
        AnswerSource(answer=answer, source_id=found[source.id, sha256_of(source.text)], position=position)
        for answer, line in given
        for position, source in enumerate(line.sources)
    )
