"""What stands behind a label or in a cell is set right there, and half an answer is never offered."""

from __future__ import annotations

import pytest

from proofing.healing import heal
from proofing.healing.phrases import without_own_phrases
from proofing.inspection import inspect
from proofing.settings import Settings


def healing_of(source: str, answer: str, question: str = ""):
    return heal(inspect(question, [source], answer, settings=Settings(tier="fast")))


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("Entry costs 6 euros. Camping is not permitted.", "- **Entry:** 6 euros\n- **Camping:** permitted",
         "- **Entry:** 6 euros\n- **Camping:** not permitted"),
        ("Entry costs 6 euros. Camping is not permitted.", "- **Entry:** 6 euros\n- **Camping:** Permitted",
         "- **Entry:** 6 euros\n- **Camping:** Not permitted"),
        ("Entry costs 6 euros. The deposit is non-refundable.", "Entry: 6 euros\nDeposit: refundable",
         "Entry: 6 euros\nDeposit: non-refundable"),
        ("Dogs aren't allowed on the beach. Entry costs 6 euros.", "- Entry: 6 euros\n- Dogs: allowed",
         "- Entry: 6 euros\n- Dogs: not allowed"),
        ("Dogs are not allowed on the beach.", "| What | Status |\n|---|---|\n| Dogs | allowed |",
         "| What | Status |\n|---|---|\n| Dogs | not allowed |"),
        ("Grillen ist am See nicht erlaubt. Der Eintritt kostet 6 Euro.", "- Eintritt: 6 Euro\n- Grillen: erlaubt",
         "- Eintritt: 6 Euro\n- Grillen: nicht erlaubt"),
        ("The pool is heated. The sauna is not included.", "**Sauna:** included", "**Sauna:** not included"),
    ],
)  # fmt: skip
def test_a_denial_goes_behind_its_label(source, answer, right):
    healing = healing_of(source, answer)
    assert (healing.text, healing.final_risk) == (right, "low")


def test_a_sentence_does_not_get_a_fragment():
    healed = healing_of("The Flow pass does not include parking.", "The Flow pass has parking included.").text
    assert "not included" not in healed


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("The café has 40 seats. It opens at noon.", "The café has 60 seats and serves homemade elderflower cake.",
         "The café has 40 seats."),
        ("The café has 40 seats. It opens at noon.", "The café has 40 seats and serves homemade elderflower cake.",
         "The café has 40 seats."),
        ("The Halvorsen expedition left Tromsø on 4 May 1926 with 14 men.",
         "The Halvorsen expedition left Tromsø on 4 May 1926, under Captain Nils Berg.",
         "The Halvorsen expedition left Tromsø on 4 May 1926."),
        ("The Halvorsen expedition left Tromsø on 4 May 1926 with 14 men.",
         "The Halvorsen expedition left Tromsø on 4 May 1926 together with Captain Nils Berg.",
         "The Halvorsen expedition left Tromsø on 4 May 1926."),
    ],
)  # fmt: skip
def test_an_invented_end_of_a_sentence_goes_alone(source, answer, right):
    healing = healing_of(source, answer)
    assert without_own_phrases(healing.text) == right
    assert healing.final_risk == "low"


def test_what_stands_between_two_things_keeps_both():
    healed = healing_of("The trail runs between the lake and the mill.",
                        "The trail runs between the lake and homemade elderflower cake.").text  # fmt: skip
    assert "between the lake." not in healed


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("| Plan | Storage |\n|---|---|\n| Forest | 1 TB |", "Forest has the Oak plan's storage of 1 TB."),
        ("Bees navigate by the sun.", "Keller found bees near Lund."),
    ],
)
def test_a_note_alone_is_no_proposal(source, answer):
    healing = healing_of(source, answer)
    assert healing.proposal is None or without_own_phrases(healing.proposal).strip()
    assert without_own_phrases(healing.text).strip() or healing.strategy == "safe_decline"
