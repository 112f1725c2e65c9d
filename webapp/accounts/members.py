"""Who works in a project: invitations, accounts, roles, and leaving. Nobody can lock a project up by leaving it."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.password_validation import validate_password
from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Q, QuerySet

from proofing.errors import BadInput
from webapp.accounts.access import LEADS, PEOPLE, Role
from webapp.accounts.models import Invitation, Membership, User
from webapp.accounts.services import digest_of
from webapp.records.models import Project
from webapp.review.models import Claim, Event

#: How long an invitation can be used.
INVITED_FOR = timedelta(days=7)


#: Names that begin like this belong to the accounts programs act as; see `webapp.accounts.services`.
RESERVED = "api-"


class LastAdministrator(BadInput):
    """The change would leave a project without anybody to run it."""


class NoInvitation(BadInput):
    """The link is unknown, was used, was withdrawn or has run out."""


# Reads ----------------------------------------------------------------------------------------------------------


def members_of(project: Project) -> QuerySet[Membership]:
    """Members with how much they decided, those who left last; one query."""
    standing = Q(user__decisions__item__queue__project=project, user__decisions__undone_at__isnull=True)
    return (
        Membership.objects.filter(project=project)
        .select_related("user")
        .annotate(
            decided=Count("user__decisions", filter=standing & ~Q(user__decisions__kind__in=["skip", "flag"])),
            last_decided=Max("user__decisions__decided_at", filter=standing),
            left=Count("pk", filter=Q(role=Role.FORMER)),
        )
        .order_by("left", "user__username")
    )


def open_invitations(project: Project, *, now: datetime) -> QuerySet[Invitation]:
    """Invitations that can still be used, newest first."""
    rows = Invitation.objects.filter(project=project, used_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now)
    return rows.select_related("created_by").order_by("-created_at", "-pk")


def invitation_of(secret: str, *, now: datetime) -> Invitation:
    """The invitation whose link carries `secret`.

    Raises:
        NoInvitation: it cannot be used (any more).
    """
    found = Invitation.objects.filter(
        digest=digest_of(secret), used_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now,
        project__archived_at__isnull=True,
    ).select_related("project", "created_by").first()  # fmt: skip
    if found is None:
        raise NoInvitation("this link was used, was withdrawn or has run out")
    return found


# Writes ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def invite(*, project: Project, role: str, actor: User, now: datetime, note: str = "") -> tuple[Invitation, str]:
    """Make a link for one new member; returns it and its secret, which is shown this once and never stored.

    Raises:
        BadInput: a role that people do not have.
    """
    if role not in PEOPLE:
        raise BadInput(f"unknown role {role!r}: use {', '.join(PEOPLE)}")
    secret = secrets.token_urlsafe(32)
    row = Invitation.objects.create(
        project=project, role=role, note=note.strip(), digest=digest_of(secret), created_by=actor,
        created_at=now, expires_at=now + INVITED_FOR,
    )  # fmt: skip
    Event.record("member.invited", row, project=project, actor=actor, at=now, role=role)
    return row, secret


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, actor: User, now: datetime) -> None:
    """End a link that was not used yet; ending it twice is harmless."""
    if Invitation.objects.filter(pk=invitation.pk, used_at__isnull=True, revoked_at__isnull=True).update(
        revoked_at=now
    ):
        Event.record("member.invitation_withdrawn", invitation, project=invitation.project_id, actor=actor, at=now)


@transaction.atomic
def join(*, invitation: Invitation, user: User, now: datetime) -> Membership:
    """Let `user` into the project of an invitation, which is used up by it. A higher role they have stays.

    Raises:
        NoInvitation: somebody used it a moment earlier.
    """
    taken = Invitation.objects.filter(pk=invitation.pk, used_at__isnull=True, revoked_at__isnull=True).update(
        used_at=now, used_by=user
    )
    if not taken:
        raise NoInvitation("this link was used a moment ago")
    order = [Role.FORMER, Role.SERVICE, *PEOPLE]
    member = Membership.objects.filter(project=invitation.project, user=user).first()
    if member is None:
        member = Membership.objects.create(project=invitation.project, user=user, role=invitation.role)
    elif order.index(Role(member.role)) < order.index(Role(invitation.role)):
        Membership.objects.filter(pk=member.pk).update(role=invitation.role)
        member.role = invitation.role
    Event.record(
        "member.joined", member, project=invitation.project_id, actor=user, at=now, user=user.pk, role=member.role
    )
    return member


@transaction.atomic
def create_member(
    *, project: Project, username: str, password: str, role: str, actor: User | None, now: datetime
) -> Membership:
    """Make an account with a password and let it into a project.

    Raises:
        BadInput: an unknown role, or a name that is taken.
        ValidationError: a name or a password that is not allowed.
    """
    if role not in PEOPLE:
        raise BadInput(f"unknown role {role!r}: use {', '.join(PEOPLE)}")
    user = create_account(username=username, password=password)
    member = Membership.objects.create(project=project, user=user, role=role)
    Event.record("member.created", member, project=project, actor=actor, at=now, user=user.pk, role=role)
    return member


def create_account(*, username: str, password: str) -> User:
    """An account that is in no project yet.

    Raises:
        BadInput: the name is taken.
        ValidationError: a name or a password that is not allowed.
    """
    user = User(username=User.normalize_username(username))
    if user.username.lower().startswith(RESERVED):
        raise BadInput(f"names that begin with {RESERVED} belong to programs")
    user.clean_fields(exclude=["password"])
    validate_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise BadInput("this name is taken") from None
    return user


@transaction.atomic
def change_role(*, member: Membership, role: str, actor: User, now: datetime) -> bool:
    """Give a member another role; `former` ends the membership and hands on what they hold. False: nothing changed.

    Raises:
        BadInput: an unknown role, or a service account, whose role follows from its tokens.
        LastAdministrator: nobody would be left to run the project.
    """
    if role not in (*PEOPLE, Role.FORMER):
        raise BadInput(f"unknown role {role!r}: use {', '.join((*PEOPLE, Role.FORMER))}")
    project = Project.objects.select_for_update().get(pk=member.project_id)  # one change of roles at a time
    held = Membership.objects.get(pk=member.pk)
    if held.role == Role.SERVICE:
        raise BadInput("a service account keeps its role; revoke its tokens instead")
    if held.role == role:
        return False
    others = Membership.objects.filter(project=project, role__in=LEADS).exclude(pk=held.pk)
    if role not in LEADS and held.role in LEADS and not others.exists():
        raise LastAdministrator("somebody has to be left who runs the project; make another member lead or admin first")
    Membership.objects.filter(pk=held.pk).update(role=role)
    Event.record(
        "member.role_set", held, project=project, actor=actor, at=now, user=held.user_id, role=role, before=held.role
    )
    if role == Role.FORMER:
        _hand_on(project, held.user, now)
    return True


def _hand_on(project: Project, user: User, now: datetime) -> None:
    """Give back what somebody holds who may not open it any more; their drafts stay."""
    from webapp.review.services import release_claim

    claims = Claim.objects.filter(reviewer=user, item__queue__project=project, released_at__isnull=True)
    for claim in claims.select_related("item__queue", "reviewer"):
        release_claim(claim=claim, now=now)
    for queue in user.assigned_queues.filter(project=project):
        queue.reviewers.remove(user)
