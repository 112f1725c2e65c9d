"""The words around a value agree with it."""

from __future__ import annotations

import pytest

from proofing.healing.cycles import cycle_words, in_cycle, preferred_forms
from proofing.healing.grammar import article_for, capital_like, is_plural, plural, singular, verb_for


@pytest.mark.parametrize(
    ("text", "article"),
    [("8 seats", "an"), ("18%", "an"), ("11,500 km", "an"), ("$80", "an"), ("800 km", "an"), ("118 rooms", "a"),
     ("1,100 rooms", "a"), ("9%", "a"), ("hourly rate", "an"), ("annual fee", "an"), ("monthly fee", "a"),
     ("European pass", "a"), ("user", "a"), ("uninsured car", "an"), ("one-off fee", "a"), ("**eight**", "an"),
     ("", "a")],
)  # fmt: skip
def test_article(text, article):
    assert article_for(text) == article


@pytest.mark.parametrize(
    ("one", "many"),
    [("day", "days"), ("box", "boxes"), ("policy", "policies"), ("person", "people"), ("Child", "Children"),
     ("branch", "branches"), ("class", "classes"), ("key", "keys")],
)  # fmt: skip
def test_plural_and_back(one, many):
    assert plural(one) == many
    assert singular(many) == one
    assert is_plural(many)
    assert not is_plural(one)


def test_units_without_a_plural_stay():
    assert plural("kg") == "kg"
    assert singular("series") == "series"


@pytest.mark.parametrize(
    ("verb", "several", "new"),
    [("is", True, "are"), ("Was", True, "Were"), ("have", False, "has"), ("don’t", False, "doesn’t"),
     ("opens", True, None)],
)  # fmt: skip
def test_verb(verb, several, new):
    assert verb_for(verb, several) == new


def test_a_sentence_keeps_its_capital():
    assert capital_like("fourteen days", "Thirty days") == "Fourteen days"
    assert capital_like("$5", "Thirty") == "$5"


def changed(text: str, cycle: str, language: str = "en", source: str = "") -> str:
    for word in reversed(cycle_words(text, language)):
        new = in_cycle(word, cycle, preferred_forms(source, cycle, language))
        assert new is not None
        text = text[: word.start] + new + text[word.end :]
    return text


@pytest.mark.parametrize(
    ("before", "cycle", "after"),
    [("$9 per month, billed monthly", "year", "$9 per year, billed annually"),
     ("$90 a year, paid annually", "month", "$90 a month, paid monthly"),
     ("your Monthly Plan", "year", "your Annual Plan"),
     ("MONTHLY PAYMENT", "week", "WEEKLY PAYMENT"),
     ("$4/mo", "year", "$4/yr"),
     ("€12 per week", "quarter", "€12 per quarter")],
)  # fmt: skip
def test_each_form_of_a_cycle_has_its_counterpart(before, cycle, after):
    assert changed(before, cycle) == after


def test_the_source_s_own_word_is_taken():
    assert changed("billed monthly", "year", source="It is billed yearly.") == "billed yearly"


def test_other_languages():
    assert changed("9 euros al mes, factura mensual", "year", "es") == "9 euros al año, factura anual"
    assert changed("9 Euro pro Monat, monatlich", "year", "de") == "9 Euro pro Jahr, jährlich"
    assert changed("une cotisation mensuelle", "year", "fr") == "une cotisation annuelle"


def test_a_month_that_is_no_cycle_is_left():
    assert not cycle_words("in the month of May, two months later")
