"""A value of an earlier time is not contradicted by the present one; where a source tells of that time, it is."""

from __future__ import annotations

import pytest

import proofing
from proofing.settings import Settings

EARLIER = [
    ("The fee is 30 euros.", "The fee was originally 20 euros.", "20 euros"),
    ("The team has 9 members.", "The team used to have 12 members; today it has 9.", "12"),
    ("The clinic has 55 beds.", "The clinic formerly had 40 beds.", "40"),
    ("The deposit is 80 euros.", "Before the reform the deposit was 50 euros. It is now 80 euros.", "50 euros"),
    ("There are eight rooms in the inn.", "Before the annex was added, there were nine rooms in the inn.", "nine"),
    ("Das Hotel hat 55 Zimmer.", "Früher hatte das Hotel 40 Zimmer.", "40"),
    ("Aujourd'hui, l'hôtel de la gare compte 55 chambres.", "Auparavant, l'hôtel de la gare avait 40 chambres.", "40"),
    ("El hotel tiene 55 habitaciones.", "Antes el hotel tenía 40 habitaciones.", "40"),
    ("L'albergo ha 55 camere.", "Prima l'albergo aveva 40 camere.", "40"),
    ("O hotel tem 55 quartos.", "Antes o hotel tinha 40 quartos.", "40"),
    ("В гостинице 55 номеров.", "Раньше в гостинице было 40 номеров.", "40"),
]
PRESENT = [
    ("The fee is 30 euros.", "The fee is 20 euros.", "20 euros"),
    ("The clinic has 55 beds. It formerly had 30 beds.", "The clinic formerly had 40 beds.", "40"),
    ("The fee was originally 25 euros and is 30 euros now.", "The fee was originally 20 euros.", "20 euros"),
    ("You must pay a fee of 30 euros.", "Before you travel, you must pay a fee of 20 euros.", "20 euros"),
    ("The original warranty is 2 years.", "The original warranty is 5 years.", "5"),
    ("Das Hotel hat 55 Zimmer.", "Das Hotel hat 40 Zimmer.", "40"),
    ("Früher hatte das Hotel 30 Zimmer.", "Früher hatte das Hotel 40 Zimmer.", "40"),
    ("El hotel tiene 55 habitaciones.", "El hotel tiene 40 habitaciones.", "40"),
]


def mark_on(source: str, answer: str, text: str) -> proofing.report.Mark:
    marks = proofing.proofread(answer, [source], settings=Settings(tier="fast")).marks
    return next(mark for mark in marks if mark.text == text)


@pytest.mark.parametrize(("source", "answer", "text"), EARLIER)
def test_the_present_value_does_not_contradict_a_former_one(source, answer, text):
    mark = mark_on(source, answer, text)
    assert (mark.reason, mark.replacements) == ("absent", ())


@pytest.mark.parametrize(("source", "answer", "text"), PRESENT)
def test_a_value_of_the_same_time_does(source, answer, text):
    assert mark_on(source, answer, text).reason == "contradicted"
