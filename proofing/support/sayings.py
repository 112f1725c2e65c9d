"""Quotations of something other than the sources: a proverb, a motto, a song, a title, what people commonly say.

Their words are their own. That a source says something like them otherwise alters no quotation, unless the source
quotes the saying itself.
"""

from __future__ import annotations

import re

from proofing.support.reading import TextView

_KINDS = (
    r"proverbs?|sayings?|adages?|mottos?|mottoes|maxims?|slogans?|taglines?|catchphrases?|chants?|chanted|chanting|songs?"
    r"|hymns?|lyrics?|rhymes?|poems?|verses?|titles?|titled|entitled|idioms?|expressions?|aphorisms?|superstitions?"
    r"|stereotypes?|films?|movies?|novels?|albums?|commonly\s+said|often\s+said|people\s+say|as\s+they\s+say|old\s+joke"
    r"|sprichw\w+|redensart|redewendung|motto|wahlspruch|lied|titel|slogan|proverbe|dicton|adage|devise|chanson|titre"
    r"|proverbio|refrán|dicho|lema|canción|título|eslogan|detto|motto|canzone|titolo|provérbio|ditado|lema|canção"
    r"|пословиц\w*|поговорк\w*|девиз\w*|песн\w*|лозунг\w*|назван\w*"
)  # fmt: skip
_SAYING = re.compile(rf"\b(?:{_KINDS})\b", re.IGNORECASE)
#: Before the quotation marks, and behind them: "“…” is a proverb", "“…”, as the saying goes".
_BEFORE = re.compile(rf"\b(?:{_KINDS})\b[^.;!?\"“”„«»]{{0,80}}[\"“„«]\s?\Z", re.IGNORECASE)
_BEHIND = re.compile(
    rf"\s?[.,]?[\"”“»],?\s(?:is|was|as|ist|est|es|è|é|—|это)\s(?:[^\W\d_]+\s){{1,3}}?(?:{_KINDS})\b", re.IGNORECASE
)
#: So far before a quotation its kind may be named.
REACH = 90
_MARKS = frozenset('"“”„«»')


def is_a_saying(answer: TextView, start: int, end: int) -> bool:
    """Whether the answer quotes ``[start, end)`` as something that is said or sung and not as the sources' words."""
    sentence = answer.sentence_at(start)
    first = max(start - REACH, sentence.start if sentence else 0)
    return (
        _BEFORE.search(answer.text[first:start]) is not None or _BEHIND.match(answer.text, end, end + REACH) is not None
    )


def quotes_it_too(view: TextView, at: int) -> bool:
    """Whether the source's sentence at a token quotes something itself, or names such a kind of words."""
    sentence = view.sentence_at(view.tokens[at].start)
    if sentence is None:
        return False
    return not _MARKS.isdisjoint(sentence.text) or _SAYING.search(sentence.text) is not None
