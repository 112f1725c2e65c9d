"""Which source clauses say something about what an answer clause says, nearest first."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from proofing.documents import Sentence
from proofing.support.checklists import is_checklist_row
from proofing.support.clauses import clause_ranges, content_of
from proofing.support.polarity_words import axes_of
from proofing.support.reading import Proof, TextView
from proofing.support.words import synonyms
from proofing.support.wordset import word_set

#: How many source sentences are looked at for one sentence of the answer.
NEAR = 5
#: Auxiliaries and modals: where one stands, a statement is made.
VERBS_OF_A_CLAUSE = word_set(
    "is are was were be been do does did has have had can cannot could may might must shall should will would",
    "ist sind kann darf muss wird est sont peut doit es son puede debe è sono può deve é são pode",
)
#: Subjects and times that name none: "several people were injured" may be held against "nobody was injured".
ANYBODY = word_set("people person persons someone somebody anyone anybody several some many always sometimes")
#: So many words at the start of a sentence are taken for its subject.
SUBJECT_WORDS = 2
#: So many clauses of one source sentence are held against a clause of the answer, those that meet most of it: a
#: sentence of hundreds of clauses is a list or an attack. They are chosen among so many that hold one word.
CLAUSES_OF_ONE, CLAUSES_OF_A_WORD = 16, 64
#: So many places of one word in one clause are looked at.
PLACES_OF_ONE = 8
#: How far a match in the rest of the source sentence counts against one in the clause itself.
BESIDE = 0.7


@dataclass(frozen=True)
class Aligned:
    """One source clause set against one answer clause.

    Attributes:
        index: index into `Proof.evidence`.
        view: the source.
        clause: token range of the source clause.
        sentence: token range of its sentence.
        meets: answer token -> source tokens of the sentence that may say the same (same stem, synonym, opposite).
        here: the same for the source tokens of the clause, at most `PLACES_OF_ONE` each.
        met_places: all source tokens of `meets`.
        weights: answer token -> its rarity, for every content token of the answer clause.
        met: answer token -> the part of its rarity that this clause meets.
    """

    index: int
    view: TextView
    clause: range
    sentence: range
    meets: Mapping[int, Sequence[int]]
    here: Mapping[int, Sequence[int]]
    met_places: frozenset[int]
    weights: dict[int, float]
    met: dict[int, float]

    @cached_property
    def _total(self) -> float:
        return math.fsum(self.weights.values())

    @cached_property
    def _met(self) -> float:
        return math.fsum(self.met.values())

    def coverage(self, without: int | None = None) -> float:
        """Share (by rarity) of the answer clause, less the token `without`, that this source clause meets, 0-1."""
        total, met = self._total, self._met
        if without is not None:
            total -= self.weights.get(without, 0.0)
            met -= self.met.get(without, 0.0)
        return met / total if total > 1e-9 else 0.0

    def own_coverage(self, without: int | None = None) -> float:
        """The same for what stands in the source clause itself, and not in another of its sentence."""
        mine = {t: weight for t, weight in self.weights.items() if t != without}
        total = math.fsum(mine.values())
        return math.fsum(weight for t, weight in mine.items() if t in self.here) / total if total > 1e-9 else 0.0


def aligned_clauses(proof: Proof, sentence: Sentence, clause: range) -> list[Aligned]:
    """The clauses of the near source sentences that share anything with an answer clause, in source order."""
    answer = proof.answer
    tokens = [*_elided_subject(answer, sentence, clause), *content_of(answer, clause)]
    tokens = [t for t in tokens if not _is_unbounded(answer, t) and answer.folds[t] not in ANYBODY] or tokens
    words = [t for t in tokens if answer.content[t]] or tokens  # figures have their own channel
    weights = {t: proof.rarity(answer.stems[t]) for t in words}
    forms = [(t, _forms(proof, answer.stems[t])) for t in tokens]
    out: list[Aligned] = []
    for near in _near_read(proof, sentence):
        known = near.places.keys()
        found = {t: _met_by(near, stems) for t, stems in forms if not known.isdisjoint(stems)}
        if not found:
            continue
        meets = {t: spots.places for t, spots in found.items()}
        held: dict[int, dict[int, Sequence[int]]] = {}  # clause -> answer token -> places
        for t, spots in found.items():
            for number, few in spots.by_clause.items():
                held.setdefault(number, {})[t] = few
        met_places = frozenset(chain.from_iterable({id(m): m for m in meets.values()}.values()))
        for number in _fullest(held, weights):
            here = held[number]
            met = {t: weights[t] * (1.0 if t in here else near.beside) for t in meets if t in weights}
            part = near.parts[number]
            out.append(Aligned(near.place, near.view, part, near.inside, meets, here, met_places, weights, met))
    return out


class _Spots(NamedTuple):
    """Where a source sentence has one of the forms of a word, and the first few of each of its clauses."""

    places: tuple[int, ...]
    by_clause: dict[int, list[int]]


class _Near(NamedTuple):
    """One source sentence as it is held against the clauses of one answer sentence.

    Attributes:
        place: index into `Proof.evidence`.
        view: the source.
        inside: token range of the sentence.
        parts: its clauses.
        places: stem -> its tokens in the sentence.
        beside: how far a match outside of the clause counts.
        spots: stems -> where the sentence has one of them, as far as asked.
    """

    place: int
    view: TextView
    inside: range
    parts: Sequence[range]
    places: Mapping[str, list[int]]
    beside: float
    spots: dict[tuple[str, ...], _Spots]


def _near_read(proof: Proof, sentence: Sentence) -> list[_Near]:
    """The near source sentences; kept while one sentence of the answer is read, the next one starts anew."""
    known: tuple[int, list[_Near]] | None = proof.answer.memo.get("near read")
    if known is None or known[0] != sentence.start:
        found: list[_Near] = []
        for index in near_sentences(proof, sentence):
            view, near = proof.located(index)
            if view.is_record or is_checklist_row(view, near):
                continue  # neither has sentences: fields and cells are read by the field channel
            inside = range(near.first_token, near.last_token)
            parts = clause_ranges(view, proof.evidence[index].sentence)
            beside = 1.0 if _verb_groups(view, inside) <= 1 else BESIDE
            found.append(_Near(index, view, inside, parts, view.places_in(near), beside, {}))
        known = proof.answer.memo["near read"] = (sentence.start, found)
    return known[1]


def _met_by(near: _Near, stems: tuple[str, ...]) -> _Spots:
    """Where a source sentence has one of some stems; worked out once for a sentence of the answer."""
    known = near.spots.get(stems)
    if known is None:
        held = [near.places[stem] for stem in stems if stem in near.places]
        by_clause: dict[int, list[int]] = {}
        starts = [part.start for part in near.parts]
        for places in held:
            seen: set[int] = set()
            for place in places:
                number = bisect_right(starts, place) - 1
                seen.add(number)
                if len(seen) > CLAUSES_OF_A_WORD:
                    break
                kept = by_clause.setdefault(number, [])
                if len(kept) < PLACES_OF_ONE:
                    kept.append(place)
        known = near.spots[stems] = _Spots(tuple(chain.from_iterable(held)), by_clause)
    return known


def _fullest(held: Mapping[int, Mapping[int, object]], weights: Mapping[int, float]) -> list[int]:
    """The clauses that meet most of an answer clause, in text order."""
    if len(held) <= CLAUSES_OF_ONE:
        return sorted(held)
    full = {number: math.fsum(weights.get(t, 0.0) for t in tokens) for number, tokens in held.items()}
    return sorted(sorted(held, key=lambda number: (-full[number], number))[:CLAUSES_OF_ONE])


def _is_unbounded(view: TextView, token: int) -> bool:
    """ "At any time" sets no condition, so a clause that sets one may still contradict what is said with it."""
    return view.folds[token] in ("time", "moment") and token > 0 and view.folds[token - 1] == "any"


def _elided_subject(view: TextView, sentence: Sentence, clause: range) -> Sequence[int]:
    """What "and can be cancelled" speaks of: the first content words of its sentence, when the clause names none."""
    if not clause or clause[0] == sentence.first_token:
        return []
    words = [i for i in clause if view.tokens[i].kind == "word"][:2]
    if len(words) < 2 or view.content[words[0]] or view.folds[words[1]] not in VERBS_OF_A_CLAUSE:
        return []
    opening = content_of(view, range(sentence.first_token, sentence.last_token))[:SUBJECT_WORDS]
    return [i for i in opening if i < clause.start]


def _verb_groups(view: TextView, tokens: range) -> int:
    """How many auxiliaries and modals a stretch has, those side by side counted once: a rough count of statements."""
    key = ("verb groups", tokens.start)
    known: int | None = view.memo.get(key)
    if known is None:
        places = [i for i in tokens if view.folds[i] in VERBS_OF_A_CLAUSE]
        known = view.memo[key] = sum(1 for k, i in enumerate(places) if k == 0 or i - places[k - 1] > 2)
    return known


def near_sentences(proof: Proof, sentence: Sentence) -> list[int]:
    """Indices into `Proof.evidence` of the nearest source sentences, nearest first; worked out once."""
    key = ("near", sentence.start)
    known: list[int] | None = proof.answer.memo.get(key)
    if known is None:
        answer = proof.answer
        tokens = content_of(answer, range(sentence.first_token, sentence.last_token))
        wanted: list[str] = []
        for t in tokens:
            wanted += _forms(proof, answer.stems[t])
        known = proof.answer.memo[key] = [index for index, _ in proof.nearest(wanted, NEAR)]
    return known


def _forms(proof: Proof, stem: str) -> tuple[str, ...]:
    """A stem of the answer, then those stems of the sources that say the same or the opposite; worked out once."""
    known: dict[str, tuple[str, ...]] = proof.answer.memo.setdefault("forms", {})
    forms = known.get(stem)
    if forms is None:
        held = proof.postings
        forms = known[stem] = (stem, *[other for other in _kin_of(stem, proof.answer.language) if other in held])
    return forms


@lru_cache(maxsize=8192)
def _kin_of(stem: str, language: str) -> tuple[str, ...]:
    """Stems that say the same or the opposite, in alphabetical order."""
    mine = [axis for axis, _ in axes_of(language).get(stem, ())]
    opposite = {other for axis in mine for other in _on_axis(axis, language)}
    return tuple(sorted((opposite | synonyms(language).get(stem, frozenset())) - {stem}))


def _on_axis(axis: int, language: str) -> frozenset[str]:
    return _axis_members(language)[axis]


@cache
def _axis_members(language: str) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for stem, sides in axes_of(language).items():
        for axis, _ in sides:
            found.setdefault(axis, set()).add(stem)
    return {axis: frozenset(stems) for axis, stems in found.items()}
