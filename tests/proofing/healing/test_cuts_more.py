"""Several remarks in one sentence, remarks between dashes, items of a list: each goes alone and whole."""

from __future__ import annotations

import pytest

from proofing.healing import heal, text_without
from proofing.healing.grammar import plural, singular
from proofing.healing.phrases import without_own_phrases
from proofing.inspection import inspect
from proofing.settings import Settings

KAYAK = "The Orla is a folding kayak. It weighs 14 kg."


def healing_of(source: str, answer: str, question: str = ""):
    return heal(inspect(question, [source], answer, settings=Settings(tier="fast")))


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("The Orla (Sarti & Kern 2019) is a folding kayak; it weighs 14 kg (see Moretti et al., 2020).",
         "The Orla is a folding kayak; it weighs 14 kg."),
        ("The Orla is a folding kayak (Moretti et al., 2020) that weighs 14 kg [arXiv:2101.01234].",
         "The Orla is a folding kayak that weighs 14 kg."),
        ("The Orla is a folding kayak – designed by Bruno Sarti – and weighs 14 kg.",
         "The Orla is a folding kayak and weighs 14 kg."),
        ("The Orla is a folding kayak — designed by Bruno Sarti — and weighs 14 kg.",
         "The Orla is a folding kayak and weighs 14 kg."),
        ("Designed by Bruno Sarti, the Orla is a folding kayak that weighs 14 kg.",
         "The Orla is a folding kayak that weighs 14 kg."),
        ("* **Type:** folding kayak\n* **Weight:** 14 kg\n* **Designer:** Bruno Sarti\n* **Award:** Golden Paddle 2021",
         "* **Type:** folding kayak\n* **Weight:** 14 kg"),
    ],
)  # fmt: skip
def test_a_remark_goes_alone(answer, left):
    healing = healing_of(KAYAK, answer)
    assert without_own_phrases(healing.text).strip() == left
    assert text_without(healing, answer, range(len(healing.edits))) == answer


def test_each_bracket_can_be_taken_back_alone():
    answer = "The Orla (Sarti & Kern 2019) is a folding kayak; it weighs 14 kg (see Moretti et al., 2020)."
    healing = healing_of(KAYAK, answer)
    removals = [i for i, edit in enumerate(healing.edits) if edit.kind == "removal"]
    texts = {without_own_phrases(text_without(healing, answer, [i])).strip() for i in removals}
    assert texts == {
        "The Orla (Sarti & Kern 2019) is a folding kayak; it weighs 14 kg.",
        "The Orla is a folding kayak; it weighs 14 kg (see Moretti et al., 2020).",
    }


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("1 bus leaves each hour.", "3 buses leave each hour.", "1 bus leaves each hour."),
        ("The shelf holds 1 cookie jar.", "The shelf holds 3 cookie jars.", "The shelf holds 1 cookie jar."),
        ("The recipe needs 4 tomatoes.", "The recipe needs 1 tomato.", "The recipe needs 4 tomatoes."),
        ("The recipe needs 1 potato.", "The recipe needs 6 potatoes.", "The recipe needs 1 potato."),
        ("The lab made 3 analyses.", "The lab made 1 analysis.", "The lab made 3 analyses."),
        ("The barn houses 9 mice.", "The barn houses 1 mouse.", "The barn houses 9 mice."),
        ("The kit contains latex.", "The kit contains no latex.", "The kit contains latex."),
        ("The Orla weighs 14 kg.", "THE ORLA WEIGHS 41 KG.", "THE ORLA WEIGHS 14 KG."),
        ("The maximum load is 300 kg.", "MAXIMUM LOAD: 500 KG", "MAXIMUM LOAD: 300 KG"),
    ],
)  # fmt: skip
def test_what_is_put_in_fits_its_place(source, answer, right):
    assert healing_of(source, answer).text == right


@pytest.mark.parametrize(
    ("one", "many"),
    [("bus", "buses"), ("house", "houses"), ("case", "cases"), ("movie", "movies"), ("calorie", "calories"),
     ("city", "cities"), ("hero", "heroes"), ("photo", "photos"), ("knife", "knives"), ("crisis", "crises"),
     ("goose", "geese"), ("shoe", "shoes"), ("bonus", "bonuses"), ("pie", "pies"), ("quiz", "quizzes")],
)  # fmt: skip
def test_nouns_have_one_plural(one, many):
    assert (plural(one), singular(many)) == (many, one)


@pytest.mark.parametrize(
    "answer",
    [
        "* **Weight:** 14 kg\n* **Designer:** Bruno Sarti\n* **Award:** Golden Paddle 2021",
        "The Orla is a folding kayak.\n\nBruno Sarti designed it in Milan.\n\nOtto Lindqvist sold it to the navy.",
        "The Orla is a folding kayak. Bruno Sarti designed it in Milan. Otto Lindqvist sold it to the Danish navy.",
    ],
)  # fmt: skip
def test_two_statements_at_the_end_go_one_by_one(answer):
    healing = healing_of(KAYAK, answer)
    removals = [i for i, edit in enumerate(healing.edits) if edit.kind == "removal"]
    assert len(removals) == 2
    assert "\n\n\n" not in healing.text
    assert "Some statements were left out" in healing.text
    for index, (stays, goes) in zip(
        removals, (("Sarti", "Golden|Lindqvist"), ("Golden|Lindqvist", "Sarti")), strict=True
    ):
        text = text_without(healing, answer, [index])
        assert any(word in text for word in stays.split("|"))
        assert not any(word in text for word in goes.split("|"))
