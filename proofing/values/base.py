"""Typed values and what it means for two of them to be equal.

A value keeps its words exactly as written (`Value.text` is `text[start:end]` of the caller's string) and one or
more *readings*. More than one reading means that the words are ambiguous and every reading is legitimate:
``1.234`` may be one thousand and some or one and a bit, ``03/04`` may be in March or in April.

Amounts are exact fractions in the base unit of their dimension: money in the currency's main unit, lengths in
metres, durations in seconds or (for months and years, which have no fixed length) in months, clock times in
minutes after midnight, percentages in percent. Nothing here ever rounds.

>>> from proofing.values import find_values
>>> a, b = find_values("1.5 km")[0], find_values("1,500 m")[0]
>>> same(a, b)
True
>>> same(find_values("12 %")[0], find_values("12 percentage points")[0])
False
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from proofing.documents import Span

#: What an amount may be: a number, a name in canonical spelling, or a tuple of parts (dates, ranges, scores).
Amount = Fraction | str | tuple[object, ...]

_NOWHERE = Span(0, 0)

#: An approximate number ("about 1,000") may be this far off, as a share of the source's value.
APPROXIMATE_SHARE = Fraction(2, 100)


#: A figure rounded to its last digit but zeros ("about 1,900" for 1,940) may be this far off.
ROUNDED_SHARE = Fraction(3, 100)


class Reading(NamedTuple):
    """One legitimate meaning of a value's words.

    Attributes:
        dimension: what is measured: ``count``, ``ratio``, ``times``, ``percent``, ``points``, ``money:USD``,
            ``length`` and the other physical dimensions, ``time.seconds``, ``time.months``, ``frequency``,
            ``date``, ``clock``, ``ordinal``, ``version``, ``phone``, ``id``, ``citation``, ``score``, ``url``,
            ``code``, ``digits`` (an integer too long to calculate with); ranges have ``range:`` and the
            dimension of their ends.
        amount: exact, in the base unit of the dimension. Dates are ``(year, month, day)`` with None for
            what was not written, or ``(year, "Q3")``, ``(1990, "decade", "mid")``, ``("FY", 2024, "Q4")``.
        unit: the unit as written, in canonical spelling (``km``, ``day``, ``USD``); "" for bare numbers.
        written_step: the place of the last digit written, in base units: 1 for ``37``, 10**8 for
            ``3.2 billion``. None where that has no meaning.
    """

    dimension: str
    amount: Amount
    unit: str = ""
    written_step: Fraction | None = None


class Value(NamedTuple):
    """A typed value at ``text[start:end]``.

    Attributes:
        kind: one of the contract's value kinds (number, money, percent, points, quantity, date, time,
            duration, range, ordinal, version, phone, identifier, citation, url, code).
        readings: never empty; the most likely first.
        approximate: written with "about", "roughly", "~" and the like.
        period: ``month`` in "$10 per month"; one of second, minute, hour, day, week, month, quarter, year; for a price
            also what it is for, ``person`` in "$10 a head" (`proofing.values.context.THINGS`).
        period_span: where the period is written (it lies outside ``start:end``).
        qualifier: ``business`` or ``calendar`` in "30 business days".
        qualifier_span: where the qualifier is written (inside ``start:end``).
        noun: the counted noun that follows, lower case, "" when there is none.
        note: what a reader should know about the reading (an ambiguity and how it was settled).
        ends: the values inside a range ("5 to 7 days" holds two durations), a ratio in words ("3 out of 10"),
            or a score. Each is a whole value with offsets of its own.
        digits_span: the words a reviewer would underline: the number in "75 days", the ordinal in
            "fourth quarter of 2023".
        implicit: the words only hint at a number ("an hour", "the two plans"): good as evidence,
            never to be marked.
    """

    kind: str
    text: str
    start: int
    end: int
    readings: tuple[Reading, ...]
    approximate: bool = False
    period: str | None = None
    period_span: Span | None = None
    qualifier: str | None = None
    qualifier_span: Span | None = None
    noun: str = ""
    note: str = ""
    ends: tuple[Value, ...] = ()
    digits_span: Span = _NOWHERE
    implicit: bool = False

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def reading(self) -> Reading:
        """The most likely reading."""
        return self.readings[0]

    @property
    def amount(self) -> Amount:
        return self.readings[0].amount

    @property
    def dimension(self) -> str:
        return self.readings[0].dimension


def same(a: Value, b: Value) -> bool:
    """Whether some reading of `a` equals some reading of `b`, exactly and in the same dimension.

    Periods, qualifiers and "about" are not looked at: they are claims of their own.
    """
    return any(readings_agree(ra, rb) for ra in a.readings for rb in b.readings)


def readings_agree(a: Reading, b: Reading) -> bool:
    """Equal amounts of one dimension; a ratio also equals the percentage and the plain number it stands for."""
    if a.dimension == b.dimension:
        return a.amount == b.amount
    ratio, other = (a, b) if a.dimension == "ratio" else (b, a)
    if ratio.dimension != "ratio" or not isinstance(ratio.amount, Fraction):
        return False
    if other.dimension == "percent":
        return ratio.amount * 100 == other.amount
    return other.dimension == "count" and ratio.amount == other.amount


def close_enough(claim: Value, source: Value) -> str | None:
    """Whether an approximate `claim` is near enough to `source`; the note says by which tolerance.

    "About 1,000" holds for 998: the source's value may be off by two percent of itself, or by less than half
    a step of the last digit the claim writes ("about $37 billion" holds for 37.35). None when the claim is
    not approximate, the dimensions differ, or the distance is larger.
    """
    if not claim.approximate:
        return None
    for a in claim.readings:
        for b in source.readings:
            if a.dimension != b.dimension or not isinstance(a.amount, Fraction) or not isinstance(b.amount, Fraction):
                continue
            if a.dimension in ("clock", "ordinal"):
                continue
            off = abs(a.amount - b.amount)
            if off <= APPROXIMATE_SHARE * abs(b.amount):
                return f"about: within 2 % of {source.text}"
            if a.written_step is not None and off * 2 < _rounded_to(a.amount, a.written_step, b.amount):
                return f"about: {source.text} rounded to the digits written"
    return None


def _rounded_to(amount: Fraction, step: Fraction, other: Fraction) -> Fraction:
    """The place that a rough figure is rounded to: its last digit but zeros, where two digits stay and it is near."""
    if not step or (amount / step).denominator != 1 or abs(amount - other) > ROUNDED_SHARE * abs(other):
        return step
    wider = step
    while amount and (amount / (wider * 10)).denominator == 1 and abs(amount) >= wider * 100:
        wider *= 10
    return wider


def exactly(amount: Amount) -> Amount | int:
    """A whole number as an integer: equal to the fraction and much faster to look up."""
    return amount.numerator if isinstance(amount, Fraction) and amount.denominator == 1 else amount


@lru_cache(maxsize=1024)
def family(dimension: str) -> str:
    """The dimension without currency, scale or precision: ``money`` for ``money:USD``, ``time`` for durations."""
    name = dimension.removeprefix("range:").partition(":")[0].partition(".")[0]
    return "percent" if name in ("points", "ratio") else name


def comparable(a: Value, b: Value) -> bool:
    """Whether it makes sense to show `b` as the nearest evidence for `a`: one family of dimensions."""
    families = {family(r.dimension) for r in a.readings}
    return any(family(r.dimension) in families for r in b.readings)


def distance(a: Value, b: Value) -> float | None:
    """How far apart two comparable values are, 0 for equal; only for ranking receipts, never for equality.

    Numbers: difference over the larger magnitude. Dates: days over ten years. Ranges and scores: mean of the
    ends. Names and codes: share of unequal characters. None when the values are not comparable.
    """
    best: float | None = None
    for ra in a.readings:
        for rb in b.readings:
            if family(ra.dimension) != family(rb.dimension):
                continue
            far = _apart(ra.amount, rb.amount)
            if ra.dimension != rb.dimension:
                far = far + 0.5
            best = far if best is None else min(best, far)
    return best


def implied_by(claim: Value, source: Value) -> str | None:
    """Whether `source` says more than `claim` and contains it: the note, or None.

    A year is implied by a date in it, a month by a day of it, a quarter or decade by a year-month or year,
    and an end by the range it closes.

    >>> from proofing.values import find_values
    >>> implied_by(find_values("in March 2023")[0], find_values("on 5 March 2023")[0])
    'part of 5 March 2023'
    """
    for a in claim.readings:
        if a.dimension not in ("date", "range:date"):
            continue
        for b in source.readings:
            if a.dimension == "date" and b.dimension == "date" and a.amount != b.amount and _date_holds(a, b):
                return f"part of {source.text}"
            if a.dimension == b.dimension == "range:date" and a.amount != b.amount and _dates_hold(claim, source):
                return f"part of {source.text}"
    if end_held(claim, source) is not None:
        return f"an end of {source.text}"
    return None


def end_held(claim: Value, source: Value) -> Value | None:
    """The end of a source's range that a claim states, or states a part of ("12 August" of "12–16 August 2024")."""
    for end in source.ends:
        if same(claim, end) or any(
            a.dimension == b.dimension == "date" and _date_holds(a, b) for a in claim.readings for b in end.readings
        ):
            return end
    return None


