"""Dates: ISO, ISO weeks, day-month-year in words of seven languages, slash and dot dates, month and year, year.

>>> from proofing.values import find_values, same
>>> texts = ["2023-03-05", "March 5, 2023", "5 March 2023", "5th of March 2023", "5 mars 2023", "5. März 2023",
...          "5 de marzo de 2023", "05/03/2023", "05.03.2023", "2023-W09-7", "5 марта 2023 г."]
>>> {find_values("on " + t)[0].kind for t in texts}
{'date'}
>>> all(same(find_values("on " + t)[0], find_values("2023-03-05")[0]) for t in texts)
True
>>> find_values("due 03/04/2024")[0].note
'03/04/2024 may be 3 April or 4 March 2024'
>>> [str(v.amount) for v in find_values("in Q3 2023, the mid-1990s, FY24 and in May 2022")]
["(2023, 'Q3')", "(1990, 'decade', 'mid')", "('FY', 2024)", '(2022, 5, None)']
>>> [v.kind for v in find_values("on Monday the 2,023 of 2023 people")]
['number', 'number']
"""

from __future__ import annotations

import re
from datetime import date

from proofing.documents import Span
from proofing.values import years
from proofing.values.base import Reading, Value
from proofing.values.calendar_words import ALSO_WORDS, MONTH_PATTERN, MONTHS
from proofing.values.date_values import date_value, full_year, is_day, with_readings
from proofing.values.page import Page

_M = rf"(?P<month>{MONTH_PATTERN})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?!\d)"
_YEAR = r"(?P<year>\d{4})(?![\d,.]\d)(?!\w)"
_ISO = re.compile(r"(\d{4})-(?:(\d{2})-(\d{2})|W(\d{2})(?:-(\d))?)(?=T\d{2}:|[^\w-]|-(?!\d)|$)", re.IGNORECASE)
_ISO_MONTH = re.compile(r"((?:19|20)\d{2})-(0[1-9]|1[0-2])(?![\w-]|\.\d)")
_NUMERIC = re.compile(r"(\d{1,4})([./-]|\.\s)(\d{1,2})\2(\d{4}|\d{2})(?![\d/]|\.\d|-\w)")
_CJK = re.compile(r"(\d{4})\s?年(?:\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?)?")
_DAY_MONTH = re.compile(
    rf"{_DAY}(?:st|nd|rd|th|er|º|ª|°|-го|-е)?\.?(?:\s(?:day\s)?of)?(?:\s(?:de|di|do))?[\s-]{_M}(?:,?(?:\s(?:de|del|do|di))?[\s-]{_YEAR})?(?:\s?г(?:\.|ода)?(?!\w))?"
)
#: Words that may stand behind a day and a blank where a date goes on.
AFTER_DAY = frozenset(MONTHS) | frozenset(
    "day of de di do to through until till and bis a al à ao und y e et au по до и".split()
)
_DAYS_MONTH = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th|\.)?\s?(?:[-–—]|to|through|until|till|and|bis|al?|à|ao|und|y|e|et|au|по|до|и)\s?(\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of\s|de\s|di\s)?{_M}(?:,?(?:\s(?:de|del))?\s{_YEAR})?"
)
_MONTH_DAY = re.compile(
    rf"{_M},?\s(?:the\s)?{_DAY}(?:st|nd|rd|th)?(?!\s?[:.]\d|\s?[ap]\.?m|[\d,%]*[.,]\d|\w)(?:,?\s{_YEAR})?"
)
_MONTH_DAYS = re.compile(
    rf"{_M}\s(\d{{1,2}})(?:st|nd|rd|th)?\s?(?:[-–—]|to|through)\s?(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,?\s{_YEAR})?"
)
_MONTH_YEAR = re.compile(rf"{_M},?\s(?:(?:of|de|del|do|di)\s)?{_YEAR}(?:\s?г(?:\.|ода)?(?!\w))?")
#: Months of other languages that English writes as everyday words.
_OTHER_WORDS = frozenset({"set", "out", "mag"})


def at_digits(page: Page, start: int, floor: int) -> Value | None:
    """The date that begins with the digits at `start`; years alone are left to `year_at`."""
    low = page.low
    end = start + 1
    while end < len(low) and end - start < 5 and low[end].isdigit():
        end += 1
    after = low[end : end + 1]
    width = end - start
    if width == 4 and after == "-":
        return _iso(page, start) or _numeric(page, start)
    if width == 4 and after in " 年" and (match := _CJK.match(low, start)):
        parts = tuple(int(g) if g else None for g in match.groups())
        return date_value(page, start, match.end(), parts) if is_day(*parts) else None
    if width in (2, 4) and after in ("s", "'", "’") and (match := years.DECADE.match(low, start)):
        return years.decade(page, match, floor)
    if width == 2 and low.startswith("0s", end - 1) and not low[end + 1 : end + 2].isalnum():
        return years.short_decade(page, start, end + 1, floor)
    if width > 2 and after not in "./-":
        return None
    if after in "./-" and (found := _numeric(page, start)):
        return found
    if width <= 2:
        return _day_month(page, start)
    return None


