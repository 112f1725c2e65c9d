"""Log-in by an OpenID Connect provider, beside passwords, where the environment names one (`PROOFMARK_OIDC_…`).

mozilla-django-oidc does the protocol: state, nonce, PKCE, the exchange of the code, the signature of the ID token.
Here stands what it leaves to its user: that the token is from our issuer and for us, and who is who. A person is
known by issuer and subject (`Identity`), never by an e-mail address, which a provider may hand on to somebody else.
Whoever has an account connects it on the profile page; an unknown person gets a new account, which is in no project.

Specification: OpenID Connect Core 1.0, section 3.1.3.7 (checks of the ID token), and Discovery 1.0.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit

import requests
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.exceptions import SuspiciousOperation
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from jwt import PyJWTError
from mozilla_django_oidc.auth import OIDCAuthenticationBackend
from mozilla_django_oidc.utils import import_from_settings
from mozilla_django_oidc.views import OIDCAuthenticationCallbackView, OIDCAuthenticationRequestView

from webapp.accounts.members import RESERVED
from webapp.accounts.models import Identity, User

log = logging.getLogger(__name__)

#: How long a provider's description of itself is believed, in seconds.
DESCRIBED_FOR = 3600
#: What the library asks for by the name of a setting, and where the provider's description has it.
DESCRIBED = {
    "OIDC_OP_AUTHORIZATION_ENDPOINT": "authorization_endpoint",
    "OIDC_OP_TOKEN_ENDPOINT": "token_endpoint",
    "OIDC_OP_USER_ENDPOINT": "userinfo_endpoint",
    "OIDC_OP_JWKS_ENDPOINT": "jwks_uri",
}
#: Signatures with a key pair, the commonest first. One with a shared secret, or none, is not accepted.
SIGNATURES = ("RS256", "ES256", "PS256", "RS384", "ES384", "RS512", "ES512")
#: In the session: an identity that its person has not yet said to be theirs.
PENDING = "oidc_pending"

#: What may go wrong between three machines; a person gets one sentence, the log has the rest.
TROUBLE = (SuspiciousOperation, requests.RequestException, PyJWTError, KeyError, TypeError, ValueError)


def provider_name() -> str:
    """What the log-in page calls the provider; empty when there is none."""
    return settings.OIDC_NAME or urlsplit(settings.OIDC_ISSUER).hostname or ""


def description() -> dict[str, Any]:
    """The provider's description of itself, fetched at most once an hour.

    Raises:
        requests.RequestException: the provider cannot be reached.
        ValueError: it describes another issuer, or lacks an address.
    """
    key = f"oidc:{settings.OIDC_ISSUER}"
    known: dict[str, Any] | None = cache.get(key)
    if known is None:
        answer = requests.get(f"{settings.OIDC_ISSUER}/.well-known/openid-configuration", timeout=settings.OIDC_TIMEOUT)
        answer.raise_for_status()
        known = dict(answer.json())
        if str(known.get("issuer", "")).rstrip("/") != settings.OIDC_ISSUER:
            raise ValueError(f"the provider calls itself {known.get('issuer')!r}, not {settings.OIDC_ISSUER}")
        lacking = [name for name in ("authorization_endpoint", "token_endpoint", "jwks_uri") if not known.get(name)]
        if lacking:
            raise ValueError(f"the provider's description lacks {lacking[0]}")
        cache.set(key, known, DESCRIBED_FOR)
    return known


class _Described:
    """Answers the library's questions for settings from the provider's description."""

    @staticmethod
    def get_settings(name: str, *default: Any) -> Any:
        if name in DESCRIBED:
            return description().get(DESCRIBED[name])
        if name == "OIDC_RP_SIGN_ALGO":
            offered = description().get("id_token_signing_alg_values_supported") or ["RS256"]
            return next((kind for kind in SIGNATURES if kind in offered), "RS256")
        return import_from_settings(name, *default)


class ProviderBackend(_Described, OIDCAuthenticationBackend):  # type: ignore[misc]  # the library has no types
    """Who a provider says has logged in."""

    def __init__(self) -> None:
        # Django makes one for every request of a session that began here; the provider is asked only at a log-in.
        self.UserModel = User

    # The library's own gives closed accounts back.
    get_user = ModelBackend.get_user

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        if request is None or "nonce" not in credentials:
            return None  # a log-in with a password
        OIDCAuthenticationBackend.__init__(self)
        user: User | None = super().authenticate(request, **credentials)
        return user

    def verify_token(self, token: str, **more: Any) -> dict[str, Any]:
        """The claims of the ID token. Raises SuspiciousOperation when it is not from our issuer or not for us."""
        claims: dict[str, Any] = super().verify_token(token, **more)
        if str(claims.get("iss", "")).rstrip("/") != settings.OIDC_ISSUER:
            raise SuspiciousOperation("the ID token is from another issuer")
        audience = claims.get("aud")
        audience = audience if isinstance(audience, list) else [audience]
        if settings.OIDC_RP_CLIENT_ID not in audience:
            raise SuspiciousOperation("the ID token is for somebody else")
        if len(audience) > 1 and claims.get("azp") != settings.OIDC_RP_CLIENT_ID:
            raise SuspiciousOperation("the ID token was given to somebody else")
        if "exp" not in claims:
            raise SuspiciousOperation("the ID token never ends")
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= 255:
            raise SuspiciousOperation("the ID token names nobody")
        return claims

    def get_or_create_user(self, access_token: str, id_token: str, payload: dict[str, Any]) -> User | None:
        subject = payload["sub"]
        known = Identity.objects.select_related("user").filter(issuer=settings.OIDC_ISSUER, subject=subject).first()
        if known is not None:
            return known.user if self.user_can_authenticate(known.user) else None
        if self.request.user.is_authenticated:
            self.request.session[PENDING] = subject
            return None
        if not settings.OIDC_CREATE_USER:
            return None
        return new_user(subject, self._wishes(access_token, payload))

    def _wishes(self, access_token: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """What the provider says about the person: the ID token's claims, filled up from its user page."""
        claims = dict(payload)
        if "preferred_username" not in claims and self.OIDC_OP_USER_ENDPOINT:
            about = self.get_userinfo(access_token, None, payload)
            if about.get("sub") == payload["sub"]:  # Core 5.3.2: else it is about somebody else
                claims = {**about, **claims}
        return claims


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
            found = Identity.objects.filter(issuer=settings.OIDC_ISSUER, subject=subject).first()
            if found is None:
                continue
            identity = found
        log.info("account %s made for a person of %s", identity.user_id, settings.OIDC_ISSUER)
        return identity.user
    raise ValueError(f"no free name near {wish!r}")


