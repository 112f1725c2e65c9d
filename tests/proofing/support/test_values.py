"""The value channel on whole texts: which values are marked, why, and what may take their place."""

from __future__ import annotations

import pytest

from proofing.documents import Source
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import read
from proofing.support.values import ValueChannel
from tests.work import steps


def judged(answer: str, *sources: str, question: str = "") -> list[Judgement]:
    named = [Source(f"s{i + 1}", text) for i, text in enumerate(sources)]
    return ValueChannel().judge(read(question, named, answer, Settings(tier="fast")), [])


def marks(answer: str, *sources: str, question: str = "") -> list[Judgement]:
    return [judgement for judgement in judged(answer, *sources, question=question) if judgement.reason]


RIGHT = [
    # the same value in another notation
    ("Delivery takes nine days.", "Delivery takes 9 days."),
    ("The hall holds 12000 guests.", "The hall holds 12,000 guests."),
    ("They collected 4.5M euros.", "They collected 4,500,000 euros."),
    ("The loan costs 4.5 percent a year.", "The loan costs 4.50% a year."),
    ("The road is 2.4 km long.", "The road is 2,400 m long."),
    ("The course lasts 3 years.", "The course lasts 36 months."),
    ("The museum opens at 9:15 AM.", "The museum opens at 09:15."),
    ("It was signed on 7 June 2018.", "It was signed on June 7, 2018."),
    ("The fee was paid in June 2018.", "The fee was paid on 7 June 2018."),
    ("A reply comes within 3 to 4 weeks.", "A reply comes within 3-4 weeks."),
    ("A reply comes within 4 weeks.", "A reply comes within 3-4 weeks."),
    ("She finished 2nd in the final.", "She finished second in the final."),
    ("Call +1 555 010 4477 before noon.", "Call +1 (555) 010-4477 before noon."),
    # rounding that is said to be one
    ("About 7,000 people came.", "6,950 people came."),
    ("Sales came to roughly $41 million.", "Sales came to $41.2 million."),
    ("The tower is about 96 m high.", "The tower is 96.3 m high."),
    ("Around 30% of the staff work at night.", "29.6% of the staff work at night."),
    ("The trip takes about 50 minutes.", "The trip takes 51 minutes."),
    # a value of the thing that the answer speaks of
    ("The Duo ticket costs €30.", "The Solo ticket costs €18. The Duo ticket costs €30."),
    ("Solo is €18 and Duo is €30.", "The Solo ticket costs €18. The Duo ticket costs €30."),
    ("For €30 you get the Duo ticket.", "The Solo ticket costs €18. The Duo ticket costs €30."),
    ("Exports reached 812 tonnes in 2019.", "Exports: 2018: 640 tonnes; 2019: 812 tonnes."),
    ("Refunds take 7 days, returns are open for 14 days.",
     "Items may be returned for 14 days. A refund takes 7 days."),
    ("The kitchen is 14 m² and the bedroom is 11 m².", "Bedroom: 11 m². Kitchen: 14 m²."),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "source"), RIGHT)
def test_nothing_is_marked_where_the_source_says_it(answer, source):
    assert marks(answer, source) == []


WRONG = [
    # answer, source, marked words, reason, replacement
    ("The notice period is 6 weeks.", "The notice period is 4 weeks.", "6", "contradicted", "4"),
    ("The ticket costs €19.", "The ticket costs €16.", "€19", "contradicted", "€16"),
    ("Turnout was 61%.", "Turnout was 67%.", "61%", "contradicted", "67%"),
    ("The bridge opened in 1973.", "The bridge opened in 1937.", "1973", "contradicted", "1937"),
    ("The deadline is 12 April 2025.", "The deadline is 12 August 2025.", "April", "contradicted", "August"),
    ("The gate closes at 21:15.", "The gate closes at 21:45.", "21:15", "contradicted", "21:45"),
    ("Profit was $4.1 million.", "Profit was $4.1 billion.", "$4.1 million", "contradicted", "$4.1 billion"),
    ("Parcels take 2-6 days.", "Parcels take 4-6 days.", "2-6", "contradicted", "4-6"),
    ("Install release 4.0.2 first.", "Install release 4.0.12 first.", "4.0.2", "contradicted", "4.0.12"),
    ("The flat is on the 5th floor.", "The flat is on the fourth floor.", "5th", "contradicted", "fourth"),
    ("Part KL-554 fits.", "Part KL-545 fits.", "KL-554", "contradicted", "KL-545"),
    ("The low was 8 °C.", "The low was -8 °C.", "8 °C", "contradicted", "-8 °C"),
    # units
    ("Take 250 g twice a day.", "Take 250 mg twice a day.", "250 g", "unit", "250 mg"),
    ("Rents rose by 6%.", "Rents rose by 6 percentage points.", "6%", "unit", "6 percentage points"),
    ("The reply comes within 10 business days.", "The reply comes within 10 days.", "business", "unit", ""),
    ("The lane is 12 miles long.", "The lane is 12 km long.", "12 miles", "unit", "12 km"),
    ("The fine is €40.", "The fine is $40.", "€40", "unit", "$40"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "source", "text", "reason", "replacement"), WRONG)
