"""Versions, phone numbers, identifiers and standards: digits that name something and measure nothing.

>>> from proofing.values import find_values, same
>>> [(v.kind, v.text) for v in find_values("v2.3.1, release 2.3, SKU-441, ISO 27001, RFC 7230 and H2O")]
[('version', 'v2.3.1'), ('version', '2.3'), ('identifier', 'SKU-441'), ('identifier', 'ISO 27001'), ('identifier', 'RFC 7230'), ('identifier', 'H2O')]
>>> a, b = find_values("(555) 010-4477 or 555-010-4477")
>>> (a.kind, same(a, b))
('phone', True)
>>> [v.text for v in find_values("DE89 3704 0044 0532 0130 00, 192.168.0.1, 0x1F, 10.1000/xyz123, ISO/IEC 27001:2022")]
['DE89 3704 0044 0532 0130 00', '192.168.0.1', '0x1F', '10.1000/xyz123', 'ISO/IEC 27001:2022']
"""

from __future__ import annotations

import re
from unicodedata import normalize

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page, endings
from proofing.values.suffix import SUFFIX, unit_at

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
_VERSION_ENDINGS = endings(_VERSIONED)
_LOOSE_LED = frozenset("api release build kernel http usb java ios android".split())
_PHONE = re.compile(
    r"(?:\+\d{1,3}[ .-]?|1[ .-](?=\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}))?(?:\(0\)[ .-]?)?(?:\(\d{2,5}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,8}){1,4}(?![\w]|[.,]\d|[-/]\d|\s?%)(?:[ ,]{0,2}(?:ext\.?|x|extension)\s?\d{1,5}(?!\d))?"
)
_COMPACT_PHONE = re.compile(
    r"(?:\+\d{8,15}|0\d{2,4} ?/ ?\d{3,8}(?:[ -]\d{1,4}){0,3}|\(0\d{1,4}\) ?\d{4,8}(?:-\d{1,4})?)(?![\w]|[.,/]\d)"
)
_PHONE_SHAPE = re.compile(
    r"\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}$|\d{3}-\d{4}$|\d{3}[ .-]\d{2}[ .-]\d{2}$|\d{2}(?:[ .-]\d{2}){4}$|\(?0\d{1,4}\)?[ .-]\d{3,4}[ .-]\d{3,4}$"
)
_FREE_PHONE = re.compile(
    r"\(0\d{1,4}\)[ .-]\d{4,8}$|1[ .-](?:800|888|877|866|855|844|833)[ .-]\d{3}[ .-]\d{4}$|0\d{2,4}[ .-]\d{4,8}(?:-\d{1,4})?$"
)
_PHONE_LED = re.compile(
    r"(?:\b(?:call|phone|telephone|tel|fax|dial|mobile|hotline|ring|text|number is|reach us at|whatsapp|sms|telefon|teléfono|téléphone|telefono|телефон)\b[^\d\n]{0,24})$"
)
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,4})?(?!\w)")
_ISBN = re.compile(r"97[89][- ]?\d{1,5}[- ]?\d{1,7}[- ]?\d{1,7}[- ]?\d(?![\w-])")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>,;)\]]{1,100}")
_STANDARD = re.compile(
    r"(?:ISO(?:/IEC)?|IEC|DIN(?: EN)?(?: ISO)?|EN(?: ISO)?|RFC|IEEE|NIST(?: SP)?|ANSI|ASTM|BS|ГОСТ|PEP|CVE|CWE|ICD|UN|MIL-STD|FIPS|PCI DSS|AS|GB/T|ITU-T|ECMA|"
    r"PMID|PMCID|ISBN|ISSN|EC|NCT|ORCID|JIRA|IMO|VIN|CAS|Flight|flight|Route|Highway|Interstate|Room|room|Gate|gate|Bus|Line|Platform|Invoice|invoice|Order|order|Ticket|ticket|Case|Item|Model|"
    r"Apollo|Boeing|Airbus|Formula|Studio|Unit|Suite|Apt\.?|Building|Floor|Zone|Terminal|Form|Box|P\.?O\.? Box)"
    r"(?:[ \u00a0]?(?:No\.?|no\.?|#|number))?[ \u00a0:#-]{1,2}(?P<number>[A-Z]{0,3}-?\d[\w]*(?:[-.:/–]\w+)*)"
)
STANDARD_WORDS = frozenset(
    "iso iec din en rfc ieee nist ansi astm bs гост pep cve cwe icd un mil fips pci as gb itu ecma pmid pmcid isbn issn ec nct orcid jira imo vin cas "
    "flight route highway interstate room gate bus line platform invoice order ticket case item model apollo boeing airbus formula studio unit suite "
    "apt building floor zone terminal form box p".split()
)
_PLURAL_CUE = frozenset("item order line unit case form box room floor building as en un ec studio".split())
#: Things that are numbered but have no numbering of their own: "Item QX-307" is QX-307.
_THINGS = frozenset("item order ticket case invoice model unit form line studio building terminal".split())
#: "nett-5521" is a name, "top-100", "sub-1000" and "post-1945" are not.
_LOWER_CODE = re.compile(r"[a-z]{2,12}-(?!1[5-9]\d\d$|20\d\d$)\d{3,9}")
_PREFIXES = frozenset(
    "top sub pre post over under non anti pro semi mid near ultra plus minus early late circa up to from the and or "
    "all about around nearly almost some only other roughly".split()
)
_MAX = 64
_JOIN = "-_/."


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
        may_be_led = low[max(0, lead - 2) : max(0, lead)] in _VERSION_ENDINGS
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
        return _value(page, "identifier", start, end, "id", written)
    return _value(page, "version", begin, end, "version", _version_key(written))


