"""Verification: how near answer and question are to the sources, by TF-IDF cosine.

    score = alpha * sim(answer, sources) + (1 - alpha) * sim(question, sources)

`sim` to the sources is the best of them (the mean is reported beside it). Pure Python, so that the bare package has
it; sublinear term frequency and smoothed inverse document frequency as scikit-learn's ``TfidfVectorizer`` defines
them (``1 + ln(tf)``, ``ln((1 + n) / (1 + df)) + 1``, L2 norm), fitted on the passages of the sources; where those were
retrieved from a corpus, on the whole corpus. The score says nothing about wrong figures; it is reported, and flags
nothing unless `Settings.verification_threshold` was calibrated or set by hand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import compress
from typing import Any

from proofing.retrieval import Retrieval
from proofing.support.reading import Proof, TextView


def check_verification(proof: Proof, retrieval: Retrieval | None = None) -> dict[str, Any]:
    """The verification score of one answer.

    Args:
        retrieval: where the sources come from, when they were retrieved from a corpus.

    Returns:
        ``score`` (0-1, None without sources), ``answer_best``, ``answer_mean``, ``question_best`` (cosines 0-1; None
        for an empty question, then the answer counts alone), ``alpha``, ``threshold`` (None: none was set), ``below``
        (whether the score is lower than it; None where either is missing), and with a retrieval ``corpus``.
    """
    return {**_score(proof, retrieval), **({"corpus": retrieval.to_dict()} if retrieval else {})}


def _score(proof: Proof, retrieval: Retrieval | None) -> dict[str, Any]:
    alpha, threshold = proof.settings.verification_alpha, proof.settings.verification_threshold
    documents = [Counter(_terms(view)) for view in proof.sources]
    if not any(documents):
        none = dict.fromkeys(("score", "answer_best", "answer_mean", "question_best"))
        return {**none, "alpha": alpha, "threshold": threshold, "below": None}
    weights = (retrieval.weights if retrieval else None) or _weights(documents)
    vectors = [_vector(document, weights) for document in documents]
    answer = _similarities(_terms(proof.answer), vectors, weights)
    question = _similarities(_terms(proof.question), vectors, weights)
    best = max(answer)
    asked = max(question) if proof.question.text.strip() else None
    score = round(best if asked is None else alpha * best + (1 - alpha) * asked, 6)
    return {
        "score": score,
        "answer_best": round(best, 6),
        "answer_mean": round(sum(answer) / len(answer), 6),
        "question_best": None if asked is None else round(asked, 6),
        "alpha": alpha,
        "threshold": threshold,
        "below": None if threshold is None else score < threshold,
    }


def _weights(documents: list[Counter[str]]) -> dict[str, float]:
    """Inverse document frequencies, fitted on the sources themselves."""
    frequency: Counter[str] = Counter()
    for document in documents:
        frequency.update(document.keys())
    return {t: math.log((1 + len(documents)) / (1 + n)) + 1.0 for t, n in frequency.items()}


def _terms(view: TextView) -> Iterable[str]:
    return compress(view.stems, view.stating)


def _vector(terms: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    raw = {t: (1.0 + math.log(n)) * weights[t] for t, n in terms.items() if t in weights}
    length = math.sqrt(math.fsum(x * x for x in raw.values()))
    return {t: x / length for t, x in raw.items()} if length else {}


def _similarities(terms: Iterable[str], vectors: list[dict[str, float]], weights: Mapping[str, float]) -> list[float]:
    own = _vector(Counter(terms), weights)
    return [min(math.fsum(x * vector.get(t, 0.0) for t, x in own.items()), 1.0) for vector in vectors]
