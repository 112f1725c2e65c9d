"""Arithmetic over source values: formulas, coincidence, figures written like the answer's."""

from __future__ import annotations

from fractions import Fraction

import pytest

import proofing
from proofing.documents import Source
from proofing.settings import Settings
from proofing.support.asking import asked_operation, period_factor
from proofing.support.derivation import COINCIDENCE, chance_of, derive
from proofing.support.figures import written_like
from proofing.support.ledger import Ledger
from proofing.support.places import places_of
from proofing.support.reading import read
from proofing.values import find_values


def derived(answer: str, text: str, source: str):
    proof = read("", [Source("s", source)], answer, Settings(tier="fast"))
    ours = next(p for p in places_of(proof.answer) if p.value.text.startswith(text))
    return derive(ours, Ledger.of(proof).places, asked_operation(ours))


@pytest.mark.parametrize(
    ("answer", "text", "asked"),
    [
        ("Together they own 31 boats.", "31", "sum"),
        ("Rents rose by 40 euros.", "40", "difference"),
        ("Rents rose by 4%.", "4", "percent change"),
        ("On average a visit takes 20 minutes.", "20", "mean"),
        ("30% of the boats are new.", "30", "share"),
        ("The gap is 7 points.", "7", "difference"),
        ("They own 31 boats.", "31", None),
        ("The barge is $90 cheaper than the yacht.", "$90", "difference"),
        ("The yacht is 3 metres longer than the barge.", "3", "difference"),
        ("Die Yacht ist 3 Meter länger als die Barke.", "3", "difference"),
        ("They own 31 cheaper boats.", "31", None),
    ],
)
def test_cue_words_ask_for_an_operation(answer, text, asked):
    proof = read("", [], answer, Settings(tier="fast"))
    ours = next(p for p in places_of(proof.answer) if p.value.text.startswith(text))
    assert asked_operation(ours) == asked


@pytest.mark.parametrize(
    ("answer", "operation"),
    [
        ("The ticket costs $14.", None),
        ("The ticket costs about $14.", "mean"),
        ("The usual ticket costs $14.", "mean"),
        ("On average the ticket costs $14.", "mean"),
    ],
)
def test_only_what_is_called_average_usual_or_about_is_a_mean(answer, operation):
    found = derived(answer, "$14", "The ticket costs $12. The ticket costs $16.")
    assert (found.operation if found else None) == operation


def test_the_formula_quotes_the_sources():
    found = derived("Together they own 31 boats.", "31", "Ada owns 12 boats. Ben owns 19 boats.")
    assert found is not None
    assert found.formula == "12 + 19 = 31"
    assert found.chance <= COINCIDENCE


@pytest.mark.parametrize(
    ("written", "results", "chance"),
    [
        ("16,500 lamps", [16_500, 16_600, 990], Fraction(2, 1000)),
        ("15 lamps", [15, 20, 30], Fraction(3, 100)),
        ("6 lamps", [6], Fraction(1, 10)),
        ("20 lamps", [20, 40], Fraction(2, 10)),
        ("1,234 lamps", range(1000, 3000), Fraction(2000, 10_000)),
    ],
)
def test_the_chance_counts_figures_of_the_same_size_and_precision(written, results, chance):
    (value,) = find_values(written)
    assert chance_of(value.amount, value, [Fraction(r) for r in results]) == chance


@pytest.mark.parametrize(
    ("text", "amount", "written"),
    [
        ("$23,500", 22_500, "$22,500"),
        ("25 %", 32, "32 %"),
        ("3.2 million euros", 4_500_000, "4.5 million euros"),
        ("€12.50", Fraction(27, 2), "€13.50"),
        ("14 km", 9_000, "9 km"),
        ("five days", 3 * 86_400, "three days"),
    ],
)
def test_a_result_is_written_like_the_answer_writes(text, amount, written):
    (value,) = find_values(text)
    assert written_like(value, Fraction(amount)) == written


@pytest.mark.parametrize(
    ("ours", "theirs", "factor"),
    [
        ("month", "year", Fraction(1, 12)),
        ("year", "month", Fraction(12)),
        ("quarter", "year", Fraction(1, 4)),
        ("day", "week", Fraction(1, 7)),
        ("week", "year", Fraction(1, 52)),
    ],
)
def test_periods_convert_exactly(ours, theirs, factor):
    found = period_factor(ours, theirs)
    assert found is not None
    assert found[0] == factor


def test_unlike_periods_do_not_convert():
    assert period_factor("month", "use") is None


HALLS = "The grand hall seats 480. The chamber hall seats 150."


@pytest.mark.parametrize(
    ("source", "answer", "marked"),
    [
        (HALLS, "The grand hall seats 330 more than the chamber hall.", []),
        (HALLS, "Both halls seat 630 together.", []),
        (HALLS, "The grand hall seats 230 more than the chamber hall.", ["230"]),
        (
            "The first flock numbers 90. The second flock numbers 65.",
            "The first flock has 25 more than the second.",
            [],
        ),
        ("The bus seats 52 and the coach seats 40.", "The bus seats 12 more than the coach.", []),
    ],
)
def test_what_seats_or_numbers_so_many_counts_them(source, answer, marked):
    report = proofing.inspect("How many more?", [source], answer, settings=Settings(tier="fast"))
    assert [mark.text for mark in report.marks] == marked
    if marked:
        healing = proofing.heal(report)
        assert "330" in (healing.proposal or healing.text)
