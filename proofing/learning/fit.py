"""Fitting the support model: three forests, each on what the one below says of data it did not see.

Folds are by group (the source), so no source is on both sides. The words are fitted on labelled spans, the
sentences on whether a labelled span touches them (or on the answer's label where it is the only sentence), the
answers on their label. What goes up a level, what is calibrated on and what the F1 cut is chosen on are always
out-of-fold predictions.

numpy and scikit-learn (the [train] extra) are needed here and nowhere else; what comes out is plain data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from proofing.errors import BadInput
from proofing.learning.calibrate import missing_labels
from proofing.learning.features import ANSWER_NAMES, SENTENCE_NAMES, TOKEN_NAMES, Sheet
from proofing.learning.metrics import Estimate, evaluate
from proofing.learning.model import (
    ODDS_NAMES,
    SCHEMA,
    SENTENCES_NAMES,
    WORDS_NAMES,
    SupportModel,
    all_phrases,
    answer_row,
    columns,
    odds_rows,
    sentence_rows,
    word_rows,
)
from proofing.learning.phrases import phrase_scores
from proofing.learning.trees import Phrases

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 4
#: A word enters the table from this many uses on; its odds are drawn to 0 with the weight of `PRIOR` uses.
LEAST_USES, PRIOR = 12, 20.0
#: More of these can only make a word, sentence or answer more suspicious (+1), or less (-1).
MONOTONE = {
    "word_support": -1, "value_objected": 1, "name_objected": 1, "other_objected": 1, "value_backed": -1, "odds": 1,
    "values_objected": 1, "values_contradicted": 1, "names_objected": 1, "polarity_objected": 1, "word_top": 1,
    "sentence_top": 1, "words_top": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled answer ready to fit on.

    Attributes:
        label: 1 = holds something unsupported.
        spans: the unsupported spans; None when they are not marked.
        group: answers of one group stay on one side of every fold.
        weight: how much it counts in the fit.
        family: which set it is from, for the figures.
    """

    sheet: Sheet
    starts: tuple[tuple[int, int], ...]  # offsets of the sheet's words in the answer
    label: int
    spans: tuple[tuple[int, int], ...] | None
    group: str
    weight: float = 1.0
    family: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large the forests are."""

    words: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 80, "max_leaf_nodes": 24, "learning_rate": 0.12, "min_samples_leaf": 200}
    )
    sentences: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 160, "max_leaf_nodes": 20, "learning_rate": 0.06, "min_samples_leaf": 60}
    )
    answers: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 120, "max_leaf_nodes": 8, "learning_rate": 0.05, "min_samples_leaf": 40}
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model as JSON-ready data and its out-of-fold probabilities, one per example."""

    data: dict[str, Any]
    probabilities: tuple[float, ...]

    def to_bytes(self) -> bytes:
        return json.dumps(self.data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode() + b"\n"

    def model(self) -> SupportModel:
        return SupportModel.of_bytes(self.to_bytes(), "the fitted model")


def fit(
    examples: Sequence[Example],
    *,
    name: str,
    card: Mapping[str, Any] | None = None,
    shape: Shape | None = None,
    seed: int = 20,
    cut_family: str | None = None,
    base: SupportModel | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Fitted:
    """Fit a support model.

    Args:
        examples: labelled answers; 200 at least and 30 of each class.
        name: the model's name, which goes into every report.
        card: what people should know of it (data, licence, limits); stored in the model.
        cut_family: choose the F1 cut on this family only (None = on all examples).
        base: keep the word and sentence forests of this model and fit the answers only; for small sets.
        say: takes a line of progress.

    Raises:
        Refused: too few labels; the message says how many more.
        BadInput: the [train] extra is not installed.
    """
    import_training()
    refuse_too_few(examples)
    shape = shape or Shape()
    folds = [fold_of(example.group) for example in examples]
    fitting = _Fitting(examples, folds, shape, seed, say)
    if base is None:
        words, odds = fitting.words()
        sentences = fitting.sentences(words)
    else:
        words, sentences, odds = fitting.taken_from(base)
    answers = fitting.answers(words, sentences)
    knots = calibration_knots(answers.held_out, [e.label for e in examples], [e.weight for e in examples])
    probabilities = [_interpolated(score, knots) for score in answers.held_out]
    of_cut = [i for i, e in enumerate(examples) if cut_family is None or e.family == cut_family]
    cut = best_cut([probabilities[i] for i in of_cut], [examples[i].label for i in of_cut])
    data = {
        "schema": SCHEMA,
        "name": name,
        "columns": columns(),
        "words": words.data,
        "sentences": sentences.data,
        "answers": answers.data,
        "odds": odds,
        "sentence_phrases": fitting.sentence_phrases.to_dict(),
        "answer_phrases": fitting.answer_phrases.to_dict(),
        "calibration": knots,
        "cut": round(cut, 6),
        "card": dict(card or {}),
    }
    return Fitted(data, tuple(probabilities))


def import_training() -> None:
    """Check that the [train] extra is there.

    Raises:
        BadInput: it is not; the message says how to install it.
    """
    try:
        import numpy  # noqa: F401
        import sklearn  # noqa: F401
    except ImportError as error:
        raise BadInput("fitting needs the [train] extra: pip install 'proofmark[train]'") from error


def refuse_too_few(examples: Sequence[Example]) -> None:
    """Raise `Refused` with what is missing."""
    from proofing.errors import Refused

    missing = missing_labels(len(examples), sum(example.label for example in examples))
    if missing:
        raise Refused(missing)


def fold_of(group: str, folds: int = FOLDS) -> int:
    """The inner fold of a group, by its hash."""
    return int(hashlib.sha256(f"inner {group}".encode()).hexdigest()[:8], 16) % folds


def best_cut(probabilities: Sequence[float], labels: Sequence[int]) -> float:
    """The cut with the best F1 (midway to the next lower score)."""
    found = evaluate(probabilities, labels, cut=0.5, resamples=0)["best_f1_cut"].value
    return 0.5 if found is None else found


def figures(
    probabilities: Sequence[float], examples: Sequence[Example], cut: float, resamples: int = 400
) -> dict[str, dict[str, Estimate]]:
    """Figures per family, resampled by group."""
    out = {}
    for family in dict.fromkeys(e.family for e in examples):
        rows = [i for i, e in enumerate(examples) if e.family == family]
        out[family] = evaluate(
            [probabilities[i] for i in rows],
            [examples[i].label for i in rows],
            cut=cut,
            groups=[examples[i].group for i in rows],
            resamples=resamples,
        )
    return out


@dataclass(frozen=True, slots=True)
class _Level:
    """One fitted forest as data, and its out-of-fold output per row."""

    data: dict[str, Any]
    held_out: list[float]


class _Fitting:
    def __init__(
        self,
        examples: Sequence[Example],
        folds: Sequence[int],
        shape: Shape,
        seed: int,
        say: Callable[[str], None],
    ) -> None:
        self.examples = examples
        self.folds = folds
        self.shape = shape
        self.seed = seed
        self.say = say

    # Words -----------------------------------------------------------------------------------------------

    def words(self) -> tuple[_Level, dict[str, float]]:
        """The forest of words; rows are all words of all examples, in order."""
        import numpy as np

        labels = [word_labels(example) for example in self.examples]
        table = _WordTable(self.examples, labels, self.folds)
        rows = np.concatenate(
            [
                np.hstack(
                    [_matrix(e.sheet.rows, len(TOKEN_NAMES)), _matrix(odds_rows(e.sheet, table.without(fold)), 3)]
                )
                for e, fold in zip(self.examples, self.folds, strict=True)
            ]
        )
        self.held_odds = [table.without(fold) for fold in self.folds]
        target = np.array([-1 if label is None else label for own in labels for label in own])
        fold = np.repeat(self.folds, [len(own) for own in labels])
        weight = np.repeat([e.weight for e in self.examples], [len(own) for own in labels])
        names = [*TOKEN_NAMES, *ODDS_NAMES]
        self.say(f"words: {len(rows)} rows, {int((target == 1).sum())} unsupported")
        level = self._level(rows, target, weight, fold, names, self.shape.words, logistic=True)
        return level, table.full()

    # Sentences -------------------------------------------------------------------------------------------

    def sentences(self, words: _Level) -> _Level:
        import numpy as np

        rows, targets, fold, weight = [], [], [], []
        self.held_phrases, self.sentence_phrases = self._sentence_phrases()
        for (example, own, odds, inner), said in zip(self._with_words(words.held_out), self.held_phrases, strict=True):
            rows += sentence_rows(example.sheet, own, odds, said)
            targets += sentence_labels(example)
            fold += [inner] * len(example.sheet.sentences)
            weight += [example.weight] * len(example.sheet.sentences)
        target = np.array([-1 if t is None else t for t in targets])
        self.say(f"sentences: {len(rows)} rows, {int((target == 1).sum())} unsupported")
        return self._level(
            np.array(rows, dtype=np.float32), target, np.array(weight), np.array(fold),
            [*SENTENCE_NAMES, *WORDS_NAMES], self.shape.sentences, logistic=True,
        )  # fmt: skip

    def taken_from(self, base: SupportModel) -> tuple[_Level, _Level, dict[str, float]]:
        """The lower forests of a model fitted elsewhere, and what they say of these examples."""
        odds = dict(base.odds)
        self.held_odds = [odds] * len(self.folds)
        words: list[float] = []
        sentences: list[float] = []
        self.sentence_phrases = base.sentence_phrases
        self.held_phrases = [[base.sentence_phrases.score(p) for p in e.sheet.phrases] for e in self.examples]
        for example, said in zip(self.examples, self.held_phrases, strict=True):
            own = [base.words.probability(row) for row in word_rows(example.sheet, odds)]
            words += own
            sentences += [base.sentences.probability(row) for row in sentence_rows(example.sheet, own, odds, said)]
        return _Level(base.words.to_dict(), words), _Level(base.sentences.to_dict(), sentences), odds

    def _with_words(self, held_out: Sequence[float]) -> list[tuple[Example, list[float], dict[str, float], int]]:
        out, at = [], 0
        for example, odds, fold in zip(self.examples, self.held_odds, self.folds, strict=True):
            count = len(example.sheet.rows)
            out.append((example, list(held_out[at : at + count]), odds, fold))
            at += count
        return out

    # Answers ---------------------------------------------------------------------------------------------

    def answers(self, words: _Level, sentences: _Level) -> _Level:
        import numpy as np

        rows, at = [], 0
        whole, self.answer_phrases = self._answer_phrases()
        for (example, own, odds, _), said, all_said in zip(
            self._with_words(words.held_out), self.held_phrases, whole, strict=True
        ):
            count = len(example.sheet.sentences)
            rows.append(answer_row(example.sheet, own, sentences.held_out[at : at + count], odds, said, all_said))
            at += count
        self.say(f"answers: {len(rows)} rows")
        return self._level(
            np.array(rows, dtype=np.float32), np.array([e.label for e in self.examples]),
            np.array([e.weight for e in self.examples]), np.array(self.folds), [*ANSWER_NAMES, *SENTENCES_NAMES],
            self.shape.answers, logistic=False,
        )  # fmt: skip

    # Phrases ---------------------------------------------------------------------------------------------

    def _sentence_phrases(self) -> tuple[list[list[float]], Phrases]:
        """Out-of-fold phrase scores of every sentence, and the table on all."""
        rows = [phrases for e in self.examples for phrases in e.sheet.phrases]
        targets = [target for e in self.examples for target in sentence_labels(e)]
        weights = [e.weight for e in self.examples for _ in e.sheet.phrases]
        fold = [f for e, f in zip(self.examples, self.folds, strict=True) for _ in e.sheet.phrases]
        scores, table = phrase_scores(rows, targets, weights, fold)
        held, at = [], 0
        for example in self.examples:
            held.append(scores[at : at + len(example.sheet.phrases)])
            at += len(example.sheet.phrases)
        self.say(f"phrases of sentences: {len(table.weights)}")
        return held, table

    def _answer_phrases(self) -> tuple[list[float], Phrases]:
        rows = [list(all_phrases(e.sheet)) for e in self.examples]
        labels: list[int | None] = [e.label for e in self.examples]
        scores, table = phrase_scores(rows, labels, [e.weight for e in self.examples], self.folds)
        self.say(f"phrases of answers: {len(table.weights)}")
        return scores, table

    # One level -------------------------------------------------------------------------------------------

    def _level(
        self,
        rows: NDArray[Any],
        target: NDArray[Any],
        weight: NDArray[Any],
        fold: NDArray[Any],
        names: Sequence[str],
        shape: Mapping[str, Any],
        *,
        logistic: bool,
    ) -> _Level:
        """Out-of-fold output (probability, or raw score) for every row, and a forest on all labelled rows."""
        import numpy as np

        held_out = np.zeros(len(rows))
        for held in sorted(set(fold.tolist())):
            kept = (fold != held) & (target >= 0)
            fitted = self._boosted(rows[kept], target[kept], weight[kept], names, shape)
            here = fold == held
            raw = fitted.decision_function(rows[here])
            held_out[here] = 1.0 / (1.0 + np.exp(-raw)) if logistic else raw
        known = target >= 0
        whole = self._boosted(rows[known], target[known], weight[known], names, shape)
        return _Level(forest_data(whole), held_out.tolist())

    def _boosted(
        self, rows: NDArray[Any], target: NDArray[Any], weight: NDArray[Any], names: Sequence[str], shape: Any
    ) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        model = HistGradientBoostingClassifier(
            **shape,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=self.seed,
            monotonic_cst=[MONOTONE.get(name, 0) for name in names],
        )
        with threadpool_limits(1):  # sums in one order give the same model on any machine; shared cores are slower
            return model.fit(rows, target, sample_weight=weight)


def _matrix(rows: Any, columns: int) -> NDArray[Any]:
    import numpy as np

    return np.asarray(rows, dtype=np.float32).reshape(-1, columns)


class _WordTable:
    """Log odds of a word in each state of backing to be unsupported, against all words of that state."""

    def __init__(
        self, examples: Sequence[Example], labels: Sequence[Sequence[int | None]], folds: Sequence[int]
    ) -> None:
        self.counts: dict[int, dict[str, list[int]]] = {}
        for example, own, fold in zip(examples, labels, folds, strict=True):
            counts = self.counts.setdefault(fold, {})
            if example.spans is None:
                continue
            for word, label in zip(example.sheet.words, own, strict=True):
                if label is not None:
                    uses = counts.setdefault(word, [0, 0])
                    uses[0] += 1
                    uses[1] += label
        self._without = {fold: self._odds([f for f in self.counts if f != fold]) for fold in self.counts}

    def without(self, fold: int) -> dict[str, float]:
        return self._without[fold]

    def full(self) -> dict[str, float]:
        return self._odds(list(self.counts))

    def _odds(self, folds: Sequence[int]) -> dict[str, float]:
        import math

        uses: dict[str, list[int]] = {}
        states: dict[str, list[int]] = {}
        for fold in sorted(folds):
            for word, (count, faulty) in self.counts[fold].items():
                for table, key in ((uses, word), (states, word[0])):
                    held = table.setdefault(key, [0, 0])
                    held[0] += count
                    held[1] += faulty
        odds = {}
        for word, (count, faulty) in sorted(uses.items()):
            if count >= LEAST_USES:
                base = (states[word[0]][1] + 0.5) / (states[word[0]][0] + 1.0)
                share = (faulty + PRIOR * base) / (count + PRIOR)
                odds[word] = round(math.log(share / (1 - share)) - math.log(base / (1 - base)), 3)
        return odds


def word_labels(example: Example) -> list[int | None]:
    """Per word of the sheet: does a labelled span touch it? None where spans are not marked."""
    if example.spans is None:
        return [None] * len(example.sheet.rows)
    return [
        int(any(start < stop and begin < end for begin, stop in example.spans)) for start, end in example.starts
    ]  # fmt: skip


def sentence_labels(example: Example) -> list[int | None]:
    """Per sentence: does a labelled span touch it? Where spans are not marked, the answer's label if it is right or
    has one sentence only, else None."""
    spans = example.sheet.spans
    if example.spans is not None:
        return [int(any(start < stop and begin < end for begin, stop in example.spans)) for start, end in spans]
    if example.label == 0 or len(spans) == 1:
        return [example.label] * len(spans)
    return [None] * len(spans)


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


def calibration_knots(
    scores: Sequence[float], labels: Sequence[int], weights: Sequence[float], least: int = 40
) -> list[list[float]]:
    """Isotonic regression of labels on scores, thinned to straight lines between block centres.

    Pools adjacent violators, then joins blocks until each weighs at least `least` examples, so that no knot rests on
    a handful; between the knots the line rises, so different scores keep different probabilities.
    """
    order = sorted(range(len(scores)), key=lambda i: scores[i])
    blocks: list[list[float]] = []  # weight, sum of scores, sum of labels
    for i in order:
        w = weights[i]
        blocks.append([w, w * scores[i], w * labels[i]])
        while len(blocks) > 1 and (blocks[-2][2] / blocks[-2][0] >= blocks[-1][2] / blocks[-1][0]):
            _join(blocks)
    wide: list[list[float]] = []
    for block in blocks:
        wide.append(block)
        if len(wide) > 1 and wide[-2][0] < least:
            _join(wide)
    if len(wide) > 1 and wide[-1][0] < least:
        _join(wide)
    knots = [[s / w, (y + 0.5) / (w + 1.0)] for w, s, y in wide]
    first, last = knots[0], knots[-1]
    knots = [[min(scores) - 1.0, first[1] * 0.5], *knots, [max(scores) + 1.0, 1.0 - (1.0 - last[1]) * 0.5]]
    return _rising([[round(x, 5), round(y, 6)] for x, y in knots])


def _join(blocks: list[list[float]]) -> None:
    last = blocks.pop()
    blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]


def _rising(knots: Sequence[list[float]]) -> list[list[float]]:
    """Knots with strictly rising scores and never falling probabilities."""
    out: list[list[float]] = []
    for x, y in knots:
        if out and x <= out[-1][0]:
            continue
        out.append([x, max(y, out[-1][1] if out else 0.0)])
    return out


def _interpolated(score: float, knots: Sequence[Sequence[float]]) -> float:
    from proofing.learning.model import calibrated

    return calibrated(score, knots)
