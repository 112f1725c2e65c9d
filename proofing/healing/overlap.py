"""How much of what stands around a mark stands in the sources too, 0-1, rare words counting more."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, NamedTuple

from proofing.documents import Sentence
from proofing.healing.receipts import receipt_sentence
from proofing.report import Mark
from proofing.support.reading import Proof

#: How many of the nearest source sentences are searched for the correction of an unbound value.
BOUND_AMONG = 8


def shared_with_receipt(proof: Proof, mark: Mark) -> float:
    """Share (0-1, by rarity) of the sentence's other content words that stand in the receipt's sentence."""
    sentence = proof.answer.sentence_at(mark.start)
    found = receipt_sentence(proof, mark)
    if sentence is None or found is None:
        return 0.0
    view, theirs = found
    return _share(proof, sentence, mark, frozenset(view.stems_in(theirs)))


def shared_with_answer(proof: Proof, mark: Mark) -> float:
    """Share (0-1, by rarity) of the receipt sentence's other content words that the answer's sentence or the question
    has; 1 where the receipt is all there is."""
    sentence = proof.answer.sentence_at(mark.start)
    found = receipt_sentence(proof, mark)
    if sentence is None or found is None:
        return 0.0
    view, theirs = found
    places = [i for i in range(theirs.first_token, theirs.last_token) if view.content[i]]
    others = {view.stems[i] for i in places if not mark.receipt.start <= view.tokens[i].start < mark.receipt.end}
    ours = {*proof.answer.stems_in(sentence), *proof.question.stems}
    total = sum(map(proof.rarity, others))
    return sum(map(proof.rarity, others & ours)) / total if total else 1.0


def shared_with_bound(proof: Proof, mark: Mark) -> float:
    """The same for the sentence that says what a value of another thing should be: its receipt shows that other thing.

    The nearest sentences that hold the one correction are looked at; 0 where there are several corrections.
    """
    sentence = proof.answer.sentence_at(mark.start)
    if sentence is None or len(mark.replacements) != 1 or not mark.replacements[0]:
        return 0.0
    shares = [0.0]
    for index, _ in proof.nearest(proof.answer.content_stems_in(sentence), BOUND_AMONG):
        view, theirs = proof.located(index)
        if mark.replacements[0] in theirs.text:
            shares.append(_share(proof, sentence, mark, frozenset(view.stems_in(theirs))))
    return max(shares)


def shared_with_sources(proof: Proof, mark: Mark) -> float:
    """Share (0-1, by rarity) of the sentence's other content words that stand in any source."""
    sentence = proof.answer.sentence_at(mark.start)
    return 0.0 if sentence is None else _share(proof, sentence, mark, proof.postings)


def _share(proof: Proof, sentence: Sentence, mark: Mark, held: Mapping[str, Any] | frozenset[str]) -> float:
    words = _weighed_words(proof, sentence)
    first, last = (bisect_left(words.starts, place) for place in (mark.start, mark.end))
    others = dict.fromkeys(words.stems[:first] + words.stems[last:])
    total = sum(map(words.rarities.__getitem__, others))
    if not total:
        return 0.5
    return sum([words.rarities[stem] for stem in others if stem in held]) / total


class _Words(NamedTuple):
    """The content words of a sentence: where they start, their stems and how rare those are."""

    starts: list[int]
    stems: list[str]
    rarities: dict[str, float]


def _weighed_words(proof: Proof, sentence: Sentence) -> _Words:
    """Worked out once: a sentence may hold hundreds of marks, and every one asks for the words beside it."""
    answer = proof.answer
    key = ("weighed words", sentence.start)
    known: _Words | None = answer.memo.get(key)
    if known is None:
        places = [i for i in range(sentence.first_token, sentence.last_token) if answer.content[i]]
        stems = [answer.stems[i] for i in places]
        rarities = {stem: proof.rarity(stem) for stem in stems}
        known = answer.memo[key] = _Words([answer.tokens[i].start for i in places], stems, rarities)
    return known


def unknown_share(proof: Proof, mark: Mark) -> float:
    """Share of the content words of a mark that stand in no source."""
    answer = proof.answer
    stems = [answer.stems[i] for i in answer.tokens_between(mark.start, mark.end) if answer.content[i]]
    return sum(stem not in proof.postings for stem in stems) / len(stems) if stems else 0.0


def stands_in_sources(proof: Proof, mark: Mark) -> bool:
    """Whether every word of a mark stands somewhere in the sources."""
    stems = (proof.answer.stems[i] for i in proof.answer.tokens_between(mark.start, mark.end))
    return all(not stem or stem in proof.postings for stem in stems)
