"""What is known about a request before a page is chosen: the language of its person, the machine it comes from."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation


class PreferencesMiddleware:
    """Activates the profile's language; stands after the authentication middleware. Others keep the browser's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.known = {code for code, _name in settings.LANGUAGES}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "") if request.user.is_authenticated else ""
        if language in self.known:
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return self.get_response(request)


def client_address(request: HttpRequest) -> str:
    """The address a request came from, as far as one can trust it.

    Behind our own proxy (`PROOFMARK_TRUST_PROXY`) it is the last one in X-Forwarded-For, which the proxy itself wrote;
    those before it are the sender's own claim.
    """
    if settings.TRUST_PROXY:
        named = request.headers.get("X-Forwarded-For", "").rsplit(",", 1)[-1].strip()
        if address := _address_in(named):
            return address
    return str(request.META.get("REMOTE_ADDR", ""))


def _address_in(named: str) -> str:
    """The bare address of what a proxy wrote: without brackets and port, which some add; empty where it is none."""
    bare = named.strip('"')
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(ip_address(bare))
    except ValueError:
        return ""
