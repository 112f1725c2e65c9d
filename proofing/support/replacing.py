"""What to underline in a wrong value and what may stand in its place.

A mark covers only the words that differ: the number of "75 days", the month of "31 May 2024", amount and
period of "$19 per month" beside a yearly price. A replacement is the source's own words for exactly that
stretch, so that putting it in gives the source's value.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from proofing.support.figures import written_like
from proofing.support.places import Place
from proofing.values import Value, same

_WORDS = re.compile(r"[^\W\d_]+|\d+")
#: Markdown that closes between a number and its unit.
_EMPHASIS = re.compile(r"[*_]{1,3}|`")
_ODD_CLOCK = re.compile(r"^\d{1,2}:\d$")


#: A unit written out ("percentage points", "kilometres per hour") is left out of the mark.
LONG_UNIT = 8


class Swap(NamedTuple):
    """A stretch of the answer and the text that may take its place; `text` None where nothing fits."""

    start: int
    end: int
    text: str | None


def swap(answer: str, ours: Value, source: str, theirs: Value) -> Swap:
    """The smallest stretch of `ours` that must change to say what `theirs` says, and what to put there.

    Args:
        answer: the text `ours` stands in.
        ours: the wrong value of the answer.
        source: the text `theirs` stands in.
        theirs: the source value that fits.
    """
    if ours.period and theirs.period and ours.period != theirs.period:
        return _with_period(ours, source, theirs)
    if ours.dimension == theirs.dimension == "range:clock" and len(ours.ends) == 2 and len(theirs.ends) == 2:
        return Swap(ours.start, ours.end, _hours_like(answer, ours, theirs))
    if ours.ends and theirs.ends and _tail(ours) == _tail(theirs):
        return _digits_swap(ours, theirs)
    if ours.kind == "date" and theirs.kind == "date":
        return _date_swap(ours, theirs)
    if ours.kind == "time" and theirs.dimension == "range:clock" and theirs.ends:
        end = end_meant(answer, ours, theirs)
        return Swap(ours.start, ours.end, _clock_like(ours, end, styled=True))
    if ours.kind == "time" and theirs.kind == "time":
        return Swap(ours.start, ours.end, _clock_like(ours, theirs))
    if ours.kind == theirs.kind and ours.digits_span.end > ours.digits_span.start:
        small = ours.kind in ("duration", "number", "ordinal") or len(_tail(ours)) >= LONG_UNIT
        same_unit = small and _unit(ours) == _unit(theirs)
        if same_unit and _tail(ours) == _tail(theirs):
            return _digits_swap(ours, theirs)
    if ours.kind != theirs.kind and {ours.kind, theirs.kind} & {"number", "percent"} and theirs.kind == "number":
        return Swap(ours.start, ours.end, None)
    emphasis = _EMPHASIS.search(ours.text)
    if emphasis is not None and ours.digits_span.end > ours.digits_span.start:
        if _tail(ours) == _tail(theirs):
            return _digits_swap(ours, theirs)
        return Swap(ours.start, ours.end, _closed_after_number(emphasis.group(), theirs))
    return Swap(ours.start, ours.end, " ".join(theirs.text.split()))


def _closed_after_number(emphasis: str, theirs: Value) -> str:
    """The source's value with the emphasis that the answer closes behind its number ("**36** months")."""
    at = (
        theirs.digits_span.end - theirs.start if theirs.digits_span.end > theirs.digits_span.start else len(theirs.text)
    )
    return " ".join(theirs.text[:at].split()) + emphasis + theirs.text[at:]


def _digits_swap(ours: Value, theirs: Value) -> Swap:
    return Swap(ours.digits_span.start, ours.digits_span.end, digits_of(theirs))


def digits_of(value: Value) -> str:
    """The words of the number alone: ``75`` of ``75 days``."""
    start, end = value.digits_span.start - value.start, value.digits_span.end - value.start
    return value.text[start:end] if end > start else value.text


def _tail(value: Value) -> str:
    """What follows the number inside the value, case-folded and without a plural ending: the unit's words."""
    rest = value.text[value.digits_span.end - value.start :] if value.digits_span.end > value.digits_span.start else ""
    rest = _EMPHASIS.sub(" ", rest).casefold().replace("-", " ")
    return " ".join(word.removesuffix("s") for word in rest.split())


def _unit(value: Value) -> tuple[str, str]:
    return value.readings[0].unit, value.readings[0].dimension


