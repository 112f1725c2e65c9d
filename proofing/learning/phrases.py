"""Fitting a table of phrase weights: logistic regression over which phrases a text holds, kept short.

Needs numpy, scipy and scikit-learn (the [train] extra); what comes out is a `Phrases` table of plain numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from proofing.learning.trees import Phrases

#: A phrase is known from this many texts on; the strongest `MOST` are kept, by weight and how often they are met.
LEAST_TEXTS, MOST = 15, 9000
#: How strongly weights are drawn to 0 (scikit-learn's C: smaller = more).
STRENGTH = 0.05


def phrase_scores(
    rows: Sequence[Sequence[str]], targets: Sequence[int | None], weights: Sequence[float], folds: Sequence[int]
) -> tuple[list[float], Phrases]:
    """Out-of-fold scores (log odds) of every row, and the table fitted on all labelled rows."""
    scores = [0.0] * len(rows)
    for held in sorted(set(folds)):
        table = fitted_phrases(
            [row for row, fold in zip(rows, folds, strict=True) if fold != held],
            [target for target, fold in zip(targets, folds, strict=True) if fold != held],
            [weight for weight, fold in zip(weights, folds, strict=True) if fold != held],
        )
        for index, fold in enumerate(folds):
            if fold == held:
                scores[index] = table.score(rows[index])
    return scores, fitted_phrases(rows, targets, weights)


def fitted_phrases(rows: Sequence[Sequence[str]], targets: Sequence[int | None], weights: Sequence[float]) -> Phrases:
    """The table of one fit; an empty one where there are not two classes."""
    labelled = [(row, t, w) for row, t, w in zip(rows, targets, weights, strict=True) if t is not None]
    counts = Counter(phrase for row, _, _ in labelled for phrase in row)
    known = {p: i for i, p in enumerate(sorted(p for p, n in counts.items() if n >= LEAST_TEXTS))}
    if not known or len({t for _, t, _ in labelled}) < 2:
        return Phrases(0.0, {})
    matrix = _matrix([row for row, _, _ in labelled], known)
    base, found = _logistic(matrix, [t for _, t, _ in labelled], [w for _, _, w in labelled])
    strongest = sorted(known, key=lambda p: (-abs(found[known[p]]) * counts[p] ** 0.5, p))[:MOST]
    kept = {phrase: round(found[known[phrase]], 3) for phrase in sorted(strongest)}
    return Phrases(round(base, 4), {phrase: weight for phrase, weight in kept.items() if weight})


def _matrix(rows: Sequence[Sequence[str]], known: dict[str, int]) -> Any:
    import numpy as np
    from scipy.sparse import csr_matrix

    columns = [[known[p] for p in row if p in known] for row in rows]
    starts = np.cumsum([0, *(len(c) for c in columns)])
    flat = np.array([c for own in columns for c in own], dtype=np.int32)
    return csr_matrix((np.ones(len(flat), dtype=np.float64), flat, starts), shape=(len(rows), len(known)))


def _logistic(matrix: Any, targets: Sequence[int], weights: Sequence[float]) -> tuple[float, list[float]]:
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        fitted = LogisticRegression(C=STRENGTH, max_iter=300).fit(matrix, targets, sample_weight=weights)
    return float(fitted.intercept_[0]), [float(w) for w in fitted.coef_[0]]
