"""One word turned, and right neighbours of it, in seven languages."""

from __future__ import annotations

import pytest

import proofing
from proofing.settings import Settings

TURNED = [
    # how often
    ("The bulletin appears weekly.", "The bulletin appears daily.", "daily"),
    ("Die Zeitung erscheint täglich.", "Die Zeitung erscheint wöchentlich.", "wöchentlich"),
    ("La revista es mensual.", "La revista es semanal.", "semanal"),
    ("Le bulletin est hebdomadaire.", "Le bulletin est mensuel.", "mensuel"),
    ("Газета выходит ежедневно.", "Газета выходит еженедельно.", "еженедельно"),
    ("She never held a licence.", "She always held a licence.", "always"),
    # opposites
    ("The home side won 3-1.", "The home side lost 3-1.", "lost"),
    ("The water is cold and shallow.", "The water is cold and deep.", "deep"),
    ("The court dismissed the appeal.", "The court upheld the appeal.", "upheld"),
    ("Hundreds of visitors queued at the gate.", "Thousands of visitors queued at the gate.", "Thousands"),
    ("Todas las salas están cerradas.", "Todas las salas están abiertas.", "abiertas"),
    ("Das Tor ist geöffnet.", "Das Tor ist geschlossen.", "geschlossen"),
    ("La porte est ouverte.", "La porte est fermée.", "fermée"),
    ("La porta è aperta.", "La porta è chiusa.", "chiusa"),
    ("Todas as janelas estão abertas.", "Todas as janelas estão fechadas.", "fechadas"),
    ("Все окна закрыты.", "Все окна открыты.", "открыты"),
    ("Вход с собаками запрещён.", "Вход с собаками разрешён.", "разрешён"),
    # before and after
    ("Tome la pastilla antes de comer.", "Tome la pastilla después de comer.", "después"),
    # out of a state, without a thing
    ("The lift is out of service.", "The lift is in service.", "service"),
    ("Die Anlage ist außer Betrieb.", "Die Anlage ist in Betrieb.", "Betrieb"),
    ("El ascensor está fuera de servicio.", "El ascensor está en servicio.", "servicio"),
    ("The device works without a battery.", "The device works with a battery.", "with a battery"),
    # exceptions and terms
    ("Admission is free except on public holidays.", "Admission is free, including on public holidays.", "including"),
    ("Bids are accepted until 3 May.", "Bids are accepted from 3 May.", "from"),
    ("Tutte le spiagge sono libere.", "Nessuna spiaggia è libera.", "Nessuna"),
    ("Les chiens ne sont pas admis.", "Les chiens sont admis.", "sont admis"),
    # need not
    ("Tenants must report leaks at once.", "Tenants need not report leaks at once.", "not"),
    ("Neither the mayor nor the deputy attended.", "Both the mayor and the deputy attended.", "Both"),
]

RIGHT = [
    ("The bulletin appears weekly.", "The bulletin appears once a week."),
    ("The lift is out of service.", "The lift is not in service."),
    ("Die Anlage ist außer Betrieb.", "Die Anlage ist nicht in Betrieb."),
    ("Three out of four rooms have a balcony.", "Three out of four rooms have a balcony."),
    ("The device works without a battery.", "The device works without any battery."),
    ("The kit is sold with and without a case.", "The kit is sold with a case."),
    ("Neither the mayor nor the deputy attended.", "The mayor did not attend, nor did the deputy."),
    ("Nobody was hurt in the landslide.", "No one was injured in the landslide."),
    ("Tenants need not report leaks.", "Tenants do not have to report leaks."),
    ("The home side won 3-1.", "The home side won by 3 to 1."),
    ("Les chiens ne sont pas admis.", "Les chiens sont interdits."),
    ("I cani non sono ammessi.", "I cani sono vietati."),
    ("Das Tor ist nicht geöffnet.", "Das Tor ist geschlossen."),
    ("Вход с собаками запрещён.", "Вход с собаками не разрешён."),
]


def marks(source: str, answer: str) -> list[str]:
    finding = proofing.proofread(answer, [source], settings=Settings(tier="fast"))
    return [mark.text for mark in finding.marks]


@pytest.mark.parametrize(("source", "answer", "wrong"), TURNED)
def test_a_turned_word_is_marked_alone(source, answer, wrong):
    found = marks(source, answer)
    assert len(found) == 1, found
    assert wrong in found[0] or found[0] in wrong


@pytest.mark.parametrize(("source", "answer"), RIGHT)
def test_its_right_neighbours_are_not_marked(source, answer):
    assert marks(source, answer) == []


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Muscles cannot turn into fat.", "Muscles will not turn into fat."),
        ("Muscles can't turn into fat.", "Muscles won't turn into fat."),
        ("The old bridge will not carry lorries.", "The old bridge cannot carry lorries."),
        ("Guests may not bring dogs.", "Guests cannot bring dogs."),
        ("Guests must not bring dogs.", "Guests can't bring dogs."),
    ],
)
def test_two_denied_modals_forbid_alike(source, answer):
    assert proofing.inspect("", [source], answer, settings=Settings(tier="fast")).marks == ()


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Guests cannot bring dogs.", "Guests can bring dogs."),
        ("Guests may not bring dogs.", "Guests must bring dogs."),
    ],
)
def test_one_denied_modal_does_not(source, answer):
    assert proofing.inspect("", [source], answer, settings=Settings(tier="fast")).marks


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Most guests pay in cash at the old mill.", "No, guests pay in cash at the old mill."),
        ("All the lamps of the hall are lit at night.", "No, the lamps of the hall are lit at night."),
        ("Most violence is caused by people who are well.", "No, most violence is caused by people who are well."),
    ],
)
def test_a_no_that_answers_counts_nothing(source, answer):
    marks = proofing.inspect("", [source], answer, settings=Settings(tier="fast")).marks
    assert [mark.text for mark in marks if mark.kind == "comparator"] == []


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("All guests pay in cash at the old mill.", "No guests pay in cash at the old mill."),
        ("All the lamps of the hall are lit at night.", "None of the lamps of the hall are lit at night."),
    ],
)
def test_a_no_that_counts_does(source, answer):
    assert proofing.inspect("", [source], answer, settings=Settings(tier="fast")).marks
