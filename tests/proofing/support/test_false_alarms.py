"""Right answers in other words: what the word channels must leave alone, and what they must still see beside it."""

from __future__ import annotations

import pytest

from proofing import Settings, inspect
from proofing.engine import judge_all
from proofing.inspection import prepare
from proofing.marks import find_marks

FAST = Settings(tier="fast")
VALUES = {"number", "money", "percent", "points", "quantity", "date", "time", "duration", "range", "ordinal"}


def words_marked(answer: str, *sources: str, question: str = "") -> list[str]:
    proof = prepare(question, list(sources), answer, FAST)
    finding = find_marks(proof, judge_all(proof).judgements, None, FAST)
    return [mark.text for mark in finding.marks if mark.kind not in VALUES]


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        pytest.param(
            "The ferry cannot leave the harbour until the fog has lifted.",
            "The fog must lift before the ferry can leave the harbour.",
            id="a denial for a time",
        ),
        pytest.param(
            "The clerk failed to give accurate figures to the board.",
            "The clerk gave inaccurate figures to the board.",
            id="a contrary by prefix",
        ),
        pytest.param(
            "Don't use bleach on the wooden handle.",
            "Avoid using bleach on the wooden handle.",
            id="avoid for do not",
        ),
        pytest.param(
            "Since the quake the old man dare not climb the tower.",
            "Since the quake the old man is too afraid to climb the tower.",
            id="too afraid for dare not",
        ),
        pytest.param(
            "Struts provide no lift for the wing.",
            "Struts do not provide any lift for the wing.",
            id="the no moved to the verb",
        ),
        pytest.param(
            "Adjust each leg of the bench with the lower nut.",
            "Check the legs of the bench. If not level, adjust each leg of the bench with the lower nut.",
            id="an elliptic if not",
        ),
        pytest.param("The concert wasn't over until 23:10.", "The concert went on until 23:10.", id="not over until"),
        pytest.param("The peel will take longer to heal.", "The peel may take longer to heal.", id="taking care"),
        pytest.param(
            "Residents have little to no shade.Literally move the chairs to find some.",
            "Residents should move the chairs to find some.",
            id="a stop without a space",
        ),
        pytest.param(
            "The city had no harbour charges after Lund and the authorities signed.",
            "An agreement was signed between Lund and the harbour authorities.",
            id="a denied noun that is another one",
        ),
    ],
)
def test_it_lets_denials_agree_that_mean_the_same(source, answer):
    assert words_marked(answer, source) == []


@pytest.mark.parametrize(
    ("source", "answer", "marked"),
    [
        ("Bikes cannot be left in the hall.", "Bikes can be left in the hall.", "can"),
        ("The peel may take longer to heal.", "The peel will take longer to heal.", "will"),
        ("There were no federal charges against Lund.", "There were federal charges against Lund.", "federal"),
        ("Rooms may not be sublet.", "Rooms may be sublet.", "may"),
    ],
)
def test_it_still_sees_a_denial_dropped(source, answer, marked):
    assert any(marked in text or text in marked for text in words_marked(answer, source))


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("We ate the Cirtus salad and the Fettucini.", "The dishes were the Citrus salad and the Fettuccini."),
        ("Zimbabwe trader Stan Ndlovu stayed at home.", "The Zimbabwean trader Stan Ndlovu stayed at home."),
        ("HS football: Mahan falls short.", "Mahan High School falls short in football."),
        ("A Detroit, Mich. woman was found.", "A woman was found in Detroit, Michigan."),
        ("Heat it to 350 degrees F. Take the roast out.", "Heat it to 350 degrees F. Let the roast out."),
        ("Clean bins stand in Goleta, CA. Data follow.", "Bins are in Goleta, CA. According to data they are clean."),
        ("The fence stands along the Rio Verde.", "The fence stands along the Rio Verde River."),
    ],
)  # fmt: skip
def test_it_knows_a_name_in_another_dress(source, answer):
    assert words_marked(answer, source) == []


def test_another_name_of_nearly_the_same_letters_is_still_marked():
    assert words_marked("The talk was given by Marvin Keller.", "The talk was given by Martin Keller.") == ["Marvin"]


def test_judging_and_polite_words_state_nothing():
    source = "The cafe sells soup and bread. A guest wrote that the soup was cold."
    assert words_marked("The cafe sells soup and bread, offering a pleasant overall experience.", source) == []
    assert words_marked("The cafe sells soup. Let me know if you have any other questions.", source) == []


def test_an_invented_clause_that_states_something_is_marked():
    source = "The cafe sells soup and bread. A guest wrote that the soup was cold."
    marked = words_marked("The cafe sells soup and bread, and its rooftop terrace hosts jazz quartets.", source)
    assert any("rooftop terrace" in text for text in marked)


def test_quoting_the_question_is_no_altered_quotation():
    marked = words_marked(
        'The answer to "How long does it take to heal from a graft?" is about a week.',
        "How long it takes a graft to heal depends; it is about a week.",
        question="how long does it take to heal from a graft",
    )
    assert marked == []


BOTH_SAID = [
    (
        "The salve helps patients with or without a visible rash.",
        "A visible rash (in some people) may be seen in patients.",
    ),
    ("We ask whether or not the parcel was insured.", "The parcel was insured."),
    ("La pomada ayuda a pacientes con o sin fiebre.", "La fiebre puede verse en pacientes."),
]


@pytest.mark.parametrize(("source", "answer"), BOTH_SAID)
def test_with_or_without_denies_nothing(source, answer):
    marks = inspect("", [source], answer, settings=Settings(tier="fast")).marks
    assert [mark for mark in marks if mark.reason == "negated"] == []


@pytest.mark.parametrize(
    "answer",
    [
        "Despite not offering WiFi, the bar has outdoor seating and take-out.",
        "While it has no WiFi, the bar offers outdoor seating.",
        "Without WiFi, the bar still provides take-out.",
    ],
)
def test_a_denial_in_the_opening_half_does_not_reach_what_follows(answer):
    record = "{'name': 'Bar', 'attributes': {'WiFi': 'no', 'OutdoorSeating': True, 'RestaurantsTakeOut': True}}"
    marks = inspect("", [record], answer, settings=Settings(tier="fast")).marks
    assert [mark for mark in marks if mark.reason == "negated"] == []
