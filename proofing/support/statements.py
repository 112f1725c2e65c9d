"""The values of one sentence together: which part of it is each one's own, and what they say of one another.

Two values of one family part a sentence between them ("12 euros for adults and 8 for children"), a list says once what
its later figures count, and days stand before or behind the hours that are kept on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from proofing.support.carried import carried_nouns
from proofing.support.reading import TextView
from proofing.support.slices import slice_of
from proofing.support.weekdays import days_of_values, says_days
from proofing.support.words import word_set
from proofing.values import Value, family

#: Signs and words that part two statements of one sentence; between two values the strongest of them parts.
_SIGNS = word_set("; | •")
_CONTRAST = word_set("while whereas but mais aber sondern pero mas ma но während tandis mientras")
_AND: dict[str, frozenset[str]] = {
    "en": word_set("and or then plus &"), "de": word_set("und oder sowie &"), "fr": word_set("et ou puis &"),
    "es": word_set("y e o u &"), "it": word_set("e ed o &"), "pt": word_set("e ou &"), "ru": word_set("и или &"),
}  # fmt: skip
_COMMAS = word_set(", / ( )")
_BETWEEN = word_set("to from versus vs")
#: By language, how strongly each of these words parts: 0 most.
_RANKS = {
    language: {
        word: rank
        for rank, words in reversed([*enumerate((_SIGNS, _CONTRAST, joining, _COMMAS, _BETWEEN))])
        for word in words
    }
    for language, joining in _AND.items()
}
_RESPECTIVELY = word_set("respectively beziehungsweise respectivement")
_AGES = ("aged ", "ages ", "age ", "age of ", "aged from ")
#: Families whose unit may be left out at the second figure ("40 million euros, of which schools get 12 million").
CARRIED = frozenset({"money", "percent", "length", "mass", "time", "temperature", "area", "volume", "speed"})
#: What parts two statements on parts of a whole.
_PARTING_SLICES = re.compile(r"[;,|•]|\b(?:and|while|whereas|but|und|während|aber|et|mais|y|pero|e|ma|mas|и|а|но)\b")
NO_DAYS: frozenset[int] = frozenset()


def family_of(value: Value) -> str:
    """The group of values that could stand for one another: ``money``, ``time``, ``count``, …"""
    return family(value.readings[0].dimension) if value.readings else value.kind


class Statement:
    """One sentence with the values it states; what they say of one another is worked out when first asked for.

    Attributes:
        view: the text.
        index: which of its sentences; -1 where it has none.
        values: the values in order, those of a list with the unit of the one before them.
        span: half-open code points of the sentence; of the text where there is none.
    """

    def __init__(self, view: TextView, index: int, values: Sequence[Value]) -> None:
        self.view = view
        self.index = index
        self.values = values
        sentence = view.sentences[index] if index >= 0 else None
        self.span = (sentence.start, sentence.end) if sentence else (0, len(view.text))

    @cached_property
    def zones(self) -> list[tuple[int, int]]:
        """The part of the sentence that is each value's own: parted from the next value of the same family."""
        first, last = self.span
        zones = [[first, last] for _ in self.values]
        if self._has_respectively():
            return [(first, last) for _ in zones]
        before: dict[str, int] = {}
        for position, kind in enumerate(self._families()):
            known = before.get(kind)
            if known is not None and (kind != "slice" or self._parts_slices(known, position)):
                cut = _cut_between(self.view, self.values[known].end, self.values[position].start)
                zones[known][1] = zones[position][0] = cut
            before[kind] = position
        return [(zone[0], zone[1]) for zone in zones]

    def _families(self) -> list[str]:
        """The family of each value; that of the value before it for a bare figure that may have its unit."""
        found = []
        carried = ""
        for value in self.values:
            kind = "slice" if slice_of(self.view, value) else family_of(value)
            if kind in CARRIED:
                carried = kind
            elif kind == "count" and not value.noun and carried:
                kind = "count" if self.view.text.endswith(_AGES, 0, value.start) else carried
            found.append(kind)
        return found

    def _has_respectively(self) -> bool:
        if self.index < 0:
            return False
        sentence = self.view.sentences[self.index]
        return not _RESPECTIVELY.isdisjoint(self.view.folds[sentence.first_token : sentence.last_token])

    def _parts_slices(self, one: int, other: int) -> bool:
        """ "Splits the lowest 25% from the highest 75%" says both of one thing."""
        between = (self.values[one].end, self.values[other].start)
        return _PARTING_SLICES.search(self.view.text, *between) is not None

    @cached_property
    def days(self) -> dict[int, frozenset[int]]:
        """The weekdays that each value is for, by the start of the value."""
        if self.index < 0 or not says_days(self.view, self.view.sentences[self.index]):
            return {}
        sentence = self.view.sentences[self.index]
        counted = [value for value in self.values if value.kind not in ("date", "ordinal") and not value.implicit]
        tied = days_of_values(self.view, sentence, counted)
        return {start: frozenset(day for phrase in phrases for day in phrase.days) for start, phrases in tied.items()}

    @cached_property
    def things(self) -> dict[int, str]:
        """What a value counts or is a share of where it does not say so itself, by the start of the value."""
        return self._wholes() | carried_nouns(self.view, self.values) if len(self.values) > 1 else {}

    def _wholes(self) -> dict[int, str]:
        """What percentages are of, where only one before them says so: "45% of the seats, men 55%"."""
        found: dict[int, str] = {}
        whole = ""
        for value in self.values:
            if value.kind != "percent" or slice_of(self.view, value):
                continue
            if value.noun:
                whole = value.noun if self.view.text.startswith(" of ", value.end) else ""
            elif whole:
                found[value.start] = whole
        return found


def _cut_between(view: TextView, start: int, end: int) -> int:
    """Where the words between two values part: at the strongest parting word, else right after the first value."""
    ranks = _RANKS.get(view.language, _RANKS["en"])
    best: tuple[int, int] | None = None
    for i in view.tokens_between(start, end):
        rank = ranks.get(view.folds[i])
        if rank is not None and (best is None or rank < best[0]) and view.tokens[i].start >= start:
            best = (rank, view.tokens[i].start)
    line = view.text.find("\n", start, end)
    if line >= 0:
        return line
    return best[1] if best else start
