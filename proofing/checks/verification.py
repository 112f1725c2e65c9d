"""Verification: how near answer and question are to the sources, by TF-IDF cosine.

    score = alpha * sim(answer, sources) + (1 - alpha) * sim(question, sources)

`sim` to the sources is the best of them (the mean is reported beside it). Pure Python, so that the bare package has
it; sublinear term frequency and smoothed inverse document frequency as scikit-learn's ``TfidfVectorizer`` defines
them (``1 + ln(tf)``, ``ln((1 + n) / (1 + df)) + 1``, L2 norm), fitted on the passages of the sources. The score says
nothing about wrong figures; it is reported, and flags nothing unless a cut was calibrated.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from proofing.support.reading import Proof, TextView

#: Weight of the answer against the question.
ALPHA = 0.5


def check_verification(proof: Proof) -> dict[str, Any]:
    """The verification score of one answer.

    Returns:
        ``score`` (0-1, None without sources), ``answer_best``, ``answer_mean``, ``question_best`` (cosines 0-1; None
        for an empty question, then the answer counts alone) and ``alpha``.
    """
    documents = [Counter(_terms(view)) for view in proof.sources]
    if not any(documents):
        return {"score": None, "answer_best": None, "answer_mean": None, "question_best": None, "alpha": ALPHA}
    frequency: Counter[str] = Counter()
    for document in documents:
        frequency.update(sorted(document))
    weights = {t: math.log((1 + len(documents)) / (1 + n)) + 1.0 for t, n in frequency.items()}
    vectors = [_vector(document, weights) for document in documents]
    answer = _similarities(_terms(proof.answer), vectors, weights)
    question = _similarities(_terms(proof.question), vectors, weights)
    best = max(answer)
    asked = max(question) if proof.question.text.strip() else None
    score = best if asked is None else ALPHA * best + (1 - ALPHA) * asked
    return {
        "score": round(score, 6),
        "answer_best": round(best, 6),
        "answer_mean": round(sum(answer) / len(answer), 6),
        "question_best": None if asked is None else round(asked, 6),
        "alpha": ALPHA,
    }


def _terms(view: TextView) -> Iterable[str]:
    return (
        s for s, content, t in zip(view.stems, view.content, view.tokens, strict=True) if content or t.kind == "digits"
    )


def _vector(terms: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    raw = {t: (1.0 + math.log(n)) * weights[t] for t, n in terms.items() if t in weights}
    length = math.sqrt(math.fsum(x * x for x in raw.values()))
    return {t: x / length for t, x in raw.items()} if length else {}


def _similarities(terms: Iterable[str], vectors: list[dict[str, float]], weights: Mapping[str, float]) -> list[float]:
    own = _vector(Counter(terms), weights)
    return [min(math.fsum(x * vector.get(t, 0.0) for t, x in own.items()), 1.0) for vector in vectors]
