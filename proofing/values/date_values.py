"""What the date grammars share: building a date value, short years, which days exist.

>>> full_year("24"), full_year("98"), is_day(2023, 2, 29)
(2024, 1998, False)
"""

from __future__ import annotations

from datetime import date

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page


def full_year(written: str | None) -> int | None:
    """Two-digit years are 1970-2069, as POSIX has them for 70-99 and most writers for the rest."""
    if written is None:
        return None
    year = int(written)
    if len(written) == 2:
        return year + (1900 if year >= 70 else 2000)
    return year


def is_day(year: int | None, month: int | None, day: int | None) -> bool:
    try:
        date(year or 2000, month or 1, day or 1)
    except ValueError:
        return False
    return year is None or 1000 <= year <= 2999


def date_value(page: Page, start: int, end: int, amount: tuple[object, ...], digits: Span | None = None) -> Value:
    unit = (
        "day"
        if len(amount) == 3 and isinstance(amount[2], int)
        else "month"
        if len(amount) == 3 and isinstance(amount[1], int)
        else "year"
    )
    if len(amount) == 2 or (len(amount) == 3 and isinstance(amount[1], str)):
        unit = str(amount[1])[:1] if isinstance(amount[1], str) else "fiscal year"
    while page.text[end - 1] in " \n.":
        end -= 1
    return Value(
        "date",
        page.text[start:end],
        start,
        end,
        (Reading("date", amount, unit),),
        digits_span=digits or Span(start, end),
    )


def with_readings(value: Value, readings: tuple[Reading, ...], note: str = "") -> Value:
    return value._replace(readings=readings, note=note or value.note)
