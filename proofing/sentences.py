"""Where sentences end: lines and bullets first, then punctuation, never inside an abbreviation or a number.

>>> from proofing.documents import sentences_of
>>> [s.text for s in sentences_of("It opens at 9 a.m. on Monday. Call Ms. Wu.")]
['It opens at 9 a.m. on Monday.', 'Call Ms. Wu.']
>>> [s.text for s in sentences_of("Steps:\\n1. Unplug it. Wait.\\n2. Open the lid.")]
['Steps:', '1. Unplug it.', 'Wait.', '2. Open the lid.']
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from proofing.documents import Sentence, Token
from proofing.stretches import Stretches

#: Shortened words whose full stop does not end a sentence.
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sr jr st rev hon gen col lt sgt capt fig figs sec secs eq eqs ch chap no nos vol vols pp p art "
    "arts cf vs al approx ca e.g i.e eg ie viz est ext max min avg inc ltd co corp dept tel ed eds trans para pt "
    "nr bzw z.b u.a d.h usw str hr fr abs bd s vgl ggf inkl zzgl mio mrd "
    "sra srta ud uds pág págs núm art av avda ej "
    "m mm mme mlle av env réf "
    "sig sigg dott ing pag cap es "
    "exma exmo sr sra dra págs "
    "г гг ул им стр рис табл тыс млн млрд руб см др пр jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
#: Sentences often start with these, so a full stop before them ends one even after an abbreviation.
STARTERS = frozenset(
    "the a an it he she they we you this that these those there in on at for if when after before but and however "
    "its their his her our my all no please der die das es ein eine er sie wir el la los las un una en le les il elle "
    "o os as e и в на он она".split()
)
#: German months: "3. Mai" is a date, not the end of a sentence.
DATED = frozenset("januar februar märz april mai juni juli august september oktober november dezember".split())
#: A run of signs is looked at once, from its first: where that does not end a sentence, no later one does.
#: (A sign comes first, then what must not stand before it: so a search passes by letters without trying the pattern.)
_END = re.compile(r"[.!?…。！？](?:(?<![.!?…。！？][.!?…。！？])[.!?…。！？]*+[\"'”’»)\]*_]*+(?=\s|$)|(?<=[。！？]))")
_BULLET = re.compile(
    r"[ \t]*(?:[-*+•·‣–—▪◦]\s|\(?\d{1,3}[.)]\s|\(?[a-zA-Z][.)]\s|#{1,6}\s|>|\||<(?:tr|td|th|li|p|h\d|div|br)\b)"
)
_ENUMERATOR = re.compile(r"[\s>*_#(]*(?:[-+•]\s+)?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})(?:\.\d{1,3})*[.)]?[*_]*$")
_NEXT_WORD = re.compile(r"[\s\"'“‘«(\[*_]*(\w+)")
#: A line at least this long that ends without punctuation may go on in the next one (hard-wrapped prose).
WRAPPED_LINE = 50
#: A longer stretch without an end is no sentence that anybody wrote; it is cut, so that work that grows with the square
#: of a sentence stays in proportion to the text. The longest sentence of the labelled sets has 652 tokens.
MOST_TOKENS = 1000


def split_sentences(text: str, tokens: Sequence[Token]) -> tuple[Sentence, ...]:
    """The sentences of `text`; see `proofing.documents.sentences_of`."""
    starts = [token.start for token in tokens]
    found = []
    for start, end in _spans(text):
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        for begin in range(first, last, MOST_TOKENS):
            stop = min(begin + MOST_TOKENS, last)
            start, end = tokens[begin].start, tokens[stop - 1].end
            found.append(Sentence(start, end, text[start:end], begin, stop))
    return tuple(found)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Half-open stretches that tile the text, white space included."""
    for start, end in blocks(text):
        begin = start
        for stop in _ends(text, start, end):
            yield begin, stop
            begin = stop
        if begin < end:
            yield begin, end


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Lines, with hard-wrapped lines of one paragraph joined; the stretches tile the text."""
    begin = position = 0
    while position < len(text):
        newline = text.find("\n", position)
        if newline < 0:
            break
        if not _wraps(text, position, newline):
            yield begin, newline + 1
            begin = newline + 1
        position = newline + 1
    if begin < len(text):
        yield begin, len(text)


def _wraps(text: str, line_start: int, newline: int) -> bool:
    """Whether the line ends only because it was full."""
    if newline - line_start < WRAPPED_LINE or text[line_start] in "|#{[<":
        return False
    last = text[newline - 1]
    after = text[newline + 1 : newline + 2]
    if not after or after in "\r\n" or last in "\r.!?:;|" or _BULLET.match(text, newline + 1):
        return False
    return last.isalnum() or last in ",-–)\"'”’%"


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    """Positions inside ``[start, end)`` where a sentence is over."""
    begin = start
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if stop < end and _is_end(text, begin, match, end):
            yield stop
            begin = stop


def _is_end(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    sign = match.group()
    if sign[0] != ".":
        return True
    at = match.start()
    following = _NEXT_WORD.match(text, match.end(), end)
    word_after = following.group(1) if following else ""
    if text[at - 1 : at].isdigit() and word_after.lower() in DATED and not text[max(begin, at - 3) : at].isdigit():
        return False
    if at - begin < 16 and _ENUMERATOR.match(text[begin:at]):
        return False
    if len(sign) == 1 or sign[1] != ".":
        word = _SHORT[text[max(begin, at - 24) : at].rpartition(" ")[2]]
        if word and (
            word_after.lower() not in STARTERS
            or (word.lower() in ABBREVIATIONS and "." not in word and not word_after[:1].isupper())
        ):
            return False
    return not word_after[:1].islower()


def _last_word(text: str) -> str:
    """Up to twenty signs at the end of a text, back to white space, an opening bracket or quotation mark.

    >>> _last_word("lives in (St"), _last_word("at home ")
    ('St', '')
    """
    text = text.removesuffix("\n")
    if not text or text[-1].isspace():
        return ""
    word = text.rsplit(None, 1)[-1]
    for sign in "([\"“'«":
        if sign in word:
            word = word.rpartition(sign)[2]
    return word[-20:]


def _last_if_short(stretch: str) -> str:
    """The last word of a stretch where it is a shortened one, else nothing."""
    word = _last_word(stretch)
    return word if _is_short(word) else ""


#: What stands between a full stop and the last blank before it -> its last word, where that is a shortened one.
_SHORT = Stretches(_last_if_short)


def _is_short(word: str) -> bool:
    """Abbreviations, single initials and dotted letters ("U.S")."""
    low = word.lower()
    if low in ABBREVIATIONS:
        return True
    return (len(word) == 1 and word.isalpha()) or (
        len(word) >= 3 and word[1::2] == "." * (len(word) // 2) and word[0].isalpha()
    )
