"""Typed values in text."""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values.base import (
    Reading,
    Value,
    close_enough,
    comparable,
    distance,
    family,
    implied_by,
    readings_agree,
    same,
)

__all__ = ["Reading", "Value", "close_enough", "comparable", "distance", "family", "find_values", "implied_by",
           "readings_agree", "same"]  # fmt: skip


def find_values(text: str, locale: str = "und") -> tuple[Value, ...]:
    """First cut: bare digit runs; the grammars follow."""
    return tuple(
        Value("number", m.group(), m.start(), m.end(), (Reading("count", Fraction(m.group())),), digits_span=Span(*m.span()))
        for m in re.finditer(r"\d{1,9}", text)
    )
