"""Pairs of the same value in two dresses, and pairs that only look alike."""

from __future__ import annotations

import pytest

from proofing.values import find_values, same

EQUAL = [
    ("number", "8,250 seats", "8250 seats"),
    ("number", "8 250 seats", "8250 seats"),
    ("number", "8'250 seats", "8250 seats"),
    ("number", "8\u202f250 seats", "eight thousand two hundred and fifty seats"),
    ("number", "45,67,890 voters", "4567890 voters"),
    ("number", "７５ pages", "75 pages"),
    ("number", "٤٢ chairs", "42 chairs"),
    ("number", "6e3 cells", "6000 cells"),
    ("number", "4.5k readers", "4,500 readers"),
    ("number", "2.4M homes", "2,400,000 homes"),
    ("number", "a dozen eggs", "12 eggs"),
    ("number", "half a dozen eggs", "six eggs"),
    ("number", "two and a half points on it", "2.5 on it"),
    ("number", "three quarters of them", "3/4 of them"),
    ("number", "half of the members", "50% of the members"),
    ("number", "one in four drivers", "25% of drivers"),
    ("number", "7 out of 10 drivers", "70% of drivers"),
    ("number", "minus 12", "-12"),
    ("number", "3 lakh voters", "300,000 voters"),
    ("number", "2 crore voters", "20 million voters"),
    ("number", "vier Zimmer und der Flur", "4 Zimmer und der Flur"),
    ("number", "treinta y dos vecinos de la casa", "32 vecinos"),
    ("number", "quatre-vingt-douze places dans la salle", "92 places"),
    ("number", "quarantadue sedie della sala", "42 sedie"),
    ("number", "vinte e oito alunos do curso", "28 alunos"),
    ("number", "двадцать семь учеников", "27 учеников"),
    ("number", "zweihundertfünfzig Gäste", "250 Gäste"),
    ("money", "$4,200", "4,200 dollars"),
    ("money", "USD 4,200", "US$4,200"),
    ("money", "€3.5 million", "3,5 Mio. Euro und der Rest"),
    ("money", "2 milhões de reais", "R$ 2.000.000"),
    ("money", "£12", "12 pounds"),
    ("money", "$(640)", "-$640"),
    ("money", "50 cents", "$0.50"),
    ("money", "$5 and 20 cents", "$5.20"),
    ("money", "4 тыс. рублей", "4000 рублей"),
    ("percent", "8 %", "eight percent"),
    ("percent", "8 per cent", "8 Prozent"),
    ("percent", "4,5 % der Fläche ist 2,5", "4.5 % and 2.5"),
    ("points", "3 percentage points", "3 Prozentpunkte"),
    ("points", "50 basis points", "0.5 percentage points"),
    ("quantity", "2.5 km", "2,500 m"),
    ("quantity", "1 mile", "1.609344 km"),
    ("quantity", "750 ml", "0.75 litres"),
    ("quantity", "20 °C", "68 °F"),
    ("quantity", "90 km/h", "25 m/s"),
    ("quantity", "2 GB", "2000 MB"),
    ("quantity", "5 ft 11 in", "71 inches"),
    ("quantity", "1.5 kWh", "1500 Wh"),
    ("quantity", "12 square metres", "12 m²"),
    ("duration", "36 months", "three years"),
    ("duration", "72 hours", "3 days"),
    ("duration", "two weeks", "14 days"),
    ("duration", "90 minutes", "1 hour and 30 minutes"),
    ("duration", "two fortnights", "4 weeks"),
    ("duration", "half an hour", "30 minutes"),
    ("duration", "14 Tage", "14 jours"),
    ("range", "8–12 weeks", "between eight and twelve weeks"),
    ("range", "from 5 to 7 percent", "5-7%"),
    ("range", "$3 to $4 million", "$3 million to $4 million"),
    ("range", "9:00-17:30", "9 am to 5:30 pm"),
    ("range", "2019–2021", "from 2019 to 2021"),
    ("range", "2021-22", "2021 to 2022"),
    ("date", "2024-02-29", "29 February 2024"),
    ("date", "Feb. 29, 2024", "29.02.2024"),
    ("date", "7 de agosto de 2021", "August 7, 2021"),
    ("date", "7 août 2021", "7. August 2021"),
    ("date", "7 августа 2021", "7 agosto 2021"),
    ("date", "2021-W31-6", "2021-08-07"),
    ("date", "08/07/2021", "7 August 2021"),
    ("date", "Q4 2022", "the fourth quarter of 2022"),
    ("date", "FY24", "fiscal 2024"),
    ("date", "the 1980s", "the '80s"),
    ("time", "6:45 PM", "18:45"),
    ("time", "noon", "12:00 PM"),
    ("time", "18h45", "18.45 Uhr"),
    ("time", "7 p.m.", "19:00"),
    ("ordinal", "the 5th lap", "the fifth lap"),
    ("ordinal", "the 21st lap", "the twenty-first lap"),
    ("ordinal", "World War II", "the 2nd war"),
    ("version", "v4.10.2", "version 4.10.2"),
    ("version", "release 3.8", "version 3.8.0"),
    ("phone", "(020) 7946 0018", "020-7946-0018"),
    ("phone", "+1 555 010 2233", "555-010-2233"),
    ("identifier", "RFC 9110", "RFC\u00a09110"),
    ("identifier", "GB82 WEST 1234 5698 7654 32", "GB82WEST12345698765432"),
    ("citation", "Section 7.1", "§ 7.1"),
    ("citation", "p. 18", "page 18"),
    ("number", "won 3-1", "won 3–1"),
    ("number", "thrice the size", "three times the size"),
    ("duration", "billed yearly", "billed annually"),
]  # fmt: skip

