"""Tokens, sentences and passages keep the offsets of the caller's own text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofing.documents import check_text, has_unspaced_script, passages_of, sentences_of, tokens_of
from proofing.errors import BadInput
from tests.work import within

MESSY = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(["a", "Dr. ", "3.5", ". ", "\n", "- ", "| ", "1. ",
          "{'k': ", "'v', ", "}", "<td>", "</tr>", "# ", "\t", "é", "\u0301"]),
        max_size=40,
    ).map("".join),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(MESSY)
def test_spans_are_slices_in_order(text):
    tokens = tokens_of(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert "".join(t.text for t in tokens) == "".join(text.split())
    sentences = sentences_of(text, tokens)
    assert [i for s in sentences for i in range(s.first_token, s.last_token)] == list(range(len(tokens)))
    assert all(text[s.start : s.end] == s.text for s in sentences)
    position = 0
    for passage in passages_of(text):
        assert position <= passage.start <= passage.end <= len(text)
        position = passage.end


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Ms. Ode met Prof. Lund. They spoke.", 2),
        ("The rate is 3.5. It fell.", 2),
        ("See Fig. 4 and Sec. 2.1 for more.", 1),
        ("He lives in the U.S. and likes it.", 1),
        ("J. R. Vale wrote it.", 1),
        ("1. Open the tap. Wait.\n2. Close it.", 3),
        ("Der Preis gilt bzw. galt bis 3. Mai. Danach nicht.", 2),
        ("¿Cuánto cuesta? Cuesta 5 euros.", 2),
        ("It closes at 5 p.m. The gate stays open.", 2),
    ],
)
def test_where_sentences_end(text, count):
    assert len(sentences_of(text)) == count


def test_a_hard_wrapped_line_goes_on():
    text = "The committee decided after a long debate that the new\nbridge will be built next year. Work starts in May."
    assert len(sentences_of(text)) == 2


def test_cells_know_row_column_and_scale():
    text = "Results (in thousands)\n\n| Region | 2022 | 2023 |\n|---|---|---|\n| North | 40 | 55 |\n"
    cell = next(p for p in passages_of(text) if text[p.start : p.end] == "55")
    assert (cell.row, cell.column) == ("North", "2023")
    html = "<table><tr><th>Plan ($m)</th><th>Fee</th></tr><tr><td>Gold</td><td>9</td></tr></table>"
    cell = next(p for p in passages_of(html) if html[p.start : p.end] == "9")
    assert (cell.row, cell.column, int(cell.scale)) == ("Gold", "Fee", 1_000_000)


def test_fields_know_their_keys():
    text = '{"hours": {"Friday": "8:0-18:0"}, "tags": ["a", "b"]} and more.'
    passages = passages_of(text)
    assert [p.key_path for p in passages if p.kind == "field"] == [("hours", "Friday"), ("tags", "0"), ("tags", "1")]
    assert passages[-1].kind == "prose"


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b", 5])
def test_unreadable_text_is_refused(bad):
    with pytest.raises(BadInput, match="answer"):
        check_text(bad, "answer")


def test_unspaced_scripts_are_known_and_cut():
    assert has_unspaced_script("猫がいる")
    assert len(tokens_of("猫がいる")) == 4


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{'a':" * 50_000, "|a|b\n" * 50_000, "<td" * 100_000, "a. " * 100_000, "'" * 300_000]
)
def test_structure_of_nonsense_does_not_hang(text):
    with within():
        passages_of(text)
        sentences_of(text)
