"""Ways in which a value follows from what a source states: rounded, converted, put together, as a bound, by its rate.

Each function looks at one way and returns the judgement, or None when that way does not hold. All of them are exact
or name the tolerance they used.
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.support.backing import FOLLOWS, backed, judgement_on
from proofing.support.base import Judgement
from proofing.support.beside import before_parentheses, is_every
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.support.statements import family_of
from proofing.values import Reading, Value, close_enough, family
from proofing.values.unit_table import UNITS

#: A unit conversion may be rounded when the last digit written is at most this share of the value.
CONVERTED_STEP = Fraction(5, 100)
#: A bound may be this many times off the value it is a bound of: "more than 60" for 63 to 75.
FAIR = Fraction(5, 4)
#: From here on (kelvin; water boils) a temperature is converted to the nearest mark of an oven: 175 °C for 350 °F.
HOT, ROUNDED_DEGREES = 373, 4
_ABOVE = re.compile(
    r"\b(?:more than|over|exceed(?:s|ing|ed)?|upwards of|mehr als|über|más de|plus de|più di|mais de)[\s-]$",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:less than|fewer than|under|weniger als|unter|menos de|moins de|meno di)[\s-]$", re.IGNORECASE
)
_CENTURY_BEHIND = re.compile(
    r"[ \u00a0-](?:century|centuries|siècle|siglo|secolo|século|век[аеу]?\b|Jahrhundert)", re.IGNORECASE
)
_CENTURY_BEFORE = re.compile(r"\b(?:siglo|secolo|século)\s$", re.IGNORECASE)


def by_joined_dates(ours: Place, ledger: Ledger) -> Judgement | None:
    """A date put together from a day or month and a year that the sources state apart."""
    amount = ours.value.amount
    if ours.value.dimension != "date" or not isinstance(amount, tuple) or len(amount) != 3:
        return None
    year, month, day = amount
    if not isinstance(year, int) or not isinstance(month, int):
        return None
    dates = [p for p in ledger.candidates(ours) if isinstance(p.value.amount, tuple) and len(p.value.amount) == 3]
    has_year = any(p.value.amount[0] == year for p in dates)  # type: ignore[index]
    for place in dates:
        theirs = place.value.amount
        if has_year and isinstance(theirs, tuple) and theirs[0] is None and theirs[1:] == (month, day):
            return backed(ours, FOLLOWS, place, note=f"{place.value.text}, and {year} elsewhere in the sources")
    return None


def by_rounding(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "About 1,000" for 998, "about half" for 48 %, "two thirds" for 66 %."""
    if not ours.value.approximate and ours.value.dimension not in ("ratio", "percent"):
        return None
    for place in ledger.candidates(ours):
        for value in (place.value, *place.value.ends):
            note = close_enough(ours.value, value) if ours.value.approximate else None
            note = note or _fraction_of(ours.value, value) or _percent_of(ours.value, value)
            if note and (ours.value.qualifier or "calendar") == (value.qualifier or "calendar"):
                return backed(ours, FOLLOWS, place, note=note)
    return None


def _fraction_of(ours: Value, theirs: Value) -> str | None:
    """A fraction in words against a percentage: less than one point off, two when it says "about"."""
    a, b = ours.reading, theirs.reading
    if (a.dimension, b.dimension) != ("ratio", "percent") or not isinstance(a.amount, Fraction):
        return None
    if not isinstance(b.amount, Fraction):
        return None
    off = abs(a.amount * 100 - b.amount)
    if off < 1 or (ours.approximate and off <= 2):
        return f"{theirs.text} is {ours.text} to within {'two points' if off >= 1 else 'a point'}"
    return None


def _percent_of(ours: Value, theirs: Value) -> str | None:
    """A percentage that is a fraction in words, rounded to the digits written: "33 %" for "a third"."""
    a, b = ours.reading, theirs.reading
    if (a.dimension, b.dimension) != ("percent", "ratio") or not isinstance(a.amount, Fraction):
        return None
    if not isinstance(b.amount, Fraction) or 100 % b.amount.denominator == 0 or a.written_step is None:
        return None
    off = abs(b.amount * 100 - a.amount)
    return f"{theirs.text} is {ours.text}, rounded" if 2 * off <= a.written_step else None


