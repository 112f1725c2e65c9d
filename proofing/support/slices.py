"""Percentages that say *which part* is meant and not how much of something: "the top 10%", "die ärmsten 40 %".

In "the top 10% pay 60% of the tax" the 10 % are a part of the people, and the 60 % belong to that part. The two are
never set against each other, and the part is a label of the other, as a year is.
"""

from __future__ import annotations

import re

from proofing.support.reading import TextView
from proofing.values import Value

#: The end or the extreme that a part is counted from, right before the figure.
_BEFORE = re.compile(
    r"\b(top|bottom|upper|lower|initial|final|(?!(?:inter|t|r|w|requ|harv|prot|cont|sugg|inv|hon|for|mod|lat|gu|qu)est)[a-z]{2,}est"
    r"|ober\w{2,5}|unter(?:en|e|sten)|[a-zäöüß]{3,}sten|самы\w{1,2} [а-яё]{4,})[ \u00a0]\Z",
    re.IGNORECASE,
)
#: "Les 10 % les plus riches", "el 10 % más rico", "il 10% più ricco", "10 % самых богатых".
_BEHIND = re.compile(
    r"[ \u00a0](?:(?:le|la|les|de los|das|dos)[ ])?(?:(?:plus|más|più|mais)[ ]([^\W\d_]{3,})|самых[ ]([а-яё]{4,}))",
    re.IGNORECASE,
)
#: Words are compared by so many letters: their endings turn with number and case.
LETTERS = 5
#: How far before a figure its word may begin.
REACH = 24


def slice_of(view: TextView, value: Value) -> str:
    """The word that makes a percentage or a share the name of a part ("top"), cut to `LETTERS`; "" where none does."""
    if value.dimension not in ("percent", "ratio"):
        return ""
    known: str | None = view.memo.get(("slice", value.start))
    if known is None:
        led = _BEFORE.search(view.text[max(0, value.start - REACH) : value.start])
        match = led or _BEHIND.match(view.text, value.end)
        word = next((group for group in match.groups() if group), "") if match else ""
        known = view.memo["slice", value.start] = word.casefold().rpartition(" ")[2][:LETTERS]
    return known
