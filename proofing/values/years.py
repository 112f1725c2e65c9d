"""Years and longer stretches: "in 2023", "the mid-1990s", "Q3 2023", "the fourth quarter of 2023", "FY24".

>>> from proofing.values import find_values
>>> [str(v.amount) for v in find_values("in Q3 2023, the mid-1990s, FY24 and since 2022")]
["(2023, 'Q3')", "(1990, 'decade', 'mid')", "('FY', 2024)", '(2022, None, None)']
>>> [v.kind for v in find_values("2023 people came")]
['number']
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.date_values import date_value, full_year, with_readings
from proofing.values.page import Page
from proofing.values.suffix import SUFFIX, scale_word, unit_at

_QUARTER = re.compile(
    r"(?P<name>[qh])(?P<part>[1-4])(?:[\s,'’/-]{0,2}(?:of\s)?(?P<fy>fy\s?['’]?)?(?P<year>\d{4}|\d{2}))?(?!\w)"
)
_QUARTER_WORDS = re.compile(
    r"(?P<part>first|second|third|fourth|last|1st|2nd|3rd|4th)[\s-](?P<what>quarter|half)(?:,?\s(?:of|in)\s(?:the\s)?(?:(?P<fiscal>fiscal\s(?:year\s)?|fy\s?['’]?)?(?P<year>\d{4}|(?<=['’y])\d{2}))|,?\s(?P<year2>\d{4}))"
)
_FISCAL = re.compile(
    r"(?:fy|fiscal(?:\syear)?|financial year)\s?['’]?(?P<year>\d{4}|\d{2})(?:[-/–](?P<to>\d{2,4}))?(?!\w)"
)
DECADE = re.compile(r"(\d{3}0|(?<=['’])\d0)['’]?s\b")
_SHORT_DECADE = re.compile(r"\d0s\b")
_STAGE = re.compile(r"\b(early|mid|late)(?:er)?[- ](?:the[- ])?['’]?$")
_YEAR_CUE = re.compile(
    r"(?:\b(?:in|since|by|of|from|until|till|before|after|during|between|and|to|through|year|years|circa|c\.|ca\.|about|around|early|mid|late|summer|spring|autumn|fall|winter|ended|ending|"
    r"im|jahr|jahre|seit|bis|von|vor|nach|en|depuis|desde|hasta|año|dal|nel|em|ano|в|с|по|до|anno|copyright|©|spring|back|as of|"
    r"born|founded|established|est\.|built|opened|released|published|died)|[(\[,;:–—/|]|^|©)[\s-]?(?:the\s|year\s)?$"
)
_NOT_YEAR_AFTER = re.compile(
    r"[ \u00a0](?!who\b|was\b|were\b|is\b|to\b|and\b|or\b|in\b|on\b|at\b|for\b|by\b|with\b|the\b|as\b|an?\b|when\b|which\b|it\b|he\b|she\b|they\b|we\b|after\b|before\b|through\b|until\b|report|edition|model|season|world|election|census|annual|results?|revenue|budget|sales|figures|data|olympic|study|review|survey)(?:[a-z]{2,}s|people|men|women|children|persons)\b"
)
_ERA_BEHIND = re.compile(
    r"[ \u00a0](?:(?P<before>b\.?c\.?(?:e\b\.?)?|v\. ?chr\.|av\. ?j\.?-c\.|a\. ?c\.|до н\. ?э\.)|(?:a\.d\.|ad\b|ce\b|c\.e\.|n\. ?chr\.|apr\. ?j\.?-c\.|d\. ?c\.|н\. ?э\.))(?!\w)"
)
#: What `_ERA_BEHIND` begins with.
_ERA_OPENS = frozenset({" b", " v", " a", " д", " c", " n", " d", " н", "\u00a0b"})
_WEEK = re.compile(
    r"(?:(?:calendar |iso )?week|kw|kalenderwoche|semana|semaine|settimana) ?(?P<week>\d{1,2})(?:,? (?:of |de |del |di |in )?|/)(?P<year>(?:19|20)\d\d)(?!\w)"
)
_QUARTERS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}


def at_word(page: Page, start: int, floor: int) -> Value | None:
    """Quarters, halves and fiscal years: "Q3 2023", "fourth quarter of 2023", "FY24", "fiscal 2024"."""
    low = page.low
    for pattern in (_QUARTER_WORDS, _FISCAL, _QUARTER):
        match = pattern.match(low, start)
        if match is None:
            continue
        if pattern is _FISCAL:
            year = full_year(match["to"] or match["year"])
            return date_value(page, start, match.end(), ("FY", year), Span(*match.span("year")))
        fields = match.groupdict()
        year = full_year(fields.get("year") or fields.get("year2"))
        letter = "H" if fields.get("what") == "half" or fields.get("name") == "h" else "Q"
        part = _QUARTERS.get(match["part"]) or int(match["part"])
        if (letter == "H" and part > 2) or (letter == "H" and year is None and pattern is _QUARTER):
            return None
        fiscal = fields.get("fiscal") or fields.get("fy")
        amount: tuple[object, ...] = ("FY", year, f"{letter}{part}") if fiscal else (year, f"{letter}{part}")
        return date_value(page, start, match.end(), amount, Span(*match.span("part")))
    return None


def week_at(page: Page, start: int) -> Value | None:
    """ "week 37 of 2025", "KW 37/2025": the ISO week, when it names its year."""
    match = _WEEK.match(page.low, start)
    if match is None or not 1 <= int(match["week"]) <= 53:
        return None
    amount = (int(match["year"]), f"W{int(match['week']):02d}")
    return date_value(page, start, match.end(), amount, Span(*match.span("week")))


def year_at(page: Page, start: int, floor: int) -> Value | None:
    """A year that stands alone: four digits where a year is likely, never before a counted noun."""
    text = page.text
    written = text[start : start + 4]
    if len(written) < 4 or not written.isdigit() or text[start + 4 : start + 5].isalnum():
        return None
    year = int(written)
    if not 1000 <= year <= 2199 or (text[start + 4 : start + 5] in ",." and text[start + 5 : start + 6].isdigit()):
        return None
    if (start > 0 and text[start - 1] in "$€£¥#-+.~@_\\") or text[start + 4 : start + 6].strip() in (
        "%",
        "°",
        "€",
        "$",
    ):
        return None
    before = page.low[max(floor, start - 16, 0) : start]
    likely = 1800 <= year <= 2099
    suffix = SUFFIX.match(text, start + 4)
    if (
        suffix is not None
        and suffix["word"].lower() not in ("an", "d", "s", "a", "m", "e", "y")
        and (unit_at(page, suffix) or scale_word(page, suffix["word"].lower()))
    ):
        return None
    counted = _NOT_YEAR_AFTER.match(page.low, start + 4) is not None
    cue = _YEAR_CUE.search(before) is not None
    if (counted and not (cue and year >= 1900 and before.endswith(("in ", "since ", "from ")))) or (
        not likely and not (cue and before.rstrip().endswith(("in", "since", "year", "from", "to")))
    ):
        return None
    value = date_value(page, start, start + 4, (year, None, None))
    if (cue and not counted) or text[start + 4 : start + 5] in (")", ":"):
        return value
    return with_readings(value, (*value.readings, Reading("count", Fraction(year), "", Fraction(1))))


def era_at(page: Page, start: int, end: int, floor: int) -> Value | None:
    """ "300 BC", "44 v. Chr.", "AD 410": a year before or after the turn of the eras."""
    low = page.low
    behind = _ERA_BEHIND.match(low, end) if low[end : end + 2] in _ERA_OPENS else None
    if behind is not None and ("." in behind.group() or page.text[behind.end() - 1].isupper()):  # no "300 ad hoc"
        year = int(page.text[start:end])
        return date_value(
            page, start, behind.end(), (-year if behind["before"] else year, None, None), Span(start, end)
        )
    if low[max(floor, start - 3) : start] == "ad " and page.text[start - 3 : start - 1] == "AD":
        return date_value(page, start - 3, end, (int(page.text[start:end]), None, None), Span(start, end))
    return None


def roman_year_at(page: Page, start: int, end: int) -> Value | None:
    """ "MCMXLVIII": the year carved above a door."""
    year = ROMAN_YEARS.get(page.text[start:end].lower()) if page.text[start:end].isupper() else None
    return None if year is None else date_value(page, start, end, (year, None, None))


def _roman(year: int) -> str:
    written = ""
    for amount, sign in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), _SIGNS, strict=True):
        written += sign * (year // amount)
        year %= amount
    return written


_SIGNS = "m cm d cd c xc l xl x ix v iv i".split()
#: Years of four Roman signs or more, in small letters.
ROMAN_YEARS = {written: year for year in range(1500, 2100) if len(written := _roman(year)) >= 4}


def is_decade(page: Page, start: int) -> bool:
    """Whether the digits at `start` are those of "1990s"."""
    return DECADE.match(page.low, start) is not None or _SHORT_DECADE.match(page.low, start) is not None


def decade(page: Page, match: re.Match[str], floor: int) -> Value | None:
    written = match[1]
    year = int(written) if len(written) == 4 else (1900 if written >= "30" else 2000) + int(written)
    if not 1000 <= year <= 2100:
        return None
    start = match.start()
    if start > floor and page.text[start - 1] in "'’":
        start -= 1
    before = page.low[max(floor, start - 12) : start]
    stage = _STAGE.search(before)
    begin = start - len(before) + stage.start() if stage else start
    value = date_value(
        page, begin, match.end(), (year, "decade", stage[1] if stage else ""), Span(match.start(), match.end())
    )
    if stage is None and len(written) == 4 and match.group()[4] in "'’":  # "2010's sequel" is of the year 2010
        value = with_readings(value, (*value.readings, Reading("date", (year, None, None), "year")))
    return value


def short_decade(page: Page, start: int, end: int, floor: int) -> Value | None:
    """ "90s comedy" without an apostrophe: a decade, or a number of that size ("highs in the mid-50s")."""
    tens = int(page.text[start : end - 1])
    before = page.low[max(floor, start - 12) : start]
    stage = _STAGE.search(before)
    begin = start - len(before) + stage.start() if stage else start
    year = (1900 if tens >= 30 else 2000) + tens
    value = date_value(page, begin, end, (year, "decade", stage[1] if stage else ""), Span(start, end))
    return with_readings(value, (*value.readings, Reading("count", Fraction(tens), "", Fraction(10))))
