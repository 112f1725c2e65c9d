"""A spaCy model that reads names, and forgets the words it has read."""

from __future__ import annotations

import importlib
import os
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from threading import Lock
from typing import Any

from proofing.support.entity_steps import read_stepwise, steps_known

#: spaCy labels that name something that could be invented.
LABELS = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "PRODUCT", "WORK_OF_ART", "EVENT", "LAW"})
#: The pipe that finds names, and those that may make vectors for it; the rest of a pipeline stays switched off.
RECOGNIZER = "ner"
SHARED_VECTORS = ("tok2vec", "transformer")
#: How many words spaCy keeps for good beyond those it came with: everyday ones, so that texts to come are read faster.
WORDS_KEPT = 20_000


class EntityModel:
    """A pipeline with only what names need.

    spaCy stores every word it ever met, which in a worker that runs for weeks is a leak. Past `kept` words, each text
    is read in a memory zone: what it brought is freed after it (spaCy's documentation, "Memory management"). A zone is
    a state of the whole vocabulary, so texts are read one at a time, whatever the threads.
    """

    def __init__(self, pipeline: Any, kept: int = WORDS_KEPT) -> None:
        for pipe in list(pipeline.pipe_names):
            if pipe != RECOGNIZER and not _feeds(pipeline, pipe):
                pipeline.remove_pipe(pipe)
        self.pipeline = pipeline
        self._stepwise = steps_known(pipeline)
        self.lang: str = pipeline.lang
        self.version: str = pipeline.meta.get("version", "")
        self._full = len(pipeline.vocab.strings) + kept
        self._reading = Lock()

    def entities(self, text: str) -> list[tuple[int, int, str]]:
        """(start, end, label) of the names in `text`, in code points and text order."""
        with self._reading, self._zone():
            doc = read_stepwise(self.pipeline, text) if self._stepwise else self.pipeline(text)
            return [(e.start_char, e.end_char, e.label_) for e in doc.ents if e.label_ in LABELS]

    def _zone(self) -> AbstractContextManager[Any]:
        if len(self.pipeline.vocab.strings) < self._full:
            return nullcontext()
        zone: AbstractContextManager[Any] = self.pipeline.memory_zone()
        return zone


def _feeds(pipeline: Any, pipe: str) -> bool:
    """Whether the recognizer takes its vectors from this pipe; small models give it vectors of its own."""
    if pipe not in SHARED_VECTORS or not pipeline.has_pipe(RECOGNIZER):
        return False
    layers = pipeline.get_pipe(RECOGNIZER).model.walk()
    return any("listener" in layer.name for layer in layers)


@lru_cache(maxsize=4)
def load_entity_model(name: str) -> EntityModel | None:
    """The spaCy model of this import name, loaded once per process; None when it is not installed."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        return None
    with _products():
        return EntityModel(module.load())


def _products() -> AbstractContextManager[Any]:
    """Who multiplies matrices in models loaded meanwhile: numpy where it was told to keep to one thread, else BLIS.

    spaCy's BLIS has no code of its own for processors of recent years and takes three times as long there. numpy
    has, but would share out such small products to all cores, which takes longer still.
    """
    if "1" not in (os.environ.get("OPENBLAS_NUM_THREADS"), os.environ.get("OMP_NUM_THREADS")):
        return nullcontext()
    from thinc.api import use_ops

    numpy_alone: AbstractContextManager[Any] = use_ops("numpy", use_blis=False)
    return numpy_alone
