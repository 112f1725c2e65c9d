"""Fitting the last stage on answers that nothing below it was fitted on.

Sentences, words and answers are fitted one on the other; each hands up what it says out of fold, and the calibration,
the cut and the worth of marks come from the out-of-fold answers too. For a small set `refit_last` keeps the forests of
a stage and fits what stands on them. Needs the [train] extra.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofing.learning.cutting import best_cut
from proofing.learning.examples import Example, fold_of, sentence_labels, telling, word_labels
from proofing.learning.knots import calibrated, calibration_knots
from proofing.learning.last import (
    Heard,
    Known,
    answer_row,
    columns,
    heard_of,
    mark_counts,
    sentence_rows,
    to_read,
    word_rows,
)
from proofing.learning.model import SupportModel
from proofing.learning.stacking import Level, fitted_level

#: Kinds of marks that rest on arithmetic or on a record's own field: what they are worth alone is a floor.
SURE_MARKS = ("marks_value_contradicted",)
#: A drawing line may lose so much F1 to be higher: a mark too many costs a reviewer more than one too few.
NEAR_BEST = 0.02
#: So many answers must hold such a mark before it says anything.
LEAST_MARKED = 40


@dataclass(frozen=True, slots=True)
class LastShape:
    """How large the forests are."""

    sentences: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 80, "max_leaf_nodes": 8, "learning_rate": 0.08, "min_samples_leaf": 60}
    )
    words: Mapping[str, Any] = field(
        default_factory=lambda: {"max_iter": 70, "max_leaf_nodes": 16, "learning_rate": 0.12, "min_samples_leaf": 150}
    )


@dataclass(frozen=True, slots=True)
class FittedLast:
    """One fitted stage as JSON-ready data, with what it says out of fold.

    Attributes:
        answers: calibrated probabilities, one per example.
        words: probabilities of the words of each example.
        sentences: probabilities of the sentences of each example.
    """

    data: dict[str, Any]
    answers: tuple[float, ...]
    words: tuple[tuple[float, ...], ...]
    sentences: tuple[tuple[float, ...], ...]


def fit_last(
    base: SupportModel,
    examples: Sequence[Example],
    most: int,
    *,
    below: Sequence[Known | None] | None = None,
    shape: LastShape | None = None,
    seed: int = 20,
    cut_family: str | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> FittedLast:
    """The last stage on top of `base`.

    Args:
        base: a model with the levels that hear the channels, fitted on other answers.
        examples: answers with their judgements and, where `most` is above 0, with what the reader said.
        most: how many sentences of an answer the reader reads; 0 = there is no reader.
        below: what `known_of` gives, to spare the time where several stages are fitted.
        cut_family: choose the cut and the worth of marks on this family only (None = on all examples).
    """

    shape = shape or LastShape()
    names = columns(reader=most > 0)
    below = known_of(base, examples) if below is None else below
    kept = [i for i, found in enumerate(below) if found is not None]
    known = [(found, _heard(found, example, most)) for found, example in zip(below, examples, strict=True) if found]
    own = [examples[i] for i in kept]
    folds = [fold_of(example.group) for example in own]
    sentences = _level(
        [sentence_rows(k, h) for k, h in known], [sentence_labels(e) for e in own], own, folds, names["sentences"],
        shape.sentences, seed, say, "sentences",
    )  # fmt: skip
    by_sentence = _split(sentences.held_out, [len(k.sentences) for k, _ in known])
    words = _level(
        [word_rows(e.sheet, k, h, s) for e, (k, h), s in zip(own, known, by_sentence, strict=True)],
        [word_labels(e) for e in own], own, folds, names["words"], shape.words, seed, say, "words",
    )  # fmt: skip
    by_word = _split(words.held_out, [len(k.words) for k, _ in known])
    say(f"answers: {len(own)} rows")
    answers, found = _answers(own, known, by_sentence, by_word, folds, cut_family)
    data = {"sentences": sentences.data, "words": words.data, **answers}
    return _whole(data, len(examples), kept, found, by_word, by_sentence)


#: What the kept forests say of one example: its sentences and its words.
Spoken = tuple[Sequence[float], Sequence[float]]


def refit_last(
    base: SupportModel,
    examples: Sequence[Example],
    most: int,
    *,
    below: Sequence[Known | None] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> FittedLast:
    """The stage of `base` for `most` sentences, with its forests and their line kept: only the sum of the answer, the
    calibration, the cut and the worth of marks are fitted on these examples. For sets too small for forests; `base`
    never saw them.

    Args: as `fit_last`.
    """
    stage = base.last[most]
    below = known_of(base, examples) if below is None else below
    kept = [i for i, found in enumerate(below) if found is not None]
    own = [examples[i] for i in kept]
    known = [(found, _heard(found, example, most)) for found, example in zip(below, examples, strict=True) if found]
    said = [one for one in spoken_of(base, examples, most, below, say) if one]
    by_sentence, by_word = [one[0] for one in said], [one[1] for one in said]
    answers, found = _answers(own, known, by_sentence, by_word, [fold_of(e.group) for e in own], None)
    data = {"sentences": stage.sentences.to_dict(), "words": stage.words.to_dict(), **answers, "line": stage.line}
    return _whole(data, len(examples), kept, found, by_word, by_sentence)


def spoken_of(
    base: SupportModel, examples: Sequence[Example], most: int, below: Sequence[Known | None],
    say: Callable[[str], None] = lambda line: None,
) -> list[Spoken | None]:  # fmt: skip
    """What the forests of a stage say of each example; None where it holds no word."""
    stage = base.last[most]
    out: list[Spoken | None] = []
    for example, known in zip(telling(examples, say, f"stage {most}"), below, strict=True):
        if known is None:
            out.append(None)
            continue
        heard = _heard(known, example, most)
        sentences = [stage.sentences.probability(row) for row in sentence_rows(known, heard)]
        words = [stage.words.probability(row) for row in word_rows(example.sheet, known, heard, sentences)]
        out.append((sentences, words))
    return out


def _answers(
    own: Sequence[Example], known: Sequence[tuple[Known, Heard | None]], by_sentence: Sequence[Sequence[float]],
    by_word: Sequence[Sequence[float]], folds: Sequence[int], cut_family: str | None,
) -> tuple[dict[str, Any], list[float]]:  # fmt: skip
    """The part of a stage that speaks for answers, as data, and what it says out of fold."""
    rows = [answer_row(k, h, s, w) for (k, h), s, w in zip(known, by_sentence, by_word, strict=True)]
    weights, labels = [e.weight for e in own], [e.label for e in own]
    answers = _sum(rows, labels, weights, folds)
    knots = calibration_knots(answers.held_out, labels, weights)
    marks = [mark_counts(e.judgements or ()) for e in own]
    main = [i for i, e in enumerate(own) if cut_family is None or e.family == cut_family]
    worth = _worth([labels[i] for i in main], [marks[i] for i in main])
    found = [
        max(calibrated(score, knots), max((worth[name] for name in worth if marked[name]), default=0.0))
        for score, marked in zip(answers.held_out, marks, strict=True)
    ]
    cut = round(best_cut([found[i] for i in main], [labels[i] for i in main]), 6)
    line = _line([(own[i], by_word[i]) for i in main if found[i] >= cut], [own[i] for i in main])
    data = {"answers": answers.data, "calibration": knots, "cut": cut, "worth": worth, "line": line}
    return data, found


def _line(drawn: Sequence[tuple[Example, Sequence[float]]], everything: Sequence[Example]) -> float | None:
    """The word probability from which words are drawn: of those whose F1 is within `NEAR_BEST` of the best the highest.

    F1 is of letters, pooled over all words whose answers have labelled spans; `drawn` = the answers above the cut
    with what was said of their words out of fold. None where no span is labelled.
    """
    labelled = sum(_unsupported_letters(example) for example in everything)
    words = [
        (probability, stop - start, label)
        for example, said in drawn
        for probability, (start, stop), label in zip(said, example.starts, word_labels(example), strict=True)
        if label is not None
    ]
    if not labelled or not words:
        return None
    held = taken = 0
    scored = []
    for probability, letters, label in sorted(words, reverse=True):
        taken += letters
        held += letters * label
        scored.append((2 * held / (taken + labelled), probability))
    best = max(f1 for f1, _ in scored)
    return round(max(probability for f1, probability in scored if f1 >= best - NEAR_BEST), 6)


def _unsupported_letters(example: Example) -> int:
    """Letters of the words that a labelled span touches."""
    labels = zip(example.starts, word_labels(example), strict=True)
    return sum(stop - start for (start, stop), label in labels if label)


def _whole(
    data: dict[str, Any], count: int, kept: Sequence[int], found: Sequence[float],
    by_word: Sequence[Sequence[float]], by_sentence: Sequence[Sequence[float]],
) -> FittedLast:  # fmt: skip
    """What was fitted, with nothing said of the examples that hold no word."""
    answers = [0.0] * count
    words: list[tuple[float, ...]] = [()] * count
    sentences: list[tuple[float, ...]] = [()] * count
    for i, probability, own_words, own_sentences in zip(kept, found, by_word, by_sentence, strict=True):
        answers[i], words[i], sentences[i] = probability, tuple(own_words), tuple(own_sentences)
    return FittedLast(data, tuple(answers), tuple(words), tuple(sentences))


def known_of(
    base: SupportModel, examples: Sequence[Example], say: Callable[[str], None] = lambda line: None
) -> list[Known | None]:
    """What the levels below say of each example; None where it holds no word."""
    return [base.known(e.sheet, e.starts, e.judgements or ()) for e in telling(examples, say, "levels below")]


def _heard(known: Known, example: Example, most: int) -> Heard | None:
    if not most:
        return None
    starts = {example.sheet.spans[i][0] for i in to_read(example.sheet.spans, known.judged, most)}
    return heard_of(example.sheet, example.starts, [found for found in example.read or () if found.start in starts])


def _sum(
    rows: Sequence[Sequence[float]], labels: Sequence[int], weights: Sequence[float], folds: Sequence[int]
) -> Level:
    """A logistic sum whose weights are never negative, and its scores out of fold."""
    import numpy as np

    matrix, target, weight, fold = np.array(rows), np.array(labels), np.array(weights), np.array(folds)
    held_out = np.zeros(len(matrix))
    for held in sorted(set(folds)):
        inside = fold != held
        found = _logistic(matrix[inside], target[inside], weight[inside])
        held_out[~inside] = matrix[~inside] @ found[1:] + found[0]
    found = _logistic(matrix, target, weight)
    pairs = [[i, round(float(w), 5)] for i, w in enumerate(found[1:]) if w > 0.0]
    return Level({"base": round(float(found[0]), 5), "weights": pairs}, held_out.tolist())


def _logistic(matrix: Any, target: Any, weight: Any) -> Any:
    """Intercept and weights of a logistic regression, weights at least 0."""
    import numpy as np
    from scipy.optimize import minimize

    signs = 2 * target - 1

    def loss(beta: Any) -> tuple[float, Any]:
        margins = signs * (matrix @ beta[1:] + beta[0])
        slopes = -signs * weight / (1.0 + np.exp(margins))
        value = (weight * np.logaddexp(0.0, -margins)).sum() + (beta[1:] ** 2).sum()
        return float(value), np.concatenate([[slopes.sum()], matrix.T @ slopes + 2.0 * beta[1:]])

    bounds = [(None, None), *[(0.0, None)] * matrix.shape[1]]
    return minimize(loss, np.zeros(matrix.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds).x


def _level(
    rows: Sequence[Sequence[Sequence[float]]],
    labels: Sequence[Sequence[int | None]],
    examples: Sequence[Example],
    folds: Sequence[int],
    names: Sequence[str],
    shape: Mapping[str, Any],
    seed: int,
    say: Callable[[str], None],
    what: str,
) -> Level:
    import numpy as np

    counts = [len(own) for own in labels]
    matrix = np.array([row for own in rows for row in own], dtype=np.float32)
    target = np.array([-1 if label is None else label for own in labels for label in own])
    weight = np.repeat([e.weight for e in examples], counts)
    say(f"{what}: {len(matrix)} rows, {int((target == 1).sum())} unsupported")
    return fitted_level(matrix, target, weight, np.repeat(folds, counts), names, shape, seed=seed, logistic=True)


def _split(values: Sequence[float], counts: Sequence[int]) -> list[list[float]]:
    out, at = [], 0
    for count in counts:
        out.append(list(values[at : at + count]))
        at += count
    return out


def _worth(labels: Sequence[int], marks: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Share of faulty answers among those with a sure mark, for each kind of them that is met often enough."""
    out = {}
    for name in SURE_MARKS:
        held = [label for label, marked in zip(labels, marks, strict=True) if marked[name]]
        if len(held) >= LEAST_MARKED:
            out[name] = round(sum(held) / len(held), 4)
    return out
