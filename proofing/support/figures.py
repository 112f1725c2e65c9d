"""Figures written the way a value of the answer is written, and lengths of time between dates.

>>> from proofing.values import find_values
>>> from fractions import Fraction
>>> written_like(find_values("They spent $23,500.")[0], Fraction(22500))
'$22,500'
>>> written_like(find_values("It cost 3.2 million euros.")[0], Fraction(4_500_000))
'4.5 million euros'
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

from proofing.values import Value

_NUMBER = re.compile(r"\d(?:[\d.,'’\u00a0\u202f]*\d)?")
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_MARKS = {",": ".", ".": ",", "'": ".", "’": ".", "\u00a0": ",", "\u202f": ","}


def written_like(value: Value, amount: Fraction) -> str | None:
    """`amount` (canonical unit) in the words of `value`: same sign of currency, unit, scale word and grouping.

    Returns:
        the text, or None where the value's words cannot carry another figure (a word number above twenty, a
        figure that would need more than two new decimals).
    """
    old = value.readings[0].amount
    if not isinstance(old, Fraction) or amount < 0:
        return None
    found = _NUMBER.search(value.text)
    if found is None:
        return _spelled(value.text, old, amount)
    written = _parsed(found.group(), value)
    if not written or not old:
        return None
    shown = amount * written / abs(old)
    figure = _figure(shown, found.group())
    return None if figure is None else value.text[: found.start()] + figure + value.text[found.end() :]


def unit_scale(value: Value) -> Fraction:
    """What one of the value's written unit is in the base unit: 1,000 for "3 km", 86,400 for "2 days".

    1 where the words hold no plain figure.
    """
    amount = value.readings[0].amount
    found = _NUMBER.search(value.text)
    number = _parsed(found.group(), value) if found else None
    if not isinstance(amount, Fraction) or not number:
        return Fraction(1)
    return abs(amount) / number


def _spelled(text: str, old: Fraction, amount: Fraction) -> str | None:
    """The same with the figure as a word, "five days" to "three days"; up to twenty."""
    head = text.split()[0] if text.split() else ""
    if head.casefold() not in _SMALL or not old:
        return None
    number = amount * _SMALL.index(head.casefold()) / abs(old)
    if number.denominator != 1 or not 0 <= number < len(_SMALL):
        return None
    word = _SMALL[int(number)]
    return text.replace(head, word.capitalize() if head[0].isupper() else word, 1)


def _parsed(figure: str, value: Value) -> Fraction | None:
    """The number in `figure`, read so that it agrees with the value's own reading; None when none does."""
    amount = value.readings[0].amount
    if not isinstance(amount, Fraction):
        return None
    numbers = []
    for decimal in (".", ","):
        text = "".join(c for c in figure if c.isdigit() or c == decimal)
        if text.count(decimal) <= 1 and text.strip(decimal):
            numbers.append(Fraction(text.replace(decimal, ".")))
    if abs(amount) in numbers:
        return abs(amount)
    if len(set(numbers)) == 1:
        return numbers[0] or None
    return next((number for number in numbers if number and _plain_scale(abs(amount) / number)), None)


def _plain_scale(scale: Fraction) -> bool:
    """Whether a factor between figure and amount is a plausible unit or scale word (not a misread grouping)."""
    return scale == 1 or scale.denominator == 1 or scale.numerator == 1 or scale > 1


def _figure(number: Fraction, model: str) -> str | None:
    """A number with the grouping and decimal marks of `model`."""
    decimal, group = _marks_of(model)
    places = 0
    while places < 3 and (number * 10**places).denominator != 1:
        places += 1
    kept = len(model.rpartition(decimal)[2]) if decimal in model else 0
    if places == 3:
        places = max(kept, 2)
    places = max(places, kept)
    scaled = round(number * 10**places)
    digits = str(scaled).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
    if group:
        whole = f"{int(whole):,}".replace(",", group)
    return whole + (decimal + part if part else "")


def _marks_of(model: str) -> tuple[str, str]:
    """The decimal and grouping mark a figure shows; plain English ones where it shows none."""
    seen = [c for c in model if not c.isdigit()]
    if not seen:
        return ".", "," if len(model) < 4 else ""
    last = seen[-1]
    tail = len(model) - model.rindex(last) - 1
    if len(set(seen)) > 1:
        return last, seen[0]
    if tail == 3 and len(model.lstrip("0")) > 4 and model[0] != "0":
        return _MARKS[last], last
    return (last, _MARKS[last]) if last in ".," else (_MARKS[last], last)


def plain(amount: Fraction, value: Value) -> str:
    """An amount for a formula: in the words of `value` where they can carry it, else as a decimal."""
    text = written_like(value, abs(amount))
    if text is not None:
        return " ".join(text.split())
    rounded = round(float(amount), 4)
    return f"{rounded:g}"


def months_between(one: Value, other: Value) -> Fraction | None:
    """Whole months from `other` to `one`; by years where a month is missing, None where a year is."""
    a, b = _parts(one), _parts(other)
    if a is None or b is None:
        return None
    if a[1] is None or b[1] is None:
        return Fraction((a[0] - b[0]) * 12)
    return Fraction((a[0] - b[0]) * 12 + a[1] - b[1])


def seconds_between(one: Value, other: Value) -> Fraction | None:
    """Seconds (whole days) from `other` to `one`; None unless both dates name a day."""
    a, b = _parts(one), _parts(other)
    if a is None or b is None or a[1] is None or b[1] is None or a[2] is None or b[2] is None:
        return None
    try:
        days = date(a[0], a[1], a[2]).toordinal() - date(b[0], b[1], b[2]).toordinal()
    except ValueError:
        return None
    return Fraction(days * 86400)


def _parts(value: Value) -> tuple[int, int | None, int | None] | None:
    amount = value.readings[0].amount
    if value.readings[0].dimension != "date" or not isinstance(amount, tuple) or len(amount) != 3:
        return None
    year, month, day = amount
    if not isinstance(year, int) or isinstance(month, str):
        return None
    return year, month if isinstance(month, int) else None, day if isinstance(day, int) else None