def by_century(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "The 13th century" where a source names a year of it."""
    amount = ours.number
    if ours.value.kind != "ordinal" or amount is None or not (
        _CENTURY_BEHIND.match(ours.view.text, ours.value.end)
        or _CENTURY_BEFORE.search(ours.view.text, max(0, ours.value.start - 10), ours.value.start)
    ):  # fmt: skip
        return None
    for place in ledger.candidates(ours, "date"):
        parts = place.value.amount
        year = parts[0] if isinstance(parts, tuple) and len(parts) == 3 else None
        if isinstance(year, int) and year > 0 and (year - 1) // 100 + 1 == amount and place.wide & ours.wide:
            return backed(ours, FOLLOWS, place, note=f"{place.value.text} lies in it")
    return None


def by_rate(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "Every six months" for "twice a year", and the reverse."""
    value = ours.value
    if value.kind == "duration" and isinstance(value.amount, Fraction) and is_every(ours):
        for place in ledger.candidates(ours, "times"):
            if _spacing(place.value) == (value.dimension, value.amount) and place.wide & ours.wide:
                return backed(ours, FOLLOWS, place, note=f"{place.value.text} per {place.value.period}")
    spacing = _spacing(value) if value.dimension == "times" else None
    if spacing is not None:
        for entry in ledger.by_key.get(spacing, ()):
            if is_every(entry.place) and entry.place.wide & ours.wide:
                return backed(ours, FOLLOWS, entry.place, note=f"every {entry.value.text}")
    return None


def _spacing(value: Value) -> tuple[str, Fraction] | None:
    """How far apart the occasions of "twice a year" lie: dimension and amount of that length of time."""
    unit = UNITS.get(value.period or "")
    if unit is None or not isinstance(value.amount, Fraction) or value.amount <= 0 or unit.kind != "duration":
        return None
    return unit.scales[0].dimension, unit.scales[0].factor / value.amount


def by_bound(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "More than 60" where the source says 63, "under 50" where it says 47: a fair bound of a value so named.

    Lengths of time and values that the source itself gives as a bound are left out: there the bound is the rule.
    """
    amount = ours.number
    above, below = _bounds(ours)
    if amount is None or amount <= 0 or above == below or ours.value.kind == "duration":
        return None
    low, high = (amount, amount * FAIR) if above else (amount / FAIR, amount)
    for place in ledger.candidates(ours):
        number = place.number
        if (
            number is None
            or place.value.dimension != ours.value.dimension
            or place.value.implicit
            or any(_bounds(place))
        ):
            continue
        same_noun = ours.noun == place.noun or not (ours.noun and place.noun)
        if low <= number <= high and same_noun and len(place.wide & ours.wide) >= min(2, len(ours.wide)):
            return backed(ours, FOLLOWS, place, note=f"a bound of {place.value.text}")
    return None


def _bounds(place: Place) -> tuple[bool, bool]:
    """Whether "more than" or "less than" stands before a value."""
    before = place.view.text[max(0, place.value.start - 20) : place.value.start]
    return _ABOVE.search(before) is not None, _BELOW.search(before) is not None


def by_conversion(ours: Place, ledger: Ledger) -> Judgement | None:
    """A source value in another unit, rounded to the digits the answer writes: "165 °F" as "74 °C"."""
    if ours.value.kind not in ("quantity", "duration", "money"):
        return None
    for reading in ours.value.readings:
        if (
            not isinstance(reading.amount, Fraction)
            or not reading.written_step
            or reading.dimension.startswith("money")
        ):
            continue
        groups = dict.fromkeys((family_of(ours.value), family(reading.dimension)))
        places = [place for group in groups for place in ledger.candidates(ours, group)]
        for place in (*places, *before_parentheses(ours)):
            if any(_converts(reading, theirs) for theirs in place.value.readings) and not place.value.implicit:
                note = f"{place.value.text}, converted and rounded"
                return (
                    judgement_on(ours, FOLLOWS, note=note)
                    if place.view is ours.view
                    else (backed(ours, FOLLOWS, place, note=note))
                )
    return None


def _converts(ours: Reading, theirs: Reading) -> bool:
    """Equal within half of the last digit written, when that digit is small enough, or within one percent."""
    if theirs.dimension != ours.dimension or theirs.unit == ours.unit:
        return False
    if not isinstance(theirs.amount, Fraction) or not isinstance(ours.amount, Fraction) or not ours.written_step:
        return False
    off = abs(theirs.amount - ours.amount)
    if ours.dimension == "temperature":  # a percent of a kelvin scale is several degrees
        return off * 2 <= ours.written_step or (ours.amount >= HOT and off <= ROUNDED_DEGREES)
    fine = ours.written_step <= CONVERTED_STEP * abs(ours.amount)
    return (fine and off * 2 <= ours.written_step) or off * 100 <= abs(ours.amount)
