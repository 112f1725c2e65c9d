"""Figures of a table "in millions of euros" are amounts of money, also where only the heading over it says so."""

from __future__ import annotations

import pytest

from proofing import inspect
from proofing.settings import Settings

TABLE = (
    "## Divisions (in millions of euros)\n\n| Division | 2022 | 2023 |\n|---|---|---|\n| Barges | 314 | 356 |\n"
    "| Cranes | 207 | 188 |\n| Total | 521 | 544 |\n\nThe fee is 0.40 euros per tonne."
)


def report_on(answer: str, source: str = TABLE):
    return inspect("", [source], answer, settings=Settings(tier="fast"))


@pytest.mark.parametrize(
    "answer",
    [
        "Total revenue was 544 million euros in 2023.",
        "Total revenue was €544 million, 23 million more than in 2022.",
        "Barges earned 356 million euros in 2023, 42 million euros more than in 2022.",
        "Barges grew from 314 million to 356 million euros.",
    ],
)
def test_right_amounts_and_differences_are_backed(answer):
    assert report_on(answer).marks == ()


@pytest.mark.parametrize(
    ("answer", "wrong", "right"),
    [
        ("Barges earned 365 million euros in 2023.", "365", "356 million euros"),
        ("Total revenue was 544 million euros, 43 million more than in 2022.", "43 million", "23 million"),
        ("Cranes earned 356 million euros in 2023.", "356", "188 million euros"),
        ("Total revenue was 544 euros in 2023.", "544 euros", None),
        ("Total revenue was 544 million dollars in 2023.", "544 million dollars", None),
    ],
)
def test_wrong_amounts_get_the_tables_amount(answer, wrong, right):
    marks = report_on(answer).marks
    assert any(wrong in mark.text for mark in marks), marks
    if right is not None:
        assert any(right in mark.replacements for mark in marks), marks


@pytest.mark.parametrize(
    "caption", ["Sales, in Mio. Euro", "Sales (€m)", "Ventas en millones de euros", "Sales (EUR m)"]
)
def test_captions_name_the_currency_too(caption):
    source = f"{caption}\n| Year | Sales |\n|---|---|\n| 2022 | 314 |\n| 2023 | 356 |\n"
    assert report_on("Sales were 356 million euros in 2023.", source).marks == ()
