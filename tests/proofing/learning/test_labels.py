"""The one table from decision to label."""

import pytest

from proofing.learning.labels import CausedEdit, agreed_label, answer_label, applied_edits, implied_verdicts

EDITS = (CausedEdit((0,)), CausedEdit((), parent=0), CausedEdit((1,)))
MARKS = ("9", "daily", "free")


@pytest.mark.parametrize(
    ("decision", "options", "verdicts"),
    [
        ("accept_healed", {}, {0: "unsupported", 1: "unsupported"}),
        ("accept_healed", {"switched_off": (2,)}, {0: "unsupported"}),
        ("accept_healed", {"switched_off": (0, 2)}, dict.fromkeys(range(3), "supported")),
        ("accept_healed", {"edits": ()}, dict.fromkeys(range(3), "supported")),
        ("accept_edited", {"final_text": "At 8, daily."}, {0: "unsupported", 2: "unsupported"}),
        ("accept_edited", {"final_text": "At 8.", "wording_only": True}, {}),
        ("keep", {}, dict.fromkeys(range(3), "supported")),
        ("keep", {"marks_hidden": True}, {}),
        ("keep", {"explicit": (1,)}, {0: "supported", 2: "supported"}),
        ("reject", {}, {}),
        ("skip", {}, {}),
        ("flag", {}, {}),
    ],
)
def test_what_a_decision_implies_about_marks(decision, options, verdicts):
    assert implied_verdicts(decision, **{"mark_texts": MARKS, "edits": EDITS, **options}) == verdicts


def test_a_reverted_edit_takes_its_children_along():
    assert applied_edits(EDITS, {0}) == (2,)


def test_wording_only_is_no_fault():
    assert answer_label("accept_edited") == 1
    assert answer_label("accept_edited", wording_only=True) == 0


def test_reviewers_agree_or_say_nothing():
    assert agreed_label([1, None, 1]) == 1
    assert agreed_label([1, 0]) is None
    assert agreed_label([]) is None
