"""The lexical channel: how far the sources back each content word, by its letters alone.

Support of a word is the best of: the same stem in a sentence that shares its neighbours, a synonym there, an
acronym or a close spelling there, the same stem elsewhere. All sources count together: one that backs a word
is enough. The channel scores every content word and marks none.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofing.documents import Sentence
from proofing.report import Receipt
from proofing.support.base import Judgement
from proofing.support.reading import Proof, TextView
from proofing.support.words import synonyms

#: Support by how a word was found. The order is what matters; the figures are a scale, not a fit.
IN_NEAR_SENTENCE = 1.0
BESIDE_A_NEIGHBOUR = 0.9
SYNONYM_NEAR = 0.85
ACRONYM_NEAR = 0.85
COGNATE_NEAR = 0.75
ELSEWHERE = 0.65
SYNONYM_ELSEWHERE = 0.5
COGNATE_ELSEWHERE = 0.4
#: Words that only the question has are no support, but never the weakest of all.
QUESTION_ONLY = 0.25
ABSENT = 0.0
#: How many near sentences are looked at for each sentence of the answer.
NEAR = 3
#: Two words with so many equal first letters, and so large a share of the longer one, are of one family.
COGNATE_LETTERS, COGNATE_SHARE = 4, 0.55


class LexicalChannel:
    """Scores every content word of the answer that no value, name or quotation already speaks for."""

    name = "lexical"

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """One judgement per content word, in text order, all without a reason."""
        answer = proof.answer
        taken = {
            i
            for j in earlier
            if j.checked_by == "arithmetic" or (j.kind in ("name", "citation") and j.reason is None)
            for i in answer.tokens_between(j.start, j.end)
        }
        return [
            judgement for sentence in answer.sentences for judgement in _sentence_judgements(proof, sentence, taken)
        ]


def _sentence_judgements(proof: Proof, sentence: Sentence, taken: set[int]) -> list[Judgement]:
    answer = proof.answer
    words = [i for i in range(sentence.first_token, sentence.last_token) if answer.content[i]]
    if not words:
        return []
    near = [index for index, _ in proof.nearest([answer.stems[i] for i in words], NEAR)]
    reader = _Near(proof, near)
    out = []
    for place, i in enumerate(words):
        if i in taken:
            continue
        neighbours = [answer.stems[n] for n in words[max(place - 1, 0) : place + 2] if n != i]
        support, receipt = reader.support_of(answer.stems[i], answer.tokens[i].text, neighbours)
        token = answer.tokens[i]
        out.append(Judgement(token.start, token.end, token.text, "word", support, None, receipt, channel="lexical"))
    return out


class _Near:
    """Look-ups in the few source sentences nearest to one answer sentence."""

    def __init__(self, proof: Proof, near: Sequence[int]) -> None:
        self.proof = proof
        self.near = near
        self.held: list[tuple[int, dict[str, list[int]]]] = []  # nearest sentence first
        for index in near:
            view, sentence = proof.located(index)
            self.held.append((index, view.places_in(sentence)))
        self.synonyms = synonyms(proof.answer.language)

    def support_of(self, stem: str, word: str, neighbours: Sequence[str]) -> tuple[float, Receipt | None]:
        receipt = self._near([stem])
        if receipt is not None:
            return IN_NEAR_SENTENCE, receipt
        held = self.proof.postings.get(stem)
        if held:
            beside = self._beside(held, neighbours)
            return (BESIDE_A_NEIGHBOUR if beside is not None else ELSEWHERE), self._at(
                held[0] if beside is None else beside, stem
            )
        receipt = self._near(sorted(self.synonyms.get(stem, ())))
        if receipt is not None:
            return SYNONYM_NEAR, receipt
        if self._is_acronym(word):
            return ACRONYM_NEAR, None
        alike = self.proof.stems_starting_with(stem[:COGNATE_LETTERS])
        cognates = [other for other in alike if are_cognates(stem, other)]
        if cognates:
            near = [other for _, places in self.held for other in places if other in cognates]
            receipt = self._near(near[:1])
            if receipt is not None:
                return COGNATE_NEAR, receipt
        return self._far(stem, cognates)

    def _near(self, stems: Sequence[str]) -> Receipt | None:
        """A receipt on the first of some stems that a near sentence has, in the nearest that has it."""
        for stem in stems:
            for index, places in self.held:
                if stem in places:
                    return self._receipt((index, places[stem][0]))
        return None

    def _far(self, stem: str, cognates: Sequence[str]) -> tuple[float, Receipt | None]:
        postings = self.proof.postings
        for other in sorted(self.synonyms.get(stem, ())):
            if other in postings:
                return SYNONYM_ELSEWHERE, self._at(postings[other][0], other)
        if cognates:
            return COGNATE_ELSEWHERE, self._at(postings[cognates[0]][0], cognates[0])
        if stem in self.proof.question.stem_set:
            return QUESTION_ONLY, None
        return ABSENT, None

    def _beside(self, held: Sequence[int], neighbours: Sequence[str]) -> int | None:
        """The first sentence that holds the word and one of its neighbours."""
        for neighbour in neighbours:
            others = set(self.proof.postings.get(neighbour, ()))
            for index in held:
                if index in others:
                    return index
        return None

    def _is_acronym(self, word: str) -> bool:
        return 2 <= len(word) <= 6 and word.isupper() and word.casefold() in self.proof.acronyms

    def _receipt(self, place: tuple[int, int]) -> Receipt:
        index, token = place
        view, sentence = self.proof.located(index)
        word = view.tokens[token]
        return Receipt(
            view.source.id if view.source else None, word.start, word.end, word.text, sentence.start, sentence.end,
            sentence.text,
        )  # fmt: skip

    def _at(self, index: int, stem: str) -> Receipt:
        view, sentence = self.proof.located(index)
        return self._receipt((index, first_with(view, sentence, stem)))


def first_with(view: TextView, sentence: Sentence, stem: str) -> int:
    """Index of the first token of a sentence with this stem (the sentence's first token when there is none)."""
    for token in range(sentence.first_token, sentence.last_token):
        if view.stems[token] == stem:
            return token
    return sentence.first_token


def are_cognates(a: str, b: str) -> bool:
    """Whether two stems begin alike for so long that they are forms of one word ("refund", "refundable").

    Only endings may differ: words that share their end and differ at the start ("atorvastatin", "rosuvastatin";
    "increase", "decrease") never match.
    """
    longer = max(len(a), len(b))
    if min(len(a), len(b)) < COGNATE_LETTERS or a[:COGNATE_LETTERS] != b[:COGNATE_LETTERS]:
        return False
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    return shared >= longer * COGNATE_SHARE and longer - shared <= 5
