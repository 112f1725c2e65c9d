"""What the healer makes of a contrast, of a denied opposite and of a count that the source does not bear out."""

from __future__ import annotations

import pytest

import proofing
from proofing.settings import Settings

HEALED = [
    (
        "The leak came from the new pipe. The valve was tight.",
        "The leak came from the valve, not from the new pipe.",
        "The leak came from the new pipe.",
    ),
    ("Guests pay online. The desk is closed.", "Guests pay at the desk, not online.", "Guests pay online."),
    (
        "The fee covers the breakfast. The room is billed apart.",
        "The fee covers the room, not the breakfast.",
        "The fee covers the breakfast.",
    ),
    (
        "Rinse with hot water, not with cold water.",
        "Rinse with cold water, not with hot water.",
        "Rinse with hot water.",
    ),
    ("Guests pay for breakfast.", "Guests pay for the room, not breakfast.", "Guests pay for breakfast."),
    ("All vehicles are allowed here.", "No vehicle is allowed here.", "Every vehicle is allowed here."),
    ("All exits are open.", "None of the exits is open.", "Every one of the exits is open."),
    (
        "Todas las entradas están abiertas los domingos.",
        "Ninguna entrada está abierta los domingos.",
        "Todas las entradas están abiertas los domingos.",
    ),
    ("Three boats sank.", "Dozens of boats sank.", "Three boats sank."),
    ("450 people came.", "Thousands of people came.", "450 people came."),
]
KEPT = [
    ("All vehicles are allowed on the bridge.", "No vehicle is prohibited on the bridge."),
    ("Matadors wave capes as the red color masks blood.", "Bulls are angered by the cape, not by the color red."),
    ("Yes, you can teach an old dog new tricks.", 'The proverb says "You can\'t teach an old dog new tricks".'),
    ("The size of the force was in the thousands.", "The force was far greater than 300."),
]


@pytest.mark.parametrize(("source", "answer", "healed"), HEALED)
def test_what_is_healed_says_what_the_source_says(source, answer, healed):
    report = proofing.inspect("", [source], answer, settings=Settings(tier="fast"))
    assert proofing.heal(report).text == healed


@pytest.mark.parametrize(("source", "answer"), KEPT)
def test_what_agrees_is_never_turned_round(source, answer):
    report = proofing.inspect("", [source], answer, settings=Settings(tier="fast"))
    assert proofing.heal(report).text == answer
