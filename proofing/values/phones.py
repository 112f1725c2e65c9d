"""Phone numbers, with or without country code, trunk zero and extension.

>>> from proofing.values import find_values, same
>>> a, b = find_values("(555) 010-4477 or 555-010-4477")
>>> (a.kind, same(a, b))
('phone', True)
"""

from __future__ import annotations

import re

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page

_PHONE = re.compile(
    r"(?:\+\d{1,3}[ .-]?|1[ .-](?=\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}))?(?:\(0\)[ .-]?)?(?:\(\d{2,5}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,8}){1,4}(?![\w]|[.,]\d|[-/]\d|\s?%)(?:[ ,]{0,2}(?:ext\.?|x|extension)\s?\d{1,5}(?!\d))?"
)
_COMPACT_PHONE = re.compile(
    r"(?:\+\d{8,15}|0\d{2,4} ?/ ?\d{3,8}(?:[ -]\d{1,4}){0,3}|\(0\d{1,4}\) ?\d{4,8}(?:-\d{1,4})?)(?![\w]|[.,/]\d)"
)
#: A French number from abroad, whose first group is one digit.
_ONE_FIRST = re.compile(r"\+\d{2,3}[ .-]\d(?:[ .-]\d{2}){4}(?![\w]|[.,]\d)")
_PHONE_SHAPE = re.compile(
    r"\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}$|\d{3}-\d{4}$|\d{3}[ .-]\d{2}[ .-]\d{2}$|\d{2}(?:[ .-]\d{2}){4}$|\(?0\d{1,4}\)?[ .-]\d{3,4}[ .-]\d{3,4}$"
)
_FREE_PHONE = re.compile(
    r"\(0\d{1,4}\)[ .-]\d{4,8}$|1[ .-](?:800|888|877|866|855|844|833)[ .-]\d{3}[ .-]\d{4}$|0\d{2,4}[ .-]\d{4,8}(?:-\d{1,4})?$"
)
_PHONE_LED = re.compile(
    r"(?:\b(?:call|phone|telephone|tel|fax|dial|mobile|hotline|ring|text|number is|reach us at|whatsapp|sms|telefon|teléfono|téléphone|telefono|телефон)\b[^\d\n]{0,24})$"
)


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
    match = _ONE_FIRST.match(text, begin) or _PHONE.match(text, begin) or _COMPACT_PHONE.match(text, begin)
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