def _apart(a: Amount, b: Amount) -> float:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        if a == b:
            return 0.0
        if a.denominator == b.denominator == 1:  # the same in whole numbers, whose quotient is rounded once as well
            one, other = a.numerator, b.numerator
            off, most = abs(one - other), max(abs(one), abs(other))
            return off / most
        larger = max(abs(a), abs(b))
        return float(abs(a - b) / larger)
    if isinstance(a, tuple) and isinstance(b, tuple):
        days_a, days_b = _days(a), _days(b)
        if days_a is not None and days_b is not None:
            return min(2.0, abs(days_a - days_b) / 3653)
        if len(a) == len(b) and all(isinstance(x, Fraction) for x in (*a, *b)):
            parts = [_apart(x, y) for x, y in zip(a, b, strict=True)]  # type: ignore[arg-type]
            return sum(parts) / len(parts)
        return 0.0 if a == b else 1.0
    sa, sb = str(a)[:200], str(b)[:200]
    if sa == sb:
        return 0.0
    equal = sum(x == y for x, y in zip(sa, sb, strict=False))
    return 1.0 - equal / max(len(sa), len(sb))


def _days(amount: tuple[object, ...]) -> int | None:
    """Day number of a date, the first day where a part is missing; None for other tuples."""
    if len(amount) != 3 or not isinstance(amount[0], int):
        return None
    year, month, day = amount[0], amount[1], amount[2]
    try:
        return date(year, month if isinstance(month, int) else 1, day if isinstance(day, int) else 1).toordinal()
    except ValueError:
        return None