UNEQUAL = [
    ("8,250 seats", "825 seats"),
    ("10 seats", "10,000 seats"),
    ("12%", "12 percentage points"),
    ("12%", "12 patients"),
    ("$300", "€300"),
    ("US$300", "A$300"),
    ("$3.2 million", "$3.2 billion"),
    ("500 mg", "500 g"),
    ("12 km", "12 miles"),
    ("2 TB", "2 GB"),
    ("20 °C", "20 °F"),
    ("5-7 days", "3-7 days"),
    ("5-7 days", "5-7 weeks"),
    ("-7 °C", "7 °C"),
    ("2022-03-05", "2022-03-06"),
    ("31 May 2024", "31 March 2024"),
    ("Q3 2023", "Q4 2023"),
    ("Q4 FY24", "Q4 2024"),
    ("mid-1990s", "late 1990s"),
    ("5:30 PM", "5:30 AM"),
    ("17:30", "17:45"),
    ("the second floor", "the third floor"),
    ("v2.3.1", "v2.3.2"),
    ("SKU-441", "SKU-414"),
    ("RFC 7230", "RFC 7231"),
    ("(555) 010-4477", "(555) 010-4471"),
    ("Section 4.2", "Section 4.3"),
    ("page 30", "30 days"),
    ("3/4 cup", "1/4 cup"),
    ("won 3-1", "won 1-3"),
    ("H2O", "H2O2"),
    ("0x1F", "0x2F"),
    ("billed monthly", "billed annually"),
    ("15 days", "15 months"),
    ("Smith and Wu (2019)", "Smith and Wu (2018)"),
    ("arXiv:2101.00001", "arXiv:2101.00002"),
    ("Chapter IV", "Chapter VI"),
    ("a dozen eggs", "two dozen eggs"),
]


def only(text: str):
    values = [v for v in find_values(text) if not v.implicit]
    assert values, text
    return values[0]


@pytest.mark.parametrize(("kind", "left", "right"), EQUAL, ids=lambda x: str(x)[:24])
def test_the_same_value_in_another_dress(kind, left, right):
    assert only(left).kind == kind
    assert same(only(left), only(right)), (only(left), only(right))


@pytest.mark.parametrize(("left", "right"), UNEQUAL, ids=lambda x: x[:24])
def test_what_only_looks_alike(left, right):
    assert not same(only(left), only(right)), (only(left), only(right))


@pytest.mark.parametrize(
    "text",
    [
        "On Monday it rains.", "1. Open it.\n2. Close it.", "The tool works.[4] It lasts.[5, 6]", "She may march on.",
        "A second chance, at first.", "No one came.", "The end.", "once upon a time", "Model of the house",
        "## 2 Methods\nWe read.", "• open\n• close", "As it is, so be it.",
    ],
)  # fmt: skip
def test_no_value_where_none_is_claimed(text):
    assert [v for v in find_values(text) if not v.implicit] == []


def test_ambiguous_grouping_is_settled_by_the_document_then_the_locale():
    assert str(find_values("1.234 and 5.5")[0].amount) == "617/500"
    assert str(find_values("1.234 e 5,5")[0].amount) == "1234"
    assert str(find_values("1.234", "de")[0].amount) == "1234"
    assert str(find_values("1.234", "en-GB")[0].amount) == "617/500"
    both = find_values("1.234")[0]
    assert len(both.readings) == 2
    assert "nothing here decides" in both.note


def test_a_spaced_dash_is_punctuation():
    assert [str(v.amount) for v in find_values("one fee - $70 or 5 - $3")] == ["1", "70", "5", "3"]


def test_period_qualifier_noun_and_approximation():
    price = find_values("roughly $25 per user per month")[0]
    assert (price.approximate, price.period) == (True, "month")
    days = find_values("within 30 business days")[0]
    assert (days.qualifier, days.text) == ("business", "30 business days")
    assert find_values("4,000 happy customers")[0].noun == "customers"


def test_a_portuguese_weekday_is_no_ordinal():
    assert [v.text for v in find_values("O museu abre na sexta-feira e na segunda semana.", "pt")] == ["segunda"]