def v_version_at(page: Page, start: int, floor: int) -> Value | None:
    """ "v2.3.1", "V2" at the letter."""
    match = _V_VERSION.match(page.text, start)
    if match is None or (start > floor and page.text[start - 1].isalnum()):
        return None
    return _value(page, "version", start, match.end(), "version", _version_key(match[1]))


def phone_at(page: Page, start: int, floor: int) -> Value | None:
    """A phone number that begins with the digits at `start` (or the parenthesis or plus before them)."""
    text = page.text
    begin = start
    if (
        start - 1 >= floor
        and text[start - 1] in "(+"
        and not (text[start - 1] == "(" and ")" not in text[start : start + 6])
    ):
        begin = start - 1
    if begin - 1 >= floor and text[begin] == "(" and text[begin - 1] == "+":
        begin -= 1
    match = _PHONE.match(text, begin) or _COMPACT_PHONE.match(text, begin)
    if match is None or (begin == start and start > 0 and (text[start - 1].isalnum() or text[start - 1] in "-./$€£")):
        return None
    written = match.group()
    main = re.split(r"[ ,]*(?:ext|x)", written, maxsplit=1)[0]
    digits = "".join(c for c in main.replace("(0)", "") if c.isdigit())
    if not 7 <= len(digits) <= 15:
        return None
    plus = written.startswith("+")
    led = _PHONE_LED.search(page.low[max(0, begin - 40) : begin]) is not None
    bare = main.lstrip("+").replace(" / ", "/").replace("/", " ")
    if not (
        plus
        or led
        or _FREE_PHONE.match(bare)
        or _PHONE_SHAPE.match(bare)
        or re.match(r"1[ .-]\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}$", bare)
    ):
        return None
    if (
        not plus
        and not led
        and re.fullmatch(r"\d{4}-\d{2}-\d{2}|\d{2}[.-]\d{2}[.-]\d{4}|(?:19|20)\d{2}[-–](?:19|20)\d{2}", main)
    ):
        return None
    extension = written[len(main) :]
    keys = [digits]
    if plus or (len(digits) == 11 and digits[0] == "1"):
        keys += [digits[n:] for n in (1, 2, 3) if len(digits) - n >= 7]
        keys += ["0" + digits[n:] for n in (2, 3) if len(digits) - n >= 7]
    tail = "x" + "".join(c for c in extension if c.isdigit()) if extension else ""
    readings = tuple(Reading("phone", key + tail) for key in keys)
    return Value("phone", written, begin, match.end(), readings, digits_span=Span(begin, match.end()))


def standard_at(page: Page, start: int, floor: int) -> Value | None:
    """ "ISO 27001", "RFC 7230", "Room 12", "flight BA-249" at the word `start`."""
    match = _STANDARD.match(page.text, start)
    if match is None or (start > 0 and (page.text[start - 1].isalnum() or page.text[start - 1] in "-/")):
        return None
    end = match.end()
    word = page.low[start : match.start("number")].strip(" :#-")
    if match["number"][0].isalpha() and word in _THINGS:
        return None
    if word in _PLURAL_CUE and page.text[start].islower() and match["number"].isdigit():
        return None
    if word in ("as", "un", "en", "ec") and not page.text[start : start + 2].isupper():
        return None
    if page.text[start].islower() and match["number"].isdigit() and _is_measured(page, end):
        return None  # "a child ticket 7 euros"
    key = re.sub(r"[\s#:]+", " ", page.low[start:end].replace("\u00a0", " ").replace("no. ", "").replace("–", "-"))
    return Value("identifier", page.text[start:end], start, end, (Reading("id", key, word), Reading("id", match["number"].lower(), "")),
                 digits_span=Span(*match.span("number")))  # fmt: skip


def _is_measured(page: Page, end: int) -> bool:
    """Whether a unit or currency follows digits that end at `end`, after a space."""
    suffix = SUFFIX.match(page.text, end)
    return suffix is not None and bool(suffix["gap"]) and unit_at(page, suffix) is not None


