"""Addresses and code: URLs, e-mail addresses, bare domains, inline code and fenced code. Each is one value.

>>> from proofing.values import find_values
>>> [(v.kind, v.text) for v in find_values("See https://example.org/a?b=2. Mail desk@example.com, or run `pip install x==2`.")]
[('url', 'https://example.org/a?b=2'), ('url', 'desk@example.com'), ('code', '`pip install x==2`')]
>>> [v.kind for v in find_values("It holds `42` rows.")]         # a number in code dress is a number
['number']
"""

from __future__ import annotations

import re

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page

_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"'`|\\^{}\[\]]{1,2000}|www\.[^\s<>\"'`|\\^{}\[\]]{1,2000}", re.IGNORECASE)
_TLD = r"com|org|net|io|edu|gov|de|fr|es|it|pt|ru|eu|uk|co|info|app|dev|ai|ch|nl|dk|fi|pl|cz|jp|br|example"
_INNER_POINT = re.compile(r"\.\w\w")
_HAS_DOMAIN = re.compile(rf"\w\.(?:{_TLD})\b", re.IGNORECASE)
_DOMAIN = re.compile(
    rf"(?<![\w@./-])(?:[a-z0-9][a-z0-9-]{{0,62}}\.){{1,4}}(?:{_TLD})\b(?!\.\w)(?:/[^\s<>\"'`|]{{0,500}})?",
    re.IGNORECASE,
)
#: Addresses that are nothing but an identifier behind a host.
_RESOLVER = re.compile(r"(?:dx\.)?doi\.org/10\.")
_AT = re.compile(r"(?<=[\w%+-])@(?=[\w-])")
_LOCAL = re.compile(r"[\w.+%-]{1,64}$")
_HOST = re.compile(r"@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_FENCE = re.compile(r"^[ ]{0,3}(```+|~~~+)[^\n]*$", re.MULTILINE)
_INLINE = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,300})\1(?!`)")
#: From this length on a run without spaces is no prose and is read as one code.
WALL = 2000
_WALL = re.compile(r"[^\s\"'{}\u0e00-\uffff]{" + str(WALL) + ",}")
_LONG_NUMBER = re.compile(r"[-+$€£]?\d+(?:,\d{3})*(?:\.\d+)?%?[.,]?")
_DIGIT = re.compile(r"\d")
_ONLY_VALUE = re.compile(r"[\d.,:/%$€£ -]+|[^\d]{0,1}\d[\d.,]*\s?[^\W\d_]{0,4}")


def fixed_values(page: Page) -> list[Value]:
    """All addresses and code of a text, in order, none inside another."""
    text = page.text
    found: list[Value] = _walls(text) if len(text) > WALL and max(map(len, text.split()), default=0) >= WALL else []
    if "`" in text or "~~~" in text:
        found += _code(page)
    if "://" in text or "www." in page.low:
        found += [_link(text, *_trimmed(text, *m.span())) for m in _URL.finditer(text)]
    if "@" in text:
        found += _emails(text)
    if _INNER_POINT.search(text) and _HAS_DOMAIN.search(text):
        found += [_link(text, *_trimmed(text, *m.span())) for m in _DOMAIN.finditer(text)]
    found.sort(key=lambda v: (v.start, -v.end))
    kept: list[Value] = []
    for value in found:
        if not kept or value.start >= kept[-1].end:
            kept.append(value)
    return kept


def _walls(text: str) -> list[Value]:
    """Thousands of characters without a space, quotation mark or brace: one code, not as many numbers."""
    walls = [m for m in _WALL.finditer(text) if _DIGIT.search(m.group()) and not _LONG_NUMBER.fullmatch(m.group())]
    return [
        Value("identifier", m.group(), *m.span(), (Reading("id", m.group().lower()),), digits_span=Span(*m.span()))
        for m in walls
    ]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the punctuation of the sentence around it; a closing bracket stays when it was opened inside."""
    while end > start and (text[end - 1] in ".,;:!?*_" or (text[end - 1] == ")" and "(" not in text[start:end])):
        end -= 1
    return start, end


def _link(text: str, start: int, end: int) -> Value:
    written = text[start:end]
    key = re.sub(
        r"^(?:https?://)?(?:www\.)?", "", written.lower() if "/" not in written[8:] else _lower_host(written)
    ).rstrip("/")
    named = (Reading("id", key.partition("/")[2].lower()),) if _RESOLVER.match(key) else ()
    return Value("url", written, start, end, (Reading("url", key), *named), digits_span=Span(start, end))


def _lower_host(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    if not mark:
        scheme, rest = "", url
    host, slash, path = rest.partition("/")
    return (scheme.lower() + mark) + host.lower() + slash + path


def _emails(text: str) -> list[Value]:
    found = []
    for at in _AT.finditer(text):
        position = at.start()
        local = _LOCAL.search(text[max(0, position - 64) : position])
        host = _HOST.match(text, position)
        if local and host:
            start, end = _trimmed(text, position - len(local.group()), host.end())
            found.append(
                Value(
                    "url",
                    text[start:end],
                    start,
                    end,
                    (Reading("url", text[start:end].lower()),),
                    digits_span=Span(start, end),
                )
            )
    return found


def _code(page: Page) -> list[Value]:
    text = page.text
    found = []
    fences = list(_FENCE.finditer(text))
    blocks = []
    while len(fences) >= 2:
        opening, closing = fences.pop(0), fences.pop(0)
        blocks.append((opening.start(), closing.end()))
    for start, end in blocks:
        found.append(_code_value(text, start, end))
    inline = [m for m in _INLINE.finditer(text) if not _ONLY_VALUE.fullmatch(m[2].strip())]
    return found + [_code_value(text, *m.span()) for m in inline]


def _code_value(text: str, start: int, end: int) -> Value:
    written = text[start:end]
    return Value(
        "code",
        written,
        start,
        end,
        (Reading("code", " ".join(written.strip("`").split())),),
        digits_span=Span(start, end),
    )
