"""The sources as small pieces of evidence to count against: sentences of prose, fields of records.

A field of a record is no prose. It becomes one piece per sentence of its value, with its keys taken apart into
words (``RestaurantsTakeOut`` reads *restaurants take out*), so that "offers take-out" can meet it; whether its
value says yes, no or nothing is kept beside it.

Which pieces hold a word is kept as one whole number per stem, bit `i` for piece `i`: asking which pieces hold
two words is one ``&``, however many pieces there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

from proofing.documents import Passage
from proofing.support.postings import COMMON, Rarities, leading, scores_of
from proofing.support.reading import Proof, TextView
from proofing.support.stems import stem_of

#: Longer fields are cut at their sentences; nothing shorter is.
LONG_FIELD = 30
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
#: Words in keys that say nothing about what the field is about.
GENERAL = frozenset(
    "restaurants restaurant business good for is has have accepts allowed by attributes details info".split()
)
YES, NO, EMPTY, SAYS = "yes", "no", "empty", "says"
_STATES = {"true": YES, "yes": YES, "false": NO, "no": NO, "none": EMPTY, "null": EMPTY, "": EMPTY}


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence or field.

    Attributes:
        stems: all stems of its own words in order, signs left out.
        words: those of its content words and digits, with the words of its keys.
        keys: words of its innermost key, less those that say nothing of what it is about; empty for prose.
        joined: the same written as one word, as answers often do ("takeout", "wifi").
        state: what the value of a field says (`YES`, `NO`, `EMPTY`, or `SAYS` something); `SAYS` for prose.
    """

    stems: tuple[str, ...]
    words: frozenset[str]
    keys: tuple[str, ...] = ()
    state: str = SAYS
    joined: str = ""


def pieces_of(view: TextView) -> tuple[Piece, ...]:
    """The pieces of one source in text order, then one per inner key of a record that only holds yes and no.

    Worked out once, and kept as long as the view.
    """
    known: tuple[Piece, ...] | None = view.memo.get("pieces")
    if known is None:
        known = view.memo["pieces"] = _read_pieces(view)
    return known


def _read_pieces(view: TextView) -> tuple[Piece, ...]:
    fields = [passage for passage in view.passages if passage.kind == "field"]
    if not fields:
        return tuple([_prose(view, s.first_token, s.last_token) for s in view.sentences])
    pieces = [piece for passage in fields for piece in _field(view, passage)]
    return (*pieces, *_branches(view, fields))


def key_words(key: str) -> tuple[str, ...]:
    """The words in a key, less the general ones.

    >>> key_words("RestaurantsTakeOut"), key_words("review_stars")
    (('take', 'out'), ('review', 'stars'))
    """
    words = tuple(word.casefold() for word in _CAMEL.findall(key))
    return tuple(word for word in words if word not in GENERAL) or words


def _prose(view: TextView, first: int, last: int, keys: Sequence[str] = ()) -> Piece:
    stems = view.stems[first:last]
    words = frozenset(compress(stems, view.stating[first:last]))
    return Piece(tuple(filter(None, stems)), words.union(keys))


def _field(view: TextView, passage: Passage) -> Iterator[Piece]:
    value = view.text[passage.start : passage.end].strip()
    named = [key_words(key) for key in passage.key_path if not key.isdigit()]
    own = named[-1] if named else ()
    path = [stem_of(word) for words in named for word in words] + _joins(own)
    keys, joined = tuple(stem_of(word) for word in own), "".join(own)
    state = _STATES.get(value.casefold(), SAYS)
    if state is not SAYS:
        yield Piece((), frozenset(path), keys, state, joined)
        return
    tokens = view.tokens_between(passage.start, passage.end)
    first = tokens.start
    for index in tokens:
        last = index == tokens.stop - 1
        ends = view.tokens[index].text in ".!?" and index - first >= 4 and len(tokens) > LONG_FIELD
        if last or ends:
            piece = _prose(view, first, index + 1, path)
            yield Piece(piece.stems, piece.words, keys, SAYS, joined)
            first = index + 1


