"""A number with what has been read around it so far, and the value it makes.

A `Draft` is open: its unit may still come from the other end of a range. `Draft.value` closes it.

>>> from proofing.values.measure import draft_at
>>> from proofing.values.numerals import numeral_at
>>> from proofing.values.page import Page
>>> page = Page("3 km")
>>> draft = draft_at(page, numeral_at(page, 0), 0)
>>> draft.unit.name, str(draft.value(page).amount)
('km', '3000')
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from proofing.documents import Span
from proofing.values import context
from proofing.values.base import Reading, Value
from proofing.values.numerals import Numeral
from proofing.values.page import Page
from proofing.values.unit_table import UNITS, ZERO, Unit, times

#: Before a fraction bar: "odds of 7/2" are seven to two, not three and a half.
_ODDS = re.compile(r"\bodds\b[^.\d\n]{0,30}$")
QUARTER = UNITS["quarter"]
_DAY = re.compile(r"(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])")
_BAR = re.compile(r"(\d{1,4})\s?[/⁄]\s?(\d{1,4})")


class Draft(NamedTuple):
    """A number and its attachments, not yet a value.

    Attributes:
        number: the digits or words.
        start: where it begins, sign and currency included.
        end: where it ends, unit included.
        factor: product of the scale words.
        unit: None for a bare number.
        negative: written with a minus, in accountant's parentheses or as "below zero".
        qualifier: see `Value.qualifier`.
        qualifier_span: where the qualifier is.
        note: remarks on the reading.
        extra: amounts in base units of further parts ("and 6 months"), all added.
        also_loss: written as a loss, so that it may be read as a negative amount as well.
    """

    number: Numeral
    start: int
    end: int
    factor: int = 1
    unit: Unit | None = None
    negative: bool = False
    qualifier: str | None = None
    qualifier_span: Span | None = None
    note: str = ""
    extra: Fraction = ZERO
    also_loss: bool = False
    suffixed: bool = False

    @property
    def is_bare(self) -> bool:
        return self.unit is None

    def readings(self) -> tuple[Reading, ...]:
        """Every amount in every scale the unit may have."""
        if self.number.digits:
            return (Reading("digits", ("-" if self.negative else "") + self.number.digits, "", None),)
        found = []
        factor = -self.factor if self.negative else self.factor
        step = self.number.step
        if step is not None and self.factor != 1:
            step = step * self.factor
        for given in self.number.amounts:
            amount = given if factor == 1 else given * factor
            if self.unit is None:
                dimension = "ratio" if self.number.is_fraction and given < 1 and self.factor == 1 else "count"
                found.append(Reading(dimension, amount, "", step))
                continue
            for scale in self.unit.scales:
                base = scale.base(amount) if self.extra is ZERO else scale.base(amount) + self.extra
                written = times(step, scale.factor) if step is not None else None
                found.append(Reading(scale.dimension, base, self.unit.name, written))
        if self.also_loss and not self.negative:
            found += [r._replace(amount=-r.amount) for r in found if isinstance(r.amount, Fraction)]
        return tuple(found)

    def _odds(self, page: Page) -> tuple[Reading, ...]:
        """The score that a fraction bar stands for after "odds"; none elsewhere."""
        bar = _BAR.match(page.text, self.number.start) if self.number.is_fraction and self.unit is None else None
        if bar is None or not _ODDS.search(page.low[max(0, self.start - 40) : self.start]):
            return ()
        return (Reading("score", (Fraction(int(bar[1])), Fraction(int(bar[2])))),)

    def _quarters(self, page: Page) -> tuple[Reading, ...]:
        """The share that "three quarters" may be as well: of a year it is nine months, of the voters 75 percent."""
        amount, written = self.number.amounts[0], page.low[self.number.start : self.end]
        if not written[0].isalpha() or not written.endswith(("quarter", "quarters")) or amount not in (1, 2, 3):
            return ()
        return (Reading("ratio", amount / 4),)

    def _day(self, page: Page) -> tuple[Reading, ...]:
        """The day that Russian writes as "14.03"."""
        match = _DAY.fullmatch(page.text, self.start, self.end)
        return (Reading("date", (None, int(match[2]), int(match[1])), "day"),) if match else ()

    def _months(self, page: Page) -> tuple[Reading, ...]:
        """The length of time that "three quarters", where nothing stands behind it, may be instead of a share."""
        amount, written = self.number.amounts[0], page.low[self.number.start : self.end]
        if self.unit is not None or not written.endswith(" quarters") or page.low[self.end : self.end + 1] in " -":
            return ()
        return (Reading("time.months", amount * 12, "quarter"),)

    def value(self, page: Page) -> Value:
        kind = "number" if self.unit is None else self.unit.kind
        readings = self.readings()
        if self.number.is_fraction:
            readings += self._odds(page) or self._months(page)
        elif self.unit is None and page.languages[:1] == ("ru",):
            readings += self._day(page)
        elif self.unit is QUARTER:
            readings += self._quarters(page)
        if self.unit is not None and self.unit.kind == "money" and not readings[0].dimension.startswith("money"):
            kind = "quantity"
        period = None
        if kind in ("money", "quantity", "percent", "number"):
            period = context.period_after(page, self.end)
            if period is None and kind == "money":
                period = context.period_before(page, self.start) or context.thing_after(page, self.end)
        noun = (
            context.noun_after(page, self.end) if kind in ("number", "percent", "quantity") and period is None else ""
        )
        return Value(
            kind, page.text[self.start : self.end], self.start, self.end, readings,
            approximate=context.is_approximate(page, self.start, self.end),
            period=period[0] if period else None, period_span=period[1] if period else None,
            qualifier=self.qualifier, qualifier_span=self.qualifier_span, noun=noun,
            note=self.note or self.number.note, digits_span=Span(self.number.start, self.number.end),
        )  # fmt: skip
