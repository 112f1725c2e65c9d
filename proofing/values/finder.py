"""Finding all values of a text in one pass."""

from __future__ import annotations

import re

from proofing.values.base import Value
from proofing.values.measure import draft_at
from proofing.values.number_words import PARTS, WORDS
from proofing.values.numerals import VULGAR, numeral_at
from proofing.values.page import Page
from proofing.values.spelled import spelled_at

_TRIGGER = re.compile(rf"\d+|[{VULGAR}]|[^\W\d_]+")


def find_values(text: str, locale: str = "und") -> tuple[Value, ...]:
    page = Page(text, locale)
    values = []
    floor = 0
    for match in _TRIGGER.finditer(page.low):
        start = match.start()
        if start < floor:
            continue
        word = match.group()
        if word[0].isdigit() or word[0] in VULGAR:
            number = numeral_at(page, start)
        elif word in WORDS or word in PARTS or (len(word) > 7 and ("tausend" in word or "mila" in word)):
            number = spelled_at(page, start, floor)
        else:
            continue
        if number is None:
            continue
        value = draft_at(page, number, floor).value(page)
        values.append(value)
        floor = value.end
    return tuple(values)
