"""What somebody is said to have said: short quotations and words added to them count as altered."""

from __future__ import annotations

import pytest

from proofing.pipeline import proofread_whole
from proofing.settings import Settings


def read(source: str, answer: str):
    return proofread_whole("", [source], answer, settings=Settings(tier="fast"))


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ('The warden said, "We will reopen."', 'The warden said, "We will reopen everything by May."'),
        ('"The dam held," said Oskar.', '"The dam burst," said Oskar.'),
        ('The warden said, "We will mend the old pier."', 'The warden said, "We will mend the pier."'),
    ],
)
def test_an_altered_quotation_becomes_the_source_s(source, answer):
    report = read(source, answer)
    assert [mark.reason for mark in report.marks] == ["altered_quote"]
    assert (report.healing.text, report.healing.final_risk) == (source, "low")


def test_three_words_that_nobody_is_said_to_say_are_a_name():
    source = "The play was shown twice in the old pier hall."
    assert read(source, 'The play "The Dam Burst" was shown twice in the old pier hall.').risk != "critical"
