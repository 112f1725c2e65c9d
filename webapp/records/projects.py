"""Writes about projects themselves: made, changed, put away, brought back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from proofing.errors import BadInput
from proofing.settings import Settings
from webapp.accounts.models import Membership, User
from webapp.corpus.building import want_vectors
from webapp.records.models import Answer, Project
from webapp.records.services import Conflict, delete_answer
from webapp.review.models import Event, Queue
from webapp.review.services.queueing import DEFAULT_QUEUE
from webapp.review.services.queues import create_queue

#: Fields of the engine's settings that a project may set apart from its profile; all of them run from 0 to 1.
THRESHOLDS = (
    "mark_cut",
    "caution",
    "faithfulness_threshold",
    "claim_overlap_threshold",
    "confidence_threshold",
    "drift_threshold",
    "verification_alpha",
    "verification_threshold",
)
#: Fields that count for answers proofread from now on; every other field counts at once.
ENGINE_FIELDS = frozenset({"profile", "tier", "locale", "thresholds", "corpus_method", "corpus_k"})
CHANGEABLE = (
    "name", "profile", "tier", "locale", "thresholds", "corpus_method", "corpus_k", "slots", "audit_share", "blind",
    "retention_days",
)  # fmt: skip
#: What a queue takes over from its project when it is made.
QUEUE_DEFAULTS = ("slots", "audit_share", "blind")
#: How many answers past their time one sweep deletes, so that it never holds the database for long.
SWEEP = 200


@transaction.atomic
def create_project(*, name: str, actor: User, now: datetime, **fields: Any) -> Project:
    """Make a project with its first queue; whoever makes it administers it.

    Raises:
        BadInput: a name without a letter or figure, or a field that projects do not have.
    """
    _check(fields)
    project = Project(name=name.strip(), slug=_free_slug(name), **fields)
    project.full_clean(exclude=["thresholds"])
    project.save()
    Membership.objects.create(project=project, user=actor, role=Membership.Role.ADMIN)
    Event.record("project.created", project, project=project, actor=actor, at=now)
    create_queue(project=project, name=DEFAULT_QUEUE, actor=actor, now=now)
    return project


def _free_slug(name: str) -> str:
    base = slugify(name)[:50] or "project"
    if not any(sign.isalnum() for sign in name):
        raise BadInput("the name needs a letter or a figure")
    taken = {"new", *Project.objects.filter(slug__startswith=base).values_list("slug", flat=True)}  # new/ is a page
    return next(slug for slug in (base, *(f"{base}-{n}" for n in range(2, len(taken) + 2))) if slug not in taken)


def _check(fields: Mapping[str, Any]) -> None:
    unknown = sorted(set(fields) - set(CHANGEABLE))
    if unknown:
        raise BadInput(f"unknown field {unknown[0]!r}: use {', '.join(CHANGEABLE)}")
    for name, value in (fields.get("thresholds") or {}).items():
        if (
            name not in THRESHOLDS
            or isinstance(value, bool)
            or not isinstance(value, int | float)
            or not 0 <= value <= 1
        ):
            raise BadInput(f"thresholds: {name} must be one of {', '.join(THRESHOLDS)}, from 0 to 1")
    Settings.for_profile(fields.get("profile", "general"), tier=fields.get("tier", "standard"))


@transaction.atomic
def change_project(
    *, project: Project, actor: User, now: datetime, spread: bool = False, **fields: Any
) -> dict[str, tuple[Any, Any]]:
    """Change settings of a project; returns the fields that really changed, each as (before, after).

    Args:
        spread: give the queues there are what new ones start with, too.

    Raises:
        BadInput: a field that projects do not have, or a threshold out of range.
        ValidationError: a value that a project cannot have.
    """
    _check(fields)
    held = Project.objects.select_for_update().get(pk=project.pk)
    changed = {name: (getattr(held, name), value) for name, value in fields.items() if getattr(held, name) != value}
    for name, (_before, after) in changed.items():
        setattr(held, name, after)
        setattr(project, name, after)
    held.full_clean(exclude=["thresholds"])
    if changed:
        held.save(update_fields=sorted(changed))
        said = {name: list(pair) for name, pair in changed.items()}
        Event.record("project.changed", held, project=held, actor=actor, at=now, changed=said)
    if "corpus_method" in changed:
        want_vectors(project=held, actor=actor, now=now)
    if spread:
        Queue.objects.filter(project=held).update(**{field: getattr(held, field) for field in QUEUE_DEFAULTS})
        Event.record("project.spread", held, project=held, actor=actor, at=now)
    return changed


@transaction.atomic
def archive_project(*, project: Project, actor: User, now: datetime) -> bool:
    """Put a project away: nobody but its administrators finds it, its tokens are refused; nothing is deleted."""
    moved = Project.objects.filter(pk=project.pk, archived_at__isnull=True).update(archived_at=now)
    if moved:
        Event.record("project.archived", project, project=project, actor=actor, at=now)
    return bool(moved)


@transaction.atomic
def restore_project(*, project: Project, actor: User, now: datetime) -> bool:
    """Bring an archived project back as it was."""
    moved = Project.objects.filter(pk=project.pk, archived_at__isnull=False).update(archived_at=None)
    if moved:
        Event.record("project.restored", project, project=project, actor=actor, at=now)
    return bool(moved)


def past_retention(*, project: Project, days: int, now: datetime) -> int:
    """How many answers are older than `days` days; those that labelled sets hold count, too."""
    return Answer.objects.filter(project=project, received_at__lt=now - timedelta(days=days)).count()


def delete_past_retention(*, now: datetime) -> int:
    """Delete answers whose time is over, at most `SWEEP` in one call; returns how many.

    Answers that a frozen labelled set holds stay until the set goes.
    """
    deleted = 0
    for project in Project.objects.filter(retention_days__isnull=False).order_by("pk"):
        over = Answer.objects.filter(project=project, received_at__lt=now - timedelta(days=project.retention_days or 0))
        for answer in over.filter(labelled_rows__isnull=True).order_by("received_at", "pk")[: SWEEP - deleted]:
            try:
                delete_answer(answer=answer, actor=None, now=now)
            except (Conflict, IntegrityError):  # a set froze it, or somebody decides on it, since we looked
                continue
            deleted += 1
    return deleted
