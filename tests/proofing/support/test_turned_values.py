"""One value turned, and the same value in other words, in the notations of seven languages."""

from __future__ import annotations

import pytest

import proofing
from proofing.settings import Settings

WRONG = [
    # halves of an hour
    ("La visita dura dos horas y media.", "La visita dura tres horas.", "tres horas"),
    ("Die Probe dauert anderthalb Stunden.", "Die Probe dauert zwei Stunden.", "zwei"),
    ("La prova dura un'ora e mezza.", "La prova dura due ore.", "due"),
    ("Репетиция длится полтора часа.", "Репетиция длится два часа.", "два"),
    ("The talk lasts one hour and ten minutes.", "The talk lasts one hour and twenty minutes.", "twenty minutes"),
    ("The talk starts at 10:00 and ends at 11:45.", "The talk lasts an hour and 15 minutes.", "15 minutes"),
    # scales and currencies
    ("Vendieron 3,5 millones de litros.", "Vendieron 3,5 mil millones de litros.", "3,5 mil millones"),
    ("The grant is worth A$12,000.", "The grant is worth 12,000 Canadian dollars.", "Canadian dollars"),
    ("Der Eintritt kostet 7,50 €.", "Der Eintritt kostet 7 Euro 80.", "7 Euro 80"),
    # parts of a whole
    ("La metà dei soci ha votato.", "Un terzo dei soci ha votato.", "Un terzo"),
    ("Metade dos sócios votou.", "Um quarto dos sócios votou.", "Um quarto"),
    ("Половина жителей уехала.", "Уехала треть жителей.", "треть"),
    ("A third of the pupils walk to school.", "About 38% of the pupils walk to school.", "38%"),
    # eras, centuries, decades
    ("The temple was founded in 300 BC.", "The temple was founded in 300 AD.", "AD"),
    ("The castle was finished in 1254.", "The castle was finished in the 12th century.", "12th"),
    ("The line opened in 1987.", "The line opened in the early 1980s.", "1980s"),
    # codes and addresses
    ("Set `pool_size = 40` in the file.", "Set `pool_size` to 400 in the file.", "400"),
    ("The data: doi:10.5555/kelp.20.17.", "The data: https://doi.org/10.5555/kelp.20.71.", "kelp.20.71"),
    ("Support begins with Tallow 4.10.", "Support begins with Tallow v4.1.", "4.1"),
    # flows, how often
    ("The pump moves 30 litres per minute.", "The pump moves 1,500 litres per hour.", "1,500"),
    ("The filter is changed twice a year.", "The filter is changed every four months.", "four"),
    # which end of a time
    ("The bakery opens at 6:15 a.m. and closes at 1 p.m.", "The bakery closes at 6:15 a.m.", "6:15 a.m."),
    ("The lease runs from 1 April 2022 to 31 March 2025.", "The lease starts on 31 March 2025.", "31 March 2025"),
    ("The glacier lost 3 of its 7 tongues.", "The glacier lost three of its nine tongues.", "nine"),
    # ordinals
    ("Das Büro liegt im zweiten Stock.", "Das Büro liegt im 3. Stock.", "3."),
    ("O consultório fica no quarto andar.", "O consultório fica no 5º andar.", "5º"),
    ("Кабинет на пятом этаже.", "Кабинет на 6-м этаже.", "6-м"),
]  # fmt: skip

RIGHT = [
    ("La visita dura dos horas y media.", "La visita dura 150 minutos."),
    ("Die Probe dauert anderthalb Stunden.", "Die Probe dauert 90 Minuten."),
    ("La prova dura un'ora e mezza.", "La prova dura 90 minuti."),
    ("Репетиция длится полтора часа.", "Репетиция длится 90 минут."),
    ("The meeting starts at 10:00 and ends at 11:45.", "The meeting lasts an hour and 45 minutes."),
    ("El aforo es de al menos 80 personas.", "El aforo es de 80 personas como mínimo."),
    ("Il faut au moins 10 participants.", "Il faut un minimum de dix participants."),
    ("São precisos pelo menos 20 votos.", "São precisos no mínimo vinte votos."),
    ("Le budget est de 4,2 millions d'euros.", "Le budget est de 4 200 000 €."),
    ("Vendieron 3.500 millones de litros.", "Vendieron 3,5 mil millones de litros."),
    ("The grant is worth A$12,000.", "The grant is worth 12,000 Australian dollars."),
    ("The grant is worth A$12,000.", "The grant is worth $12,000."),
    ("Der Eintritt kostet 7,50 €.", "Der Eintritt kostet 7 Euro 50."),
    ("Ein Drittel der Mitglieder stimmte zu.", "33 Prozent der Mitglieder stimmten zu."),
    ("Un tercio de los votos fue nulo.", "El 33,3 % de los votos fue nulo."),
    ("The temple was founded in 300 BC.", "The temple was founded in 300 BCE."),
    ("The fort fell in AD 410.", "The fort fell in 410 CE."),
    ("The castle was finished in 1254.", "The castle was finished in the 13th century."),
    ("The line opened in 1987.", "The line opened in the late 1980s."),
    ("Set `pool_size = 40` in the file `pool.ini`.", "In `pool.ini`, set `pool_size` to 40."),
    ("The data are at doi:10.5555/kelp.2020.17.", "The data are at https://doi.org/10.5555/kelp.2020.17."),
    ("Forms are at https://forms.quay.example/tax/2024.", "The forms are at forms.quay.example/tax/2024."),
    ("Support begins with Tallow 4.10.", "Support begins with Tallow v4.10."),
    ("The pump moves 30 litres per minute.", "The pump moves 1,800 litres per hour."),
    ("The filter is changed twice a year.", "The filter is changed every six months."),
    ("The filter is changed every six months.", "The filter is changed twice a year."),
    ("The bakery opens at 6:15 a.m. and closes at 1 p.m.", "The bakery closes at 13:00."),
    ("The bakery is open from 6:15 a.m. to 1 p.m.", "The bakery is open until 1 p.m."),
    ("Wages grew from 5 to 7 percent last year.", "Wages grew by 5% to 7% last year."),
    ("Das Büro liegt im zweiten Stock.", "Das Büro liegt im 2. Stock."),
    ("O consultório fica no quarto andar.", "O consultório fica no 4º andar."),
    ("Кабинет на пятом этаже.", "Кабинет на 5-м этаже."),
]


def marks(source: str, answer: str) -> list[str]:
    finding = proofing.proofread(answer, [source], settings=Settings(tier="fast"))
    return [mark.text for mark in finding.marks]


@pytest.mark.parametrize(("source", "answer", "wrong"), WRONG)
def test_a_turned_value_is_marked_alone(source, answer, wrong):
    found = marks(source, answer)
    assert len(found) == 1, found
    assert wrong in found[0] or found[0] in wrong


@pytest.mark.parametrize(("source", "answer"), RIGHT)
def test_the_same_value_in_other_words_is_not_marked(source, answer):
    assert marks(source, answer) == []
