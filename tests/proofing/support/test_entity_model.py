"""The spaCy model behind the names: what it remembers stays bounded, and threads do not disturb each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from proofing.support.entity_model import EntityModel, load_entity_model
from proofing.support.finders import AUTO_MODELS


def loaded(kept):
    spacy = pytest.importorskip("spacy")
    name = next(name for name in AUTO_MODELS if spacy.util.is_package(name))
    return EntityModel(spacy.load(name), kept)


def texts(count):
    return [f"Maria Kowalczyk of Wrzx{n}ova met Qv{n}dra{n} in Berlin in 20{n % 90 + 10}." for n in range(count)]


def test_words_past_those_kept_are_forgotten_and_names_are_found_as_before():
    free, bounded = loaded(1_000_000), loaded(30)
    at_first = len(bounded.pipeline.vocab.strings)
    assert [bounded.entities(text) for text in texts(120)] == [free.entities(text) for text in texts(120)]
    assert len(free.pipeline.vocab.strings) - at_first > 300  # what would have been kept
    assert len(bounded.pipeline.vocab.strings) - at_first < 60  # the last text that was kept may pass the bound


def test_threads_past_the_bound_read_what_one_reads():
    model = loaded(0)
    alone = [model.entities(text) for text in texts(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(model.entities, texts(200))) == alone


def test_a_text_that_cannot_be_read_leaves_the_model_usable():
    model = loaded(0)
    with pytest.raises(ValueError):
        model.entities("a " * 600_000)  # longer than spaCy accepts
    assert model.entities("Maria Kowalczyk lives in Berlin.")


@pytest.mark.parametrize(("threads", "by_numpy"), [("1", True), ("4", False), (None, False)])
def test_numpy_multiplies_only_where_it_keeps_to_one_thread(monkeypatch, threads, by_numpy):
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    if threads:
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
    spacy = pytest.importorskip("spacy")
    name = next(name for name in AUTO_MODELS if spacy.util.is_package(name))
    model = load_entity_model.__wrapped__(name)
    assert model.pipeline.get_pipe("ner").model.ops.use_blis is not by_numpy
    assert model.entities("Maria Kowalczyk lives in Berlin.") == [(0, 15, "PERSON"), (25, 31, "GPE")]
