"""What is looked at before a pattern is tried says no only where the pattern cannot hold."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofing import sentences
from proofing.values import day_hours, numerals, ranges, signs, versions
from proofing.values.page import letters_at


def _behind_digits(text: str) -> str:
    return text.lstrip("".join({c for c in text if c.isdecimal()}))


@given(st.from_regex(ranges._PRESSURE, fullmatch=True))
def test_blood_pressure_goes_on_with_a_slash_or_a_joint(text: str):
    behind = _behind_digits(text)
    assert behind[0] == "/" or (behind[0] == " " and behind[1] in ranges.PRESSURE_GOES_ON)


@given(st.from_regex(day_hours._HOURS, fullmatch=True))
def test_hours_of_a_day_are_joined_by_a_dash(text: str):
    behind = _behind_digits(text)
    assert behind[0] in day_hours.DASHES or (behind[0].isspace() and behind[1] in day_hours.DASHES)


@given(st.from_regex(numerals._SPACED, fullmatch=True))
def test_groups_of_three_are_parted_by_a_space_before_a_digit(text: str):
    behind = _behind_digits(text)
    assert behind[0] in numerals._SPACES
    assert behind[1].isdecimal()


@pytest.mark.parametrize(
    "word", "minus negative минус menos moins meno loss deficit fell shrunk by of von de di убыток".split()
)
@pytest.mark.parametrize("before", ["", "it ", "a net "])
def test_words_of_sign_stand_behind_their_last_letters(word: str, before: str):
    text = f"{before}{word} "
    assert not signs.MINUS_WORD.search(text) or text[-3:-1] in signs.MINUS_ENDINGS
    assert not signs.LOSS.search(text) or text[-3:-1] in signs.LOSS_ENDINGS


@given(st.from_regex(signs.LOSS))
@settings(max_examples=200)
def test_a_loss_stands_behind_its_last_letters(text: str):
    found = signs.LOSS.search(text)
    assert found is not None
    assert found.group()[-3:-1] in signs.LOSS_ENDINGS


@pytest.mark.parametrize("word", versions._VERSIONED)
def test_a_named_version_stands_behind_the_last_letters_of_a_name(word: str):
    assert not versions._VERSION_LED.search(f"{word} ") or f"{word} "[-3:-1] in versions.ENDINGS


@given(st.text("ab²½Ⅳ5_ é₂"), st.integers(0, 8))
def test_letters_at_takes_letters_alone(low: str, at: int):
    end = at
    while end < len(low) and low[end].isalpha():
        end += 1
    assert letters_at(low, at) == low[at:end]


#: The ends of sentences as one would write them, without a thought for the search.
_PLAIN_END = re.compile(r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’»)\]*_]*+(?=\s|$)|[。！？]")


@given(st.text(".。!”a \n", max_size=14), st.integers(0, 3), st.integers(0, 3))
@settings(max_examples=500)
def test_ends_of_sentences_are_found_wherever_a_sign_stands(text: str, skipped: int, left: int):
    stop = max(skipped, len(text) - left)
    ends = [found.span() for found in sentences._END.finditer(text, skipped, stop)]
    assert ends == [found.span() for found in _PLAIN_END.finditer(text, skipped, stop)]


@given(st.text("aS.(“ \n\t", max_size=10))
@settings(max_examples=500)
def test_the_last_word_stands_behind_the_last_blank(text: str):
    assert sentences._last_word(text) == sentences._last_word(text.rpartition(" ")[2])
