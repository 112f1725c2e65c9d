"""Numbers written with digits: grouping, decimals, exponents, vulgar fractions, in any decimal digits.

>>> [str(n.amounts[0]) for n in map(_first, ("10,000", "10 000", "10'000", "12,34,567", "1e4", "１０，０００", "٣٫٥"))]
['10000', '10000', '10000', '1234567', '10000', '10000', '7/2']
>>> [str(a) for a in _first("1.234").amounts], _first("1.234").note
(['1234', '617/500'], '1.234 may be 1234 or 1,234 with decimals: nothing here decides')
>>> [str(a) for a in _first("10,000").amounts]        # a group of three never makes ten of ten thousand
['10000']
>>> str(_first("2 1/2").amounts[0]), str(_first("1½").amounts[0]), str(_first("3/4").amounts[0])
('5/2', '3/2', '3/4')
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from proofing.values.page import Page
from proofing.values.unit_table import ONE

_RUN = re.compile(r"\d+(?:[.,٫٬，．'’_]\d+)*")
_SHORT_RUN = re.compile(r"\d+(?:[.,٫٬，．'’_]\d+){0,2}")
_SPACED = re.compile(r"\d{1,3}([ \u00a0\u202f\u2009])\d{3}(?:\1\d{3})*(?!\d)(?:[.,]\d+(?![\d.,]))?")
#: What parts groups of three in `_SPACED`.
_SPACES = " \u00a0\u202f\u2009"
_EXPONENT = re.compile(
    r"(?:[eE]([+-]?\d{1,4})|\s?[x×·*]\s?10\s?(?:\^|\*\*)\s?([+-−]?\d{1,4})|\s?[×·]\s?10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))(?!\w|\.\d)"
)
_FRACTION = re.compile(r"\s?[/⁄]\s?(\d{1,4})(?:ths?|rds?)?(?![\d/⁄.,:-]*\d)")
_MIXED = re.compile(r"(?:\s|-|\s?&\s?|\s+and\s+)(\d{1,3})[/⁄](\d{1,3})(?![\d/⁄]|[.,]\d)")
#: What begins neither an exponent nor a fraction behind a number and a blank.
_NO_TAIL = frozenset("bcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
#: A scale word is written in the text's own notation: "1.385 million" is no thousand of millions in English, and in
#: Spanish "1.385 millones" is one.
_BEFORE_A_SCALE = re.compile(
    r"[ \u00a0-]?(?:(?:[mb]n\b|[mb]illion\b|trillion\b)|(?P<foreign>mil[ \u00a0]mill|mill[oó]n|millionen|millions|milhõ|milhão|bilh|"
    r"milion|miliard|milliard|mio\b|mrd\b|млн|млрд|миллион|миллиард))"
)
_AND_A = re.compile(r" and a (half|quarter)\b")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
#: Longer integers are compared digit by digit, not calculated with (Python limits such conversions, rightly).
MAX_DIGITS = 1000
#: Larger exponents are read as words, not as numbers.
MAX_EXPONENT = 300


class Numeral(NamedTuple):
    """A number as written: where, its possible amounts, the place of its last digit, what is unsure about it."""

    start: int
    end: int
    amounts: tuple[Fraction, ...]
    step: Fraction | None
    note: str = ""
    digits: str = ""  # canonical digits of an integer too long to calculate with
    is_fraction: bool = False  # written as a fraction: a part of something

    @property
    def is_plain(self) -> bool:
        """Written as digits only."""
        return self.step == 1 and self.note == "" and not self.is_fraction


def numeral_at(page: Page, start: int) -> Numeral | None:
    """The number that begins at `start` (a digit or a vulgar fraction), as long as it goes; None when there is none."""
    text = page.text
    if text[start] in VULGAR:
        return Numeral(start, start + 1, (_vulgar(text[start]),), None, is_fraction=True)
    run = (_SHORT_RUN if start < page.listed_until else _RUN).match(text, start)
    if run is None:
        return None
    after = text[run.end() : run.end() + 2]
    spaced = _spaced(text, start) if after[:1] in _SPACES and after[1:].isdecimal() else None
    if spaced is not None and spaced.end >= run.end():
        return spaced
    found = _plain(page, run)
    if found.end < run.end():
        page.listed_until = max(page.listed_until, run.end())
    if found.digits:
        return found
    return _with_tail(text, found)


def _first(text: str) -> Numeral:
    """For the examples above."""
    found = numeral_at(Page(text), 0)
    if found is None:
        raise LookupError(text)
    return found


def _vulgar(sign: str) -> Fraction:
    return Fraction(unicodedata.numeric(sign)).limit_denominator(10)


def _spaced(text: str, start: int) -> Numeral | None:
    """Groups of three parted by one kind of space."""
    match = _SPACED.match(text, start)
    if match is None or (start >= 2 and text[start - 1] == " " and text[start - 2].isdigit() and match[1] == " "):
        return None
    if match[1] == " " and text[match.end() : match.end() + 1] in ("-", "/", ":"):
        return None
    whole, decimals = match.group().replace(match[1], ""), ""
    for sign in ".,":
        if sign in whole:
            whole, _, decimals = whole.partition(sign)
    if len(whole) > MAX_DIGITS or len(decimals) > MAX_DIGITS:
        return None
    amount, step = _amount(whole, decimals)
    return Numeral(start, match.end(), (amount,), step)


@lru_cache(maxsize=4096)
def _whole(digits: str) -> Fraction:
    return Fraction(int(digits))


def _amount(whole: str, decimals: str) -> tuple[Fraction, Fraction]:
    if not decimals:
        return _whole(whole), ONE
    scale = 10 ** len(decimals)
    return Fraction(int(whole) * scale + int(decimals), scale), Fraction(1, scale)


_KINDS = {",": ",", "，": ",", ".": ".", "．": ".", "٫": "٫", "٬": "٬", "'": "'", "’": "'", "_": "_"}


def _plain(page: Page, run: re.Match[str]) -> Numeral:
    """Digits with marks between them, read as far as they make one number."""
    written = run.group()
    start = run.start()
    if written.isdigit():
        return _integer(start, run.end(), written)
    pieces = re.split(r"([.,٫٬，．'’_])", written)
    groups, marks = pieces[::2], [_KINDS[m] for m in pieces[1::2]]
    used = _grouped(groups, marks)
    if used and used == len(marks) - 1 and marks[used] != marks[0] and marks[used] in ".,٫":
        return _decimal(start, run.end(), "".join(groups[:-1]), groups[-1])
    if used and (used == len(marks) or used >= 2):
        if used == 1 and marks[0] in ".,":
            return _doubtful(page, run, groups, marks[0])
        length = sum(map(len, groups[: used + 1])) + used
        return _integer(start, start + length, "".join(groups[: used + 1]))
    if marks[0] in ".,٫" and (len(marks) == 1 or marks[0] == "," or marks[1] == ","):
        joined_list = marks[0] == "," and (len(marks) > 1 or (page.decimal_mark == "." and len(groups[1]) != 3))
        if not joined_list:
            return _decimal(start, start + len(groups[0]) + 1 + len(groups[1]), groups[0], groups[1])
    return _integer(start, start + len(groups[0]), groups[0])


def _grouped(groups: list[str], marks: list[str]) -> int:
    """How many of the marks, from the first on, part groups of digits as thousands (or Indian lakhs) do."""
    if len(groups[0]) > 3 or groups[0].startswith("0") or marks[0] == "٫":
        return 0
    same = 1
    while same < len(marks) and marks[same] == marks[0]:
        same += 1
    sizes = [len(g) for g in groups[1 : same + 1]]
    if all(size == 3 for size in sizes):
        return same
    if marks[0] == "," and sizes[-1] == 3 and same >= 2 and len(groups[0]) <= 2 and all(s == 2 for s in sizes[:-1]):
        return same
    return 0


def _doubtful(page: Page, run: re.Match[str], groups: list[str], mark: str) -> Numeral:
    """``1.234`` or ``1,234``: thousands or decimals, by the document, else by its locale, else both."""
    start, end = run.span()
    as_group = _integer(start, end, "".join(groups))
    as_decimal = _decimal(start, end, groups[0], groups[1])
    decided = page.decimal_mark
    if decided == mark:
        return as_decimal
    if decided is not None or groups[1].endswith("000"):
        return as_group
    english = not page.languages or page.languages[0] == "en"
    scale = _BEFORE_A_SCALE.match(page.low, end)
    if scale is not None:
        return as_decimal if (mark == ".") == (english and not scale["foreign"]) else as_group
    if mark == "," and english:
        return as_group
    whole = "".join(groups)
    note = f"{run.group()} may be {whole} or {groups[0]},{groups[1]} with decimals: nothing here decides"
    return Numeral(start, end, (as_group.amounts[0], as_decimal.amounts[0]), None, note)


def _integer(start: int, end: int, digits: str) -> Numeral:
    if len(digits) > MAX_DIGITS:
        return Numeral(start, end, (), None, digits=_canonical(digits))
    return Numeral(start, end, (_whole(digits),), ONE)


def _canonical(digits: str) -> str:
    """ASCII digits without leading zeros."""
    return digits.translate({ord(c): str(unicodedata.digit(c)) for c in sorted(set(digits))}).lstrip("0") or "0"


def _decimal(start: int, end: int, whole: str, decimals: str) -> Numeral:
    if len(whole) + len(decimals) > MAX_DIGITS:
        return Numeral(start, end, (), None, digits=_canonical(whole) + "." + _canonical(decimals[::-1])[::-1])
    amount, step = _amount(whole, decimals)
    return Numeral(start, end, (amount,), step)


def _with_tail(text: str, found: Numeral) -> Numeral:
    """Take in an exponent, a fraction bar or the fraction of a mixed number."""
    after = text[found.end : found.end + 1]
    if not after:
        return found
    if after in VULGAR or (after in " \u2009\u202f" and text[found.end + 1 : found.end + 2] in tuple(VULGAR)):
        end = found.end + (1 if after in VULGAR else 2)
        return found._replace(end=end, amounts=(found.amounts[0] + _vulgar(text[end - 1]),), step=None)
    if after == " " and text[found.end + 1 : found.end + 2] in _NO_TAIL:
        return found
    if after in "eE×x·* " and (match := _EXPONENT.match(text, found.end)):
        power = int((match[1] or match[2] or match[3].translate(_SUPERSCRIPTS)).replace("−", "-"))
        if abs(power) <= MAX_EXPONENT:
            factor = Fraction(10) ** power
            return found._replace(
                end=match.end(), amounts=(found.amounts[0] * factor,), step=(found.step or 1) * factor
            )
    if found.step == 1 and len(found.amounts) == 1:
        if after in "/⁄" and (match := _FRACTION.match(text, found.end)):
            below = int(match[1])
            if below and found.amounts[0] <= 1000:
                return found._replace(end=match.end(), amounts=(found.amounts[0] / below,), step=None, is_fraction=True)
        if after == " " and (worded := _AND_A.match(text, found.end)):
            part = Fraction(1, 2) if worded[1] == "half" else Fraction(1, 4)
            return found._replace(end=worded.end(), amounts=(found.amounts[0] + part,), step=None)
        if after in " -&" and (match := _MIXED.match(text, found.end)):
            above, below = int(match[1]), int(match[2])
            if 0 < above < below:
                part = Fraction(above, below)
                return found._replace(end=match.end(), amounts=(found.amounts[0] + part,), step=None)
    return found