def test_a_wrong_value_is_underlined_and_the_source_offers_its_own(answer, source, text, reason, replacement):
    (mark,) = marks(answer, source)
    assert (mark.text, mark.reason, mark.replacements) == (text, reason, (replacement,))
    assert answer[mark.start : mark.end] == text
    assert mark.receipt is not None
    assert source[mark.receipt.start : mark.receipt.end] == mark.receipt.text


def test_every_value_of_the_answer_has_one_judgement():
    answer = "In 2021 the 14 shops sold 3,000 lamps at $40 each."
    found = judged(answer, "In 2021 the 14 shops sold 3,000 lamps at $45 each.")
    assert len({(j.start, j.end) for j in found}) == len(found)
    assert [j.text for j in found if j.reason] == ["$40"]


def test_a_value_that_only_the_question_has_is_not_backed():
    (mark,) = marks("Yes, the deposit is 80 euros.", "The deposit is 95 euros.", question="Is the deposit 80 euros?")
    assert mark.text.startswith("80")
    assert mark.receipt.text.startswith("95")


def test_a_page_number_backs_no_term():
    (mark,) = marks("The lease runs for 18 months.", "See page 18. The lease runs for 24 months.")
    assert (mark.text, mark.replacements) == ("18", ("24",))


UNBOUND = [
    ("Order A ships in 9 days.", "Order A ships in 4 days. Order B ships in 9 days.", "9", "4"),
    ("The Mini costs $40 per month.", "The Mini costs $15 per month. The Maxi costs $40 per month.", "$40", "$15"),
    ("Output in 2016 was 5,210.", "Output by year: 2017: 5,210; 2016: 4,870.", "5,210", "4,870"),
    ("Lyon has 18 stores.", "Paris has 18 stores, Lyon has 12 stores.", "18", "12"),
    ("The small hall seats 400.", "| Hall | Seats |\n|---|---|\n| Small | 150 |\n| Big | 400 |", "400", "150"),
    ("It closes at 22:00 on Monday.", "{'hours': {'Monday': '9:0-18:0', 'Saturday': '10:0-22:0'}}", "22:00", "18:00"),
    ("Adults pay 14 euros.", "Children pay 14 euros. Adults pay 21 euros.", "14 euros", "21 euros"),
]


@pytest.mark.parametrize(("answer", "source", "text", "replacement"), UNBOUND)
def test_a_right_number_of_the_wrong_thing_is_unbound(answer, source, text, replacement):
    (mark,) = marks(answer, source)
    assert (mark.text, mark.reason, mark.replacements) == (text, "unbound", (replacement,))
    assert "belongs to" in mark.note


@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("What does the Mini cost?", "It costs $40 per month.", "$40"),
        ("How much is the Mini?", "$40 per month.", "$40"),
    ],
)
def test_an_answer_without_a_subject_speaks_of_what_was_asked(question, answer, text):
    source = "The Mini costs $15 per month. The Maxi costs $40 per month."
    (mark,) = marks(answer, source, question=question)
    assert (mark.text, mark.reason) == (text, "unbound")


def test_two_values_bound_alike_are_both_offered():
    (mark,) = marks("The room costs $95.", "The room costs $80. The room costs $120 in July.")
    assert set(mark.replacements) <= {"$80", "$120"}
    assert "$80" in mark.replacements


BILLING = "The Crew plan is $300 per year and is billed annually. It cannot be paid by the month."


def test_amount_period_and_cycle_against_the_source_are_marked():
    found = marks("The Crew plan is $29 per month and is billed monthly.", BILLING)
    assert [(m.text, m.replacements) for m in found] == [
        ("$29 per month", ("$300 per year",)),
        ("monthly", ("annually",)),
    ]