def _dates_hold(general: Value, special: Value) -> bool:
    """Whether both ends of a range of dates are those of another, which only writes more of them (the year)."""
    if len(general.ends) != 2 or len(special.ends) != 2:
        return False
    return all(
        same(g, s) or any(_date_holds(a, b) for a in g.readings for b in s.readings)
        for g, s in zip(general.ends, special.ends, strict=True)
    )


#: The years of a decade that are still called early, mid or late.
_STAGES = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}


def _date_holds(general: Reading, special: Reading) -> bool:
    """Whether every part that `general` writes is the same in `special` (and `special` writes more)."""
    g, s = general.amount, special.amount
    if not isinstance(g, tuple) or not isinstance(s, tuple) or not g or not s:
        return False
    if len(s) == 3 and isinstance(s[0], int | None) and not isinstance(s[1], str):
        year, month = s[0], s[1]
        if len(g) == 3 and not isinstance(g[1], str):
            return all(x is None or x == y for x, y in zip(g, s, strict=True))
        if len(g) == 2 and isinstance(month, int):
            return g[0] == year and g[1] == f"Q{(month + 2) // 3}"
        if len(g) == 3 and g[1] == "decade" and isinstance(year, int) and isinstance(g[0], int):
            low, high = _STAGES.get(str(g[2]), (0, 9))
            return low <= year - g[0] <= high
    if len(g) == 3 and len(s) == 3 and g[1] == s[1] == "decade":
        return g[0] == s[0] and g[2] == ""
    if len(g) == 3 and g[1] is None and len(s) == 2:
        return bool(g[0] == s[0])
    return False
