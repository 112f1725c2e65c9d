"""Which strategy a fault gets: the smallest change that leaves an answer, a choice before a guess."""

from __future__ import annotations

import pytest

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
