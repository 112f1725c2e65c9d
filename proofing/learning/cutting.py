"""Where to cut: the probability from which an answer is called faulty.

The cut with the best F1 on a few hundred labels is a matter of luck: F1 is flat around its top, and the highest tooth
of a ragged curve may stand far from the middle. So the curve is smoothed first: a logistic regression of the labels on
the log odds says what share of the answers at each score is faulty, and the cut is where the F1 *expected* from these
shares is best. From draw to draw of 1,800 simulated answers such a cut moves less than half as far
(`tests/proofing/learning/test_cutting.py`). Needs the [train] extra.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Keeps log odds finite.
_LEAST = 1e-4


def best_cut(probabilities: Sequence[float], labels: Sequence[int]) -> float:
    """The cut whose expected F1 is best, one of `probabilities`; 0.5 where one class is missing.

    Args:
        probabilities: one per answer, 0-1, from a model that never saw the answer.
        labels: 1 = faulty, 0 = right.
    """
    import numpy as np

    if len(set(labels)) < 2:
        return 0.5
    order = np.argsort([-p for p in probabilities], kind="stable")
    scores = np.asarray(probabilities, dtype=float)[order]
    faulty = _shares(scores, np.asarray(labels, dtype=float)[order])
    flagged = np.arange(1, len(scores) + 1)
    f1 = 2.0 * np.cumsum(faulty) / (flagged + faulty.sum())
    f1[:-1][scores[:-1] == scores[1:]] = 0.0  # answers of one score are flagged together
    return float(scores[int(f1.argmax())])


def _shares(scores: Any, labels: Any) -> Any:
    """Share of faulty answers at each score: a logistic regression on the log odds, with a slope of at least 0."""
    import numpy as np
    from scipy.optimize import minimize

    odds = np.log((scores + _LEAST) / (1.0 - scores + _LEAST))
    signs = 2.0 * labels - 1.0

    def loss(line: Any) -> tuple[float, Any]:
        margins = signs * (line[0] * odds + line[1])
        slopes = -signs / (1.0 + np.exp(margins))
        return float(np.logaddexp(0.0, -margins).sum()), np.array([(slopes * odds).sum(), slopes.sum()])

    slope, level = minimize(loss, [1.0, 0.0], jac=True, method="L-BFGS-B", bounds=[(0.0, None), (None, None)]).x
    return 1.0 / (1.0 + np.exp(-(slope * odds + level)))
