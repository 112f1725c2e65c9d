"""What is cut out leaves whole sentences, whole Markdown and no heading over nothing."""

from __future__ import annotations

import pytest

import proofing
from proofing.healing import heal, text_without
from proofing.healing.phrases import without_own_phrases
from proofing.inspection import inspect
from proofing.settings import Settings

FAST = Settings(tier="fast")
OFFICE = "The office is open from 10 to 16."


def healing_of(source: str, answer: str, question: str = ""):
    return heal(inspect(question, [source], answer, settings=FAST))


@pytest.mark.parametrize(
    ("source", "answer", "left"),
    [
        ("The city's museum pass covers all exhibitions. It lasts one year.",
         "The city's museum pass, which Otto Lindqvist designed, covers all exhibitions. It lasts one year.",
         "The city's museum pass covers all exhibitions. It lasts one year."),
        ("Der Museumspass gilt für alle Dauerausstellungen. Er kostet viel.",
         "Der Museumspass, der von Otto Lindqvist gestaltet wurde, gilt für alle Dauerausstellungen. Er kostet viel.",
         "Der Museumspass gilt für alle Dauerausstellungen. Er kostet viel."),
        ("Le pass couvre toutes les expositions permanentes. Il coûte cher.",
         "Le pass, qui a été dessiné par Otto Lindqvist, couvre toutes les expositions permanentes. Il coûte cher.",
         "Le pass couvre toutes les expositions permanentes. Il coûte cher."),
        ("El abono cubre todas las exposiciones permanentes. Cuesta poco.",
         "El abono, que fue diseñado por Otto Lindqvist, cubre todas las exposiciones permanentes. Cuesta poco.",
         "El abono cubre todas las exposiciones permanentes. Cuesta poco."),
        # The main clause goes on after the remark: nothing may end at the comma.
        ("The city's museum pass covers all permanent exhibitions and the tram. It lasts one year.",
         "The museum pass of the city, which Otto Lindqvist designed, covers all exhibitions. It lasts one year.",
         "The museum pass of the city covers all exhibitions. It lasts one year."),
    ],
)  # fmt: skip
def test_a_relative_clause_goes_and_the_main_clause_goes_on(source, answer, left):
    assert without_own_phrases(healing_of(source, answer).text).strip() == left


@pytest.mark.parametrize(
    ("source", "answer", "left"),
    [
        ("Bees navigate by the sun. They also use landmarks.",
         "According to Keller et al. (2016), bees navigate by the sun. They also use landmarks.",
         "Bees navigate by the sun. They also use landmarks."),
        ("The lake is 40 m deep. It freezes in January.",
         "As reported by Dr. Karl Oden, the lake is 40 m deep. It freezes in January.",
         "The lake is 40 m deep. It freezes in January."),
        ("The lake is 40 m deep. It freezes in January.",
         "According to the geologist Karl Oden, the lake is 40 m deep. It freezes in January.",
         "The lake is 40 m deep. It freezes in January."),
        ("The lake is 40 m deep. It freezes in January.",
         "It freezes in January. A study by Oden (2019) found that the lake is 40 m deep.",
         "It freezes in January. The lake is 40 m deep."),
        ("Le lac a 40 m de profondeur. Il gèle en janvier.",
         "Selon le géologue Karl Oden, le lac a 40 m de profondeur. Il gèle en janvier.",
         "Le lac a 40 m de profondeur. Il gèle en janvier."),
        ("El lago tiene 40 m de profundidad. Se congela en enero.",
         "Según el geólogo Karl Oden, el lago tiene 40 m de profundidad. Se congela en enero.",
         "El lago tiene 40 m de profundidad. Se congela en enero."),
    ],
)  # fmt: skip
def test_who_is_said_to_have_said_it_goes_and_what_was_said_stays(source, answer, left):
    assert without_own_phrases(healing_of(source, answer).text).strip() == left


def test_what_no_source_says_does_not_stay_because_only_its_author_is_invented():
    answer = "The lake is 40 m deep. According to Karl Oden, crocodiles hunt there by moonlight."
    assert "crocodiles" not in healing_of("The lake is 40 m deep.", answer).text


