"""Fitting the levels that hear the channels, on what the counting levels say out of fold.

A small sample is enough for these: asking all channels about an answer costs many times what counting its words
does, and there is little to learn per mark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proofing.learning.examples import Example, sentence_labels
from proofing.learning.judged import (
    JUDGED_ANSWER_NAMES,
    JUDGED_SENTENCE_NAMES,
    judged_answer_row,
    judged_sentence_rows,
    said_rows,
)
from proofing.learning.model import SupportModel
from proofing.learning.stacking import Counted, Level, Shape, fitted_level


def heard(
    examples: Sequence[Example],
    counted: Sequence[Counted],
    folds: Sequence[int],
    shape: Shape,
    seed: int,
    say: Callable[[str], None],
) -> tuple[Level, Level]:
    """The forests of judged sentences and of judged answers.

    Args:
        examples: answers with their judgements.
        counted: what the counting levels say of each, out of fold.
        folds: inner fold of each; a source is in one only.
    """
    import numpy as np

    said = [said_rows(e.sheet, e.judgements or ()) for e in examples]
    rows, targets, fold, weight = [], [], [], []
    for example, own, spoken, inner in zip(examples, counted, said, folds, strict=True):
        rows += judged_sentence_rows(example.sheet, own.words, own.sentences, own.score, spoken)
        targets += sentence_labels(example)
        fold += [inner] * len(spoken)
        weight += [example.weight] * len(spoken)
    target = np.array([-1 if t is None else t for t in targets])
    say(f"judged sentences: {len(rows)} rows, {int((target == 1).sum())} unsupported")
    sentences = fitted_level(
        np.array(rows, dtype=np.float32), target, np.array(weight), np.array(fold),
        JUDGED_SENTENCE_NAMES, shape.judged_sentences, seed=seed, logistic=True,
    )  # fmt: skip
    judged, at = [], 0
    for spoken in said:
        judged.append(sentences.held_out[at : at + len(spoken)])
        at += len(spoken)
    return sentences, _answers(examples, counted, said, judged, folds, shape, seed, say)


def last_level(
    base: SupportModel,
    examples: Sequence[Example],
    counted: Sequence[Counted],
    folds: Sequence[int],
    shape: Shape,
    seed: int,
    say: Callable[[str], None],
) -> Level:
    """The forest of judged answers alone, on the judged sentences of a model fitted elsewhere."""
    forest = base.judged_sentences
    if forest is None:
        raise ValueError("the model has no level that hears the channels")
    said = [said_rows(e.sheet, e.judgements or ()) for e in examples]
    judged = [
        [forest.probability(row)
         for row in judged_sentence_rows(e.sheet, own.words, own.sentences, own.score, spoken)]
        for e, own, spoken in zip(examples, counted, said, strict=True)
    ]  # fmt: skip
    return _answers(examples, counted, said, judged, folds, shape, seed, say)


def _answers(
    examples: Sequence[Example],
    counted: Sequence[Counted],
    said: Sequence[Sequence[Sequence[float]]],
    judged: Sequence[Sequence[float]],
    folds: Sequence[int],
    shape: Shape,
    seed: int,
    say: Callable[[str], None],
) -> Level:
    import numpy as np

    rows = [
        judged_answer_row(e.sheet, own.sentences, found, own.score, spoken)
        for e, own, found, spoken in zip(examples, counted, judged, said, strict=True)
    ]
    say(f"judged answers: {len(rows)} rows")
    return fitted_level(
        np.array(rows, dtype=np.float32), np.array([e.label for e in examples]),
        np.array([e.weight for e in examples]), np.array(folds),
        JUDGED_ANSWER_NAMES, shape.judged_answers, seed=seed, logistic=False,
    )  # fmt: skip