def _with_period(ours: Value, source: str, theirs: Value) -> Swap:
    """Amount and period together, where both write the period behind the amount; else the amount alone."""
    mine, other = ours.period_span, theirs.period_span
    if mine is None or other is None or mine.start < ours.end or other.start < theirs.end:
        return Swap(ours.start, ours.end, " ".join(theirs.text.split()))
    return Swap(ours.start, mine.end, " ".join(source[theirs.start : other.end].split()))


def end_meant(answer: str, ours: Value, theirs: Value) -> Value:
    """Which end of opening hours a single time stands for: the last after "closes at" or "until", else the first."""
    before = answer[max(0, ours.start - 24) : ours.start].casefold()
    closing = max(before.rfind(word) for word in ("clos", "until", "till", " to ", "end", "–", "bis", "hasta"))
    opening = max(before.rfind(word) for word in ("open", "from", "start", "begin", "von", "desde"))
    return theirs.ends[-1] if closing > opening else theirs.ends[0]


def _hours_like(answer: str, ours: Value, theirs: Value) -> str:
    """Opening hours in the form of the answer's own: "11am to 9pm" for ``11:0-21:0``."""
    first, last = ours.ends
    between = answer[first.end : last.start]
    shown = [_clock_like(mine, other, styled=True) for mine, other in zip(ours.ends, theirs.ends, strict=True)]
    return answer[ours.start : first.start] + shown[0] + between + shown[1] + answer[last.end : ours.end]


def _clock_like(ours: Value, theirs: Value, styled: bool = False) -> str:
    """A clock time as the source writes it; in the answer's form when asked, or when the source's is odd ("8:0")."""
    text = theirs.text.strip()
    if not (styled or _ODD_CLOCK.match(text)):
        return text
    amount = theirs.readings[0].amount
    if not isinstance(amount, Fraction) or amount.denominator != 1:
        return text
    hour, minute = divmod(int(amount) % 1440, 60)
    half = re.search(r"([ap])\.?\s*m\b\.?", ours.text, re.IGNORECASE)
    if half is None:
        return f"{hour:02d}:{minute:02d}" if ours.text[:1] == "0" or hour > 9 else f"{hour}:{minute:02d}"
    sign = ours.text[half.start() : half.end()]
    letter = ("p" if hour >= 12 else "a") if sign[0].islower() else ("P" if hour >= 12 else "A")
    shown = f"{hour % 12 or 12}:{minute:02d}" if minute or ":" in ours.text else f"{hour % 12 or 12}"
    gap = " " if half.start() and ours.text[half.start() - 1].isspace() else ""
    return f"{shown}{gap}{letter}{sign[1:]}"


def _date_swap(ours: Value, theirs: Value) -> Swap:
    """One differing part alone where both dates are written in the same order; else the whole date."""
    whole = Swap(ours.start, ours.end, " ".join(theirs.text.split()))
    mine, other = list(_WORDS.finditer(ours.text)), list(_WORDS.finditer(theirs.text))
    if len(mine) != len(other):
        return _component_swap(ours, theirs) or whole
    differing = [(a, b) for a, b in zip(mine, other, strict=True) if a.group().casefold() != b.group().casefold()]
    if len(differing) != 1:
        return whole
    a, b = differing[0]
    if a.group().isdigit() != b.group().isdigit():
        return whole
    return Swap(ours.start + a.start(), ours.start + a.end(), b.group())


def _component_swap(ours: Value, theirs: Value) -> Swap | None:
    """A year alone that differs from the source's, where the rest of the date agrees or is not written."""
    mine, other = ours.readings[0].amount, theirs.readings[0].amount
    if not isinstance(mine, tuple) or not isinstance(other, tuple) or len(mine) != 3 or len(other) != 3:
        return None
    parts = [(a, b) for a, b in zip(mine, other, strict=True) if a is not None and b is not None and a != b]
    written = [a for a in mine if a is not None]
    if len(written) == 1 and len(parts) == 1 and isinstance(parts[0][1], int) and parts[0][0] == mine[0]:
        return Swap(ours.start, ours.end, str(parts[0][1]))
    if len(parts) == 1 and isinstance(mine[0], int) and parts[0] == (mine[0], other[0]):
        at = ours.text.find(str(mine[0]))
        if at >= 0:
            return Swap(ours.start + at, ours.start + at + len(str(mine[0])), str(other[0]))
    return None


def result_like(ours: Value, amount: Fraction) -> str | None:
    """A right result written as the answer writes its wrong one, for the words that `digits_span` covers."""
    text = written_like(ours, amount)
    return None if text is None else " ".join(text.split())


def same_thing(one: Place, other: Place) -> bool:
    """Whether two source places give one value twice (so that they are one candidate, not two)."""
    return same(one.value, other.value) and one.value.period == other.value.period