def _joins(words: Sequence[str]) -> list[str]:
    """Neighbouring words of a key written together."""
    return [stem_of(left + right) for left, right in pairwise(words)]


def _branches(view: TextView, fields: Iterable[Passage]) -> Iterator[Piece]:
    """A piece per key whose values are all yes, no or empty: does anything under it say yes?"""
    states: dict[tuple[str, ...], list[str]] = {}
    for passage in fields:
        if len(passage.key_path) > 1:
            value = view.text[passage.start : passage.end].strip().casefold()
            states.setdefault(passage.key_path[:-1], []).append(_STATES.get(value, SAYS))
    for path, said in states.items():
        if SAYS not in said and not path[-1].isdigit():
            state = YES if YES in said else NO if NO in said else EMPTY
            own = key_words(path[-1])
            keys = tuple(stem_of(word) for word in own)
            yield Piece((), frozenset((*keys, *_joins(own))), keys, state, "".join(own))


class Pieces:
    """All pieces of a proof's sources with where each word stands and how rare it is.

    Attributes:
        places: per word the pieces that hold it, ascending.
        rarities: per word how rare it is among the pieces.
        bigrams: pairs of neighbouring stems in any piece; trigrams likewise.
    """

    def __init__(self, proof: Proof) -> None:
        self.all: list[Piece] = []
        self.of_source: list[int] = []
        self.places: dict[str, list[int]] = {}
        self.bigrams: set[tuple[str, str]] = set()
        self.trigrams: set[tuple[str, str, str]] = set()
        self._holding: dict[str, int] = {}
        for number, view in enumerate(proof.sources):
            for piece in pieces_of(view):
                place = len(self.all)
                for word in piece.words:
                    self.places.setdefault(word, []).append(place)
                self.all.append(piece)
                self.of_source.append(number)
                stems = piece.stems
                self.bigrams.update(pairwise(stems))
                self.trigrams.update(zip(stems, stems[1:], stems[2:], strict=False))
        self.anywhere = frozenset(self.places).union(*[piece.stems for piece in self.all])
        self.rarities = Rarities(self.places, len(self.all))
        self.keyed = [(i, piece) for i, piece in enumerate(self.all) if piece.keys and piece.state != SAYS]

    def holding(self, word: str) -> int:
        """The pieces that hold a word as bits: bit `i` for piece `i`."""
        known = self._holding.get(word)
        if known is None:
            known = self._holding[word] = sum([1 << place for place in self.places.get(word, ())])
        return known

    def best(self, words: Iterable[str], count: int = 3, of: int = 12) -> list[int]:
        """The pieces that together hold most of `words` by rarity: each next one adds most to those before it."""
        weights = {word: self.rarities[word] for word in words}
        scores = scores_of(weights, self.places)
        keyed = sorted([(-round(score, 9), len(self.all[i].words), i) for i, score in leading(scores, of)])
        ranked = [index for _, _, index in keyed[:of]]
        chosen: list[int] = []
        left = weights
        if ranked and len(self.all) <= COMMON:  # no word was left out of the scores, so they are the first gains
            chosen, ranked = ranked[:1], ranked[1:]
            left = self._unheld(left, chosen[0])
        while left and ranked and len(chosen) < count:
            gains = [self._gain(left, i) for i in ranked]
            most = max(gains)
            if most <= 0:
                break
            chosen.append(ranked.pop(gains.index(most)))
            left = self._unheld(left, chosen[-1])
        return chosen

    def _gain(self, weights: Mapping[str, float], piece: int) -> float:
        held = self.all[piece].words
        return round(sum([weight for word, weight in weights.items() if word in held]), 9)

    def _unheld(self, weights: Mapping[str, float], piece: int) -> dict[str, float]:
        held = self.all[piece].words
        return {word: weight for word, weight in weights.items() if word not in held}
