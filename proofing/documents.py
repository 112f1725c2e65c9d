"""Text as the engine reads it: sources, sentences and tokens with offsets into the caller's own string.

Offsets are zero-based, half-open and count Unicode code points of the text the caller gave; nothing here
ever rewrites that text. Every span can therefore be checked against a slice of the original.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count
from operator import add
from typing import NamedTuple

from proofing.errors import BadInput
from proofing.stretches import Stretches


class Span(NamedTuple):
    """A half-open stretch of code points, ``text[start:end]``."""

    start: int
    end: int

    def overlaps(self, other: tuple[int, int]) -> bool:
        return self.start < other[1] and other[0] < self.end

    def contains(self, other: tuple[int, int]) -> bool:
        return self.start <= other[0] and other[1] <= self.end


class Token(NamedTuple):
    """One word, number piece or sign of a text.

    ``kind`` is ``"word"`` (letters, with inner apostrophes and hyphens kept apart as tokens of their own),
    ``"digits"`` or ``"sign"``.
    """

    text: str
    start: int
    end: int
    kind: str


class Sentence(NamedTuple):
    """One sentence (or list item, table row, heading) of a text; ``tokens`` is a slice into the text's tokens."""

    start: int
    end: int
    text: str
    first_token: int
    last_token: int  # half-open


@dataclass(frozen=True, slots=True)
class Source:
    """One retrieved source, as the caller names it."""

    id: str
    text: str
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text with what the structure around it says it belongs to.

    Attributes:
        start: first code point.
        end: one past the last.
        kind: ``prose`` (a sentence), ``item`` (of a list), ``heading``, ``cell`` (of a table) or ``field``
            (a scalar of a record).
        context: the headings, headers or keys in force here, outermost first.
        row: header of the cell's row, "" elsewhere.
        column: header of the cell's column, "" elsewhere.
        key_path: keys of a record from the outside in (list positions as ``"0"``), empty elsewhere.
        scale: what the numbers of a table are multiplied by ("in millions": 1,000,000).
        scale_text: the words that say so.
    """

    start: int
    end: int
    kind: str
    context: tuple[str, ...] = ()
    row: str = ""
    column: str = ""
    key_path: tuple[str, ...] = ()
    scale: Fraction = Fraction(1)
    scale_text: str = ""


#: Combining marks, joiners and viramas that continue a word although Python's ``\\w`` does not count them as letters.
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u0900-\u0903\u093a-\u094f\u0962\u0963\u0980-\u0983\u09bc-\u09cd\u0a3c-\u0a4d\u0abc-\u0acd"
    "\u0b3c-\u0b4d\u0bbe-\u0bcd\u0c3e-\u0c4d\u0cbc-\u0ccd\u0d3e-\u0d4d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"
)
_TOKEN = re.compile(rf"([^\W\d_]+(?:[{_MARKS}]+[^\W\d_]+)*[{_MARKS}]*)|(\d+)|[^\w\s]|_|[{_MARKS}]+|\w")
#: The same for a text of ASCII alone, which has no combining marks.
_PLAIN_TOKEN = re.compile(r"([A-Za-z]+)|(\d+)|[^\w\s]|_")
#: Scripts written without spaces between words: Thai, Lao, Khmer, Myanmar, kana, Han.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
#: Pieces of an unspaced run: one ideograph or kana syllable each (UAX 29), Katakana and South-East Asian runs whole.
_UNSPACED_PIECE = re.compile(
    r"[\u30a1-\u30fa\u30fc]+|[\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|[^\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def check_text(text: object, where: str = "text") -> str:
    """The text itself, if the engine can read it.

    Raises:
        BadInput: not a string, or it holds a NUL or a lone surrogate; the message says where.

    >>> check_text("fine", "answer")
    'fine'
    """
    if not isinstance(text, str):
        raise BadInput(f"{where} is {type(text).__name__}, expected text")
    position = text.find("\0")
    if position >= 0:
        raise BadInput(f"{where} holds a NUL character at position {position}: remove it")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadInput(f"{where} holds a lone surrogate at position {error.start}: decode the text again") from None
    return text


def has_unspaced_script(text: str) -> bool:
    """Whether some words of the text are not parted by spaces (Chinese, Japanese, Thai, …).

    >>> has_unspaced_script("the cat"), has_unspaced_script("猫がいる")
    (False, True)
    """
    return not text.isascii() and _UNSPACED.search(text) is not None


def tokens_of(text: str) -> tuple[Token, ...]:
    """Words, digit runs and signs of a text, in order; everything but white space belongs to one token.

    >>> [t.text for t in tokens_of("It's 3.5 km-long")]
    ['It', "'", 's', '3', '.', '5', 'km', '-', 'long']
    """
    make = tuple.__new__  # what `Token._make` does, less a call for each of thousands of tokens
    stretches = text.split(" ")
    begins = map(add, accumulate(map(len, stretches), initial=0), count())
    return tuple(
        [
            make(Token, (own, at + start, at + end, kind))
            for at, tokens in zip(begins, map(_TOKENS.__getitem__, stretches), strict=False)
            for own, start, end, kind in tokens
        ]
    )


#: The parts of a `Token`. Plain tuples of text and numbers are left out by the garbage collector, so that remembering
#: thousands of them costs the next answers nothing.
_Parts = tuple[str, int, int, str]


def _read_tokens(stretch: str) -> tuple[_Parts, ...]:
    kinds = {None: "sign", 1: "word", 2: "digits"}
    pattern = _PLAIN_TOKEN if stretch.isascii() else _TOKEN
    found = [Token(m[0], m.start(), m.end(), kinds[m.lastindex]) for m in pattern.finditer(stretch)]
    if has_unspaced_script(stretch):
        found = [piece for token in found for piece in _pieces(token)]
    return tuple([(token.text, token.start, token.end, token.kind) for token in found])


def _pieces(token: Token) -> list[Token]:
    if token.kind != "word" or _UNSPACED.search(token.text) is None:
        return [token]
    return [
        Token(m.group(), token.start + m.start(), token.start + m.end(), "word")
        for m in _UNSPACED_PIECE.finditer(token.text)
    ]


#: The tokens of a stretch between two blanks, with offsets into it.
_TOKENS = Stretches(_read_tokens)


def sentences_of(text: str, tokens: Sequence[Token] | None = None) -> tuple[Sentence, ...]:
    """Sentences, list items, table rows and headings of a text, in order; every token is in exactly one.

    Lines and bullets part sentences before punctuation does. A list enumerator ("2.") stays with its item.

    >>> [s.text for s in sentences_of("See Fig. 3 of Dr. Lee. It cost 3.5 million.\\n- one\\n- two")]
    ['See Fig. 3 of Dr. Lee.', 'It cost 3.5 million.', '- one', '- two']
    """
    from proofing.sentences import split_sentences

    return split_sentences(text, tokens_of(text) if tokens is None else tokens)


def passages_of(text: str) -> tuple[Passage, ...]:
    """The structure of a text: cells of Markdown and HTML tables, fields of records, items, headings, prose.

    >>> cell = passages_of("| Size | Price |\\n|---|---|\\n| Small | 12 € |")[-1]
    >>> (cell.kind, cell.row, cell.column)
    ('cell', 'Small', 'Price')
    >>> passages_of("{'name': 'Quay', 'stars': 4.5}")[-1].key_path
    ('stars',)
    """
    from proofing.structure import find_passages

    return find_passages(text)
