"""What stands in no piece is offered, what a page does not say goes; what may be one case of several stays."""

from __future__ import annotations

import pytest

from proofing import heal, inspect
from proofing.report import Healing
from proofing.settings import Settings

TIERS = ["fast", "standard"]

PIECES = ["The ferry takes forty cars", "Foot passengers board by the side door", "Dogs stay on the lower deck"]


def healed(question: str, sources: list[str], answer: str, tier: str = "fast") -> Healing:
    return heal(inspect(question, sources, answer, settings=Settings(tier=tier)))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("question", "sources", "answer"),
    [
        ("What happens on the ferry?", PIECES, "Gulls nest below the bridge in springtime"),
        ("Who owns the ferry?", PIECES, "The ferry was bought by Astrid Holm"),
        ("When did the ferry sail first?", PIECES, "The ferry sailed first in 1974"),
        ("Are foxes harmed by grapes?", ["Foxes can die from raisins", "A fox that ate grapes needs a vet"],
         "Grapes harm the kidneys of canids"),
        ("Was passiert auf der Fähre?", ["Die Fähre fasst vierzig Autos", "Hunde bleiben auf dem unteren Deck"],
         "Möwen nisten im Frühling unter der Brücke"),
        ("¿Quién compró el barco?", ["El barco lleva cuarenta coches", "Los perros viajan abajo"],
         "El barco fue comprado por Astrid Holm"),
    ],
)  # fmt: skip
def test_what_stands_in_no_piece_is_left_to_a_person(question, sources, answer, tier):
    assert not healed(question, sources, answer, tier).applied


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("The ferry takes sixty cars", "The ferry takes forty cars"),
        ("Dogs do not stay on the lower deck", "Dogs stay on the lower deck"),
        ("The ferry takes 45 cars", "forty cars"),
    ],
)
def test_what_a_piece_contradicts_is_mended(answer, right, tier):
    assert right in healed("", PIECES, answer, tier).text


@pytest.mark.parametrize("tier", TIERS)
def test_a_reference_is_looked_up_letter_by_letter_in_pieces_too(tier):
    text = healed("", PIECES, "The ferry takes forty cars (Ortiz et al., 2017)", tier).text
    assert text.startswith("The ferry takes forty cars (One") or "Ortiz" not in text


