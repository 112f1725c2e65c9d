"""A value whose number alone is emphasised is the same value, and its emphasis stays where it was."""

from __future__ import annotations

import pytest

from proofing.healing import heal
from proofing.inspection import inspect
from proofing.settings import Settings


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("The trip takes 24 hours.", "The trip takes **36** hours.", "The trip takes **24** hours."),
        ("The trip takes 24 hours.", "The trip takes **3** days.", "The trip takes **24** hours."),
        ("The map costs 20 euros.", "The map costs *25* euros.", "The map costs *20* euros."),
        ("The fee is 4%.", "The fee is **6**%.", "The fee is **4**%."),
        ("The delay is 30 seconds.", "The delay is `60` seconds.", "The delay is `30` seconds."),
        ("The barge has 1 cabin.", "The barge has **40** cabins.", "The barge has **1** cabin."),
        ("The pass costs $12 per month.", "The pass costs **$15** per year.", "The pass costs **$12** per month."),
    ],
)
def test_the_number_is_put_right_inside_its_emphasis(source, answer, right):
    healing = heal(inspect("", [source], answer, settings=Settings(tier="fast")))
    assert (healing.text, healing.final_risk) == (right, "low")


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("The trip takes 24 hours.", "The trip takes **24** hours."),
        ("The trip takes 24 hours.", "The trip takes **1** day."),
        ("The fee is 4 percent.", "The fee is **4**%."),
    ],
)
def test_a_right_number_in_emphasis_has_no_mark(source, answer):
    assert inspect("", [source], answer, settings=Settings(tier="fast")).marks == ()
