"""What a day adds up to, told in other words than the source's."""

from __future__ import annotations

import pytest

from proofing import Settings, heal, inspect, proofread

FAST = Settings(tier="fast")
TICKETS = "Tickets cost 6 euros for adults and 3 euros for children."
PILLS = "Take 400 mg of ibuprofen three times a day after meals."
DOSE = "Adults take 10 ml three times a day after meals."

RIGHT = [
    (DOSE, "Adults take 30 ml a day."),
    (DOSE, "That is 30 ml per day for adults."),
    (DOSE, "Adults take 10 ml three times daily, 30 ml a day in total."),
    ("The pump runs for 20 minutes twice a day.", "The pump runs for 40 minutes a day."),
    ("The pump runs for 20 minutes twice a day.", "The pump runs for 40 minutes daily."),
    ("Take 2 tablets three times a day.", "You take 6 tablets a day."),
    ("She swims 3 km twice a week.", "She swims 6 km a week."),
    ("Erwachsene nehmen dreimal am Tag 10 ml.", "Erwachsene nehmen 30 ml am Tag."),
    ("Los adultos toman 10 ml tres veces al día.", "Los adultos toman 30 ml al día."),
    ("Les adultes prennent 10 ml trois fois par jour.", "Les adultes prennent 30 ml par jour."),
]
WRONG = [
    (DOSE, "Adults take 40 ml a day.", "40 ml"),
    (DOSE, "Adults take 30 ml three times a day.", "30 ml"),
    (DOSE, "Adults take 30 ml a week.", "30 ml"),
    ("The pump runs for 20 minutes twice a day.", "The pump runs for 60 minutes a day.", "60 minutes"),
    ("She swims 3 km twice a week.", "She swims 6 km a day.", "6 km"),
    ("Erwachsene nehmen dreimal täglich 10 ml.", "Erwachsene nehmen 20 ml pro Tag.", "20 ml"),
]


RIGHT += [
    ("The course runs from 2 May to 13 June.", "The course lasts six weeks."),
    ("The course runs from 2 May to 13 June.", "The course lasts 42 days."),
    ("The show is open from 1 March to 31 May.", "The show is open for three months."),
    ("The show is open from 15 November 2024 to 15 February 2025.", "The show is open for three months."),
    ("The fair runs from 28 December to 3 January.", "The fair runs for seven days."),
    ("Der Kurs läuft vom 2. Mai bis 13. Juni.", "Der Kurs läuft sechs Wochen."),
    ("Hours: Mon–Fri 9–18, Sat 10–14.", "On Saturdays it is open from 10 am to 2 pm."),
    ("Hours: Mon–Fri 9–18, Sat 10–14.", "It opens at 9 a.m. and closes at 6 p.m. from Monday to Friday."),
    ("Geöffnet Mo-Fr 8-12 und 14-18 Uhr.", "Geöffnet ist Mo-Fr von 8 bis 12 Uhr und von 14 bis 18 Uhr."),
    ("Open Saturday 9-5.", "On Saturday it is open from 9 am to 5 pm."),
    (TICKETS, "Two adults and two children pay 18 euros."),
    (PILLS, "That is 1,200 mg of ibuprofen a day."),
    (PILLS, "You take 1200 mg of ibuprofen per day."),
    ("The dose is 400 mg three times daily.", "The total daily dose is 1,200 mg."),
    (PILLS, "The daily dose is 1,200 mg."),
    ("Adults take 500 mg every 6 hours.", "Adults take 2,000 mg a day."),
    ("Adults take 500 mg every 6 hours.", "Adults take 2 g a day."),
    (TICKETS, "For 1 adult and 3 children that makes 15 euros."),
    ("Adults: $12. Seniors: $9.", "2 adults and 1 senior pay $33."),
]
WRONG += [
    ("The course runs from 2 May to 13 June.", "The course lasts eight weeks.", "eight weeks"),
    ("The show is open from 1 March to 31 May.", "The show is open for four months.", "four months"),
    ("Hours: Mon–Fri 9–18, Sat 10–14.", "On Saturdays it is open from 10 am to 4 pm.", "10"),
    ("Open Saturday 9-5.", "On Saturday it is open from 9 am to 6 pm.", "9"),
    (TICKETS, "Two adults and two children pay 21 euros.", "21 euros"),
    (TICKETS, "Two adults and one child pay 18 euros.", "18 euros"),
    (PILLS, "That is 1,300 mg of ibuprofen a day.", "1,300 mg"),
    ("Adults take 500 mg every 6 hours.", "Adults take 3,000 mg a day.", "3,000 mg"),
    ("Adults take 500 mg every 6 hours.", "Adults take 2,000 mg every 6 hours.", "2,000 mg"),
]


@pytest.mark.parametrize(("source", "answer"), RIGHT)
def test_a_total_that_follows_is_not_marked(source, answer):
    assert [mark.text for mark in proofread(answer, [source], settings=FAST).marks] == []


@pytest.mark.parametrize(("source", "answer", "wrong"), WRONG)
def test_a_total_that_does_not_follow_is_marked(source, answer, wrong):
    marks = proofread(answer, [source], settings=FAST).marks
    assert any(wrong.split()[0] in mark.text for mark in marks)


@pytest.mark.parametrize(
    ("source", "answer", "healed"),
    [
        ("Take 250 mg twice a day.", "Take 250 g twice a day.", "Take 250 mg twice a day."),
        ("Take 250 mg twice a day.", "Take 300 mg twice a day.", "Take 250 mg twice a day."),
        ("Nimm zweimal täglich 250 mg.", "Nimm 300 mg zweimal täglich.", "Nimm 250 mg zweimal täglich."),
        (PILLS, "That is 1,300 mg of ibuprofen a day.", "That is 1,200 mg of ibuprofen a day."),
        (DOSE, "Adults take 40 ml a day.", "Adults take 30 ml a day."),
        ("Adults take 500 mg every 6 hours.", "Adults take 3,000 mg a day.", "Adults take 2,000 mg a day."),
    ],
)
def test_a_single_dose_is_put_in_for_a_single_dose_alone(source, answer, healed):
    assert heal(inspect("", [source], answer, settings=FAST)).text == healed
