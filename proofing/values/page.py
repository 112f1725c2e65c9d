"""The text being read, with what is decided once per document: its languages, decimal mark and clock.

Whether ``1.234`` is a thousand or a bit more than one is decided by the other numerals of the same document
(``3.5`` says that the point is a decimal mark, ``1.234,56`` that it is not), else by the declared locale; else
it stays undecided. The machine's own locale is never asked.

>>> Page("It fell from 1.234 to 3.5.").decimal_mark
'.'
>>> Page("1.234", "de").decimal_mark
','
>>> Page("1.234").decimal_mark is None
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import chain, takewhile

from proofing.stretches import Stretches
from proofing.values.unit_table import Unit

LANGUAGES = ("en", "es", "de", "fr", "it", "pt", "ru")

#: Words that give a language away: frequent, short, and not words of the other languages.
_TELLTALES: dict[str, frozenset[str]] = {
    "en": frozenset(
        "the and of is are was were with for this that from by has have it its to at not per which".split()
    ),
    "es": frozenset(
        "el los las y del por con una es son fue para más está hay al lo según entre años días están tiene tienen puede pueden cuesta cuestan horas dura duran desde hasta".split()
    ),
    "de": frozenset(
        "der die das und ist sind war mit für ein eine nicht von den dem des auf zu bei wird beträgt kostet kosten kann hat haben stunden dauert dauern uhr im am".split()
    ),
    "fr": frozenset("le les et est sont dans pour une du des au aux avec par sur qui plus été était vous".split()),
    "it": frozenset(
        "il gli di è sono nel della dei che per con una alla dal più stato anni giorni entro può sono costa costano ore minuti mesi settimane dura durano".split()
    ),
    "pt": frozenset(
        "o os um uma e é são do da dos das no na em com não por para foi mais anos dias horas dura duram".split()
    ),
    "ru": frozenset("и в на с не по что это для от до был была было составляет за из к как или".split()),
}
_WORD = re.compile(r"[^\W\d_]+")
_NUMERAL = re.compile(r"(?<![\w.,/:@#])(?<!\w[-–])\d+(?:[.,]\d+)+(?![\w/:@]|[-–]\d)")
_NO_NUMERAL = re.compile(
    r"(?:section|sec\.?|chapter|fig\.?|figure|table|version|release|abschnitt|kapitel|§|v)\s*$", re.IGNORECASE
)
_CLOCK_24 = re.compile(
    r"(?<![\d.,:])(?:(?:0\d|1[3-9]|2[0-4]):[0-5]?\d|(?:[1-9]|1\d|2[0-4]):0-(?:1[3-9]|2[0-4]):)(?![\d:])"
)
_SLASH_DATE = re.compile(r"(?<![\d/.])(\d{1,2})/(\d{1,2})/(?:\d{4}|\d{2})(?![\d/])")
#: How much of a text is read to tell its language.
_SAMPLE = 4000


def fold(text: str) -> str:
    """The text in lower case, code point for code point: offsets stay what they are.

    >>> len(fold("İZMİR 5 km")) == len("İZMİR 5 km")
    True
    """
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def _told(stretch: str) -> tuple[str, ...]:
    """The languages that the words of a stretch give away, once for each word."""
    return tuple([name for word in _WORD.findall(stretch) for name, words in _TELLTALES.items() if word in words])


_VOTES = Stretches(_told)


def is_compound(word: str) -> bool:
    """Whether `word` may be a German or Italian number in one word, beyond those in the table.

    >>> is_compound("zweitausenddrei"), is_compound("thousand")
    (True, False)
    """
    return len(word) > 7 and ("tausend" in word or "mila" in word or "mille" in word)


def word_at(low: str, position: int) -> str:
    """The letters that begin at `position`; "" where none stands there.

    >>> word_at("5 days.", 2), word_at("5 days.", 1)
    ('days', '')
    """
    match = _WORD.match(low, position)
    return match[0] if match else ""


def letters_at(low: str, position: int) -> str:
    """The same without figures that are letters to a pattern ("²", "½", "Ⅳ").

    >>> letters_at("5 days.", 2), letters_at("m² of", 0)
    ('days', 'm')
    """
    word = word_at(low, position)
    return word if not word or word.isalpha() else "".join(takewhile(str.isalpha, word))


def endings(words: Iterable[str]) -> frozenset[str]:
    """The last two letters of each word: what must stand before a place for one of the words to stand there.

    Looking these up first spares most places the pattern that looks for the words themselves.
    """
    return frozenset(word[-2:] for word in words)


class Page:
    """One text as the grammars see it.

    Attributes:
        text: the caller's string.
        low: the same in lower case, offsets unchanged.
        locale: declared BCP 47 tag, ``und`` when there is none.
    """

    def __init__(self, text: str, locale: str = "und") -> None:
        self.text = text
        self.low = fold(text)
        self.locale = locale.replace("_", "-")
        #: Up to here digits stand in a list without spaces ("1,2,3"): each is looked at alone, so that the
        #: whole list is not read again from each of its members.
        self.listed_until = 0
        #: The last number of a list item seen ("2." or "(2)"), so that the next one is known for what it is.
        self.enumerated = 0
        #: Units that figures lend to one behind them, by where it begins ("2560×1440").
        self.sized: dict[int, Unit] = {}

    @cached_property
    def says_or_so(self) -> bool:
        """Whether the text holds "or so" at all."""
        return " or so" in self.low

    @cached_property
    def declared_language(self) -> str:
        """``de`` for de-CH; "" when undeclared."""
        tag = self.locale.lower().partition("-")[0]
        return "" if tag in ("und", "") else tag

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Languages the text seems to be written in, best first; empty when nothing tells."""
        told = list(chain.from_iterable(filter(None, map(_VOTES.__getitem__, self.low[:_SAMPLE].split(" ")))))
        counts = {language: told.count(language) for language in LANGUAGES}
        best = max(counts.values())
        found = [x for x in sorted(LANGUAGES, key=lambda x: -counts[x]) if counts[x] and counts[x] * 2 >= best]
        declared = self.declared_language
        if declared in LANGUAGES:
            found = [declared] + [x for x in found if x != declared]
        return tuple(found)

    def speaks(self, language: str) -> bool:
        """Whether words of `language` are to be expected: it is among the languages, or nothing is known."""
        return language in self.languages or not self.languages

    @cached_property
    def decimal_mark(self) -> str | None:
        """``.`` or ``,`` when the document's numerals or the declared locale decide, None when neither does."""
        points, commas = self._decimal_votes
        if (points and not commas) or points > 3 * commas:
            return "."
        if (commas and not points) or commas > 3 * points:
            return ","
        return _locale_mark(self.locale)

    @cached_property
    def _decimal_votes(self) -> tuple[int, int]:
        points = commas = 0
        for match in _NUMERAL.finditer(self.text):
            mark = decimal_evidence(match.group())
            if mark == ".":
                if not _NO_NUMERAL.search(self.text[max(0, match.start() - 12) : match.start()]):
                    points += 1
            elif mark == ",":
                commas += 1
        return points, commas

    @cached_property
    def has_24_hour_clock(self) -> bool:
        """Whether some time of the text can only be on a 24-hour clock (``17:30``, ``08:00``)."""
        return _CLOCK_24.search(self.text) is not None

    @cached_property
    def slash_order(self) -> str | None:
        """``dmy`` or ``mdy`` when another slash date of the text or the declared locale decides, else None."""
        orders = set()
        for match in _SLASH_DATE.finditer(self.text):
            first, second = int(match[1]), int(match[2])
            if 12 < first <= 31 and second <= 12:
                orders.add("dmy")
            elif 12 < second <= 31 and first <= 12:
                orders.add("mdy")
        if len(orders) == 1:
            return orders.pop()
        if self.declared_language == "en":
            return "mdy" if self.locale.lower() in ("en-us", "en-ph") else "dmy" if "-" in self.locale else None
        language = self.declared_language or next(iter(self.languages), "")
        return "dmy" if language not in ("", "en") else None  # only English also puts the month first


