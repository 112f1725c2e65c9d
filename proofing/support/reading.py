"""One reading of question, sources and answer that all channels share.

A `TextView` is one text with its tokens, sentences, typed values, passages and stems, each worked out at most
once. A `Proof` holds the views and an index over all source sentences, so that "which sentences are near
these words" costs a few dictionary look-ups and not a pass over the sources.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from proofing.documents import (
    Passage,
    Sentence,
    Source,
    Token,
    has_unspaced_script,
    passages_of,
    sentences_of,
    tokens_of,
)
from proofing.report import Receipt
from proofing.settings import Settings
from proofing.support.lexicon import FOLDS, Word, lexicon
from proofing.support.postings import Rarities, leading, scores_of
from proofing.support.stems import stem_of
from proofing.support.words import language_of
from proofing.support.wordset import word_set
from proofing.values import Value, find_values

#: Source views kept between calls: six answers to one question usually share their sources.
VIEWS_KEPT = 128
#: Code points of each text that decide what language a short text beside them is probably in.
LANGUAGE_SAMPLE = 600
#: The words inside "OutdoorSeating".
_RUN_TOGETHER = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")
_LETTERS = re.compile(r"[^\W\d_]+")
#: Stems are also indexed by so many first letters.
OPENING = 4
#: Small words that a phrase may hold without lending a letter to its acronym.
SILENT = word_set("of the and for de la des du und der für y e")
INSIDE_NAMES = SILENT | {"-", "&", "'"}


@dataclass(frozen=True, eq=False)
class TextView:
    """One text and what can be read in it; every part is worked out when first asked for, then kept.

    Attributes:
        source: where the text comes from; None for question and answer.
        text: the caller's own string; all offsets count its code points.
        locale: BCP 47 tag for numbers and dates, ``und`` when not declared.
        likely: language to assume when the text is too short to say.
    """

    source: Source | None
    text: str
    locale: str = "und"
    likely: str = "en"

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tokens_of(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return sentences_of(self.text, self.tokens)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return passages_of(self.text)

    @cached_property
    def is_record(self) -> bool:
        """Whether the text is one record (a JSON object or a Python literal) and not prose."""
        return self.text.lstrip()[:1] in ("{", "[") and any(p.kind == "field" for p in self.passages)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return find_values(self.text, self.locale)

    @cached_property
    def folds(self) -> tuple[str, ...]:
        """Case-folded text of each token (curly apostrophes made straight)."""
        return tuple(map(FOLDS.__getitem__, [token.text for token in self.tokens]))

    @cached_property
    def fold_set(self) -> frozenset[str]:
        return frozenset(self.folds)

    @cached_property
    def language(self) -> str:
        return language_of(self.folds, self.locale, self.likely)

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """Where other readers keep what they worked out about this text; lives as long as the view."""
        return {}

    @cached_property
    def is_unspaced(self) -> bool:
        """Whether parts of the text are written without spaces between words."""
        return has_unspaced_script(self.text)

    @cached_property
    def _words(self) -> list[Word]:
        return list(map(lexicon(self.language).__getitem__, [token.text for token in self.tokens]))

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Stem of each token; the empty string for signs."""
        return tuple([word.stem for word in self._words])

    @cached_property
    def content(self) -> tuple[bool, ...]:
        """Whether each token is a content word: a word of two letters or more that is no function word."""
        return tuple([word.content for word in self._words])

    @cached_property
    def stating(self) -> tuple[bool, ...]:
        """Whether each token is a content word or digits: what a text can get wrong."""
        return tuple([word or token.kind == "digits" for word, token in zip(self.content, self.tokens, strict=True)])

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [sentence.start for sentence in self.sentences]

    @cached_property
    def _token_starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    @cached_property
    def _token_ends(self) -> list[int]:
        return [token.end for token in self.tokens]

    @cached_property
    def _value_starts(self) -> list[int]:
        return [value.start for value in self.values]

    @cached_property
    def spoken_tokens(self) -> tuple[int, ...]:
        """Indices of the tokens that are words or digits."""
        return tuple(i for i, token in enumerate(self.tokens) if token.kind != "sign")

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """Case-folded words and digits without signs: what is left when a text is read aloud."""
        folds = self.folds
        return tuple(folds[i] for i in self.spoken_tokens)

    def spoken_index(self, token: int) -> int:
        """Position in `spoken` of the first word at or after a token."""
        return bisect_left(self.spoken_tokens, token)

    @cached_property
    def stem_set(self) -> frozenset[str]:
        return frozenset(self.stems)

    def sentence_index_at(self, position: int) -> int | None:
        """Index of the sentence that holds `position`, or of the last one before it; None in an empty text."""
        index = bisect_right(self._sentence_starts, position) - 1
        return max(index, 0) if self.sentences else None

    def sentence_at(self, position: int) -> Sentence | None:
        """The sentence that holds `position` (the last one before it when it falls between two)."""
        index = self.sentence_index_at(position)
        return None if index is None else self.sentences[index]

    def token_index_at(self, position: int) -> int:
        """Index of the token that holds `position`, or of the first one after it."""
        return bisect_right(self._token_ends, position)

    def tokens_between(self, start: int, end: int) -> range:
        """Indices of the tokens that touch ``[start, end)``."""
        first = bisect_right(self._token_ends, start)
        return range(first, bisect_left(self._token_starts, end, first))

    def value_at(self, position: int) -> Value | None:
        """The typed value that covers `position`, if one does."""
        index = bisect_right(self._value_starts, position) - 1
        if index >= 0 and self.values[index].end > position:
            return self.values[index]
        return None

    def values_between(self, start: int, end: int) -> tuple[Value, ...]:
        """The typed values that begin in ``[start, end)``, in text order."""
        starts = self._value_starts
        return self.values[bisect_left(starts, start) : bisect_left(starts, end)]

    def stems_in(self, sentence: Sentence) -> tuple[str, ...]:
        """Stems of the tokens of one sentence, signs as empty strings."""
        return self.stems[sentence.first_token : sentence.last_token]

    def places_in(self, sentence: Sentence) -> dict[str, list[int]]:
        """Stem -> the tokens of one sentence that have it, in order; worked out once."""
        key = ("places", sentence.first_token)
        known: dict[str, list[int]] | None = self.memo.get(key)
        if known is None:
            known = {}
            for token, stem in enumerate(self.stems[sentence.first_token : sentence.last_token], sentence.first_token):
                if stem:
                    known.setdefault(stem, []).append(token)
            self.memo[key] = known  # not before it is whole: views of sources are shared between threads
        return known

    def key_stems_in(self, sentence: Sentence) -> list[str]:
        """Stems of the words that the keys of a record run together ("OutdoorSeating"), single and in joined pairs."""
        if not self.is_record:
            return []
        found: dict[str, None] = {}
        for token in self.tokens[sentence.first_token : sentence.last_token]:
            words = _RUN_TOGETHER.findall(token.text) if token.kind == "word" else []
            if len(words) > 1:
                folded = [word.casefold() for word in words]
                pairs = [a + b for a, b in pairwise(folded)]
                found.update(dict.fromkeys(stem_of(word, self.language) for word in (*folded, *pairs)))
        return list(found)

    def content_stems_in(self, sentence: Sentence) -> list[str]:
        """Stems of the content words of one sentence, in order, repeats kept."""
        return [self.stems[i] for i in range(sentence.first_token, sentence.last_token) if self.content[i]]


