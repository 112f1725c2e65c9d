"""What a value belongs to: clauses, names, years, weekdays, rows, columns and keys."""

from __future__ import annotations

import pytest

from proofing.documents import Source
from proofing.settings import Settings
from proofing.support.kinship import kinship
from proofing.support.places import Place, places_of
from proofing.support.reading import TextView, read
from proofing.support.values import ValueChannel


def place(text: str, figure: str) -> Place:
    return next(p for p in places_of(TextView(None, text)) if p.value.text.startswith(figure))


def unbound(answer: str, *sources: str) -> list[str]:
    named = [Source(f"s{i}", text) for i, text in enumerate(sources)]
    found = ValueChannel().judge(read("", named, answer, Settings(tier="fast")), [])
    return [judgement.text for judgement in found if judgement.reason]


@pytest.mark.parametrize(
    ("text", "figure", "word", "other"),
    [
        ("Kiel has 12 ferries and Oslo has 19 ferries.", "12", "kiel", "oslo"),
        ("Kiel has 12 ferries and Oslo has 19 ferries.", "19", "oslo", "kiel"),
        ("Exports were 70 tonnes; imports were 90 tonnes.", "90", "import", "export"),
        ("While Kiel sold 12 ferries, Oslo sold 19 ferries.", "19", "oslo", "kiel"),
    ],
)
def test_a_zone_ends_where_the_next_figure_has_its_own_words(text, figure, word, other):
    found = place(text, figure)
    assert word in found.near
    assert other not in found.near
    assert {word, other} <= found.wide


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Monday to Thursday until 17:00", {0, 1, 2, 3}),
        ("open Tue-Fri from 9:00", {1, 2, 3, 4}),
        ("on weekends until 22:00", {5, 6}),
        ("Fridays until 19:00", {4}),
        ("Saturday and Sunday from 10:00", {5, 6}),
        ("daily from 8:00", set(range(7))),
        ("Saturday through Monday from 8:00", {5, 6, 0}),
    ],
)
def test_weekdays_are_spelled_out(text, days):
    assert places_of(TextView(None, text))[0].days == days


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("de", "Montag bis Donnerstag bis 17:00 Uhr", {0, 1, 2, 3}),
        ("de", "Mo–Fr 9–18 Uhr", {0, 1, 2, 3, 4}),
        ("de", "So 10–14 Uhr", {6}),
        ("de", "So kamen 14 Leute", set()),
        ("de", "montags und mittwochs ab 9:00", {0, 2}),
        ("de", "am Wochenende bis 22:00", {5, 6}),
        ("de", "täglich außer Sonntag ab 9:00", {0, 1, 2, 3, 4, 5}),
        ("fr", "du lundi au vendredi de 9:00 à 17:00", {0, 1, 2, 3, 4}),
        ("fr", "le mardi et le jeudi à partir de 9:00", {1, 3}),
        ("fr", "tous les jours à partir de 9:00", set(range(7))),
        ("fr", "Mon stylo coûte 9 euros", set()),
        ("es", "de lunes a viernes desde las 9:00", {0, 1, 2, 3, 4}),
        ("es", "desde el lunes hasta el miércoles a partir de las 9:00", {0, 1, 2}),
        ("es", "El mar tiene 9 metros", set()),
        ("it", "dal lunedì al sabato dalle 9:00", {0, 1, 2, 3, 4, 5}),
        ("it", "tutti i giorni tranne la domenica dalle 9:00", {0, 1, 2, 3, 4, 5}),
        ("pt", "de segunda a sexta-feira a partir das 9:00", {0, 1, 2, 3, 4}),
        ("pt", "na quarta-feira a partir das 9:00", {2}),
        ("pt", "A segunda fase dura 9 semanas", set()),
        ("ru", "с понедельника по пятницу с 9:00", {0, 1, 2, 3, 4}),
        ("ru", "пн–пт с 9:00", {0, 1, 2, 3, 4}),
        ("ru", "в субботу и в воскресенье с 10:00", {5, 6}),
    ],
)
def test_weekdays_are_known_in_seven_languages(language, text, days):
    assert places_of(TextView(None, text, language))[-1].days == days


