"""A statement turned round is set right in the answer's own words, never by pasting the source's over them."""

from __future__ import annotations

import pytest

import proofing
from proofing.healing import heal
from proofing.pipeline import proofread_whole
from proofing.settings import Settings

TURNED = [
    ("en", "Do not use Cleanol on marble.", "Cleanol can be used on marble.", "Cleanol must not be used on marble."),
    ("en", "Do not use Cleanol on marble.", "You can use Cleanol on marble.", "You must not use Cleanol on marble."),
    ("en", "Do not use Cleanol on marble.", "Use Cleanol on marble.", "Do not use Cleanol on marble."),
    ("en", "Never open the lid while the Zorb runs.", "You may open the lid while the Zorb runs.",
     "You must not open the lid while the Zorb runs."),
    ("en", "The ticket does not include the ferry.", "The ticket includes the ferry.",
     "The ticket does not include the ferry."),
    ("en", "The tickets do not include the ferry.", "The tickets include the ferry.",
     "The tickets do not include the ferry."),
    ("en", "The council did not approve the bridge.", "The council approved the bridge.",
     "The council did not approve the bridge."),
    ("en", "The bridge has not been approved by the council.", "The bridge has been approved by the council.",
     "The bridge has not been approved by the council."),
    ("en", "The hostel does not have a kitchen.", "The hostel has a kitchen.", "The hostel does not have a kitchen."),
    ("en", "You do not have to book the ferry.", "You have to book the ferry.", "You do not have to book the ferry."),
    ("en", "There is no booking fee at Lindal.", "There is a booking fee at Lindal.",
     "There is no booking fee at Lindal."),
    ("en", "Guests must not feed the seals.", "Guests can feed the seals.", "Guests must not feed the seals."),
    ("en", "Guests are required to wear boots.", "Guests may wear boots.", "Guests must wear boots."),
    ("en", "Guests may wear boots.", "Guests are required to wear boots.", "Guests may wear boots."),
    ("es", "El billete es personal y no se puede ceder a otra persona.", "El billete se puede ceder a otra persona.",
     "El billete no se puede ceder a otra persona."),
    ("es", "La tarifa no incluye el almuerzo.", "La tarifa incluye el almuerzo.", "La tarifa no incluye el almuerzo."),
    ("it", "Il biglietto non può essere ceduto ad altri.", "Il biglietto può essere ceduto ad altri.",
     "Il biglietto non può essere ceduto ad altri."),
    ("fr", "Le billet ne peut pas être cédé.", "Le billet peut être cédé.", "Le billet ne peut pas être cédé."),
    ("pt", "O bilhete não pode ser cedido.", "O bilhete pode ser cedido.", "O bilhete não pode ser cedido."),
    ("de", "Die Karte kann nicht auf andere übertragen werden.", "Die Karte kann auf andere übertragen werden.",
     "Die Karte kann nicht auf andere übertragen werden."),
    ("ru", "Билет нельзя передать другому лицу.", "Билет можно передать другому лицу.",
     "Билет нельзя передать другому лицу."),
]  # fmt: skip


@pytest.mark.parametrize(("locale", "source", "answer", "healed"), TURNED)
def test_the_denial_goes_into_the_answers_own_verb_group(locale, source, answer, healed):
    healing = proofread_whole("", [source], answer, settings=Settings(tier="fast", locale=locale)).healing
    assert healing.text == healed or healing.proposal == healed


def test_words_that_no_denial_fits_into_are_marked_and_never_simply_left_out():
    report = proofread_whole(
        "", ["The Flow pass does not include parking."], "The Flow pass has parking included.",
        settings=Settings(tier="fast"),
    )  # fmt: skip
    assert report.marks
    assert "has parking" not in report.healing.text or report.healing.text == report.answer


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Do not take Norvadol during pregnancy.", "Norvadol can be taken during pregnancy."),
        ("Don't store the syrup in the fridge.", "The syrup can be stored in the fridge."),
        ("Never lift the lid while it runs.", "You may lift the lid while it runs."),
    ],
)
def test_a_forbidding_command_never_becomes_a_command_to_do_it(answer, source):
    report = proofing.inspect("", [source], answer, settings=proofing.Settings(tier="fast"))
    healed = proofing.heal(report).text
    assert not healed.startswith(("Do take", "Do store", "Store", "Take", "Lift", "lift"))


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("You may park here without a permit.", "Parking here requires a permit."),
        ("You can pay without a fee.", "Paying here includes a fee."),
        ("Sie dürfen ohne Ausweis parken.", "Zum Parken ist ein Ausweis erforderlich."),
    ],
)
def test_a_preposition_does_not_become_a_verb(answer, source):
    healed = heal(proofing.inspect("", [("s", source)], answer, settings=proofing.Settings(tier="fast"))).text
    assert healed in (answer, source) or healed.endswith(f": {source}")
