"""Outside English the words after a number take the form that the source gives them there."""

from __future__ import annotations

import pytest

from proofing.healing import heal, text_without
from proofing.inspection import inspect
from proofing.settings import Settings


def healing_of(source: str, answer: str):
    return heal(inspect("", [source], answer, settings=Settings(tier="fast")))


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Cada socio puede traer 3 invitados.", "Cada socio puede traer 1 invitado."),
        ("Cada socio puede traer 1 invitado.", "Cada socio puede traer 3 invitados."),
        ("En el taller participan 4 alumnos extranjeros.", "En el taller participan 1 alumno extranjero."),
        ("Chaque élève reçoit 2 livres.", "Chaque élève reçoit 1 livre."),
        ("Le gîte compte 3 chambres pour les familles.", "Le gîte compte 1 chambre pour les familles."),
        ("Ogni socio riceve 2 chiavi.", "Ogni socio riceve 1 chiave."),
        ("Cada aluno recebe 2 cadernos.", "Cada aluno recebe 1 caderno."),
        ("Für die Wohnung gibt es 3 Karten.", "Für die Wohnung gibt es 1 Karte."),
        ("В доме 5 комнат.", "В доме 3 комнаты."),
        ("В доме 1 комната.", "В доме 4 комнаты."),
    ],
)
def test_the_noun_follows_its_number(source, answer):
    assert healing_of(source, answer).text == source


def test_a_noun_that_is_right_stays():
    assert healing_of("Cada socio puede traer 3 invitados.", "Cada socio puede traer 5 invitados.").text == (
        "Cada socio puede traer 3 invitados."
    )
    # Another word is not another form: nothing is pasted over it.
    healed = healing_of("Cada socio puede traer 3 acompañantes.", "Cada socio puede traer 1 invitado.").text
    assert "1 acompañante" not in healed


def test_taking_the_number_back_takes_the_noun_back():
    answer = "Cada socio puede traer 1 invitado."
    healing = healing_of("Cada socio puede traer 3 invitados.", answer)
    assert text_without(healing, answer, [0]) == answer
