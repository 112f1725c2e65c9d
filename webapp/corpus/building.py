"""Indexes made in the background, one at a time for each project, from the documents as they are.

The rows of `IndexBuild` are the truth: a message that comes twice does nothing, one that is lost is sent again. A build
that a worker lost goes on with the sentence vectors it had; its words are counted anew. While one is under way, answers
are read against the index before it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from proofing.corpus_index import Built, write_index
from proofing.documents import Source
from proofing.encoder import NoEncoder
from proofing.errors import BadInput
from webapp.celery import Queues
from webapp.corpus.indexes import forget_files, path_of
from webapp.corpus.models import Document, IndexBuild
from webapp.corpus.outbox import enqueue_build
from webapp.intake.models import Rereading
from webapp.intake.outbox import enqueue, enqueue_again
from webapp.lost_work import silent_since
from webapp.records.models import Answer, Project
from webapp.review.models import Event

logger = logging.getLogger(__name__)

State = IndexBuild.State
#: Documents read in one query.
CHUNK = 20
#: Seconds between two notes of how far a build is.
BEAT = 1.0
#: A build that workers lost so often is given up.
ATTEMPTS = 5
#: Answers that are sent on in one go when the first index is there; the sweep sends the rest.
SENT_ON = 5_000
#: What an answer says of itself that waits for the first index.
WAITS = "The index of the project's corpus is being made; this answer waits for it."


class Stopped(Exception):
    """Somebody cancelled the build, or took it over."""


def request_build(*, project: Project, actor: Any = None, now: datetime) -> IndexBuild:
    """Have the index made; one that is wanted already is not asked for twice."""
    with transaction.atomic():
        build, fresh = IndexBuild.objects.get_or_create(
            project=project,
            state=State.REQUESTED,
            defaults={"requested_by": actor, "created_at": now, "heartbeat_at": now},
        )
        if fresh:
            enqueue_build(build.pk)
    return build


def want_vectors(*, project: Project, actor: Any, now: datetime) -> None:
    """Have the index made anew where the project's method needs sentence vectors and it has none."""
    if project.corpus_method == "tfidf" or not Document.objects.filter(project=project).exists():
        return
    done = IndexBuild.objects.filter(project=project, state=State.DONE).order_by("-pk").first()
    if done is None or not done.encoder:
        request_build(project=project, actor=actor, now=now)


def cancel_build(*, build: IndexBuild, actor: Any, now: datetime) -> bool:
    """Stop making an index; the one before stays in use. False when it was over already."""
    unfinished = [State.REQUESTED, State.RUNNING]
    with transaction.atomic():
        moved = IndexBuild.objects.filter(pk=build.pk, state__in=unfinished).update(
            state=State.CANCELLED, finished_at=now
        )
        if moved:
            Event.record("corpus.cancelled", build, project=build.project_id, actor=actor, at=now)
            _go_on(build.project)
    return bool(moved)


def run_build(*, build_id: int) -> None:
    """Make an index that is wanted. Only one caller at a time gets to, for each project."""
    now = timezone.now()
    try:
        with transaction.atomic():
            taken = IndexBuild.objects.filter(pk=build_id, state=State.REQUESTED).update(
                state=State.RUNNING, attempts=F("attempts") + 1, heartbeat_at=now, phase="", passages_done=0
            )
    except IntegrityError:  # another one of this project is under way, and sends this one on when it ends
        return
    if not taken:
        return
    build = IndexBuild.objects.select_related("project").get(pk=build_id)
    try:
        built, note = _make(build)
    except Stopped:
        return
    except (BadInput, OSError) as error:
        _end(build, State.FAILED, error=_said(error))
    except Exception as error:
        logger.exception("the index of project %s was not made", build.project_id)
        _end(build, State.FAILED, error=f"Stopped by an error ({type(error).__name__}); you can try again.")
    else:
        _end(build, State.DONE, built=built, note=note)


def _said(error: Exception) -> str:
    """What is wrong, without saying where files lie here."""
    return f"The disk refuses it: {error.strerror}." if isinstance(error, OSError) else str(error)


def _make(build: IndexBuild) -> tuple[Built, str]:
    wants_vectors = build.project.corpus_method != "tfidf"
    tick = _Ticker(build)
    if wants_vectors:
        try:
            return write_index(path_of(build), _documents(build), encoder=settings.ENCODER, tick=tick), ""
        except NoEncoder as error:
            logger.warning("no sentence encoder for the index of project %s: %s", build.project_id, error)
            note = f"There is no sentence encoder here, so passages are found by their words only ({error})."
            return write_index(path_of(build), _documents(build), tick=tick), note[:1000]
    return write_index(path_of(build), _documents(build), tick=tick), ""


