"""Shows characters that would turn the reading direction of text, on every page.

Between U+202D or U+202E and their end every character is shown in one direction, digits too: a source that says "12"
is shown as "21", while the engine compares what it says. No text needs them (languages written from right to left are
shown right without), so pages show U+FFFD in their place. What is stored, compared, exported and edited keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

#: LEFT-TO-RIGHT OVERRIDE and RIGHT-TO-LEFT OVERRIDE in UTF-8, and what is shown: three bytes each.
OVERRIDE = re.compile(b"\xe2\x80[\xad\xae]")
SHOWN = "\N{REPLACEMENT CHARACTER}".encode()
#: What a person edits goes back as it came.
EDITED = re.compile(rb"(<textarea\b.*?</textarea>|<input\b[^>]*>)", re.DOTALL)


class ShowOverridesMiddleware:
    """Puts U+FFFD for direction overrides into pages; see the module."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        page = response.get("Content-Type", "").startswith("text/html") and not response.streaming
        if page and OVERRIDE.search(response.content):
            parts = EDITED.split(response.content)
            parts[::2] = [OVERRIDE.sub(SHOWN, part) for part in parts[::2]]
            response.content = b"".join(parts)
        return response
