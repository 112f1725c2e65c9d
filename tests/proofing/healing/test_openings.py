"""What opens an answer follows an edit: the capital of the first word, and a "Yes" or "No" that the edit turned."""

from __future__ import annotations

import itertools

import pytest

from proofing.healing import heal, text_without
from proofing.inspection import inspect
from proofing.settings import Settings


def healing_of(source: str, answer: str, question: str = ""):
    return heal(inspect(question, [source], answer, settings=Settings(tier="fast")))


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Se permite fumar en la terraza.", "No se permite fumar en la terraza."),
        ("È possibile annullare la prenotazione.", "Non è possibile annullare la prenotazione."),
        ("É permitido pescar no lago.", "Não é permitido pescar no lago."),
    ],
)
def test_the_word_after_a_denial_that_opened_the_sentence_gets_its_capital(source, answer):
    assert healing_of(source, answer).text == source


@pytest.mark.parametrize(
    ("question", "source", "answer", "right"),
    [
        ("Is parking free?", "Parking is not free on Sundays.", "Yes, parking is free on Sundays.",
         "No, parking is not free on Sundays."),
        ("Is parking free?", "Parking is free on Sundays.", "No, parking is not free on Sundays.",
         "Yes, parking is free on Sundays."),
        ("Are dogs allowed?", "Dogs are not allowed on deck.", "**Yes!** Dogs are allowed on deck.",
         "**No!** Dogs are not allowed on deck."),
        ("Can I swim there?", "Swimming is allowed in the bay.", "no, swimming is not allowed in the bay.",
         "yes, swimming is allowed in the bay."),
        ("Is the gate open?", "The north gate is closed in winter.", "Yes, the north gate is open in winter.",
         "No, the north gate is closed in winter."),
        ("Is the gate open?", "The north gate is open in winter.", "No, the north gate is closed in winter.",
         "Yes, the north gate is open in winter."),
        ("Sind Hunde erlaubt?", "Hunde sind im Park nicht erlaubt.", "Ja, Hunde sind im Park erlaubt.",
         "Nein, Hunde sind im Park nicht erlaubt."),
        ("¿Se permite acampar?", "No se permite acampar junto al río.", "Sí, se permite acampar junto al río.",
         "No, no se permite acampar junto al río."),
        ("Les chiens sont-ils admis ?", "Les chiens ne sont pas admis dans la salle.",
         "Oui, les chiens sont admis dans la salle.", "Non, les chiens ne sont pas admis dans la salle."),
        ("Si può annullare?", "Non è possibile annullare la prenotazione.",
         "Sì, è possibile annullare la prenotazione.", "No, non è possibile annullare la prenotazione."),
        ("Pode-se pescar?", "Não é permitido pescar no lago.", "Sim, é permitido pescar no lago.",
         "Não, não é permitido pescar no lago."),
        ("Можно курить?", "Курение не разрешено на веранде.", "Да, курение разрешено на веранде.",
         "Нет, курение не разрешено на веранде."),
    ],
)  # fmt: skip
def test_yes_and_no_follow_what_was_turned(question, source, answer, right):
    assert healing_of(source, answer, question).text == right


@pytest.mark.parametrize(
    ("question", "source", "answer", "right"),
    [
        # What was turned does not answer the question.
        ("Do you sell maps?", "We sell maps. Dogs are not allowed inside the shop.",
         "Yes, we sell maps. Dogs are allowed inside the shop.",
         "Yes, we sell maps. Dogs are not allowed inside the shop."),
        ("Do you close at 5?", "The shop closes at 6 pm.", "No, the shop closes at 7 pm.",
         "No, the shop closes at 6 pm."),
        # The opening was right, the sentence was not.
        ("Is the gate closed?", "The north gate is closed in winter.", "Yes, the north gate is open in winter.",
         "Yes, the north gate is closed in winter."),
    ],
)  # fmt: skip
def test_a_yes_or_no_that_the_edit_does_not_touch_stays(question, source, answer, right):
    assert healing_of(source, answer, question).text == right


def test_taking_the_edit_back_takes_its_opening_back():
    answer = "Yes, parking is free on Sundays."
    healing = healing_of("Parking is not free on Sundays.", answer, "Is parking free?")
    parents = [i for i, edit in enumerate(healing.edits) if edit.parent is None]
    assert text_without(healing, answer, parents) == answer
    answer = "No se permite fumar en la terraza."
    healing = healing_of("Se permite fumar en la terraza.", answer)
    texts = {
        text_without(healing, answer, off)
        for n in range(len(healing.edits) + 1)
        for off in itertools.combinations(range(len(healing.edits)), n)
    }
    assert {answer, "Se permite fumar en la terraza."} <= texts


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Les chiens sont admis dans la salle.", "Les chiens ne sont pas admis dans la salle."),
        ("La piscine est chauffée en hiver.", "La piscine n'est pas chauffée en hiver."),
        ("La piscine est chauffée en hiver.", "La piscine n’est jamais chauffée en hiver."),
        ("Le billet peut être cédé.", "Le billet ne peut pas être cédé."),
        ("Le conseil a approuvé le pont.", "Le conseil n'a pas approuvé le pont."),
    ],
)
def test_both_halves_of_a_french_denial_go(source, answer):
    assert healing_of(source, answer).text == source


def test_half_a_french_denial_never_stays():
    healing = healing_of("Le tarif comprend le repas de midi.", "Le tarif ne comprend pas de repas de midi.")
    assert "ne comprend" not in healing.text or healing.text == "Le tarif ne comprend pas de repas de midi."
    assert "comprend de" not in healing.text


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Le prix a augmenté de 5 %.", "Le prix a baissé de 5 %."),
        ("El precio subió a 8 euros.", "El precio subió a 5 euros."),
        ("La cuota llega a 11 euros.", "La cuota llega a 15 euros."),
    ],
)
def test_a_little_word_of_another_language_is_no_english_article(source, answer):
    assert " an " not in healing_of(source, answer).text
