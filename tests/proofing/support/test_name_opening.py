"""A value of one named thing does not contradict the value of another."""

from __future__ import annotations

import pytest

import proofing
from proofing.settings import Settings

OTHERS = [
    ("The Bible was banned in Spain until 1954.", "The Iron Tower was banned in Spain until 1968.", "1968"),
    ("The Louvre opened to the public in 1793.", "The Grand Palais opened to the public in 1931.", "1931"),
    ("Don Quixote was published in Russia in 1769.", "Madame Bovary was published in Russia in 1858.", "1858"),
    ("La Sagrada Familia abrió al público en 1882.", "El Palacio Real abrió al público en 1931.", "1931"),
    ("Der Kölner Dom wurde 1880 für Besucher geöffnet.", "Die Alte Oper wurde 1931 für Besucher geöffnet.", "1931"),
]
THE_SAME = [
    ("The Louvre opened to the public in 1793.", "The Louvre opened to the public in 1931.", "1931"),
    ("The Louvre opened to the public in 1793.", "The museum opened to the public in 1931.", "1931"),
    ("Ashley Hospital admits 250 patients a day.", "Brentford Hospital admits 300 patients a day.", "300"),
    ("The Airport Line runs every 20 minutes.", "The Airport Line runs every 12 minutes.", "12"),
    ("Guests pay 30 euros.", "Visitors pay 20 euros.", "20 euros"),
]


def reasons(source: str, answer: str, text: str) -> set[str]:
    marks = proofing.proofread(answer, [source], settings=Settings(tier="fast")).marks
    return {mark.reason for mark in marks if mark.text == text}


@pytest.mark.parametrize(("source", "answer", "text"), OTHERS)
def test_the_value_of_another_name_is_absent(source, answer, text):
    assert reasons(source, answer, text) == {"absent"}


@pytest.mark.parametrize(("source", "answer", "text"), THE_SAME)
def test_the_value_of_the_same_thing_is_contradicted(source, answer, text):
    assert reasons(source, answer, text) == {"contradicted"}