def hash_at(page: Page, start: int) -> Value | None:
    """ "#12" as a number of a series, "#ff8800" as a colour."""
    match = re.compile(r"(?<!#)#(\d{1,9})(?!\w)").match(page.text, start)
    if match is None:
        hexed = re.compile(r"#(?=[0-9a-fA-F]*\d)(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?!\w)").match(page.text, start)
        if hexed is None:
            return None
        return Value(
            "identifier",
            hexed.group(),
            start,
            hexed.end(),
            (Reading("id", hexed.group().lower()),),
            digits_span=Span(start, hexed.end()),
        )
    return Value(
        "identifier",
        match.group(),
        start,
        match.end(),
        (Reading("id", f"no {match[1]}", "no"), Reading("id", match[1])),
        digits_span=Span(*match.span(1)),
    )


def iban_at(page: Page, start: int, floor: int) -> Value | None:
    """An IBAN by its shape and its check digits (ISO 13616, modulo 97)."""
    match = _IBAN.match(page.text, start)
    if match is None:
        return None
    compact = match.group().replace(" ", "")
    if not 15 <= len(compact) <= 34:
        return None
    turned = compact[4:] + compact[:4]
    proper = int("".join(str(int(c, 36)) for c in turned)) % 97 == 1
    if not proper and " " not in match.group():
        return None
    return _value(page, "identifier", start, match.end(), "id", compact.lower())


def isbn_at(page: Page, start: int) -> Value | None:
    """An ISBN of thirteen digits by its shape and its check digit (ISO 2108), with or without hyphens."""
    match = _ISBN.match(page.text, start)
    if match is None:
        return None
    digits = [int(c) for c in match.group() if c.isdigit()]
    if len(digits) != 13 or sum(d * (3 if i % 2 else 1) for i, d in enumerate(digits)) % 10:
        return None
    return _value(page, "identifier", start, match.end(), "id", "".join(map(str, digits)))


def doi_at(page: Page, start: int, floor: int) -> Value | None:
    match = _DOI.match(page.text, start)
    if match is None:
        return None
    end = match.end()
    while page.text[end - 1] in ".:":
        end -= 1
    return _value(page, "identifier", start, end, "id", page.low[start:end])


def cluster_at(page: Page, start: int, floor: int) -> Value | None:
    """An identifier of letters and digits around the digits at `start`: SKU-441, COVID-19, H2O, 0x1F, B12, 5G."""
    text = page.text
    begin, end = _cluster(text, start, floor)
    written = text[begin:end]
    letters = sum(c.isalpha() for c in written)
    if letters == 0 or letters > 40 or (begin >= start and not _is_code(written)):
        return None
    if not _is_code(written):
        return None
    return _value(page, "identifier", begin, end, "id", normalize("NFKC", written.lower()).replace("–", "-"))


def _cluster(text: str, start: int, floor: int) -> tuple[int, int]:
    begin = start
    while (
        begin > floor
        and start - begin < _MAX
        and (
            text[begin - 1].isalnum()
            or (text[begin - 1] in _JOIN and begin >= 2 and text[begin - 2].isalnum() and begin - 2 >= floor)
        )
    ):
        begin -= 1
    end = start
    while (
        end < len(text)
        and end - start < _MAX
        and (text[end].isalnum() or (text[end] in _JOIN and end + 1 < len(text) and text[end + 1].isalnum()))
    ):
        end += 1
    return begin, end


def _is_code(written: str) -> bool:
    """Letters and digits that make one name: a capital or a joiner must hold them together."""
    if not any(c.isdigit() for c in written) or not any(c.isalpha() for c in written):
        return False
    if len(written) >= _MAX:
        return True
    pieces = re.split(r"[-_/.]", written)
    if any(any(c.isdigit() for c in p) and any(c.isalpha() for c in p) for p in pieces):
        return True
    if _LOWER_CODE.fullmatch(written) and pieces[0] not in _PREFIXES:
        return True
    words = [p for p in pieces if p.isalpha()]
    return all(not w.islower() or len(w) <= 2 for w in words[:1]) and all(w[:1].isupper() or len(w) <= 2 for w in words)


def _version_key(written: str) -> tuple[str, ...]:
    """Parts of a version without trailing zeros beyond the second: 2.3 and 2.3.0 are one version."""
    parts = written.lower().split(".")
    while len(parts) > 2 and parts[-1] == "0":
        parts.pop()
    return tuple(parts)


def _value(page: Page, kind: str, start: int, end: int, dimension: str, amount: str | tuple[str, ...]) -> Value:
    return Value(kind, page.text[start:end], start, end, (Reading(dimension, amount),), digits_span=Span(start, end))
