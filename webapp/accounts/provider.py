"""The protocol of log-in by an OpenID Connect provider: mozilla-django-oidc, and the checks it leaves to its user.

Imported when somebody logs in so, and by sessions that began so: what it needs takes a quarter of a second to import.

Specification: OpenID Connect Core 1.0, section 3.1.3.7 (checks of the ID token), and Discovery 1.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.backends import ModelBackend
from django.core.cache import cache
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from jwt import PyJWTError
from mozilla_django_oidc.auth import OIDCAuthenticationBackend
from mozilla_django_oidc.utils import import_from_settings
from mozilla_django_oidc.views import OIDCAuthenticationCallbackView, OIDCAuthenticationRequestView

from webapp.accounts.identities import known_by, new_user
from webapp.accounts.models import User
from webapp.accounts.oidc import PENDING, provider_name

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

#: What may go wrong between three machines; a person gets one sentence, the log has the rest.
TROUBLE = (SuspiciousOperation, requests.RequestException, PyJWTError, KeyError, TypeError, ValueError)


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
        known = known_by(subject)
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


class Begin(_Described, OIDCAuthenticationRequestView):  # type: ignore[misc]
    """Sends a person to the provider."""


class Callback(_Described, OIDCAuthenticationCallbackView):  # type: ignore[misc]
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
