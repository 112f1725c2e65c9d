"""Parts of an hour or a year that have a name of their own: "eine Viertelstunde", "media hora", "mezz'ora", "полчаса".

>>> from proofing.values import find_values
>>> texts = ["Sie dauert eine Dreiviertelstunde.", "Dura media hora.", "Dura hora y media.", "Dura mezz'ora.", "Ждать полчаса."]
>>> [(find_values(text)[0].text, int(find_values(text)[0].amount) // 60) for text in texts]
[('eine Dreiviertelstunde', 45), ('media hora', 30), ('hora y media', 90), ("mezz'ora", 30), ('полчаса', 30)]
>>> find_values("Der Bus fährt alle halbe Stunde.")[0].text, find_values("a half hour")[0].text
('halbe Stunde', 'a half hour')
>>> find_values("La entrada a media tarde es libre.")
()
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page
from proofing.values.unit_table import UNITS

#: Pattern, unit, and how many quarters of the unit it names.
_NAMED = tuple(
    (re.compile(rf"(?:{pattern})(?!\w)"), UNITS[unit], Fraction(quarters, 4))
    for pattern, unit, quarters in (
        (r"viertelstunde|quarter[ -]hour|quart[ -]d['’]heure", "hour", 1),
        (r"halbe[nr]?[ ]stunde|half[ -]hour|media[ ]hora|demi[ -]heure|mezz(?:['’]|a[ ])ora|meia[ -]hora|полчаса|получаса", "hour", 2),
        (r"dreiviertelstunde", "hour", 3),
        (r"hora[ ](?:y|e)[ ](?:media|meia)|ora[ ]e[ ]mezz[ao]|heure[ ]et[ ]demie", "hour", 6),
        (r"halbe[ns]?[ ]jahr(?:es)?|half[ -]year|medio[ ]año|mezzo[ ]anno|meio[ ]ano|полгода|полугода", "year", 2),
    )
)  # fmt: skip
#: The first word of each.
WORDS = tuple(
    "viertelstunde dreiviertelstunde quarter quart half halbe halben halber halbes media medio demi mezz mezza mezzo meia meio "
    "hora ora heure полчаса получаса полгода полугода".split()
)
_ARTICLE = re.compile(r"\b(?:eine[rn]?|einem|ein|une|una|uma|um|un|an?|one)[ ]$")
#: What such a name is the rest of: "two and a half hours" is read elsewhere, "every half hour" is a rate.
_NOT_AFTER = re.compile(r"(?:\d|\band a|\bund eine|\by|\bet|\be|\bи)[ ]$")


def at_word(page: Page, start: int, floor: int) -> Value | None:
    """The length of time that is named at `start`, with its article."""
    low = page.low
    for pattern, unit, share in _NAMED:
        match = pattern.match(low, start)
        if match is None:
            continue
        before = low[max(floor, start - 10) : start]
        if _NOT_AFTER.search(before):
            return None
        article = _ARTICLE.search(before)
        begin = start - len(before) + article.start() if article else start
        scale = unit.scales[0]
        reading = Reading(scale.dimension, share * scale.factor, unit.name, scale.factor / 4)
        span = Span(begin, match.end())
        return Value("duration", page.text[begin : match.end()], *span, (reading,), digits_span=span)
    return None
