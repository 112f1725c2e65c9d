"""Log-in by an OpenID Connect provider, beside passwords, where the environment names one (`PROOFMARK_OIDC_…`).

Here stand the pages; the protocol is `webapp.accounts.provider`, who is who `webapp.accounts.identities`. Whoever has
an account connects it on the profile page; an unknown person gets a new account, which is in no project.
"""

from __future__ import annotations

import logging
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.identities import LastDoor, connect_identity, disconnect_identity, identity_of
from webapp.accounts.models import User

log = logging.getLogger(__name__)

#: In the session: an identity that its person has not yet said to be theirs.
PENDING = "oidc_pending"


def provider_name() -> str:
    """What the log-in page calls the provider; empty when there is none."""
    if not settings.OIDC_ISSUER:
        return ""
    return settings.OIDC_NAME or urlsplit(settings.OIDC_ISSUER).hostname or ""


def begin(request: HttpRequest) -> HttpResponseBase:
    """The way to the provider; `next` is where to go afterwards."""
    return _carefully("Begin", request)


def callback(request: HttpRequest) -> HttpResponseBase:
    """The way back from the provider."""
    return _carefully("Callback", request)


def _carefully(name: str, request: HttpRequest) -> HttpResponseBase:
    if not settings.OIDC_ISSUER:
        raise Http404
    from webapp.accounts import provider

    try:
        answer: HttpResponseBase = getattr(provider, name).as_view()(request)
    except provider.TROUBLE as error:
        log.warning("log-in by %s failed: %s: %s", settings.OIDC_ISSUER, type(error).__name__, str(error)[:300])
        messages.error(
            request, _("The log-in by %(provider)s did not work. Please try again.") % {"provider": provider_name()}
        )
        return redirect("accounts:profile" if request.user.is_authenticated else "accounts:login")
    return answer


@require_POST
@login_required
def connect(request: HttpRequest) -> HttpResponse:
    """Say that the person who just logged in at the provider is the one whose session this is."""
    subject = request.session.pop(PENDING, "")
    if not settings.OIDC_ISSUER or not subject:
        messages.error(request, _("There is nothing to connect any more. Please log in there again."))
        return redirect("accounts:profile")
    try:
        with transaction.atomic():
            connect_identity(user=_person(request), subject=subject)
    except IntegrityError:
        messages.error(request, _("That log-in belongs to another account here."))
    else:
        messages.success(request, _("From now on you can log in with %(provider)s.") % {"provider": provider_name()})
    return redirect("accounts:profile")


@require_POST
@login_required
def disconnect(request: HttpRequest) -> HttpResponse:
    """End the log-in by the provider, for whoever can come in by a password."""
    try:
        disconnect_identity(user=_person(request))
    except LastDoor:
        messages.error(request, _("You have no password here: you could not log in any more."))
    else:
        messages.success(request, _("Done."))
    return redirect("accounts:profile")


def _person(request: HttpRequest) -> User:
    return cast(User, request.user)


def standing(request: HttpRequest) -> dict[str, Any]:
    """For the profile page: the provider's name, when this account was connected, whether one waits to be."""
    user = _person(request)
    return {
        "provider": provider_name(),
        "connected": identity_of(user),
        "pending": PENDING in request.session,
        "own_password": user.has_usable_password(),
    }