class _Ticker:
    """Notes how far a build is, at most once in `BEAT` seconds, and stops it when it is no longer ours."""

    def __init__(self, build: IndexBuild) -> None:
        self._mine = IndexBuild.objects.filter(pk=build.pk, state=State.RUNNING, attempts=build.attempts)
        self._told = 0.0

    def __call__(self, phase: str, done: int) -> None:
        if time.monotonic() - self._told < BEAT:
            return
        self._told = time.monotonic()
        if not self._mine.update(phase=phase, passages_done=done, heartbeat_at=timezone.now()):
            raise Stopped


def _documents(build: IndexBuild) -> Iterator[Source]:
    """The project's documents in the order of their keys, some at a time."""
    rows = Document.objects.filter(project=build.project_id).order_by("key").values_list("key", "text", "title", "url")
    last: str | None = None
    while part := list((rows if last is None else rows.filter(key__gt=last))[:CHUNK]):
        for key, text, title, url in part:
            yield Source(key, text, title, url)
        last = part[-1][0]


def _end(build: IndexBuild, state: str, *, built: Built | None = None, note: str = "", error: str = "") -> None:
    """The last word on a build; then what waited for it goes on."""
    now = timezone.now()
    changes: dict[str, Any] = {"state": state, "note": note, "error": error[:2000], "finished_at": now}
    if built is not None:
        changes |= {"version": built.version, "encoder": built.encoder, "documents": built.documents}
        changes |= {"passages": built.passages, "passages_done": built.passages}
    with transaction.atomic():
        moved = IndexBuild.objects.filter(pk=build.pk, state=State.RUNNING, attempts=build.attempts).update(**changes)
        if not moved:
            return
        said = {"version": built.version[:12], "passages": built.passages} if built else {}
        Event.record(f"corpus.{state}", build, project=build.project_id, at=now, **said)
        _go_on(build.project)
    if built is not None:
        forget_files(build)


def _go_on(project: Project) -> None:
    """Tell workers about the index that is wanted next, and about the answers that waited for the first one."""
    for build in IndexBuild.objects.filter(project=project, state=State.REQUESTED).values_list("pk", flat=True):
        enqueue_build(build)
    waiting = Answer.objects.filter(project=project, state=Answer.State.RECEIVED, error=WAITS)
    for pk in waiting.order_by("received_at").values_list("pk", flat=True)[:SENT_ON]:
        enqueue(pk, Queues.BULK)
    asked = Rereading.objects.filter(answer__project=project, answer__source_links__isnull=True)
    for pk in asked.values_list("answer", flat=True)[:SENT_ON]:
        enqueue_again(pk)


def sweep(*, now: datetime) -> int:
    """Send again what was lost: builds whose worker fell silent, and those whose message never came; how many."""
    silent = silent_since(now, at_least=120)
    sent = 0
    lost = IndexBuild.objects.filter(state=State.RUNNING, heartbeat_at__lt=silent)
    for build in lost.select_related("project"):
        if build.attempts >= ATTEMPTS:
            _end(
                build, State.FAILED, error=f"Workers were lost {ATTEMPTS} times while they made it; you can try again."
            )
            continue
        sent += _ask_again(build, now)
    stale = Q(state=State.REQUESTED, heartbeat_at__lt=silent)
    idle = IndexBuild.objects.filter(stale).exclude(
        project__in=IndexBuild.objects.filter(state=State.RUNNING).values("project")
    )
    for pk in idle.values_list("pk", flat=True):
        with transaction.atomic():
            mine = IndexBuild.objects.filter(stale, pk=pk).update(heartbeat_at=now)
            if mine:
                enqueue_build(pk)
        sent += mine
    return sent


def _ask_again(build: IndexBuild, now: datetime) -> int:
    try:
        with transaction.atomic():
            moved = IndexBuild.objects.filter(pk=build.pk, state=State.RUNNING, attempts=build.attempts).update(
                state=State.REQUESTED, heartbeat_at=now
            )
            if moved:
                enqueue_build(build.pk)
            return moved
    except IntegrityError:  # a newer one is wanted already: it takes over
        with transaction.atomic():
            IndexBuild.objects.filter(pk=build.pk, state=State.RUNNING).update(state=State.CANCELLED, finished_at=now)
        return 0