@pytest.mark.parametrize("tier", TIERS)
def test_a_page_that_is_silent_speaks(tier):
    page = "The ferry takes forty cars. Foot passengers board by the side door. Dogs stay on the lower deck."
    answer = "The ferry takes forty cars. Gulls choreograph operas below the marble balustrade."
    assert "Gulls" not in healed("What does the ferry take?", [page], answer, tier).text


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("question", "sources", "answer"),
    [
        ("What is an example of a play that is still forbidden?", ["The play Reed is still forbidden in Rye"],
         "The play Ashen Moor is still forbidden in Rye"),
        ("", ["The council hid the Orrin Report from the town", "The council hid the Marsh Ledger from the town"],
         "The council hid the Teal Letters from the town"),
        ("", ["Our club has fewer members than Bourne and Wick", "Our club has fewer members than Ludd"],
         "Our club has fewer members than Harrow"),
        ("What are some plays that were forbidden?", ["The play Reed was forbidden in Rye until May", "Rye is small"],
         "The play Ashen Moor was forbidden in Rye until May"),
        ("Nenne ein Beispiel für eine Schule mit Bach-Chor.", ["Das Gymnasium Lindau hat einen Chor für Bach"],
         "Das Gymnasium Meersburg hat einen Chor für Bach"),
        ("", ["Ostrava won the harbour prize", "Turku won the harbour prize"], "Kotka won the harbour prize"),
        ("What's a town that exports more salt than Rye?", ["Bourne exports more salt than Rye", "Rye is small"],
         "Ludd exports more salt than Rye"),
        ("Which towns export more salt than Rye?", ["Bourne exports more salt than Rye", "Rye is small"],
         "Ludd exports more salt than Rye"),
        ("What towns have salt?", ["Bourne exports more salt than Rye", "Rye is small"],
         "Ludd exports more salt than Rye"),
        ("Quelles villes dirigent le bureau ?", ["Le bureau est à Bourne", "Rye est petite"], "Le bureau est à Ludd"),
        ("¿Qué ciudades visita el tren?", ["El tren sale de Bourne", "Rye es pequeño"], "El tren sale de Ludd"),
        ("Quali navi arrivano?", ["Il treno parte da Bourne", "Rye è piccola"], "Il treno parte da Ludd"),
        ("Quais cidades visita o trem?", ["O trem parte de Bourne", "Rye é pequena"], "O trem parte de Ludd"),
        ("Какие города входят в союз?", ["В союз входит Борн", "Рай мал"], "В союз входит Лудд"),
        ("Is Ludd in the district?", ["Bourne is not part of the district", "Rye is small"],
         "Ludd is not part of the district"),
        ("", ["The permit does not cover Bourne", "Rye is small"], "The permit does not cover Ludd"),
    ],
)  # fmt: skip
def test_one_case_of_several_is_not_exchanged(question, sources, answer, tier):
    assert healed(question, sources, answer, tier).text == answer


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("sources", "answer", "right"),
    [
        (["The lab is led by Noor Haddad", "The lab opens at nine"], "The lab is led by Viktor Lenz", "Noor Haddad"),
        (["The largest lake of the shire is Orrin Mere", "Boats are for hire"],
         "The largest lake of the shire is Teal Mere", "Orrin Mere"),
        (["The harbour prize was won by Ostrava", "The harbour prize was won by Ostrava in June"],
         "The harbour prize was won by Kotka", "Ostrava"),
        (["The permit covers Bourne", "Rye is small"], "The permit covers Ludd", "Bourne"),
    ],
)  # fmt: skip
def test_the_name_of_the_only_one_is_exchanged(sources, answer, right, tier):
    assert right in healed("", sources, answer, tier).text


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("question", "source", "answer", "right"),
    [
        ("What does the permit cover?", "The permit covers Bourne", "The permit covers Ludd", "Bourne"),
        ("What happens at the fair?", "The fair is opened by Noor Haddad", "The fair is opened by Viktor Lenz", "Noor"),
        ("What comes first?", "The fair is opened by Noor Haddad", "The fair is opened by Viktor Lenz", "Noor"),
        ("Which does it cover?", "The permit covers Bourne", "The permit covers Ludd", "Bourne"),
        ("¿Qué es la sede?", "La sede del club es Bourne", "La sede del club es Ludd", "Bourne"),
        ("Quale nave porta il sale?", "La nave Bourne porta il sale", "La nave Ludd porta il sale", "Bourne"),
        ("Quelle ville dirige ?", "Le bureau est à Bourne", "Le bureau est à Ludd", "Bourne"),
    ],
)
def test_a_question_of_one_thing_leaves_the_name_to_be_exchanged(question, source, answer, right, tier):
    assert right in healed(question, [source, "Dogs wait"], answer, tier).text


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("More than 94% of the members paid by card", "More than 90% of the members paid by card"),
        ("More than 90% of the members paid by card", "More than 94% of the members paid by card"),
        ("The parcel weighs 52 kg", "The parcel weighs more than 50 kg"),
        ("94-96% of the members paid by card", "More than 90% of the members paid by card"),
        ("Mehr als 94 % der Mitglieder zahlten mit Karte", "Mehr als 90 % der Mitglieder zahlten mit Karte"),
    ],
)
def test_a_bound_that_may_hold_is_not_changed(source, answer, tier):
    assert healed("", [source, "Cash is rare"], answer, tier).text == answer


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("The parcel weighs 45 kg", "The parcel weighs more than 50 kg", "45"),
        ("The parcel weighs 45 kg", "The parcel weighs 50 kg", "45"),
        ("Parcels may weigh at most 30 kg", "Parcels may weigh at most 35 kg", "30 kg"),
        ("Up to 12 people can join a walk.", "Up to 20 people can join a walk.", "12"),
        ("Orders over 50 euros ship free.", "Orders over 30 euros ship free.", "50"),
    ],
)
def test_a_bound_that_is_broken_is_mended(source, answer, right, tier):
    assert right in healed("", [source], answer, tier).text


def test_what_a_source_denies_does_not_take_another_word_s_place():
    answer = "If you swallow a seed, it will be excreted"
    sources = ["If you swallow a seed, it will not be digested", "If you swallow a seed, nothing happens"]
    assert healed("What happens if you swallow a seed?", sources, answer).text == answer


def test_a_contracted_denial_in_a_quotation_goes_whole():
    answer = 'The sign says "you can\'t bring a small dog inside", as visitors know'
    source = "The sign says you can bring a small dog inside, as visitors know."
    assert "can'" not in healed("", [source], answer, "standard").text


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("question", "sources", "answer"),
    [
        ("", ["Holm's letters were kept in Rye until 1954", "Rye is small"],
         "The charter of the Bourne guild was kept in Rye until 1968"),
        ("How long did the bridge take?", ["The saga says that it was raised in six days, but took years", "It stands"],
         "It took around nine years for the bridge to be raised"),
        ("", ["The saga says that the bridge was raised in 1212, though the chapel's papers name none", "It holds"],
         "The bridge was raised in 1312"),
    ],
)  # fmt: skip
def test_a_piece_that_speaks_of_something_else_changes_nothing(question, sources, answer, tier):
    assert not healed(question, sources, answer, tier).applied


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("A day ticket for the harbour pool costs 14 euros", "Swimmers pay 19 euros for a day ticket"),
        ("Delivery inside the city takes place within 3 weeks and costs 14 euros", "Delivery costs 19 euros"),
    ],
)
def test_what_a_price_is_for_is_known_however_the_rest_is_said(source, answer, tier):
    assert "14 euros" in healed("", [source, "Dogs wait outside"], answer, tier).text


@pytest.mark.parametrize("tier", TIERS)
def test_a_piece_of_two_short_sentences_is_still_a_piece(tier):
    sources = ["The ferry took thirty cars. Now it takes forty", "Dr. A. Holm steers. Dogs stay below"]
    assert not healed("Who owns the ferry?", sources, "The ferry was bought by Viktor Lenz", tier).applied
