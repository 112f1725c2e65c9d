"""Edits go into a text and come out again, one by one, with what depends on them."""

from __future__ import annotations

import pytest

from proofing.healing import apply_edits, offered, offered_edits, text_without
from proofing.healing.edits import edits_from
from proofing.report import Edit, Healing

ANSWER = "A pass is $8 a month, billed monthly."
EDITS = (
    Edit(10, 12, "$8", "$90", "value", marks=(0,)),
    Edit(15, 20, "month", "year", "agreement", parent=0),
    Edit(29, 36, "monthly", "annually", "agreement", parent=0),
)
HEALED = "A pass is $90 a year, billed annually."


def healing(**changes: object) -> Healing:
    given: dict[str, object] = {
        "strategy": "contradiction_patch", "applied": True, "text": HEALED, "proposal": None,
        "initial_risk": "critical", "final_risk": "low", "edits": EDITS, "alternatives": (), "confidence": (0.5, 0.65),
    }  # fmt: skip
    return Healing(**{**given, **changes})  # type: ignore[arg-type]


def test_all_edits_make_the_healed_text():
    assert apply_edits(ANSWER, EDITS) == HEALED


def test_reverting_an_edit_reverts_its_children():
    assert text_without(healing(), ANSWER, [0]) == ANSWER


def test_reverting_a_child_leaves_the_rest():
    assert text_without(healing(), ANSWER, [2]) == "A pass is $90 a year, billed monthly."


def test_a_grandchild_goes_with_its_grandparent():
    edits = (
        Edit(0, 1, "1", "2", "value"),
        Edit(2, 5, "day", "days", "agreement", parent=0),
        Edit(6, 8, "is", "are", "agreement", parent=1),
    )
    assert apply_edits("1 day is free", edits) == "2 days are free"
    assert apply_edits("1 day is free", edits, [0]) == "1 day is free"


def test_the_stored_form_works_like_the_object():
    assert text_without(healing().to_dict(), ANSWER, [2]) == text_without(healing(), ANSWER, [2])


def test_edits_survive_their_json_form():
    assert edits_from([edit.to_dict() for edit in EDITS]) == EDITS


def test_a_proposal_is_what_a_person_is_offered():
    waiting = healing(applied=False, text=ANSWER, edits=(), proposal=HEALED, proposed=EDITS)
    assert offered(waiting).text == HEALED
    assert text_without(waiting, ANSWER, []) == HEALED
    assert text_without(waiting.to_dict(), ANSWER, [0]) == ANSWER


def test_the_note_stays_while_anything_is_left_out():
    answer = "One. Two. Three."
    edits = (
        Edit(4, 9, " Two.", "", "removal", marks=(0,)),
        Edit(9, 16, " Three.", "", "removal", marks=(1,)),
        Edit(16, 16, "", " (left out)", "note", parent=0),
    )
    assert apply_edits(answer, edits) == "One. (left out)"
    assert apply_edits(answer, edits, [0]) == "One. Two. (left out)"
    assert apply_edits(answer, edits, [0, 1]) == answer


def test_an_edit_of_another_answer_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        apply_edits("Something else entirely, quite long.", EDITS)


@pytest.mark.parametrize("index", [-1, 3])
def test_an_unknown_edit_cannot_be_switched_off(index):
    with pytest.raises(ValueError, match="there is no edit"):
        apply_edits(ANSWER, EDITS, [index])


def test_a_chosen_alternative_comes_after_the_healers_own_edits_with_its_grammar():
    answer = "Bread costs 3 euros. The pass lasts 1 days."
    chain = [
        Edit(36, 37, "1", "5", "value", (1,), None, "s1").to_dict(),
        Edit(38, 42, "days", "days!", "agreement", (), 0).to_dict(),
    ]
    healing = {
        "text": "Bread costs 2 euros. The pass lasts 1 days.", "proposal": None,
        "edits": [Edit(12, 13, "3", "2", "value", (0,), None, "s1").to_dict()],
        "alternatives": [
            {"mark": 1, "start": 36, "end": 37, "text": "1",
             "candidates": [{"text": "5", "source_id": "s1", "note": "", "edits": chain},
                            {"text": "7", "source_id": "s1", "note": ""}]}
        ],
    }  # fmt: skip
    edits = offered_edits(healing, {1: 0})
    assert [(e.old, e.new, e.parent) for e in edits] == [("3", "2", None), ("1", "5", None), ("days", "days!", 1)]
    assert text_without(healing, answer, [], {1: 0}) == "Bread costs 2 euros. The pass lasts 5 days!."
    assert text_without(healing, answer, [1], {1: 0}) == "Bread costs 2 euros. The pass lasts 1 days."
    assert text_without(healing, answer, [], {1: 1}) == "Bread costs 2 euros. The pass lasts 7 days."
    assert text_without(healing, answer, [], {1: 9}) == text_without(healing, answer, [])