def test_the_place_of_its_own_thing_is_the_closest():
    ours = place("Order B ships in 9 days.", "9")
    theirs = place("Order A ships in 4 days. Order B ships in 8 days.", "8")
    other = place("Order A ships in 4 days. Order B ships in 8 days.", "4")
    assert kinship(ours, theirs) > kinship(ours, other)


TABLE = "| Room | Area | Rent |\n|---|---|---|\n| Attic | 22 m² | 410 € |\n| Cellar | 35 m² | 230 € |"
RECORD = (
    "{'name': 'Corner Bar', 'stars': 3.5, 'hours': {'Monday': '11:0-19:0', 'Friday': '11:0-23:30', "
    "'Sunday': '12:0-18:0'}, 'reviews': [{'stars': 5.0, 'text': 'Great soup for 9 euros.'}]}"
)


@pytest.mark.parametrize(
    ("answer", "source", "marked"),
    [
        ("The attic has 22 m² and costs 410 €.", TABLE, []),
        ("The cellar costs 410 €.", TABLE, ["410 €"]),
        ("The attic measures 35 m².", TABLE, ["35 m²"]),
        ("The attic costs 410 € and the cellar 230 €.", TABLE, []),
        ("Corner Bar closes at 23:30 on Friday.", RECORD, []),
        ("Corner Bar closes at 11:30 PM on Fridays and at 7 PM on Mondays.", RECORD, []),
        ("Corner Bar closes at 23:30 on Monday.", RECORD, ["23:30"]),
        ("Corner Bar is open from 12:00 on Sunday.", RECORD, []),
        ("Corner Bar has 3.5 stars; one guest praised the soup for 9 euros.", RECORD, []),
    ],
)
def test_cells_and_fields_belong_to_their_headers_and_keys(answer, source, marked):
    assert unbound(answer, source) == marked


PARAPHRASES = [
    ("The budget grew to 40 million euros, of which schools get 12 million.",
     "Schools receive 12 million euros of the budget, which was raised to 40 million euros."),
    ("With 18 votes for and 7 against, the plan passed.",
     "The council adopted the plan on Tuesday. 18 members voted in favour, 7 voted against."),
    ("A storm in 2011 closed the pier; it reopened in 2014.",
     "The pier, closed after the storm of 2011, has been open again since 2014."),
    ("Tickets are 8 euros for children and 15 euros for everyone else.",
     "Adults pay 15 euros. Children under twelve pay 8 euros."),
    ("Bake for 25 minutes at 180 °C, then let it rest for 10 minutes.",
     "Heat the oven to 180 °C. Bake 25 minutes. Rest 10 minutes before cutting."),
    ("He scored 31 points in the first game and 24 in the second.",
     "In game one he had 31 points. In game two he had 24 points."),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "source"), PARAPHRASES)
def test_right_figures_in_other_words_stay_unmarked(answer, source):
    assert unbound(answer, source) == []


@pytest.mark.parametrize(
    ("answer", "source", "wrong"),
    [
        ("Bake at 200 °C for 45 minutes and add 200 g of sugar.", "Bake at 180 °C for 35 minutes. Add 200 g of sugar.",
         {"200 °C": "180 °C", "45": "35"}),
        ("Fry for 9 minutes at 160 °C.", "Fry for 4 minutes at 190 °C.", {"9": "4", "160 °C": "190 °C"}),
        ("- Beds: 3\n- Price: $80", "The room has 2 beds. The price is $80.", {"3": "2"}),
        ("Windows: 5", "The hall has 8 windows.", {"5": "8"}),
    ],
)  # fmt: skip
def test_several_wrong_values_of_one_sentence_are_bound_in_spite_of_each_other(answer, source, wrong):
    found = ValueChannel().judge(read("", [Source("s", source)], answer, Settings(tier="fast")), [])
    assert {j.text: j.replacements[0] for j in found if j.reason == "contradicted"} == wrong


def test_a_figure_beside_other_words_counts_nothing_the_source_counts():
    found = ValueChannel().judge(
        read("", [Source("s", "The hall has 8 windows.")], "The hall by the windows cost 5", Settings(tier="fast")), []
    )
    assert [j.reason for j in found] == ["absent"]