def decimal_evidence(numeral: str) -> str | None:
    """Which mark must be the decimal mark for `numeral` to be one; None when it could be either or is no number.

    >>> [decimal_evidence(n) for n in ("1.234,56", "1,234.5", "3,5", "1.234.567", "12,34,567", "1.234", "1.2.3")]
    [',', '.', ',', ',', '.', None, None]
    """
    groups = re.split(r"[.,]", numeral)
    marks = [c for c in numeral if c in ".,"]
    if len(marks) == 1:
        if len(groups[1]) == 3 and len(groups[0]) <= 3 and not groups[0].startswith("0"):
            return None
        return marks[0]
    other = {".": ",", ",": "."}
    if len(set(marks)) == 1:
        if len(groups[-1]) == 3 and len(groups[0]) <= 3 and all(len(g) in (2, 3) for g in groups[1:-1]):
            return other[marks[0]]
        return None
    if len(set(marks[:-1])) == 1 and marks[-1] != marks[0] and all(len(g) in (2, 3) for g in groups[1:-1]):
        return marks[-1]
    return None


@lru_cache(maxsize=64)
def _locale_mark(locale: str) -> str | None:
    """Decimal mark of a declared locale from CLDR; None when undeclared, unknown or neither point nor comma."""
    if locale.lower() in ("und", ""):
        return None
    from babel import Locale, UnknownLocaleError
    from babel.numbers import get_decimal_symbol

    try:
        mark = get_decimal_symbol(Locale.parse(locale, sep="-"), numbering_system="latn")
    except (UnknownLocaleError, ValueError):
        return None
    return mark if mark in (".", ",") else None
