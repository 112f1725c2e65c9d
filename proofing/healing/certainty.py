"""How sure the healer is that a mark is right, 0-1: what it compares with `Settings.caution`.

An edit that rests on a wrong mark makes a right answer wrong, which is the one thing a healer must never do.
So a mark's certainty looks at how close its evidence is: a value that differs in a sentence which is otherwise the
source's own is certain; the same value in a sentence that shares two words with its receipt is a guess.
"""

from __future__ import annotations

import math

from proofing.documents import Sentence
from proofing.report import Mark, Report
from proofing.support.reading import Proof

WORDS = frozenset({"word", "name", "negation", "modality", "comparator", "quote"})
FLIPS = frozenset({"negation", "modality", "comparator"})

#: What is known about a mark, each 0-1 or a small number; see `features_of`.
FEATURES = (
    "value", "name", "flip", "citation", "contradicted", "absent", "unbound", "unit", "near", "known", "near_value",
    "answer_probability", "mark_probability", "few_sentences", "one_choice", "same_number_elsewhere",
)  # fmt: skip


def features_of(proof: Proof, report: Report, mark: Mark) -> dict[str, float]:
    """What is known about a mark before anything is changed because of it."""
    near = shared_with_receipt(proof, mark)
    is_value = mark.kind not in WORDS and mark.kind != "citation"
    sentences = len(proof.evidence)
    return {
        "value": float(is_value),
        "name": float(mark.kind == "name"),
        "flip": float(mark.kind in FLIPS),
        "citation": float(mark.kind == "citation"),
        "contradicted": float(mark.reason in ("contradicted", "negated")),
        "absent": float(mark.reason == "absent"),
        "unbound": float(mark.reason == "unbound"),
        "unit": float(mark.reason == "unit"),
        "near": near,
        "known": shared_with_sources(proof, mark),
        "near_value": near if is_value else 0.0,
        "answer_probability": report.unsupported_probability,
        "mark_probability": mark.probability,
        "few_sentences": 1.0 / max(1.0, math.log2(1 + sentences)),
        "one_choice": float(len(mark.replacements) == 1),
        "same_number_elsewhere": float(mark.text.casefold() in {t for v in proof.sources for t in v.folds}),
    }


def shared_with_receipt(proof: Proof, mark: Mark) -> float:
    """Share (0-1, by rarity) of the sentence's other content words that stand in the receipt's sentence."""
    sentence = proof.answer.sentence_at(mark.start)
    if sentence is None or mark.receipt.source_id is None:
        return 0.0
    view = next((v for v in proof.sources if v.source and v.source.id == mark.receipt.source_id), None)
    theirs = view.sentence_at(mark.receipt.sentence_start) if view else None
    if view is None or theirs is None:
        return 0.0
    return _share(proof, sentence, mark, set(view.stems_in(theirs)))


def shared_with_sources(proof: Proof, mark: Mark) -> float:
    """Share (0-1, by rarity) of the sentence's other content words that stand in any source."""
    sentence = proof.answer.sentence_at(mark.start)
    return 0.0 if sentence is None else _share(proof, sentence, mark, set(proof.postings))


def _share(proof: Proof, sentence: Sentence, mark: Mark, held: set[str]) -> float:
    answer = proof.answer
    others = [
        answer.stems[i]
        for i in range(sentence.first_token, sentence.last_token)
        if answer.content[i] and not (mark.start <= answer.tokens[i].start < mark.end)
    ]
    weights = {stem: proof.rarity(stem) for stem in others}
    total = sum(weights.values())
    if not total:
        return 0.5
    return sum(weight for stem, weight in weights.items() if stem in held) / total


def certainty_of(proof: Proof, report: Report, mark: Mark) -> float:
    """How sure it is that `mark` covers something the sources do not back, 0-1, to four decimals."""
    near = shared_with_receipt(proof, mark)
    base = 0.35 if mark.reason == "absent" else 0.45
    if mark.reason == "absent":
        near = max(near, 1.0 - shared_with_sources(proof, mark))
    return round(min(1.0, base + 0.4 * near + 0.2 * report.unsupported_probability), 4)
