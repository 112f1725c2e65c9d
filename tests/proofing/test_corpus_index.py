"""The index of a corpus: the same results as in memory, vectors kept, files that are none."""

import os

import pytest

from proofing.corpus import Corpus, passages_of_document
from proofing.corpus_index import open_index, vectors_of, write_index
from proofing.documents import Source
from proofing.encoder import Encoder, NoEncoder
from proofing.errors import BadInput
from tests.proofing.test_corpus import DOCUMENTS

QUERIES = ("When do tulips flower?", "goods returned within 14 days", "working days of delivery", "zebras", "")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "with space & sign" / "corpus.index"


def test_it_finds_what_the_corpus_in_memory_finds(path):
    built = write_index(path, iter(DOCUMENTS))
    whole = Corpus.of(DOCUMENTS)
    with open_index(path) as stored:
        assert (built.version, built.documents, built.passages) == (whole.version, 3, len(whole.passages))
        assert stored.version == whole.version
        for query in QUERIES:
            assert stored.retrieve(query, k=9) == whole.retrieve(query, k=9)
        assert stored.search("Tulips?", "In autumn.").weights == whole.search("Tulips?", "In autumn.").weights
        assert list(stored.passages) == list(whole.passages)


def test_a_changed_title_is_another_version(path):
    renamed = [Source(d.id, d.text, "Another title", d.url) for d in DOCUMENTS]
    assert write_index(path, DOCUMENTS).version != write_index(path, renamed).version


def test_an_empty_corpus_finds_nothing(path):
    assert write_index(path, []).passages == 0
    with open_index(path) as stored:
        assert stored.retrieve("anything") == ()


def test_a_new_index_takes_the_place_of_the_old_one_under_its_readers(path):
    write_index(path, DOCUMENTS)
    with open_index(path) as before:
        write_index(path, DOCUMENTS[:1])
        assert before.retrieve("tulips")[0].source.id == "garden.md#1"
        with open_index(path) as after:
            assert after.retrieve("tulips") == ()


def test_work_that_is_broken_off_leaves_the_old_index_and_no_litter(path):
    write_index(path, DOCUMENTS)

    def stop(phase, done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_index(path, DOCUMENTS[:1], tick=stop)
    with open_index(path) as stored:
        assert stored.built.documents == 3
    assert sorted(os.listdir(path.parent)) == [path.name]


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 3\0" + b"x" * 4096])
def test_what_is_no_index_is_bad_input(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(BadInput, match="no corpus-index/1"):
        open_index(path)
    with pytest.raises(BadInput, match="no such file"):
        open_index(path.with_name("missing"))


def test_an_id_twice_and_a_nul_are_bad_input(path):
    with pytest.raises(BadInput, match="twice"):
        write_index(path, [DOCUMENTS[0], DOCUMENTS[0]])
    with pytest.raises(BadInput, match="NUL"):
        write_index(path, [Source("a", "x\0y")])


def test_no_passage_is_overlong_and_nothing_is_lost():
    for text in ("a,b,c " * 30_000, "条件は次のとおりです。" * 3_000, "x" * 120_000, "One.\n\n" * 20_000):
        passages = [p.text for p in passages_of_document(Source("d", text))]
        assert max(map(len, passages)) <= 3_000
        assert "".join("".join(passages).split()) == "".join(text.split())


class TestByMeaning:
    def test_vectors_are_kept_and_find_what_shares_no_word(self, path):
        built = write_index(path, DOCUMENTS, encoder="auto")
        assert built.encoder.startswith("all-MiniLM")
        whole = Corpus.of(DOCUMENTS)
        with open_index(path) as stored:
            assert stored.retrieve("bulbs that bloom", k=1, how="dense")[0].source.id == "garden.md#1"
            for how in ("dense", "hybrid"):
                there, here = (c.retrieve("bulbs that flower", k=9, how=how) for c in (stored, whole))
                assert [f.source for f in there] == [f.source for f in here]

    def test_a_vector_is_worked_out_once(self, path, monkeypatch):
        write_index(path, DOCUMENTS, encoder="auto")
        asked = []
        encode = Encoder.encode
        monkeypatch.setattr(Encoder, "encode", lambda self, texts: asked.extend(texts) or encode(self, texts))
        write_index(path, [*DOCUMENTS, Source("new.md", "Bees sleep in winter.")], encoder="auto")
        assert asked == ["Bees sleep in winter."]

    def test_an_index_without_vectors_says_so(self, path):
        write_index(path, DOCUMENTS, encoder="auto")
        write_index(path, DOCUMENTS)
        assert not vectors_of(path).exists()
        with open_index(path) as stored, pytest.raises(NoEncoder, match="no vectors"):
            stored.retrieve("tulips", how="hybrid")
