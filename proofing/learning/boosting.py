"""Fitting one forest with scikit-learn's histogram gradient boosting, and writing it down as plain data.

Needs numpy and scikit-learn (the [train] extra).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from proofing.learning.judged import BACKED_NAMES, MARK_NAMES
from proofing.learning.last import READ_SENTENCE_NAMES, READ_WORD_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: More of these can only make a word, sentence or answer more suspicious (+1), or less (-1).
MONOTONE = {
    "word_support": -1, "value_objected": 1, "name_objected": 1, "other_objected": 1, "value_backed": -1, "odds": 1,
    "values_objected": 1, "values_contradicted": 1, "names_objected": 1, "polarity_objected": 1, "word_top": 1,
    "sentence_top": 1, "words_top": 1, "sentence_score": 1, "answer_score": 1, "counted_top": 1, "counted_any": 1,
    "judged_top": 1, "judged_second": 1, "judged_third": 1, "judged_mean": 1, "judged_any": 1, "sentences_marked": 1,
    "support_worst": -1, "support_average": -1, "support_lows": 1, "marks_surest": 1, "marks_share": 1,
    "judged_score": 1, "judged_answer": 1, "word_score": 1, "sentence_last": 1, "marked": 1,
    **dict.fromkeys(READ_SENTENCE_NAMES, 1), **dict.fromkeys(READ_WORD_NAMES, 1),
    **dict.fromkeys(MARK_NAMES, 1), **dict.fromkeys(BACKED_NAMES, -1),
}  # fmt: skip


def boosted(
    rows: NDArray[Any],
    target: NDArray[Any],
    weight: NDArray[Any],
    names: Sequence[str],
    shape: Mapping[str, Any],
    seed: int,
) -> Any:
    """A fitted classifier; `names` are the columns (for `MONOTONE`), `shape` scikit-learn's own parameters."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingClassifier(
        **shape,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=seed,
        monotonic_cst=[MONOTONE.get(name, 0) for name in names],
    )
    with threadpool_limits(1):  # sums in one order give the same model on any machine; shared cores are slower
        return model.fit(rows, target, sample_weight=weight)


def forest_data(fitted: Any) -> dict[str, Any]:
    """A fitted `HistGradientBoostingClassifier` as the JSON form of `proofing.learning.trees`."""
    trees = [_tree(predictor[0].nodes, 0) for predictor in fitted._predictors]
    return {"base": round(float(fitted._baseline_prediction.ravel()[0]), 6), "trees": trees}


def _tree(nodes: Any, index: int) -> Any:
    node = nodes[index]
    if node["is_leaf"]:
        return round(float(node["value"]), 5)
    threshold = _above(float(node["num_threshold"]))
    return [int(node["feature_idx"]), threshold, _tree(nodes, int(node["left"])), _tree(nodes, int(node["right"]))]


def _above(threshold: float) -> float:
    """The threshold, a millionth higher and short: a fitted one may equal a value of the data, which was kept in single
    precision while fitting and comes in double precision when served; both must go left."""
    return float(f"{threshold + 1e-6 * max(1.0, abs(threshold)):.8g}")
