"""The healer's work on a sentence full of marks, counted in characters read: a busy machine changes nothing."""

from __future__ import annotations

import pytest

import proofing
from proofing.healing import certainty

FAST = proofing.Settings(tier="fast")


class Counting:
    """An expression that counts the characters it was given."""

    def __init__(self, pattern):
        self.pattern, self.read = pattern, 0

    def search(self, text):
        self.read += len(text)
        return self.pattern.search(text)


@pytest.mark.parametrize("dates", [40, 160])
def test_a_sentence_is_searched_once_and_not_for_each_of_its_marks(dates, monkeypatch):
    answer = "5 March " * dates
    report = proofing.inspect("", ["It rained."], answer, settings=FAST)
    assert len(report.marks) >= dates // 2
    counting = Counting(certainty._ABOUT_ITSELF)
    monkeypatch.setattr(certainty, "_ABOUT_ITSELF", counting)
    certainty._about_itself.cache_clear()
    proofing.heal(report)
    assert counting.read <= 2 * len(answer)
