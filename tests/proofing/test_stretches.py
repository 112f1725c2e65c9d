"""What is remembered of stretches of text changes no reading and does not grow for ever."""

from __future__ import annotations

import doctest

from hypothesis import given, settings
from hypothesis import strategies as st

from proofing import documents, stretches
from proofing.stretches import Stretches

PIECES = st.sampled_from(
    ["berth", "It's", "3.5", " ", "\n", "é", "e\u0301", "\u0301", "\u200d", "猫がいる", "ไทย", "१२", "ß", "_", "€"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=120), st.lists(PIECES, max_size=25).map("".join)))
def test_tokens_read_by_stretches_are_those_of_the_whole_text(text):
    assert documents.tokens_of(text) == documents._read_tokens(text)


def test_a_stretch_is_read_once_and_a_long_one_each_time():
    read = []
    table = Stretches(lambda stretch: read.append(stretch) or len(stretch))
    long = "a" * (stretches.LENGTH_KEPT + 1)
    assert [table["ferry"], table["ferry"], table[long], table[long]] == [5, 5, len(long), len(long)]
    assert read == ["ferry", long, long]


def test_a_full_table_starts_again(monkeypatch):
    monkeypatch.setattr(stretches, "KEPT", 3)
    table = Stretches(str.upper)
    assert [table[word] for word in "one two three four".split()] == ["ONE", "TWO", "THREE", "FOUR"]
    assert list(table) == ["four"]


def test_examples_hold():
    assert doctest.testmod(stretches).failed == 0
