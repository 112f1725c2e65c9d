"""Who a person is at the log-in provider: the accounts of `Identity`, every read and write of them.

A person is known by issuer and subject, never by an e-mail address, which a provider may hand on to somebody else.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from proofing.errors import BadInput
from webapp.accounts.members import RESERVED
from webapp.accounts.models import Identity, User

logger = logging.getLogger(__name__)


class LastDoor(BadInput):
    """The person has no other way to log in."""


def identity_of(user: User) -> Identity | None:
    """What `user` is at the provider; None when nothing was connected."""
    return Identity.objects.filter(user=user, issuer=settings.OIDC_ISSUER).order_by("pk").first()


def known_by(subject: str) -> Identity | None:
    """The identity of the provider's `subject`, with its user; None for somebody unknown."""
    return Identity.objects.select_related("user").filter(issuer=settings.OIDC_ISSUER, subject=subject).first()


def new_user(subject: str, claims: Mapping[str, Any]) -> User:
    """An account for a person nobody here knows: in no project, without a password, with a free name near theirs."""
    wish = str(claims.get("preferred_username") or str(claims.get("email") or "").partition("@")[0])
    wish = re.sub(r"[^\w.@+-]+", "-", User.normalize_username(wish)).strip("-")[:100]
    if not wish or wish.lower().startswith(RESERVED):
        wish = "user"
    for number in range(1, 1000):
        name = wish if number == 1 else f"{wish}-{number}"
        if User.objects.filter(username__iexact=name).exists():
            continue
        user = User(username=name)
        user.set_unusable_password()
        try:
            with transaction.atomic():
                user.save()
                identity = connect_identity(user=user, subject=subject)
        except IntegrityError:  # the name, or the same person in another window, a moment earlier
            found = known_by(subject)
            if found is None:
                continue
            identity = found
        logger.info("account %s made for a person of %s", identity.user_id, settings.OIDC_ISSUER)
        return identity.user
    raise ValueError(f"no free name near {wish!r}")


def connect_identity(*, user: User, subject: str) -> Identity:
    """Let the provider's `subject` come in as `user`. Raises IntegrityError when they come in as somebody already."""
    return Identity.objects.create(user=user, issuer=settings.OIDC_ISSUER, subject=subject, created_at=timezone.now())


def disconnect_identity(*, user: User) -> None:
    """End the log-in by the provider.

    Raises:
        LastDoor: `user` has no password.
    """
    if not user.has_usable_password():
        raise LastDoor("without a password nobody could log in here any more")
    Identity.objects.filter(user=user, issuer=settings.OIDC_ISSUER).delete()
