"""Versions of software and standards: "v2.3.1", "release 2.3"; four parts below 256 are an IP address.

>>> from proofing.values import find_values, same
>>> [(v.kind, v.text) for v in find_values("v2.3.1, release 2.3 and 192.168.0.1")]
[('version', 'v2.3.1'), ('version', '2.3'), ('identifier', '192.168.0.1')]
>>> a, b = find_values("version 2.3 or v2.3.0")
>>> same(a, b)
True
"""

from __future__ import annotations

import re

from proofing.values.base import Value
from proofing.values.codes import of_one_reading
from proofing.values.page import Page, endings

_VERSION = re.compile(
    r"\d{1,4}(?:\.\d{1,5}){2,3}(?:[-+.]?(?:alpha|beta|rc|dev|post|a|b|pre|snapshot|lts)[.-]?\d{0,4})?(?![\w]|\.\d)",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_V_VERSION = re.compile(
    r"[vV]\.?\s?(\d{1,4}(?:\.\d{1,5}){0,3}(?:[-+.]?(?:alpha|beta|rc|dev|a|b)[.-]?\d{0,4})?)(?![\w]|\.\d)"
)
_NAMED_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,5}){0,3}(?:[-+.]?(?:alpha|beta|rc|a|b)\d{0,3})?(?![\w%]|\.\d|,\d)")
_VERSIONED = (
    "version|versión|versione|versão|версия|версии|release|ver|ver.|build|firmware|python|java|node|node.js|django|php|ruby|ios|"
    "android|ubuntu|debian|macos|kernel|postgres|postgresql|mysql|redis|kubernetes|api|bluetooth|usb|http|tls|wi-fi"
).split("|")
_VERSION_LED = re.compile(rf"\b(?:{'|'.join(map(re.escape, _VERSIONED))})[ \u00a0]v?$")
#: What must stand before a blank and a number for one of these words to name its version.
ENDINGS = endings(_VERSIONED)
_LOOSE_LED = frozenset("api release build kernel http usb java ios android".split())


def version_at(page: Page, start: int, floor: int) -> Value | None:
    """``2.3.1``, ``v2.3.1`` or the number after "release" at `start`; four parts below 256 are an IP address."""
    text, low = page.text, page.low
    begin = start
    if start > floor and low[start - 1] == "v" and not (start >= 2 and low[start - 2].isalnum()):
        begin = start - 1
    match = _VERSION.match(text, start)
    if match is not None and begin == start and _GROUPED.fullmatch(match.group()):
        match = None
    if match is None:
        lead = start - 2 if low[start - 1 : start] == "v" else start - 1
        may_be_led = low[max(0, lead - 2) : max(0, lead)] in ENDINGS
        led = _VERSION_LED.search(low[max(0, start - 14) : start]) if may_be_led else None
        match = _NAMED_VERSION.match(text, start) if led or begin < start else None
        if match is None or (
            led and "." not in match.group() and begin == start and (led.group().split()[0] in _LOOSE_LED)
        ):
            return None
    end = match.end()
    while text[end - 1] in ".-+":
        end -= 1
    written = text[start:end]
    parts = written.split(".")
    if len(parts) == 4 and all(p.isdigit() and int(p) < 256 for p in parts):
        return of_one_reading(page, "identifier", start, end, "id", written)
    return of_one_reading(page, "version", begin, end, "version", _version_key(written))


def v_version_at(page: Page, start: int, floor: int) -> Value | None:
    """ "v2.3.1", "V2" at the letter."""
    match = _V_VERSION.match(page.text, start)
    if match is None or (start > floor and page.text[start - 1].isalnum()):
        return None
    return of_one_reading(page, "version", start, match.end(), "version", _version_key(match[1]))


def _version_key(written: str) -> tuple[str, ...]:
    """Parts of a version without trailing zeros beyond the second: 2.3 and 2.3.0 are one version."""
    parts = written.lower().split(".")
    while len(parts) > 2 and parts[-1] == "0":
        parts.pop()
    return tuple(parts)
