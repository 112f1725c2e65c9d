"""A value given for another thing is no support: what stands behind it, the subject, the day and the row decide."""

from __future__ import annotations

import pytest

from proofing import inspect
from proofing.settings import Settings

FERRY = "A crossing costs 18 euros for adults and 7 euros for children aged 5 to 15. Bicycles travel free."
POLICY = (
    "The Hale policy covers dental care up to 900 euros a year. Baggage is insured up to 2,500 euros; single items "
    "up to 400 euros. Legal costs are covered up to 8,000 euros when a lawyer agrees. The "
    "deductible is 60 euros per claim."
)
BOILERS = (
    "| Model | Output | Price |\n|---|---|---|\n| Nero 20 | 20 kW | 1,190 € |\n| Nero 30 | 30 kW | 1,490 € |\n"
    "| Nero 40 | 40 kW | 1,790 € |\n"
)
LIBRARY = "The library is open from 9:00 to 21:00, on Sundays from 11:00. Cards cost 12 euros."

WRONG = [
    (FERRY, "Children pay 18 euros for a crossing.", "18 euros", "7 euros"),
    (FERRY, "Adults pay 7 euros for a crossing.", "7 euros", "18 euros"),
    (FERRY, "Children pay 11 euros for a crossing.", "11 euros", "7 euros"),
    (FERRY, "Adults pay 25 euros for a crossing.", "25 euros", "18 euros"),
    (FERRY, "Adults pay 25 euros for a crossing; bicycles of children travel free.", "25 euros", "18 euros"),
    (POLICY, "Baggage is insured up to 8,000 euros.", "8,000 euros", "2,500 euros"),
    (POLICY, "Legal costs are covered up to 2,500 euros.", "2,500 euros", "8,000 euros"),
    (BOILERS, "The **Nero 40** suits large houses. It has 40 kW and costs 1,490 €.", "1,490 €", "1,790 €"),
    (BOILERS, "The Nero 30 costs 1,190 €.", "1,190 €", "1,490 €"),
    (LIBRARY, "On Sundays the library opens at 9:00.", "9:00", "11:00"),
]  # fmt: skip

RIGHT = [
    (FERRY, "Adults pay 18 euros and children aged 5 to 15 pay 7 euros."),
    (FERRY, "A crossing is 18 euros for adults, 7 euros for children."),
    (POLICY, "Baggage is insured up to 2,500 euros, legal costs up to 8,000 euros, single items up to 400 euros."),
    (BOILERS, "The **Nero 40** suits large houses. It has 40 kW and costs 1,790 €."),
    (BOILERS, "The Nero 20 costs 1,190 €. It is the smallest."),
    (LIBRARY, "On Sundays the library opens at 11:00, on other days at 9:00."),
    (LIBRARY, "On Sundays the library closes at 21:00."),
]


@pytest.mark.parametrize(("source", "answer", "wrong", "right"), WRONG)
def test_a_value_of_another_thing_is_marked_and_the_own_one_offered(source, answer, wrong, right):
    marks = inspect("", [source], answer, settings=Settings(tier="fast")).marks
    assert [mark.text for mark in marks] == [wrong]
    assert marks[0].replacements == (right,)


@pytest.mark.parametrize(("source", "answer"), RIGHT)
def test_a_value_of_the_thing_itself_is_not(source, answer):
    assert inspect("", [source], answer, settings=Settings(tier="fast")).marks == ()
