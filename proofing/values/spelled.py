"""Numbers in words: "three hundred and forty", "vingt-et-un", "treinta y cinco", "zweitausenddreihundert", "a dozen".

>>> [str(_first(t).amounts[0]) for t in ("three hundred and forty", "twenty-five", "half a million", "two dozen")]
['340', '25', '500000', '24']
>>> [str(_first(t).amounts[0]) for t in ("quatre-vingt-dix-sept", "treinta y cinco", "zweitausenddreihundert", "двадцать пять")]
['97', '35', '2300', '25']
>>> [str(_first(t).amounts[0]) for t in ("two-thirds", "one and a half", "three quarters", "half")]
['2/3', '3/2', '3/4', '1/2']
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from proofing.values.number_words import AMBIGUOUS, ARTICLES, HALVES, WORDS, Word
from proofing.values.numerals import Numeral
from proofing.values.page import Page, letters_at
from proofing.values.shares import LEAD, lone_part, with_parts

_NEXT = re.compile(r"(?:[ \u00a0]{1,2}|[-‐‑]|\n)(?:(and|y|et|e|und|и)(?:[ \u00a0]|-))?([^\W\d_]+)")
_JOINERS = {"en": "and", "es": "y", "fr": "et", "it": "e", "pt": "e", "de": "und", "ru": ""}
#: Units that no other of the languages writes so: a number word before one is a number.
_UNIT_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "de": "tage tagen stunden wochen monate monaten jahre jahren minuten personen",
        "es": "días semanas años horas meses minutos personas", "fr": "jours heures semaines années personnes",
        "it": "giorni ore settimane mesi anni minuti persone", "pt": "dias semanas anos horas meses minutos pessoas",
    }.items()
}  # fmt: skip
_THOUSANDS = re.compile(r"^(.*?)(tausend|mila|mille)(.*)$")


def spelled_at(page: Page, start: int, floor: int = 0) -> Numeral | None:
    """The number in words that begins with (or has an article before) the word at `start`.

    Args:
        page: the text.
        start: where a word of `WORDS` or `PARTS`, or a German or Italian compound, begins.
        floor: nothing before this may be taken in.
    """
    low = page.low
    word = letters_at(low, start)
    end = start + len(word)
    half = HALVES.get(word)
    if half is not None:
        return Numeral(start, end, (half,), None)
    best: Numeral | None = None
    for entry in entries_of(word):
        if not _read_here(page, entry, word) and not _before_a_scale(low, end, entry.language):
            continue
        found = _compose(low, start, end, entry)
        if found is not None and (best is None or found.end > best.end):
            best = found
    if best is None:
        return lone_part(page, start, end, word, floor) or _lone_scale(page, start, end, word, floor)
    return with_parts(low, best)


def entries_of(word: str) -> tuple[Word, ...]:
    """What a number word may stand for; compounds of thousands are taken apart.

    >>> entries_of("zweitausenddreihundert")[0].amount
    2300
    """
    known = WORDS.get(word)
    if known is not None:
        return known
    if len(word) > 7 and ("tausend" in word or "mila" in word or "mille" in word):
        return _thousands(word)
    return ()


@lru_cache(maxsize=256)
def _thousands(word: str) -> tuple[Word, ...]:
    if len(word) > 60:
        return ()
    match = _THOUSANDS.match(word)
    if match is None:
        return ()
    language = "de" if match[2] == "tausend" else "it"
    amounts = []
    for piece, default in ((match[1], 1), (match[3].removeprefix("und"), 0)):
        if not piece:
            amounts.append(default)
        elif piece == "ein" and language == "de":
            amounts.append(1)
        else:
            fits = [w.amount for w in WORDS.get(piece, ()) if w.language == language and w.amount < 1000]
            if not fits:
                return ()
            amounts.append(fits[0])
    return (Word(language, amounts[0] * 1000 + amounts[1], "whole"),)


def _read_here(page: Page, entry: Word, word: str) -> bool:
    if (entry.language, word) in AMBIGUOUS or word in ("no", "y"):
        return bool(page.languages) and entry.language in page.languages and _leads(page, entry.language, word)
    return entry.language == "en" or page.speaks(entry.language) or len(word) > 4


def _before_a_scale(low: str, end: int, language: str) -> bool:
    """Whether a scale, a unit of time or a clear number of the same language follows ("dos mil", "acht Jahren").

    Then the word is a number, whatever the page speaks.
    """
    match = _NEXT.match(low, end)
    if match is None or match[1]:
        return False
    if match[2] in _UNIT_WORDS.get(language, ()):
        return True
    clear = len(match[2]) > 4 and (language, match[2]) not in AMBIGUOUS and language != "en"
    return any(e.language == language and (e.role == "scale" or clear) for e in WORDS.get(match[2], ()))


def _leads(page: Page, language: str, word: str) -> bool:
    """Whether `language` is the first of the page's languages that knows the word at all."""
    for spoken in page.languages:
        if spoken == language:
            return True
        if any(e.language == spoken for e in WORDS.get(word, ())):
            return False
    return False


