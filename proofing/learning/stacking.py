"""The three forests of the support model, fitted one on the other.

Every level hands up what it says of rows it was not fitted on (out of fold), and a forest fitted on all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from proofing.learning.boosting import boosted, forest_data
from proofing.learning.examples import Example, sentence_labels, word_labels
from proofing.learning.features import ANSWER_NAMES, SENTENCE_NAMES, TOKEN_NAMES
from proofing.learning.model import (
    ODDS_NAMES,
    SENTENCES_NAMES,
    WORDS_NAMES,
    SupportModel,
    all_phrases,
    answer_row,
    odds_rows,
    sentence_rows,
    word_rows,
)
from proofing.learning.phrases import phrase_scores
from proofing.learning.trees import Phrases
from proofing.learning.wordtable import WordTable

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Shape:
    """How large the forests are."""

    words: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 60, "max_leaf_nodes": 24, "learning_rate": 0.15, "min_samples_leaf": 200}
    )
    sentences: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 160, "max_leaf_nodes": 20, "learning_rate": 0.06, "min_samples_leaf": 60}
    )
    answers: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 120, "max_leaf_nodes": 8, "learning_rate": 0.05, "min_samples_leaf": 40}
    )
    judged_sentences: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 100, "max_leaf_nodes": 10, "learning_rate": 0.06, "min_samples_leaf": 30}
    )
    judged_answers: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 100, "max_leaf_nodes": 6, "learning_rate": 0.06, "min_samples_leaf": 30}
    )


@dataclass(frozen=True, slots=True)
class Level:
    """One fitted forest as data, and its out-of-fold output per row."""

    data: dict[str, Any]
    held_out: list[float]


@dataclass(frozen=True, slots=True)
class Counted:
    """What the counts alone say of one answer it was not fitted on: words, sentences, raw score of the answer."""

    words: tuple[float, ...]
    sentences: tuple[float, ...]
    score: float


class Stack:
    """One fit of all levels: call `words`, `sentences` and `answers` in this order."""

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

    def words(self) -> tuple[Level, dict[str, float]]:
        """The forest of words; rows are all words of all examples, in order."""
        import numpy as np

        labels = [word_labels(example) for example in self.examples]
        table = WordTable(self.examples, labels, self.folds)
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

    def sentences(self, words: Level) -> Level:
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

    def taken_from(self, base: SupportModel) -> tuple[Level, Level, dict[str, float]]:
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
        return Level(base.words.to_dict(), words), Level(base.sentences.to_dict(), sentences), odds

    def _with_words(self, held_out: Sequence[float]) -> list[tuple[Example, list[float], dict[str, float], int]]:
        out, at = [], 0
        for example, odds, fold in zip(self.examples, self.held_odds, self.folds, strict=True):
            count = len(example.sheet.rows)
            out.append((example, list(held_out[at : at + count]), odds, fold))
            at += count
        return out

    def counted(self, words: Level, sentences: Level, answers: Level) -> list[Counted]:
        """The out-of-fold outputs of the three levels, answer by answer."""
        out, word, sentence = [], 0, 0
        for example, score in zip(self.examples, answers.held_out, strict=True):
            of_words = tuple(words.held_out[word : word + len(example.sheet.rows)])
            of_sentences = tuple(sentences.held_out[sentence : sentence + len(example.sheet.sentences)])
            out.append(Counted(of_words, of_sentences, score))
            word, sentence = word + len(of_words), sentence + len(of_sentences)
        return out

    # Answers ---------------------------------------------------------------------------------------------

    def answers(self, words: Level, sentences: Level) -> Level:
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
    ) -> Level:
        return fitted_level(rows, target, weight, fold, names, shape, seed=self.seed, logistic=logistic)


def fitted_level(
    rows: NDArray[Any],
    target: NDArray[Any],
    weight: NDArray[Any],
    fold: NDArray[Any],
    names: Sequence[str],
    shape: Mapping[str, Any],
    *,
    seed: int,
    logistic: bool,
) -> Level:
    """Out-of-fold output (probability, or raw score) for every row, and a forest on all labelled rows (target 0, 1)."""
    import numpy as np

    held_out = np.zeros(len(rows))
    for held in sorted(set(fold.tolist())):
        kept = (fold != held) & (target >= 0)
        fitted = boosted(rows[kept], target[kept], weight[kept], names, shape, seed)
        here = fold == held
        raw = fitted.decision_function(rows[here])
        held_out[here] = 1.0 / (1.0 + np.exp(-raw)) if logistic else raw
    known = target >= 0
    whole = boosted(rows[known], target[known], weight[known], names, shape, seed)
    return Level(forest_data(whole), held_out.tolist())


def _matrix(rows: Any, columns: int) -> NDArray[Any]:
    import numpy as np

    return np.asarray(rows, dtype=np.float32).reshape(-1, columns)