def test_a_price_restated_for_another_period_is_marked_with_the_arithmetic():
    (mark,) = marks("The Crew plan is $25 per month.", BILLING)
    assert (mark.text, mark.reason, mark.replacements) == ("$25 per month", "unit", ("$300 per year",))
    assert "12" in (mark.formula or "")


@pytest.mark.parametrize(
    "answer",
    [
        "The Crew plan is $300 a year, which works out at $25 a month.",
        "At $300 per year, the Crew plan is equivalent to $25 per month.",
        "The Crew plan is $300 per year, i.e. $25 per month.",
    ],
)
def test_a_price_offered_as_an_equivalent_is_backed_with_its_formula(answer):
    assert marks(answer, BILLING) == []
    assert any(j.formula and "12" in j.formula for j in judged(answer, BILLING))


def test_a_monthly_report_is_no_billing_cycle():
    source = "The licence is $60 per year. A monthly report is sent to all owners."
    assert marks("The licence is $60 per year. A monthly report is sent to all owners.", source) == []


DERIVED_RIGHT = [
    ("Together both shops sold 470 lamps.", "The north shop sold 220 lamps. The south shop sold 250 lamps."),
    ("Membership rose by 38 from 2020 to 2021.", "Membership was 402 in 2020 and 440 in 2021."),
    ("Sales doubled between 2015 and 2019.", "Sales went from $4 million in 2015 to $8 million in 2019."),
    ("20% of the trees were felled.", "9 of 45 trees were felled."),
    ("On average the two rooms measure 18 m².", "The first room measures 16 m² and the second room measures 20 m²."),
    ("Prices went up by 25%.", "The price was $80 in May and $100 in June."),
    ("The works took 6 years.", "The works began in 2009 and ended in 2015."),
]


@pytest.mark.parametrize(("answer", "source"), DERIVED_RIGHT)
def test_what_follows_from_the_sources_is_backed_with_a_formula(answer, source):
    assert marks(answer, source) == []
    assert any(j.formula for j in judged(answer, source))


DERIVED_WRONG = [
    ("Together both shops sold 490 lamps.", "The north shop sold 220 lamps. The south shop sold 250 lamps.", "470"),
    ("Membership rose by 48.", "Membership was 402 in 2020 and 440 in 2021.", "38"),
    ("In total they paid $9,500.", "Anna paid $4,000 and Ben paid $4,500.", "$8,500"),
    ("The difference is 14 km.", "The old road is 52 km long, the new road is 41 km long.", "11 km"),
    ("On average they earned $3,300.", "Mia earned $3,000. Tom earned $3,400.", "$3,200"),
]


@pytest.mark.parametrize(("answer", "source", "result"), DERIVED_WRONG)
def test_a_wrong_result_is_marked_with_the_right_one(answer, source, result):
    (mark,) = marks(answer, source)
    assert (mark.reason, mark.replacements) == ("derived_wrong", (result,))
    assert mark.formula


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Headcount fell by 15.", "Headcount was 140 in 2022 and 155 in 2023."),
        ("Rents rose by $30.", "The rent was $900 in 2020 and $870 in 2021."),
        ("Visits dropped by 120 in a year.", "Visits were 1,300 in 2018 and 1,420 in 2019."),
    ],
)
def test_the_direction_of_a_change_counts(answer, source):
    (mark,) = marks(answer, source)
    assert mark.reason == "derived_wrong"


def test_many_operands_make_a_chance_hit_no_support():
    figures = (37, 41, 59, 83, 97, 112, 131, 148, 167, 189, 204, 233, 251, 278)
    source = " ".join(f"Site {n} has {f} pumps." for n, f in zip("ABCDEFGHIJKLMN", figures, strict=True))
    found = judged("The company has 74 pumps elsewhere.", source)
    assert [j for j in found if j.text.startswith("74") and j.formula] == []


def test_no_source_has_the_kind_of_value_at_all():
    (mark,) = marks("The plant covers 40 hectares.", "The plant lies by the river.")
    assert mark.reason == "absent"
    assert mark.receipt.source_id is None
    assert mark.receipt.note


def test_the_same_judgements_come_out_twice():
    answer, source = "It cost $40 and 12 people came in 2019.", "It cost $45 and 15 people came in 2018."
    assert judged(answer, source) == judged(answer, source)


