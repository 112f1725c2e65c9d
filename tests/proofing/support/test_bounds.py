"""At least, at most and their like around one figure, in sentences built otherwise."""

from __future__ import annotations

import pytest

import proofing
from proofing.settings import Settings

#: Source, wrong answer, and what must be marked in it.
WRONG = [
    ("Give at most 10 mL per dose.", "Give at least 10 mL per dose.", "at least"),
    ("Give at most 10 mL per dose.", "Give no less than 10 mL per dose.", "no less"),
    ("Give at most 10 mL per dose.", "The minimum dose is 10 mL.", "minimum"),
    ("Give at most 10 mL per dose.", "Give more than 10 mL per dose.", "more than"),
    (
        "Return labels are free for orders over £40; otherwise they cost £2.95.",
        "The label is free if your order was under £40.",
        "under",
    ),
    (
        "Return labels are free for orders over £40; otherwise they cost £2.95.",
        "If you spend less than £40, the return label is free.",
        "less than",
    ),
    ("Groups of at least 3 people get a discount.", "Groups of at most 3 people get a discount.", "at most"),
    ("Groups of at least 3 people get a discount.", "Groups of up to 3 people get a discount.", "up to"),
    ("Groups of at least 3 people get a discount.", "Groups of no more than 3 people get a discount.", "no more"),
    ("The lift carries up to 5 people.", "The lift carries at least 5 people.", "at least"),
    ("The lift carries up to 5 people.", "At least 5 people can ride in the lift.", "At least"),
    ("The lift carries up to 5 people.", "A minimum of 5 people can ride in the lift.", "minimum"),
    ("Children under 6 travel free.", "Children over 6 travel free.", "over"),
    ("Children under 6 travel free.", "Free travel is given to children above the age of 6.", "above"),
    ("The password must have no fewer than 12 characters.", "The password must have at most 12 characters.", "at most"),
    ("The password must have no fewer than 12 characters.", "Passwords may have up to 12 characters.", "up to"),
    (
        "The password must have no fewer than 12 characters.",
        "The password must have fewer than 12 characters.",
        "fewer than",
    ),
    ("Der Vertrag läuft mindestens 12 Monate.", "Der Vertrag läuft höchstens 12 Monate.", "höchstens"),
    ("Der Vertrag läuft mindestens 12 Monate.", "Der Vertrag läuft bis zu 12 Monate.", "bis zu"),
    ("El contrato dura como mínimo 12 meses.", "El contrato dura como máximo 12 meses.", "como máximo"),
    ("El contrato dura como mínimo 12 meses.", "El contrato dura hasta 12 meses.", "hasta"),
    ("Le contrat dure au moins 12 mois.", "Le contrat dure au plus 12 mois.", "au plus"),
    ("Le contrat dure au moins 12 mois.", "Le contrat dure jusqu'à 12 mois.", "jusqu"),
    ("Il contratto dura almeno 12 mesi.", "Il contratto dura al massimo 12 mesi.", "al massimo"),
    ("Il contratto dura almeno 12 mesi.", "Il contratto dura fino a 12 mesi.", "fino a"),
    ("O contrato dura pelo menos 12 meses.", "O contrato dura no máximo 12 meses.", "no máximo"),
    ("O contrato dura pelo menos 12 meses.", "O contrato dura até 12 meses.", "até"),
    ("Договор действует не менее 12 месяцев.", "Договор действует не более 12 месяцев.", "более"),
    ("Договор действует не менее 12 месяцев.", "Договор действует до 12 месяцев.", "до"),
    ("Bags over 23 kg cost €60. Bags under 23 kg are free.", "Bags over 23 kg are free.", "over"),
    ("Children under 12 pay nothing.", "Children over 12 pay nothing.", "over"),
    ("Do not take more than 4 tablets in 24 hours.", "Take at least 4 tablets in 24 hours.", "at least"),
    ("Requests over 4 MB are refused.", "Requests under 4 MB are refused.", "under"),
    ("Keep the room above 18 °C.", "Keep the room below 18 °C.", "below"),
    ("More than 300 guests came to the opening.", "Fewer than 300 guests came to the opening.", "Fewer than"),
    ("Up to 40 % of the loan is forgiven.", "At least 40 % of the loan is forgiven.", "At least"),
    ("You must be at least 21 to rent a van.", "You must be at most 21 to rent a van.", "at most"),
    ("Nightly rates start at $80.", "Nightly rates go up to $80.", "up to"),
    ("The trail is less than 3 miles long.", "The trail is more than 3 miles long.", "more than"),
    ("The visit takes over 2 hours.", "The visit takes under 2 hours.", "under"),
    ("Die Gebühr entfällt ab 50 Euro Bestellwert.", "Bis zu 50 Euro entfällt die Gebühr.", "Bis zu"),
    ("Maximum occupancy is 6 persons.", "Minimum occupancy is 6 persons.", "Minimum"),
]
#: Source and a right answer: nothing of it may be marked.
RIGHT = [
    ("Give at most 10 mL per dose.", "Give no more than 10 mL per dose."),
    ("Give at most 10 mL per dose.", "Give up to 10 mL per dose."),
    ("Give at most 10 mL per dose.", "A dose must not exceed 10 mL."),
    ("Give at most 10 mL per dose.", "The maximum dose is 10 mL."),
    (
        "Return labels are free for orders over £40; otherwise they cost £2.95.",
        "The label is free if your order was over £40.",
    ),
    (
        "Return labels are free for orders over £40; otherwise they cost £2.95.",
        "The label costs £2.95 for orders under £40.",
    ),
    (
        "Return labels are free for orders over £40; otherwise they cost £2.95.",
        "If you spend more than £40, the return label is free.",
    ),
    ("Groups of at least 3 people get a discount.", "Groups of no fewer than 3 people get a discount."),
    ("Groups of at least 3 people get a discount.", "A discount is given to groups of three or more people."),
    ("Groups of at least 3 people get a discount.", "You need a minimum of 3 people for the discount."),
    ("The lift carries up to 5 people.", "The lift carries at most 5 people."),
    ("The lift carries up to 5 people.", "A maximum of 5 people can ride in the lift."),
    ("The lift carries up to 5 people.", "No more than 5 people may use the lift."),
    ("Children under 6 travel free.", "Children younger than 6 travel free."),
    ("Children under 6 travel free.", "Free travel is given to children below the age of 6."),
    ("The password must have no fewer than 12 characters.", "The password must have at least 12 characters."),
    ("The password must have no fewer than 12 characters.", "Passwords need 12 or more characters."),
    ("Der Vertrag läuft mindestens 12 Monate.", "Der Vertrag läuft nicht weniger als 12 Monate."),
    ("Der Vertrag läuft mindestens 12 Monate.", "Die Mindestlaufzeit des Vertrags beträgt 12 Monate."),
    ("El contrato dura como mínimo 12 meses.", "El contrato dura al menos 12 meses."),
    ("El contrato dura como mínimo 12 meses.", "El contrato dura por lo menos 12 meses."),
    ("Le contrat dure au moins 12 mois.", "Le contrat dure au minimum 12 mois."),
    ("Le contrat dure au moins 12 mois.", "La durée minimale du contrat est de 12 mois."),
    ("Il contratto dura almeno 12 mesi.", "Il contratto dura come minimo 12 mesi."),
    ("O contrato dura pelo menos 12 meses.", "O contrato dura no mínimo 12 meses."),
    ("Договор действует не менее 12 месяцев.", "Договор действует минимум 12 месяцев."),
    ("Договор действует не менее 12 месяцев.", "Договор действует как минимум 12 месяцев."),
    ("Bags over 23 kg cost €60. Bags under 23 kg are free.", "Bags under 23 kg are free."),
    ("Bags over 23 kg cost €60. Bags under 23 kg are free.", "If a bag weighs more than 23 kg it costs €60."),
    ("Bags over 23 kg cost €60. Bags under 23 kg are free.", "A bag of less than 23 kg is free of charge."),
    ("Children under 12 pay nothing.", "Children over 12 pay the full price."),
    ("Children under 12 pay nothing.", "Those aged 12 and over must buy a ticket."),
    ("Children under 12 pay nothing.", "Kids younger than 12 pay nothing."),
    ("Do not take more than 4 tablets in 24 hours.", "Take at most 4 tablets in 24 hours."),
    ("Do not take more than 4 tablets in 24 hours.", "Take no more than four tablets in 24 hours."),
    ("Do not take more than 4 tablets in 24 hours.", "The maximum is 4 tablets in 24 hours."),
    ("Requests over 4 MB are refused.", "Requests must be under 4 MB."),
    ("Requests over 4 MB are refused.", "Requests up to 4 MB are accepted."),
    ("Requests over 4 MB are refused.", "Only requests below 4 MB are accepted."),
    ("Keep the room above 18 °C.", "The room must not fall below 18 °C."),
    ("Keep the room above 18 °C.", "The room should stay above 18 °C."),
    ("Keep the room above 18 °C.", "Do not let the room get colder than 18 °C."),
    ("More than 300 guests came to the opening.", "Over 300 guests came to the opening."),
    ("More than 300 guests came to the opening.", "The opening drew more than 300 guests."),
    ("Up to 40 % of the loan is forgiven.", "At most 40 % of the loan is forgiven."),
    ("Up to 40 % of the loan is forgiven.", "The loan is forgiven up to 40 %."),
    ("You must be at least 21 to rent a van.", "The minimum age for renting a van is 21."),
    ("You must be at least 21 to rent a van.", "Van renters must be 21 or older."),
    ("You must be at least 21 to rent a van.", "Nobody under 21 can rent a van."),
    ("You must be at least 21 to rent a van.", "People under 21 cannot rent a van."),
    ("Nightly rates start at $80.", "Rates start at $80 a night."),
    ("The trail is less than 3 miles long.", "The trail is under 3 miles long."),
    ("The trail is less than 3 miles long.", "The trail does not exceed 3 miles."),
    ("The visit takes over 2 hours.", "The visit takes more than 2 hours."),
    ("The visit takes over 2 hours.", "The visit takes two hours or more."),
    ("Die Gebühr entfällt ab 50 Euro Bestellwert.", "Ab einem Bestellwert von 50 Euro entfällt die Gebühr."),
    ("Die Gebühr entfällt ab 50 Euro Bestellwert.", "Ab 50 Euro entfällt die Gebühr."),
    ("Le colis ne doit pas dépasser 30 kg.", "Le colis pèse au maximum 30 kg."),
    ("Le colis ne doit pas dépasser 30 kg.", "Le colis peut peser jusqu'à 30 kg."),
    ("Maximum occupancy is 6 persons.", "Up to 6 persons may stay."),
    ("Maximum occupancy is 6 persons.", "No more than six persons may occupy it."),
]


def marks_of(answer: str, source: str) -> list[str]:
    finding = proofing.proofread(answer, [source], settings=Settings(tier="fast"))
    return [mark.text for mark in finding.marks]


@pytest.mark.parametrize(("source", "answer", "wrong"), WRONG)
def test_the_wrong_words_are_marked(source, answer, wrong):
    start = answer.index(wrong)
    finding = proofing.proofread(answer, [source], settings=Settings(tier="fast"))
    assert any(mark.start < start + len(wrong) and start < mark.end for mark in finding.marks), marks_of(answer, source)


@pytest.mark.parametrize(("source", "answer"), RIGHT)
def test_right_answers_stay_clean(source, answer):
    assert marks_of(answer, source) == []