def connect_identity(*, user: User, subject: str) -> Identity:
    """Let the provider's `subject` come in as `user`. Raises IntegrityError when they come in as somebody already."""
    return Identity.objects.create(user=user, issuer=settings.OIDC_ISSUER, subject=subject, created_at=timezone.now())


# Pages ----------------------------------------------------------------------------------------------------------


class _Begin(_Described, OIDCAuthenticationRequestView):  # type: ignore[misc]
    """Sends a person to the provider."""


class _Callback(_Described, OIDCAuthenticationCallbackView):  # type: ignore[misc]
    """Takes a person back from the provider."""

    def login_failure(self) -> HttpResponse:
        request: HttpRequest = self.request
        if request.user.is_authenticated:
            return redirect("accounts:profile")  # which asks whether to connect what is PENDING
        if request.GET.get("error"):
            messages.error(request, _("%(provider)s did not log you in.") % {"provider": provider_name()})
        elif settings.OIDC_CREATE_USER:
            messages.error(request, _("This account is closed. Ask a lead of your project."))
        else:
            messages.error(request, _("Nobody here knows you yet. Ask a lead of your project for an invitation."))
        return redirect("accounts:login")


def begin(request: HttpRequest) -> HttpResponseBase:
    """The way to the provider; `next` is where to go afterwards."""
    return _carefully(_Begin, request)


def callback(request: HttpRequest) -> HttpResponseBase:
    """The way back from the provider."""
    return _carefully(_Callback, request)


def _carefully(view: Any, request: HttpRequest) -> HttpResponseBase:
    if not settings.OIDC_ISSUER:
        raise Http404
    try:
        answer: HttpResponseBase = view.as_view()(request)
    except TROUBLE as error:
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
    user = _person(request)
    if not user.has_usable_password():
        messages.error(request, _("You have no password here: you could not log in any more."))
    else:
        Identity.objects.filter(user=user, issuer=settings.OIDC_ISSUER).delete()
        messages.success(request, _("Done."))
    return redirect("accounts:profile")


def _person(request: HttpRequest) -> User:
    return cast(User, request.user)


def standing(request: HttpRequest) -> dict[str, Any]:
    """For the profile page: the provider's name, when this account was connected, whether one waits to be."""
    connected = Identity.objects.filter(user=_person(request), issuer=settings.OIDC_ISSUER).order_by("pk").first()
    return {
        "provider": provider_name(),
        "connected": connected,
        "pending": PENDING in request.session,
        "own_password": _person(request).has_usable_password(),
    }
