"""Hours behind a day, without a word that says so: "Mon–Fri 9–18, Sat 10–14", "Fr 9-12 Uhr", "lunes 9–5".

>>> from proofing.values import find_values, same
>>> [(v.text, v.dimension) for v in find_values("Mon–Fri 9–18, Sat 10–14, closed on Sundays.")]
[('9–18', 'range:clock'), ('10–14', 'range:clock')]
>>> same(find_values("Sat 10–14.")[0], find_values("from 10 am to 2 pm")[0])
True
>>> find_values("On Monday 5–7 people came.")[0].dimension, find_values("shelves 10–14.")[0].dimension
('range:count', 'range:count')
"""

from __future__ import annotations

import re

from proofing.values import clock, ranges
from proofing.values.base import Value
from proofing.values.page import Page
from proofing.values.weekday_names import DAY_FORMS

DAYS = frozenset(form for forms in DAY_FORMS.values() for form in forms) | {"weekdays", "weekends"}
_DAY_BEFORE = re.compile(r"(?:\A|[\s(,;/–-])(?P<day>[^\W\d_]{2,12})[.:]{0,2}\s\Z")
_HOURS = re.compile(
    r"(?P<first>\d{1,2})\s?[-–—]\s?(?P<last>\d{1,2})(?:\s?(?:h|uhr|hrs|hours)\b)?"
    r"(?=\s*(?:\Z|[,;)\n]|\.(?!\d)|(?:und|and|y|et|e|и)\b|closed\b|geschlossen\b))"
)
#: What joins the two hours, with or without blanks around it.
DASHES = "-–—"
#: "9–5": from these hours in the morning to those after noon.
MORNING, AFTERNOON = range(6, 12), range(1, 9)


def at_digits(page: Page, start: int) -> Value | None:
    """The hours that begin with the digits at `start`, right behind a day's name."""
    led = _DAY_BEFORE.search(page.low[max(0, start - 16) : start])
    if led is None or led["day"] not in DAYS:
        return None
    found = _HOURS.match(page.low, start)
    if found is None:
        return None
    first, last = int(found["first"]), int(found["last"])
    if last <= first and first in MORNING and last in AFTERNOON:
        last += 12
    if not 0 <= first < last <= 24:
        return None
    certain = last > 12
    ends = (
        clock.time_of(page, *found.span("first"), first, certain=certain),
        clock.time_of(page, found.start("last"), found.end(), last, certain=certain),
    )
    return ranges.range_of(page, *ends)