def test_a_denied_report_is_not_cut_down_to_what_it_denies():
    answer = "It freezes in January. No study by Karl Oden showed that the lake is 40 m deep."
    healing = healing_of("The lake is 40 m deep. It freezes in January.", answer)
    assert healing.text != "It freezes in January. The lake is 40 m deep."


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("Applications are made [online](https://grants.example.org/apply) before 1 May.",
         "Applications are made online before 1 May."),
        ("Applications are made online at https://grants.example.org/apply before 1 May.",
         "Applications are made online before 1 May."),
        ("Applications are made online before 1 May (https://grants.example.org/apply).",
         "Applications are made online before 1 May."),
        ("Applications are made online before 1 May. Apply at https://grants.example.org/apply.",
         "Applications are made online before 1 May."),
        ("Applications are made online before 1 May [doi:10.1038/s41586-019-1234-5].",
         "Applications are made online before 1 May."),
        ("Applications are made online before 1 May (doi:10.1038/s41586-019-1234-5).",
         "Applications are made online before 1 May."),
    ],
)  # fmt: skip
def test_an_invented_address_goes_and_its_sentence_stays(answer, left):
    report = inspect("", ["Applications are made online before 1 May."], answer, settings=FAST)
    assert report.risk in ("medium", "high")
    healing = heal(report)
    assert without_own_phrases(healing.text).strip() == left
    assert text_without(healing, answer, range(len(healing.edits))) == answer


def test_an_address_that_the_sources_hold_is_no_entity_that_is_missing():
    source = "Apply online at https://grants.example.org/apply before 1 May."
    report = inspect("", [source], "Apply [online](https://grants.example.org/apply) before 1 May.", settings=FAST)
    assert (report.risk, report.checks["entities"]["absent"]) == ("low", [])


@pytest.mark.parametrize(
    "heading", ["### Lounge", "**Lounge**", "## Sapphire lounge", "### Opening", "**Opening:**"],
)  # fmt: skip
@pytest.mark.parametrize("last", [True, False])
def test_no_heading_stays_over_nothing_and_no_gap_is_left(heading, last):
    source = "Bags over 8 kg are refused. The opening of the gate is at six. Pets travel free."
    invented = f"{heading}\n\nGold travellers may enjoy unlimited sushi with champagne."
    bags, pets = "### Bags\n\nBags over 8 kg are refused.", "### Pets\n\nPets travel free."
    order = [bags, pets, invented] if last else [bags, invented, pets]
    healing = proofing.heal(inspect("", [source], "\n\n".join(order), settings=FAST))
    assert without_own_phrases(healing.text) == f"{bags}\n\n{pets}"
    assert "\n\n\n" not in healing.text


def test_a_heading_over_something_that_stays_stays():
    source = "Bags over 8 kg are refused. Pets travel free."
    answer = "### Bags\n\nBags over 8 kg are refused. Gold travellers may enjoy unlimited sushi with champagne."
    assert heal(inspect("", [source], answer, settings=FAST)).text.startswith("### Bags\n\nBags over 8 kg are refused.")


@pytest.mark.parametrize(
    ("source", "courtesy"),
    [
        *((OFFICE, courtesy) for courtesy in (
            "Let me know if you need anything else!", "I hope this helps!", "Happy to help with anything else.",
            "Feel free to ask if you have more questions.", "Please don't hesitate to contact me.",
            "Here is what I found for you.",
        )),
        ("Das Büro ist von 10 bis 16 Uhr geöffnet.", "Ich hoffe, das hilft Ihnen weiter!"),
        ("La oficina está abierta de 10 a 16.", "Espero que esto te ayude."),
        ("Le bureau est ouvert de 10 à 16 heures.", "N'hésitez pas à me poser d'autres questions."),
        ("L'ufficio è aperto dalle 10 alle 16.", "Spero che questo ti sia utile!"),
        ("O escritório abre das 10 às 16.", "Espero ter ajudado você hoje."),
        ("Офис открыт с 10 до 16.", "Надеюсь, это вам поможет!"),
    ],
)  # fmt: skip
def test_a_courtesy_is_no_claim(source, courtesy):
    report = inspect("", [source], f"{source} {courtesy}", settings=FAST)
    assert (report.risk, heal(report).applied) == ("low", False)


@pytest.mark.parametrize(
    "claim",
    ["Feel free to smoke in every bedroom of the hotel.", "We hope to open a second casino in Bergen next spring.",
     "Let me know your passport number at the frontier bank."],
)  # fmt: skip
def test_what_only_sounds_like_a_courtesy_is_a_claim(claim):
    report = inspect(
        "", ["The office is open from 10 to 16."], f"The office is open from 10 to 16. {claim}", settings=FAST
    )
    assert report.risk != "low"
