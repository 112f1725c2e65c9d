"""Fitting the support model: forests, each on what the one below says of data it did not see.

Folds are by group (the source), so no source is on both sides. The words are fitted on labelled spans, the
sentences on whether a labelled span touches them (or on the answer's label where it is the only sentence), the
answers on their label; two more levels hear the channels where the examples hold their judgements. What goes up a
level, what is calibrated on and what the F1 cut is chosen on are always out-of-fold predictions.

numpy and scikit-learn (the [train] extra) are needed here and nowhere else; what comes out is plain data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proofing.errors import BadInput, Refused
from proofing.learning.calibrate import missing_labels
from proofing.learning.cutting import best_cut
from proofing.learning.examples import Example, fold_of, telling
from proofing.learning.hearing import heard, last_level
from proofing.learning.knots import calibrated, calibration_knots
from proofing.learning.metrics import Estimate, evaluate
from proofing.learning.model import SCHEMA, SupportModel, columns
from proofing.learning.stacking import Counted, Level, Shape, Stack


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model as JSON-ready data, its out-of-fold probabilities, and what its counting levels say out of fold."""

    data: dict[str, Any]
    probabilities: tuple[float, ...]
    counted: tuple[Counted, ...] = ()

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
        base: keep the forests of this model and fit the last level only; for small sets.
        say: takes a line of progress.

    Raises:
        Refused: too few labels; the message says how many more.
        BadInput: the [train] extra is not installed.
    """
    import_training()
    refuse_too_few(examples)
    shape = shape or Shape()
    folds = [fold_of(example.group) for example in examples]
    if base is not None and base.judged_sentences is not None and _are_judged(examples):
        return _with_last_level(base, examples, folds, name, card, shape, seed, cut_family, say)
    stack = Stack(examples, folds, shape, seed, say)
    if base is None:
        words, odds = stack.words()
        sentences = stack.sentences(words)
    else:
        words, sentences, odds = stack.taken_from(base)
    answers = stack.answers(words, sentences)
    data = {
        "schema": SCHEMA,
        "name": name,
        "columns": columns(),
        "words": words.data,
        "sentences": sentences.data,
        "answers": answers.data,
        "odds": odds,
        "sentence_phrases": stack.sentence_phrases.to_dict(),
        "answer_phrases": stack.answer_phrases.to_dict(),
        "card": dict(card or {}),
    }
    counted = tuple(stack.counted(words, sentences, answers))
    if base is None and _are_judged(examples):
        return hear(data, examples, counted, shape=shape, seed=seed, cut_family=cut_family, say=say)
    return _calibrated(data, examples, answers.held_out, counted, cut_family)


def hear(
    data: Mapping[str, Any],
    examples: Sequence[Example],
    counted: Sequence[Counted],
    *,
    shape: Shape | None = None,
    seed: int = 20,
    cut_family: str | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Fitted:
    """Fit the levels that hear the channels, on top of counting levels fitted before.

    Args:
        data: a fitted model; its calibration and cut are replaced.
        examples: answers with their judgements; a sample of what `data` was fitted on, or others of the same folds.
        counted: what the counting levels say of each, out of fold.
    """
    folds = [fold_of(example.group) for example in examples]
    sentences, answers = heard(examples, counted, folds, shape or Shape(), seed, say)
    whole = {**data, "judged_sentences": sentences.data, "judged_answers": answers.data}
    return _calibrated(whole, examples, answers.held_out, counted, cut_family)


def _with_last_level(
    base: SupportModel, examples: Sequence[Example], folds: Sequence[int], name: str, card: Mapping[str, Any] | None,
    shape: Shape, seed: int, cut_family: str | None, say: Callable[[str], None],
) -> Fitted:  # fmt: skip
    """All levels of a model but the last, which is fitted on these examples: for small sets."""
    answers, counted = judged_level(base, examples, folds, shape, seed, say)
    data = {**base.to_dict(), "name": name, "judged_answers": answers.data, "card": dict(card or {})}
    return _calibrated(data, examples, answers.held_out, counted, cut_family)


def judged_level(
    base: SupportModel, examples: Sequence[Example], folds: Sequence[int], shape: Shape | None = None, seed: int = 20,
    say: Callable[[str], None] = lambda line: None,
) -> tuple[Level, list[Counted]]:  # fmt: skip
    """The forest of judged answers fitted on these examples, and what the counts of `base` say of each."""
    counted = []
    for example in telling(examples, say, "counts"):
        words, sentences, score = base.counted(example.sheet)
        counted.append(Counted(tuple(words), tuple(sentences), score))
    return last_level(base, examples, counted, folds, shape or Shape(), seed, say), counted


def _calibrated(
    data: Mapping[str, Any],
    examples: Sequence[Example],
    scores: Sequence[float],
    counted: Sequence[Counted],
    cut_family: str | None,
) -> Fitted:
    """The model with its calibration and its cut, both from out-of-fold scores."""
    knots = calibration_knots(scores, [e.label for e in examples], [e.weight for e in examples])
    probabilities = [calibrated(score, knots) for score in scores]
    of_cut = [i for i, e in enumerate(examples) if cut_family is None or e.family == cut_family]
    cut = best_cut([probabilities[i] for i in of_cut], [examples[i].label for i in of_cut])
    return Fitted({**data, "calibration": knots, "cut": round(cut, 6)}, tuple(probabilities), tuple(counted))


def _are_judged(examples: Sequence[Example]) -> bool:
    return all(example.judgements is not None for example in examples)


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
    missing = missing_labels(len(examples), sum(example.label for example in examples))
    if missing:
        raise Refused(missing)


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
