"""A corpus: passages, search by words and meaning, its file, and answers read against it."""

from collections import Counter

import pytest

from proofing.corpus import Corpus, inspect_with, stems_of
from proofing.documents import Source
from proofing.encoder import Encoder, NoEncoder
from proofing.errors import BadInput
from proofing.healing import heal
from proofing.settings import Settings

DOCUMENTS = [
    Source("returns.md", "Unused goods may be returned within 14 days of delivery. " + "Keep the box. " * 40),
    Source("shipping.md", "Parcels leave our warehouse on Tuesdays. Delivery takes 3 working days."),
    Source("garden.md", "Tulips are planted in autumn. They flower in spring."),
]


@pytest.fixture(scope="module")
def corpus():
    return Corpus.of(DOCUMENTS, words=30)


def test_passages_are_whole_sentences_and_hold_every_document(corpus):
    assert all(p.text.endswith(".") for p in corpus.passages)
    joined = " ".join(p.text for p in corpus.passages if p.id.startswith("returns.md"))
    assert joined.split() == DOCUMENTS[0].text.split()
    assert len({p.id for p in corpus.passages}) == len(corpus.passages)


def test_the_nearest_passage_comes_first_and_strangers_never(corpus):
    assert corpus.retrieve("When do tulips flower?")[0].source.id == "garden.md#1"
    assert corpus.retrieve("zebras") == ()


def test_weights_are_those_of_scikit_learn(corpus):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectorizer = text.TfidfVectorizer(analyzer=stems_of, sublinear_tf=True)
    matrix = vectorizer.fit_transform([p.text for p in corpus.passages])
    query = "goods returned within 14 days, box and box"
    expected = (matrix @ vectorizer.transform([query]).T).toarray().ravel()
    found = {one.source.id: one.score for one in corpus.retrieve(query, k=99)}
    for passage, score in zip(corpus.passages, expected, strict=True):
        assert found.get(passage.id, 0.0) == pytest.approx(score, abs=1e-5)


def test_it_comes_back_from_its_file(corpus, tmp_path):
    corpus.save(tmp_path / "corpus.json")
    again = Corpus.load(tmp_path / "corpus.json")
    assert again.version == corpus.version
    assert again.retrieve("tulips in autumn") == corpus.retrieve("tulips in autumn")


def test_a_file_that_is_none_and_an_id_twice_are_bad_input(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(BadInput, match="corpus/1"):
        Corpus.load(tmp_path / "x.json")
    with pytest.raises(BadInput, match="twice"):
        Corpus.of([DOCUMENTS[0], DOCUMENTS[0]])
    with pytest.raises(BadInput, match="unknown way"):
        Corpus.of(DOCUMENTS).retrieve("tulips", how="magic")


def test_an_empty_corpus_finds_nothing():
    assert Corpus.of([]).retrieve("anything") == ()


def test_an_answer_without_sources_is_read_against_it_and_says_so(corpus):
    report = inspect_with(
        corpus, "How long may I return goods?", "Unused goods may be returned within 41 days of delivery.",
        settings=Settings(tier="fast"),
    )  # fmt: skip
    assert report.marks[0].text.startswith("41")
    assert report.marks[0].receipt.source_id.startswith("returns.md")
    assert corpus.version[:12] in report.warnings[0]
    assert "14 days" in heal(report).text


def test_meaning_finds_what_shares_no_word(corpus):
    try:
        Encoder.load("auto")
    except NoEncoder:
        pytest.skip("no encoder here")
    assert corpus.retrieve("bulbs that bloom", k=1, how="dense")[0].source.id == "garden.md#1"
    ways = Counter(one.source.id for one in corpus.retrieve("bulbs that flower", k=2, how="hybrid"))
    assert "garden.md#1" in ways