def at_month(page: Page, start: int, floor: int) -> Value | None:
    """The date that begins with the month name at `start`."""
    low = page.low
    for pattern in (_MONTH_DAYS, _MONTH_DAY, _MONTH_YEAR):
        match = pattern.match(low, start)
        if match is None:
            continue
        if match["month"] in _OTHER_WORDS and page.languages[:1] in ((), ("en",)):
            return None
        month = MONTHS[match["month"]]
        year = full_year(match["year"])
        if pattern is _MONTH_DAYS:
            return _days(page, match, int(match[2]), int(match[3]), month, year)
        if pattern is _MONTH_YEAR:
            return date_value(page, start, match.end(), (year, month, None))
        day = int(match["day"])
        if is_day(year, month, day) and (match["month"] not in ("may", "march") or page.text[start].isupper()):
            return date_value(page, start, match.end(), (year, month, day))
    name = re.compile(_M).match(low, start)
    if name is None or name["month"] in ALSO_WORDS - {"may", "march", "august"} or len(name["month"]) < 3:
        return None
    if name["month"] in ALSO_WORDS and not _is_month_here(page, start, name.end("month")):
        return None
    if low[start].isascii() and not page.text[start].isupper() and "en" in (page.languages or ("en",))[:1]:
        return None
    return date_value(page, start, name.end("month"), (None, MONTHS[name["month"]], None))


def _is_month_here(page: Page, start: int, end: int) -> bool:
    """Whether "May", "March" or "August" alone is the month: a preposition before it."""
    before = page.low[max(0, start - 9) : start]
    return page.text[start].isupper() and before.endswith(
        (
            "in ",
            "since ",
            "until ",
            "by ",
            "of ",
            "till ",
            "during ",
            "last ",
            "next ",
            "every ",
            "each ",
            "im ",
            "to ",
            "from ",
            "early ",
            "late ",
        )
    )


def _is_modal(page: Page, start: int, end: int) -> bool:
    """Whether "may" or "march" in small letters is the verb, in English."""
    return page.text[start:end] in ("may", "march") and page.languages[:1] in ((), ("en",))


def _iso(page: Page, start: int) -> Value | None:
    match = _ISO.match(page.text, start)
    if match is None:
        month = _ISO_MONTH.match(page.text, start)
        return date_value(page, start, month.end(), (int(month[1]), int(month[2]), None)) if month else None
    year = int(match[1])
    if match[2]:
        month_, day = int(match[2]), int(match[3])
        return date_value(page, start, match.end(), (year, month_, day)) if is_day(year, month_, day) else None
    week = int(match[4])
    if not 1 <= week <= 53:
        return None
    if match[5] is None:
        return date_value(page, start, match.end(), (year, f"W{week:02d}"))
    try:
        day_ = date.fromisocalendar(year, week, int(match[5]))
    except ValueError:
        return None
    return date_value(page, start, match.end(), (day_.year, day_.month, day_.day))


def _numeric(page: Page, start: int) -> Value | None:
    """``05/03/2023``, ``5.3.23``, ``2023/03/05``: every order that is a real date and not ruled out."""
    match = _NUMERIC.match(page.text, start)
    if match is None:
        return None
    first, mark, second, third = match[1], match[2].strip(), match[3], match[4]
    if len(first) == 4:
        amount = (int(first), int(second), int(third))
        return date_value(page, start, match.end(), amount) if len(third) == 2 and is_day(*amount) else None
    if (
        len(first) > 2
        or (mark == "-" and len(third) == 2)
        or (len(third) == 2 and mark == "." and (len(first) < 2 or len(second) < 2))
    ):
        return None
    year = full_year(third)
    orders = {"dmy": (year, int(second), int(first)), "mdy": (year, int(first), int(second))}
    kept = {name: amount for name, amount in orders.items() if is_day(*amount)}
    decided = "dmy" if mark == "." else page.slash_order
    if decided in kept and len(kept) > 1:
        kept = {decided: kept[decided]}
    if not kept:
        return None
    amounts = list(dict.fromkeys(kept.values()))
    value = date_value(page, start, match.end(), amounts[0])
    if len(amounts) == 1:
        return value
    note = f"{match.group()} may be {_say(amounts[0])} or {_say(amounts[1])} {year}"
    return with_readings(value, tuple(Reading("date", a, "day") for a in amounts), note)


def _say(amount: tuple[int | None, int, int]) -> str:
    names = "January February March April May June July August September October November December".split()
    return f"{amount[2]} {names[amount[1] - 1]}"


def _day_month(page: Page, start: int) -> Value | None:
    match = _DAYS_MONTH.match(page.low, start)
    if match is not None and not _is_modal(page, *match.span("month")):
        return _days(page, match, int(match[1]), int(match[2]), MONTHS[match["month"]], full_year(match["year"]))
    match = _DAY_MONTH.match(page.low, start)
    if match is None:
        return None
    name = match["month"]
    if name in _OTHER_WORDS and page.languages[:1] in ((), ("en",)):
        return None
    year, month, day = full_year(match["year"]), MONTHS[name], int(match["day"])
    if not is_day(year, month, day) or (
        name in ("may", "march", "mar", "set", "out", "mars", "dec")
        and year is None
        and not page.text[match.start("month")].isupper()
        and page.languages[:1] in ((), ("en",))
    ):
        return None
    return date_value(page, start, match.end(), (year, month, day))


def _days(page: Page, match: re.Match[str], first: int, last: int, month: int, year: int | None) -> Value | None:
    """ "3-9 March 2024": a range of two dates; each end stands where its day is written."""
    if not (is_day(year, month, first) and is_day(year, month, last)) or first >= last:
        return None
    groups = [i for i in range(1, 5) if match[i] in (str(first), str(last), f"{first:02d}", f"{last:02d}")]
    spans = [match.span(groups[0]), match.span(groups[-1])]
    ends = tuple(date_value(page, *span, (year, month, day)) for span, day in zip(spans, (first, last), strict=True))
    low, high = ends[0].amount, ends[1].amount
    end = match.end() - page.text[match.start() : match.end()].endswith(".")
    return Value("range", page.text[match.start() : end], match.start(), end,
                 (Reading("range:date", (low, high), "day"),), ends=ends, digits_span=Span(spans[0][0], spans[1][1]))  # fmt: skip