class Evidence(NamedTuple):
    """One source sentence: which source (by position) and which of its sentences."""

    source: int
    sentence: int


@lru_cache(maxsize=VIEWS_KEPT)
def source_view(source: Source, locale: str, likely: str) -> TextView:
    """The view of one source, kept between calls (a pure function of its arguments)."""
    return TextView(source, source.text, locale, likely)


@dataclass(frozen=True, eq=False)
class Proof:
    """Question, sources and answer, read once, with an index over the source sentences."""

    question: TextView
    sources: tuple[TextView, ...]
    answer: TextView
    settings: Settings

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """Every source sentence, source by source, in text order."""
        return tuple(Evidence(s, i) for s, view in enumerate(self.sources) for i in range(len(view.sentences)))

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """Stem -> ascending indices into `evidence` of the sentences that hold it."""
        found: dict[str, list[int]] = {}
        index = 0
        for view in self.sources:
            for sentence in view.sentences:
                stems = dict.fromkeys(filter(None, (*view.stems_in(sentence), *view.key_stems_in(sentence))))
                for stem in stems:
                    found.setdefault(stem, []).append(index)
                index += 1
        return found

    @cached_property
    def _by_opening(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for stem in self.postings:
            if len(stem) >= OPENING:
                found.setdefault(stem[:OPENING], []).append(stem)
        return found

    def stems_starting_with(self, opening: str) -> Sequence[str]:
        """Stems of the sources that begin with these four letters, in order of first appearance."""
        return self._by_opening.get(opening, ())

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Case-folded initials of the capitalised phrases of the sources ("who" for World Health Organization)."""
        return frozenset(short for view in self.sources for short in initials_of(view))

    @cached_property
    def rarities(self) -> Rarities:
        """Stem -> how rare it is among the source sentences."""
        return Rarities(self.postings, len(self.evidence))

    def rarity(self, stem: str) -> float:
        """Inverse sentence frequency of a stem over the source sentences; see `Rarities`."""
        return self.rarities[stem]

    def nearest(self, stems: Iterable[str], count: int = 3) -> list[tuple[int, float]]:
        """The source sentences that share most of `stems`, by summed rarity, best first; ties by position.

        Args:
            stems: stems of the words looked for; repeats count once.
            count: how many sentences at most.

        Returns:
            ``(index into evidence, share of the total rarity that is found, 0-1)`` pairs; sentences that share
            nothing are left out.
        """
        rarities = self.rarities
        weights = {stem: rarities[stem] for stem in stems if stem}
        total = sum(weights.values())
        scores = scores_of(weights, self.postings)
        ranked = sorted([(-round(score, 9), index) for index, score in leading(scores, count)])
        return [(index, scores[index] / total) for _, index in ranked[:count]]

    def located(self, index: int) -> tuple[TextView, Sentence]:
        """The view and the sentence behind an index into `evidence`."""
        place = self.evidence[index]
        view = self.sources[place.source]
        return view, view.sentences[place.sentence]

    def receipt(self, index: int, start: int | None = None, end: int | None = None, note: str = "") -> Receipt:
        """A receipt on ``[start, end)`` of the source behind evidence `index`; on the whole sentence without them."""
        view, sentence = self.located(index)
        begin = sentence.start if start is None else start
        stop = sentence.end if end is None else end
        return receipt_on(view, begin, stop, note)


def receipt_on(
    view: TextView, start: int, end: int, note: str = "", formula: str | None = None, operands: tuple[str, ...] = ()
) -> Receipt:
    """A receipt on ``view.text[start:end]`` with the sentence around it."""
    sentence = view.sentence_at(start)
    return Receipt(
        source_id=view.source.id if view.source else None,
        start=start,
        end=end,
        text=view.text[start:end],
        sentence_start=sentence.start if sentence else start,
        sentence_end=sentence.end if sentence else end,
        sentence_text=sentence.text if sentence else view.text[start:end],
        note=note,
        formula=formula,
        operands=operands,
    )


def initials_of(view: TextView) -> list[str]:
    """Case-folded initials of each run of capitalised words, small words inside skipped, and of its ends.

    A run of five words gives the initials of every stretch of two or more, so "the French World Health
    Organization" still yields "who".
    """
    found: list[str] = []
    run = ""
    for token in view.tokens:
        if token.kind == "word" and token.text[0].isupper():
            run += token.text[0].casefold()
        elif run and token.text in INSIDE_NAMES:
            continue
        else:
            found += _stretches(run)
            run = ""
    return found + _stretches(run)


def _stretches(run: str) -> list[str]:
    letters = run[:8]
    return [letters[i:j] for i in range(len(letters)) for j in range(i + 2, len(letters) + 1)]


def read(question: str, sources: Sequence[Source], answer: str, settings: Settings) -> Proof:
    """Wrap the three texts for the channels; nothing is worked out before a channel asks.

    Args:
        question: may be empty.
        sources: in the caller's order; ids are expected to be unique.
        answer: the text to proofread.
        settings: its `locale` says how numbers and dates are read.
    """
    locale = settings.locale
    opening = " ".join(
        [answer[:LANGUAGE_SAMPLE], question[:LANGUAGE_SAMPLE], *(s.text[:LANGUAGE_SAMPLE] for s in sources[:2])]
    )
    likely = language_of(_LETTERS.findall(opening.casefold()), locale)
    return Proof(
        question=TextView(None, question, locale, likely),
        sources=tuple(source_view(source, locale, likely) for source in sources),
        answer=TextView(None, answer, locale, likely),
        settings=settings,
    )
