"""Identifiers and standards: digits that name something and measure nothing.

>>> from proofing.values import find_values
>>> [(v.kind, v.text) for v in find_values("SKU-441, ISO 27001, RFC 7230 and H2O")]
[('identifier', 'SKU-441'), ('identifier', 'ISO 27001'), ('identifier', 'RFC 7230'), ('identifier', 'H2O')]
>>> [v.text for v in find_values("DE89 3704 0044 0532 0130 00, 192.168.0.1, 0x1F, 10.1000/xyz123, ISO/IEC 27001:2022")]
['DE89 3704 0044 0532 0130 00', '192.168.0.1', '0x1F', '10.1000/xyz123', 'ISO/IEC 27001:2022']
"""

from __future__ import annotations

import re
from unicodedata import normalize

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page
from proofing.values.suffix import SUFFIX, unit_at

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
    return of_one_reading(page, "identifier", start, match.end(), "id", compact.lower())


def isbn_at(page: Page, start: int) -> Value | None:
    """An ISBN of thirteen digits by its shape and its check digit (ISO 2108), with or without hyphens."""
    match = _ISBN.match(page.text, start)
    if match is None:
        return None
    digits = [int(c) for c in match.group() if c.isdigit()]
    if len(digits) != 13 or sum(d * (3 if i % 2 else 1) for i, d in enumerate(digits)) % 10:
        return None
    return of_one_reading(page, "identifier", start, match.end(), "id", "".join(map(str, digits)))


def doi_at(page: Page, start: int, floor: int) -> Value | None:
    """A digital object identifier, without the point that ends a sentence after it."""
    match = _DOI.match(page.text, start)
    if match is None:
        return None
    end = match.end()
    while page.text[end - 1] in ".:":
        end -= 1
    return of_one_reading(page, "identifier", start, end, "id", page.low[start:end])


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
    return of_one_reading(page, "identifier", begin, end, "id", normalize("NFKC", written.lower()).replace("–", "-"))


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


def of_one_reading(page: Page, kind: str, start: int, end: int, dimension: str, amount: str | tuple[str, ...]) -> Value:
    """The text from `start` to `end` as a value that is read in one way."""
    return Value(kind, page.text[start:end], start, end, (Reading(dimension, amount),), digits_span=Span(start, end))
