"""The semantic channel of the deep tier: a word is backed when some word of a near sentence means the same there.

Every answer sentence is encoded once, and so are its nearest source sentences (by shared words and by sentence
vector); a word's support is the best cosine between its vector in context and a vector of those sentences,
put on the scale of the other channels. Only words are scored: similarity never votes on a value, and words that
exclude each other ("left", "right"; "increased", "decreased") are not let off by being alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofing.encoder import Encoded, Encoder
from proofing.support.base import Judgement
from proofing.support.polarity_words import axes_of
from proofing.support.reading import Proof
from proofing.support.words import contrasts

#: Source sentences read for each answer sentence: so many by shared words, so many by sentence vector.
BY_WORDS, BY_MEANING = 4, 3
#: At most so many source sentences are encoded: a base, some for each sentence of the answer, and never more than most.
BASE_SENTENCES, PER_SENTENCE, MOST_SENTENCES = 12, 4, 160
#: Cosines of word vectors in context: unrelated words lie at the lower, words that mean the same at the upper.
UNLIKE, ALIKE = 0.30, 0.70
#: What a word may reach by likeness alone; the letters of the same word in place are worth more.
HIGHEST = 0.85


class SemanticChannel:
    """Raises the support of words that the sources say in other words."""

    name = "semantic"

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """A judgement for each word that `earlier` scored below `HIGHEST` and that has a like in a near sentence."""
        weak: dict[int, list[Judgement]] = {}
        for judgement in earlier:
            if judgement.kind == "word" and judgement.reason is None and judgement.support < HIGHEST:
                weak.setdefault(proof.answer.sentence_index_at(judgement.start) or 0, []).append(judgement)
        if not weak or not proof.evidence:
            return []
        sentences = sorted(weak)
        read = _sentences_to_read(proof, sentences)
        answer_codes = self.encoder.encode([proof.answer.sentences[s].text for s in sentences])
        source_codes = dict(zip(read, self.encoder.encode([proof.located(i)[1].text for i in read]), strict=True))
        out = []
        for number, code in zip(sentences, answer_codes, strict=True):
            near = _near(proof, number, code, source_codes)
            for judgement in weak[number]:
                better = _better(proof, judgement, number, code, near, source_codes)
                if better is not None:
                    out.append(better)
        return out


def _sentences_to_read(proof: Proof, sentences: Sequence[int]) -> list[int]:
    """Indices of the source sentences to encode: all when they are few, else the best by shared words, in order."""
    total = len(proof.evidence)
    most = min(BASE_SENTENCES + PER_SENTENCE * len(sentences), MOST_SENTENCES)
    if total <= most:
        return list(range(total))
    ranked: list[tuple[int, int, int]] = []
    for number in sentences:
        stems = proof.answer.content_stems_in(proof.answer.sentences[number])
        near = proof.nearest(stems, most)
        ranked += [(rank, number, index) for rank, (index, _) in enumerate(near)]
    chosen = list(dict.fromkeys(index for _, _, index in sorted(ranked)))
    return sorted(chosen[:most])


def _near(proof: Proof, number: int, code: Encoded, codes: dict[int, Encoded]) -> list[int]:
    stems = proof.answer.content_stems_in(proof.answer.sentences[number])
    near = [index for index, _ in proof.nearest(stems, BY_WORDS) if index in codes]
    alike = sorted(codes, key=lambda i: (-round(float(_dot(code.mean, codes[i].mean)), 6), i))
    return list(dict.fromkeys([*near, *alike[:BY_MEANING]]))


def _dot(a: Any, b: Any) -> Any:
    return a @ b if a.shape == b.shape else 0.0


def _better(
    proof: Proof, judgement: Judgement, number: int, code: Encoded, near: Sequence[int], codes: dict[int, Encoded]
) -> Judgement | None:
    origin = proof.answer.sentences[number].start
    vector = _word_vector(code, judgement.start - origin, judgement.end - origin)
    if vector is None:
        return None
    best: tuple[float, int, int, int] | None = None
    for index in near:
        found = _likest(proof, judgement, vector, index, codes[index])
        if found is not None and (best is None or found[0] > best[0]):
            best = (found[0], index, found[1], found[2])
    if best is None:
        return None
    cosine, index, start, end = best
    support = round(HIGHEST * min(max((cosine - UNLIKE) / (ALIKE - UNLIKE), 0.0), 1.0), 6)
    if support <= judgement.support:
        return None
    receipt = proof.receipt(index, start, end)
    return Judgement(
        judgement.start, judgement.end, judgement.text, "word", support, None, receipt,
        checked_by="meaning", channel="semantic",
    )  # fmt: skip


def _word_vector(code: Encoded, start: int, end: int) -> Any:
    """Mean vector of the pieces inside ``[start, end)`` of the sentence, of length 1; None without any."""
    import numpy as np

    rows = [k for k, (a, b) in enumerate(code.spans) if a < end and start < b]
    if not rows:
        return None
    mean = code.vectors[rows].mean(axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-12)


def _likest(
    proof: Proof, judgement: Judgement, vector: Any, index: int, code: Encoded
) -> tuple[float, int, int] | None:
    """Cosine and code points of the content word of a source sentence most like the vector."""
    view, sentence = proof.located(index)
    if code.vectors.shape[0] == 0 or code.vectors.shape[1] != vector.shape[0]:
        return None
    stem = proof.answer.stems[proof.answer.token_index_at(judgement.start)]
    language = proof.answer.language
    barred = contrasts(language).get(stem, frozenset())
    opposed = {(axis, -side) for axis, side in axes_of(language).get(stem, ())}
    cosines = code.vectors @ vector
    best: tuple[float, int, int] | None = None
    for (a, _), cosine in zip(code.spans, cosines.tolist(), strict=True):
        if best is not None and cosine <= best[0]:
            continue
        token = view.token_index_at(sentence.start + a)
        if token >= len(view.tokens) or not view.content[token]:
            continue
        other = view.stems[token]
        if other in barred or opposed.intersection(axes_of(language).get(other, ())):
            continue
        best = (round(cosine, 6), view.tokens[token].start, view.tokens[token].end)
    return best