def _compose(low: str, start: int, end: int, first: Word) -> Numeral | None:
    """Join words from `start` on for as long as they make one number of one language."""
    sum_ = _Sum(first.language)
    if not sum_.takes(first, joined=False, hyphen=False):
        return None
    last, stop = first, end
    while (match := _NEXT.match(low, stop)) is not None:
        joiner, word = match[1], match[2]
        if joiner and joiner != _JOINERS[first.language]:
            break
        if low[stop] == "\n" and not joiner and match.end() > stop + 40:
            break
        fitting = next((e for e in entries_of(word) if e.language == first.language), None)
        if fitting is None or (joiner and not sum_.may_join(fitting)):
            break
        if not sum_.takes(fitting, joined=bool(joiner), hyphen=low[stop] in "-‐‑"):
            break
        last, stop = fitting, match.end()
    if last is first and (not first.bare or (first.role in ("unit", "hundred") and low[start:end] in ARTICLES)):
        return None
    total = sum_.total()
    return Numeral(start, stop, (Fraction(total),), Fraction(sum_.step))


class _Sum:
    """A number growing word by word; `takes` says no when the next word begins another number."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.done = 0  # whole thousands, millions, …
        self.group = 0  # below a thousand
        self.last_scale = 10**18
        self.open = True
        self.started = False
        self.step = 1

    def total(self) -> int:
        return self.done + self.group

    def may_join(self, word: Word) -> bool:
        """Whether "and" (or its like) may stand before `word` inside a number."""
        if self.language == "en":
            return (
                (self.group % 100 == 0 and self.group > 0) or (self.group == 0 and self.done > 0)
            ) and word.role in (
                "unit",
                "teen",
                "tens",
            )
        if self.language in ("es", "it"):
            return self.group % 100 >= 20 and self.group % 10 == 0 and word.role == "unit"
        if self.language == "fr":
            return self.group % 100 >= 20 and word.amount in (1, 11)
        return self.language == "pt" and word.role != "scale"

    def takes(self, word: Word, joined: bool, hyphen: bool) -> bool:
        amount, role = word.amount, word.role
        if role == "zero":
            ok = not self.started
        elif role == "dozen":
            ok = 0 < self.group < 100 and self.done == 0
            amount = self.group * 12
            self.group = 0 if ok else self.group
        elif role == "scale":
            ok = self._scale(amount, word.bare)
            amount = 0
        elif role == "hundred":
            ok = self.group in range(1, 100) or (self.group == 0 and word.bare)
            amount = max(self.group, 1) * 100 - self.group
        else:
            ok, amount = self._small(amount, role)
        if ok:
            self.started = True
            self.group += amount
        return ok

    def _scale(self, amount: int, bare: bool) -> bool:
        factor = self.group or (1 if bare and self.done == 0 else 0)
        if factor and amount < self.last_scale:
            self.done += factor * amount
        elif self.done and self.done + self.group < amount:  # "mil millones", "hundred thousand million"
            self.done = (self.done + self.group) * amount
        elif not self.started and not bare and factor == 0:  # "million" alone: `bare` keeps it from being a number
            self.done = amount
        else:
            return False
        self.group, self.last_scale = 0, amount
        return True

    def _small(self, amount: int, role: str) -> tuple[bool, int]:
        """Words below a thousand: which places are still free."""
        rest = self.group % 100
        if self.language == "fr":
            if amount == 20 and self.group % 10 == 4 and rest < 10:  # quatre-vingts
                return True, 76
            if role == "teen" and rest in (60, 80):  # soixante-dix, quatre-vingt-onze
                return True, amount
        if role == "hundreds":
            return self.group == 0, amount
        if role == "whole":
            return self.group == 0 or (self.group % 100 == 0 and amount < 100), amount
        if role in ("teen", "tens"):
            return rest == 0, amount
        if rest == 10 and self.language == "fr" and amount in (7, 8, 9):  # dix-sept
            return True, amount
        return (rest == 0 or (rest >= 20 and self.group % 10 == 0)), amount


def _lone_scale(page: Page, start: int, end: int, word: str, floor: int) -> Numeral | None:
    """ "a hundred", "a dozen", "half a million", "une douzaine": a scale with an article before it."""
    entries = [e for e in entries_of(word) if e.role in ("scale", "hundred", "dozen")]
    if not entries:
        return None
    low = page.low
    before = low[max(floor, start - 12) : start]
    match = LEAD.search(before)
    if match is not None and match[2] in ("a", "an") and all(e.language != "en" for e in entries):
        return None  # "a mil" is no English thousand
    entry = entries[0]
    if (
        match is None
        or match[2] in ("the", "das", "die", "la", "le", "el", "il", "o")
        or low[end - 1 : end + 3] == "s of"
    ):
        return None
    amount = Fraction(entry.amount) * (Fraction(1, 2) if match[1] else 1)
    return Numeral(start - len(before) + match.start(), end, (amount,), Fraction(entry.amount))


def _first(text: str) -> Numeral:
    """For the examples above: the number at the first word that makes one."""
    page = Page(text)
    for match in re.finditer(r"[^\W\d_]+", text):
        found = spelled_at(page, match.start())
        if found is not None:
            return found
    raise AssertionError(text)
