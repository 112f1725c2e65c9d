"""Typed values in text."""

from __future__ import annotations

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
from proofing.values.finder import find_values

__all__ = ["Reading", "Value", "close_enough", "comparable", "distance", "family", "find_values", "implied_by",
           "readings_agree", "same"]  # fmt: skip
