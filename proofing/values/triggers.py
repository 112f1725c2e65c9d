"""Which words call for which grammar: one look-up per word of a text, so that most words cost nothing more.

>>> bool(TRIGGERS["march"] & MONTH), "table" in TRIGGERS, TRIGGERS.get("harbour", 0)
(True, True, 0)
>>> starts_of("on 5 march (two days)")
[3, 5, 12]
"""

from __future__ import annotations

import re
from itertools import accumulate, compress

from proofing.stretches import Stretches
from proofing.values import citations, clock, codes, frequency, ordinals, part_hours, spoken_clock, years
from proofing.values.calendar_words import MONTHS
from proofing.values.number_words import HALVES, ORDINAL_PARTS, PARTS, WORDS
from proofing.values.numerals import VULGAR
from proofing.values.page import is_compound
from proofing.values.unit_table import UNITS

LOW_DIGITS = "₀₁₂₃₄₅₆₇₈₉"
_WORD = re.compile(rf"\d+|[^\W\d_{LOW_DIGITS}]+|[{VULGAR}§№#{LOW_DIGITS}]")
#: Signs that begin a value.
_SIGNS = frozenset([*VULGAR, *"§№#", *LOW_DIGITS])

_ROMANS = frozenset(
    "ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv xxx xl l liv lv c mm i".split()
)
_ROMANS |= frozenset(roman + ending for roman in _ROMANS if set(roman) <= set("ivx") for ending in ("e", "ème"))
_ONE_UNITS = frozenset(
    w for w, u in UNITS.items() if u.kind == "duration" and len(w) > 2 and u.name in ("second", "minute", "hour", "day", "week", "fortnight", "month", "year", "decade", "century")
    and not w.endswith("s") and w not in ("sec", "min")
)  # fmt: skip

(
    DATE,
    CLOCK,
    MONTH,
    NUMBER,
    ORDINAL,
    PLACE,
    STANDARD,
    FREQUENCY,
    UNIT,
    ROMAN,
    EVERY,
    ET_AL,
    ARXIV,
    V,
    STEP,
    WEEK,
    ROMAN_YEAR,
    PART_HOUR,
) = (1 << n for n in range(18))


def _triggers() -> dict[str, int]:
    """Which grammars a word calls for."""
    table: dict[str, int] = {}
    for flag, words in (
        (DATE, ("q", "h", "fy", "fiscal", "financial", "first", "second", "third", "fourth", "last")),
        (CLOCK, (*clock.WORDS, *clock.PAST_WORDS, *clock.HOUR_WORDS, *spoken_clock.WORDS, *spoken_clock.HALF_WORDS)),
        (MONTH, MONTHS),
        (NUMBER, (*WORDS, *PARTS, *HALVES, *ORDINAL_PARTS)),
        (ORDINAL, (*ordinals.WORDS, "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")),
        (PLACE, (*citations.WORDS, "step")),
        (STANDARD, codes.STANDARD_WORDS),
        (FREQUENCY, frequency.WORDS),
        (EVERY, frequency.EVERY),
        (UNIT, _ONE_UNITS),
        (ROMAN, _ROMANS),
        (ET_AL, ("et",)),
        (ARXIV, ("arxiv",)),
        (V, ("v",)),
        (ROMAN_YEAR, years.ROMAN_YEARS),
        (PART_HOUR, part_hours.WORDS),
        (WEEK, ("calendar", "iso", "week", "kw", "kalenderwoche", "semana", "semaine", "settimana")),
        (STEP, ("step", "schritt", "paso", "étape", "passo", "шаг")),
    ):
        for word in words:
            table[word] = table.get(word, 0) | flag
    return table


#: The grammars, as bits, that a word (in lower case) calls for.
TRIGGERS = _triggers()


def _starts(stretch: str) -> tuple[int, ...]:
    return tuple([match.start() for match in _WORD.finditer(stretch) if _begins(match[0])])


def _begins(word: str) -> bool:
    return word in TRIGGERS or word[0].isdecimal() or word[0] in _SIGNS or is_compound(word)


#: Where in a stretch without a space a value may begin.
_STARTS = Stretches(_starts)


def starts_of(low: str) -> list[int]:
    """The places of a text in lower case where a value may begin: digits, some signs, and words of `TRIGGERS`."""
    stretches = low.split(" ")
    found = list(map(_STARTS.__getitem__, stretches))
    begins = list(accumulate(map(len, stretches), initial=0))  # less the blanks: one for each stretch before
    return [begins[i] + i + offset for i in compress(range(len(found)), found) for offset in found[i]]
