"""What is known of a word by its letters alone, worked out once per spelling and language.

A text repeats its words, and the texts of one proof repeat one another's. A `Lexicon` therefore remembers for each
spelling its case-folded form, its stem and whether it is a content word, so that reading a text costs one
look-up a word. Everything in it is a pure function of spelling and language: forgetting it changes no result.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import NamedTuple, TypeVar

from proofing.support.stems import stem_of
from proofing.support.words import function_words

Known = TypeVar("Known")

#: Spellings remembered per table; a full table is emptied and starts again.
KEPT = 12_288


class Word(NamedTuple):
    """One spelling in one language.

    Attributes:
        fold: case-folded, curly apostrophes made straight.
        stem: its stem; the empty string for a sign.
        content: whether it is a word of two letters or more (one, in scripts other than Latin) and no function word.
    """

    fold: str
    stem: str
    content: bool


class Folds(dict[str, str]):
    """Token text -> case-folded text, filled on demand."""

    def __missing__(self, text: str) -> str:
        return _kept(self, text, text.casefold().replace("\u2019", "'"))


class PlainForms(dict[str, str]):
    """Token text -> the word without case and accents, filled on demand."""

    def __missing__(self, text: str) -> str:
        if text.isascii():
            return _kept(self, text, text.lower())
        decomposed = unicodedata.normalize("NFKD", text.casefold())
        return _kept(self, text, "".join(letter for letter in decomposed if not unicodedata.combining(letter)))


class Lexicon(dict[str, Word]):
    """Token text -> `Word` in one language, filled on demand."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self._idle = function_words(language)

    def __missing__(self, text: str) -> Word:
        fold = FOLDS[text]
        first = text[0]
        is_word = first.isalnum() and not first.isdecimal()
        is_sign = not is_word and not first.isdecimal()
        content = is_word and fold not in self._idle and (len(fold) > 1 or not fold.isascii())
        word = Word(fold, "" if is_sign else stem_of(fold, self.language), content)
        return _kept(self, text, word)


def _kept(table: dict[str, Known], text: str, value: Known) -> Known:
    """`value`, remembered; threads may do this twice, with the same result."""
    if len(table) >= KEPT:
        table.clear()
    table[text] = value
    return value


FOLDS = Folds()
PLAIN = PlainForms()


@cache
def lexicon(language: str) -> Lexicon:
    """The table of one language."""
    return Lexicon(language)