HOURS = (
    "{'name': 'Quay Bakery', 'hours': {'Monday': '0:0-0:0', 'Tuesday': '7:0-16:0', 'Wednesday': '7:0-16:0', "
    "'Thursday': '7:0-16:0', 'Friday': '7:0-18:30', 'Saturday': '8:0-14:0'}}"
)


@pytest.mark.parametrize(
    ("answer", "marked"),
    [
        ("It is open Tuesday to Thursday from 7:00 to 16:00.", []),
        ("It opens at 7 am and closes at 6:30 pm on Fridays.", []),
        ("It is open Tuesday through Friday from 7 am to 4 pm.", ["7 am to 4 pm"]),
        ("It is open from 7 am to 4 pm on weekdays, Fridays until 6:30 pm.", []),
        ("It is open Monday to Saturday.", ["Monday to Saturday"]),
        ("It is closed on Mondays and opens at 8:00 on Saturday.", []),
        ("It is closed on Fridays.", ["Fridays"]),
        ("On Saturday it is open from 8 am to 4 pm.", ["8 am to 4 pm"]),
        ("It is open Tuesday to Saturday, except Friday, from 7 am to 4 pm.", ["7 am to 4 pm"]),
    ],
)
def test_opening_hours_are_right_on_every_day_they_are_said_for(answer, marked):
    assert [mark.text for mark in marks(answer, HOURS)] == marked


MUSEUM = "Das Museum ist Montag bis Freitag von 9:00 bis 18:00 Uhr geöffnet, am Samstag von 10:00 bis 14:00 Uhr."


@pytest.mark.parametrize(
    ("answer", "source", "marked"),
    [
        ("Das Museum ist am Samstag von 9:00 bis 18:00 Uhr geöffnet.",
         MUSEUM,
         ["9:00 bis 18:00 Uhr"]),
        ("Das Museum ist mittwochs von 9:00 bis 18:00 Uhr geöffnet.",
         MUSEUM, []),
        ("Le musée est ouvert le samedi de 9:00 à 18:00.",
         "Le musée est ouvert du lundi au vendredi de 9:00 à 18:00, le samedi de 10:00 à 14:00.", ["9:00 à 18:00"]),
        ("El museo está abierto los sábados de 9:00 a 18:00.",
         "El museo está abierto de lunes a viernes de 9:00 a 18:00, los sábados de 10:00 a 14:00.", ["9:00 a 18:00"]),
        ("Музей открыт в субботу с 9:00 до 18:00.",
         "Музей открыт с понедельника по пятницу с 9:00 до 18:00, в субботу с 10:00 до 14:00.", ["9:00 до 18:00"]),
    ],
)  # fmt: skip
def test_hours_are_those_of_their_day_in_other_languages(answer, source, marked):
    assert [mark.text for mark in marks(answer, source)] == marked


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Passage 2 says that the hall has 90 seats.", "The hall has 90 seats."),
        ("There are three steps:\n1. Fill it.\n2. Heat it.\n3. Pour it.", "Fill it. Heat it. Pour it."),
        ("The 34-year-old engineer built it.", "Ida Brandt, 34, is an engineer. She built it."),
        ("Heat the oven to 200 °C (392 °F).", "Heat the oven to 200 °C."),
        ("Entry ranges from 8 to 14 euros.", "Entry is 8 euros for pupils. Adults pay 14 euros for entry."),
        ("Here is the text in 60 words: The pier is closed.", "The pier is closed."),
        ("The cafe has 3.5 out of 5 stars.", "{'name': 'Corner', 'stars': 3.5}"),
    ],
)
def test_what_a_reader_can_see_for_himself_is_not_marked(answer, source):
    assert marks(answer, source) == []


@pytest.mark.parametrize(
    "piece",
    [
        "Town {n} has {n} shops and 3% more in 19{m}. ",
        "$ {n}, ",
        "Monday to Friday 9:00-17:{m}, ",
        "7 ",
        "Aa {n} ",
        "{n} of {m}% and ",
    ],
)
def test_twice_the_text_takes_about_twice_the_time(piece):
    """Counted in calls and not in seconds: the profile of a busy machine says nothing."""
    counts = []
    for pieces in (150, 300):
        text = "".join(piece.format(n=n, m=10 + n % 50) for n in range(pieces))
        counts.append(_calls(text))
    assert counts[1] < 3 * counts[0] + 20_000


def _calls(text: str) -> int:
    proof = read("", [Source("s", text)], text, Settings(tier="fast"))
    return steps(lambda: ValueChannel().judge(proof, []))
