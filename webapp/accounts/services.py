"""Writes about people and programs: members and API tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from proofing.errors import BadInput
from webapp.accounts.models import ApiToken, Membership, User
from webapp.records.models import Project
from webapp.review.models import Event

#: What our tokens begin with, so that scanners for leaked secrets can know them.
TOKEN_START = "pm_"  # noqa: S105 - a prefix, no token
#: The time of last use is written at most this often: it is for people, and not worth a write per request.
USE_NOTED_EVERY = timedelta(minutes=1)
ALL_SCOPES = tuple(ApiToken.Scope.values)


def digest_of(token: str) -> str:
    """What is stored of a token. It holds 256 random bits, so a fast hash is enough."""
    return hashlib.sha256(token.encode("utf-8")).hexdigest()


@transaction.atomic
def create_token(
    *,
    project: Project,
    name: str,
    scopes: Collection[str] = ALL_SCOPES,
    created_by: User | None = None,
    secret: str | None = None,
) -> tuple[ApiToken, str]:
    """Make a token; returns its row and the token itself, which is shown this once and never stored.

    Args:
        secret: use this token instead of a random one (for demos); at least 16 characters.

    Raises:
        BadInput: an unknown scope, or a secret that is too short.
    """
    unknown = sorted(set(scopes) - set(ALL_SCOPES))
    if unknown:
        raise BadInput(f"unknown scope {unknown[0]!r}: use {', '.join(ALL_SCOPES)}")
    if not scopes:
        raise BadInput("a token needs at least one scope")
    if secret is not None and len(secret) < 16:
        raise BadInput("the token is too short: use at least 16 characters")
    token = secret or TOKEN_START + secrets.token_urlsafe(32)
    row = ApiToken.objects.create(
        project=project,
        name=name,
        prefix=token[:8],
        digest=digest_of(token),
        scopes=sorted(scopes),
        created_by=created_by,
        acts_as=_service_user(project),
    )
    Event.record("token.created", row, project=project, actor=created_by, name=name, scopes=sorted(scopes))
    return row, token


def _service_user(project: Project) -> User:
    """The account in whose name a project's programs claim and decide. It cannot log in."""
    user = User.objects.filter(memberships__project=project, memberships__role=Membership.Role.SERVICE).first()
    if user is not None:
        return user
    name = f"api-{project.slug}"
    while User.objects.filter(username=name).exists():  # a person's, from before such names were kept for programs
        name += "-"
    user = User(username=name, is_active=False)
    user.set_unusable_password()
    user.save()
    Membership.objects.get_or_create(project=project, user=user, defaults={"role": Membership.Role.SERVICE})
    return user


@transaction.atomic
def revoke_token(*, token: ApiToken, actor: User | None, now: datetime) -> None:
    """End a token at once; ending it twice is harmless."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=now):
        Event.record("token.revoked", token, project=token.project_id, actor=actor, at=now)


def token_of(secret: str, *, now: datetime) -> ApiToken | None:
    """The valid token that `secret` is, with its use noted; None for an unknown or revoked one."""
    row = (
        ApiToken.objects.select_related("project", "acts_as")
        .filter(digest=digest_of(secret), revoked_at__isnull=True, project__archived_at__isnull=True)
        .first()
    )
    if row is not None and (row.last_used_at is None or row.last_used_at < now - USE_NOTED_EVERY):
        unnoted = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
        ApiToken.objects.filter(unnoted, pk=row.pk).update(last_used_at=now)
    return row


@transaction.atomic
def set_role(*, project: Project, user: User, role: str, actor: User | None = None) -> Membership:
    """Make `user` a member with this role, or change their role; see `webapp.accounts.members` for what pages do."""
    member, _ = Membership.objects.update_or_create(project=project, user=user, defaults={"role": role})
    Event.record("member.role_set", member, project=project, actor=actor, user=user.pk, role=role)
    return member
