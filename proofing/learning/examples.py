"""Labelled answers ready to fit on, and what their labels say of words and sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from proofing.learning.features import Sheet
from proofing.learning.reader import ReadSentence
from proofing.support.base import Judgement

#: Inner folds of a fit: what goes up a level is always predicted by a model that did not see it.
FOLDS = 3


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled answer ready to fit on.

    Attributes:
        label: 1 = holds something unsupported.
        spans: the unsupported spans; None when they are not marked.
        group: answers of one group stay on one side of every fold.
        weight: how much it counts in the fit.
        family: which set it is from, for the figures.
        judgements: what the channels said; None = nobody asked them, then only the words are learnt from.
        read: what the reader said, sentence by sentence; None = nobody asked it.
    """

    sheet: Sheet
    starts: tuple[tuple[int, int], ...]  # offsets of the sheet's words in the answer
    label: int
    spans: tuple[tuple[int, int], ...] | None
    group: str
    weight: float = 1.0
    family: str = ""
    judgements: tuple[Judgement, ...] | None = None
    read: tuple[ReadSentence, ...] | None = None


def telling(examples: Sequence[Example], say: Callable[[str], None], what: str) -> Iterator[Example]:
    """The examples as they are, with a line of progress before each hundred; `say` may raise to stop the work."""
    for number, example in enumerate(examples):
        if number % 100 == 0:
            say(f"{what}: {number} of {len(examples)}")
        yield example


def fold_of(group: str, folds: int = FOLDS) -> int:
    """The inner fold of a group, by its hash."""
    return int(hashlib.sha256(f"inner {group}".encode()).hexdigest()[:8], 16) % folds


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
