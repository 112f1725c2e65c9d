"""Which strategy a fault gets: the smallest change that leaves an answer, a choice before a guess."""

from __future__ import annotations

import pytest

from proofing import heal, inspect
from proofing.pipeline import proofread_whole
from proofing.report import Report
from proofing.settings import Settings

TIERS = ["fast", "standard"]


def read(source: str, answer: str, tier: str = "fast", question: str = "") -> Report:
    return proofread_whole(question, [source], answer, settings=Settings(tier=tier))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("source", "answer", "invented"),
    [
        ("The hamper holds a cheese, two jams and a loaf.",
         "The hamper holds:\n- a cheese\n- two jams\n- a loaf\n- a magnum of vintage Peruvian champagne",
         "- a magnum of vintage Peruvian champagne"),
        ("Colours: teal, sand, plum, rust, moss, navy.",
         "1. teal\n2. sand\n3. plum\n4. rust\n5. moss\n6. navy\n7. an iridescent unicorn shimmer edition",
         "7. an iridescent unicorn shimmer edition"),
    ],
)  # fmt: skip
def test_one_invented_item_does_not_cost_the_whole_list(source, answer, invented, tier):
    report = read(source, answer, tier)
    assert report.healing.strategy == "entity_scrub"
    kept = [line for line in answer.splitlines() if line != invented]
    assert [line for line in kept if line not in report.healing.text] == []
    assert invented not in report.healing.text


@pytest.mark.parametrize("tier", TIERS)
def test_an_answer_that_is_mostly_invented_is_rewritten(tier):
    report = read(
        "The hamper holds a cheese and two jams.",
        "Sommeliers of Porto select each bottle. Couriers on horseback bring them to castles. A choir sings at every "
        "delivery. It holds two jams.",
        tier,
    )
    assert report.healing.strategy == "grounding_rewrite"


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("source", "answer", "choices"),
    [
        ("The toll is 4 euros for motorcycles. The toll is 9 euros for cars.", "The toll is 15 euros.", {"4", "9"}),
        ("The dose is 5 mg for children. The dose is 20 mg for adults.", "The dose is 50 mg.", {"5", "20"}),
        ("Die Gebühr beträgt 30 € für Vereine. Die Gebühr beträgt 45 € für Firmen.", "Die Gebühr beträgt 51 €.",
         {"30", "45"}),
    ],
)  # fmt: skip
def test_a_choice_is_left_to_a_person_and_nothing_is_rewritten(source, answer, choices, tier):
    healing = read(source, answer, tier).healing
    assert (healing.text, healing.edits) == (answer, ())
    offered = {c["text"].split()[0] for a in healing.alternatives for c in a["candidates"]}
    assert offered == choices
    assert healing.final_risk != "low"


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "reference", ["(Ortiz et al., 2017)", "(arXiv:1809.04411)", "[doi:10.4242/tea.2016.9]", "(Ortiz and Vega 2017)"]
)
def test_a_reference_that_stands_in_no_source_goes_and_its_sentence_stays(reference, tier):
    source = "Green tea should steep for two minutes at 75 degrees."
    report = read(source, f"Green tea should steep for two minutes at 75 degrees {reference}.", tier)
    assert report.healing.text.startswith("Green tea should steep for two minutes at 75 degrees.")


@pytest.mark.parametrize(
    ("source", "answer", "healed"),
    [
        ("Das Abo kostet 96 Euro pro Jahr und wird jährlich abgerechnet.",
         "Das Abo kostet 9 Euro pro Monat und wird monatlich abgerechnet.",
         "Das Abo kostet 96 Euro pro Jahr und wird jährlich abgerechnet."),
        ("Die Miete beträgt 30 Euro pro Woche, wöchentlich fällig.",
         "Die Miete beträgt 120 Euro pro Monat, monatlich fällig.",
         "Die Miete beträgt 30 Euro pro Woche, wöchentlich fällig."),
        ("La cuota cuesta 96 euros al año y se paga anualmente.",
         "La cuota cuesta 8 euros al mes y se paga mensualmente.",
         "La cuota cuesta 96 euros al año y se paga anualmente."),
        ("The rent is $30 per week and weekly payable.", "The rent is $120 per month and monthly payable.",
         "The rent is $30 per week and weekly payable."),
    ],
)  # fmt: skip
def test_the_cycle_follows_the_price_wherever_the_billing_verb_stands(source, answer, healed):
    assert read(source, answer).healing.text == healed


@pytest.mark.parametrize(
    ("answer", "offered"),
    [
        ("The lab is led by Noor Haddad and Viktor Lenz.", "The lab is led by Noor Haddad."),
        (
            "The lab is led by Noor Haddad & Viktor Lenz, and it is new.",
            "The lab is led by Noor Haddad, and it is new.",
        ),
        ("It belongs to Noor Haddad (and Viktor Lenz).", "It belongs to Noor Haddad."),
    ],
)
def test_a_name_too_many_is_cut_from_its_list(answer, offered):
    report = read("The lab is new. It belongs to Noor Haddad. The lab is led by Noor Haddad.", answer, "standard")
    assert (report.healing.proposal or report.healing.text).startswith(offered)


@pytest.mark.parametrize(
    "answer",
    [
        "I could not find that in the sources.",
        "Unable to answer based on given passages.",
        "The documents do not mention who won the race.",
        "There is no information about this in the provided text.",
        "Dazu finde ich in den Quellen keine Angabe.",
        "No encuentro esa información en las fuentes.",
        "Je ne trouve pas cette information dans les sources.",
    ],
)
def test_saying_that_the_sources_do_not_say_it_claims_nothing(answer):
    report = read("The shop opens at ten.", answer)
    assert (report.risk, report.healing.text) == ("low", answer)


@pytest.mark.parametrize(
    "answer",
    ["The golden choir could not find its purple sheet music.", "Nobody mentions that the violet ducks sing operas."],
)
def test_an_invention_in_denying_words_is_a_claim(answer):
    assert read("The shop opens at ten.", answer).risk != "low"


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize(
    ("question", "sources", "answer"),
    [
        ("Who wrote the harbour song?", ["The harbour song has no known author", "Sailors sang it before 1900"],
         "I would rather not say"),
        ("What happens if you pull the lever?", ["The lift stops at once", "An alarm sounds on every floor"],
         "Nothing that anybody would notice"),
        ("May I keep bees here?", ["The garden rules do not speak of animals"], "It is your own affair"),
        ("¿Qué pasa si tiro de la palanca?", ["El ascensor se detiene enseguida", "Suena una alarma en cada planta"],
         "Nada que nadie pueda notar"),
    ],
)  # fmt: skip
def test_what_no_source_backs_and_no_mark_points_at_is_left_to_a_person(question, sources, answer, tier):
    report = inspect(question, sources, answer, settings=Settings(tier=tier))
    assert report.risk == "medium"
    assert not report.marks
    healing = heal(report)
    assert not healing.applied
    assert healing.text == answer
