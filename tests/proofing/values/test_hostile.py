"""No input crashes the finder, moves an offset or makes it slow."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofing.values import distance, find_values, same
from tests.work import steps, within

PIECES = st.sampled_from(
    ["1", "23", "1,234", "5.5", " ", "-", "–", "/", ":", ".", ",", "(", ")", "[", "]", "$", "€", "%", "°C", "km", "days", "March", "2023",
     "Q3", "one", "hundred", "and", "half", "a", "to", "between", "per", "month", "st", "v", "§", "#", "et al.", "p.", "½", "e", "x", "`",
     "http://", "@", "8th", "6th", "halb", "Uhr", "las", "a.m.", "MMXX", "₂", "\n", "\u0301", "\u200d", "\u202e", "İ", "ß", "٣", "九", "IV", "million", "T", "am", "'", '"']
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        st.text(max_size=200), st.lists(PIECES, max_size=30).map("".join), st.lists(PIECES, max_size=20).map(" ".join)
    )
)
def test_values_are_slices_in_order(text):
    position = 0
    for value in find_values(text):
        assert text[value.start : value.end] == value.text
        assert position <= value.start < value.end
        position = value.end
        assert value.readings
        assert same(value, value)
        assert distance(value, value) == 0
        for end in value.ends:
            assert text[end.start : end.end] == end.text
        for span in (value.digits_span, value.period_span, value.qualifier_span):
            assert span is None or 0 <= span[0] < span[1] <= len(text)


HOSTILE = {
    "digits": "9" * 100_000, "commas": "1," * 500_000, "points": "1." * 500_000, "dashes": "1-" * 500_000, "slashes": "1/" * 500_000,
    "spaces": " " * 1_000_000, "brackets": "[" * 500_000 + "1" + "]" * 500_000, "parentheses": "(" * 1_000_000,
    "marks": "e" + "\u0301" * 1_000_000, "dollars": "$" * 1_000_000, "signs": "@" * 1_000_000, "ticks": "`" * 1_000_000,
    "letters": "a1" * 400_000, "hash": "#1" * 400_000, "separators": ",.'" * 333_333,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_of_nonsense_does_not_hang(name):
    with within():
        find_values(HOSTILE[name])


@pytest.mark.parametrize(
    "piece", ["5 to ", "one hundred and ", "1 - ", "half a ", "Smith et al. ", "2 h 5 min ", "May 5 ", "(1) ", "$5 "]
)
def test_cost_grows_linearly(piece):
    def cost(count: int) -> int:
        return steps(lambda: find_values(piece * count))

    assert cost(2000) < 6 * cost(500)  # four times the length
