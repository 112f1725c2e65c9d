"""Shows pages in the language a person chose in their profile."""

from __future__ import annotations

from collections.abc import Callable

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
