"""The reader that ships: windows of sentences against their evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofing.documents import Source
from proofing.learning.evidence import WINDOW, Evidence, first_windows, windows_of
from proofing.learning.reader import Reader
from proofing.settings import Settings
from proofing.support.reading import read

SOURCES = [
    Source(id="1", text="The lease of the bakery began in March. Jane Orr signed it for Paul. It costs 900 euros."),
    Source(id="2", text="{'name': 'Quay', 'hours': {'Friday': '8:0-18:0'}, 'WiFi': None}"),
]  # fmt: skip
LONG = "Jane Orr signed the lease of the bakery, which had stood empty for a long time before, in the month of March. "


@st.composite
def spans_of_sentences(draw):
    found, at = [], 0
    for length, gap in draw(st.lists(st.tuples(st.integers(1, 500), st.integers(0, 3)), max_size=30)):
        found.append((at + gap, at + gap + length))
        at += gap + length
    return found


@given(spans_of_sentences())
def test_windows_hold_every_sentence_once_and_only_a_long_sentence_is_longer_than_one(spans):
    windows = windows_of(spans)
    assert [i for window in windows for i in window] == list(range(len(spans)))
    assert all(len(w) == 1 or spans[w[-1]][1] - spans[w[0]][0] <= WINDOW for w in windows)


@given(spans_of_sentences(), st.data())
def test_a_choice_of_whole_windows_gives_the_same_windows(spans, data):
    windows = windows_of(spans)
    kept = [window for window in windows if data.draw(st.booleans())]
    chosen = [spans[i] for window in kept for i in window]
    assert [[chosen[i] for i in w] for w in windows_of(chosen)] == [[spans[i] for i in w] for w in kept]


@given(spans_of_sentences(), st.integers(0, 40))
def test_the_first_windows_are_whole_and_hold_as_many_sentences_as_asked(spans, most):
    found = first_windows(spans, most)
    assert found == spans[: len(found)]
    assert len(found) >= min(most, len(spans))
    assert windows_of(found) == windows_of(spans)[: len(windows_of(found))]


@pytest.fixture(scope="module")
def reader():
    return Reader.load()


def said(reader, answer):
    proof = read("Who signed?", SOURCES, answer, Settings())
    return reader.read(proof, [(s.start, s.end) for s in proof.answer.sentences]), proof


def test_each_sentence_has_its_own_pieces_where_they_stand(reader):
    found, proof = said(reader, f"{LONG}Paul pays 900 euros. It has Wi-Fi.")
    assert [(one.start, one.end) for one in found] == [(s.start, s.end) for s in proof.answer.sentences]
    for one in found:
        words = "".join(proof.answer.text[a:b] for a, b, _ in one.pieces)
        assert words == proof.answer.text[one.start : one.end].replace(" ", "")


def test_a_window_is_read_alike_whatever_stands_in_the_others(reader):
    short, _ = said(reader, LONG * 2)
    longer, _ = said(reader, LONG * 2 + LONG.replace("March", "October") * 3)
    assert longer[: len(short)] == short


def test_nothing_is_said_without_sources_and_of_a_single_word(reader):
    assert said(reader, "Yes.")[0] == ()
    proof = read("", [], LONG, Settings())
    assert reader.read(proof, [(0, 40)]) == ()


def test_evidence_is_the_same_from_texts_and_from_views_that_know_their_sentences():
    proof = read("", [*SOURCES, Source(id="3", text=" \n")], LONG, Settings(tier="fast"))
    assert Evidence.beside(proof.sources) == Evidence.of([view.text for view in proof.sources])
    assert Evidence.beside(()) == Evidence.of(())
