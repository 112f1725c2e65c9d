"""The recognizer's steps taken from Python find what spaCy's own loop finds, whatever the pipeline is made of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofing.support.entity_model import EntityModel
from proofing.support.entity_steps import read_stepwise, steps_known
from proofing.support.finders import AUTO_MODELS

CASES = Path(__file__).parents[2] / "cases"
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "*"}


@pytest.fixture(scope="module")
def pipeline():
    spacy = pytest.importorskip("spacy")
    return EntityModel(spacy.load(next(name for name in AUTO_MODELS if spacy.util.is_package(name)))).pipeline


def names_of(doc):
    return [(name.start_char, name.end_char, name.label_) for name in doc.ents]


def test_the_names_of_all_cases_are_those_of_the_pipeline(pipeline):
    lines = (CASES / "marks.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    sources = [source["text"] for case in cases for source in case["sources"]]
    for text in [*(case["answer"] for case in cases), *sources, " ".join(sources)[:20_000]]:
        assert names_of(read_stepwise(pipeline, text)) == names_of(pipeline(text))


@pytest.mark.parametrize("text", ["", " ", "\n\n", "Anna", "Bob\n\nHolt", "the Anna Eva Holt Inc. of New York"])
def test_texts_of_few_tokens_are_read_as_by_the_pipeline(pipeline, text):
    assert names_of(read_stepwise(pipeline, text)) == names_of(pipeline(text))


def test_vectors_that_nothing_takes_are_not_made(pipeline):
    assert pipeline.pipe_names == ["ner"]
    assert steps_known(pipeline)


def test_vectors_that_the_recognizer_shares_are_kept():
    spacy = pytest.importorskip("spacy")
    shared = spacy.blank("en")
    shared.add_pipe("tok2vec")
    shared.add_pipe("tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER}})
    shared.add_pipe("ner", config={"model": {
        "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "ner", "extra_state_tokens": False,
        "hidden_width": 64, "maxout_pieces": 2, "use_upper": True, "tok2vec": LISTENER,
    }})  # fmt: skip
    shared.get_pipe("ner").add_label("PERSON")
    shared.get_pipe("tagger").add_label("X")
    shared.initialize()
    model = EntityModel(shared)
    assert model.pipeline.pipe_names == ["tok2vec", "ner"]
    assert not steps_known(model.pipeline)
    assert isinstance(model.entities("Maria Kowalczyk lives in Berlin."), list)


def test_a_recognizer_with_a_beam_is_left_to_spacy(pipeline, monkeypatch):
    monkeypatch.setitem(pipeline.get_pipe("ner").cfg, "beam_width", 4)
    assert not steps_known(pipeline)
