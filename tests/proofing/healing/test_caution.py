"""When the healer acts alone: one sure thing, or many likely ones; and what goes along with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from proofing.healing.plans import Plan
from proofing.healing.removal import removal_of
from proofing.report import Edit
from proofing.settings import Settings
from proofing.support.reading import Proof

ANSWER = "It costs 9 euros. A choir sings at noon. Parrots guard the door."


@pytest.fixture
def plan(proof_of: Callable[[str, str], Proof]) -> Callable[..., Plan]:
    """A value edit in the first sentence and removals of the other two, with these certainties."""

    def make(value: float, second: float, third: float, confusing: float) -> Plan:
        proof = proof_of(ANSWER, "A source.")
        at = ANSWER.index("9")
        edit = Edit(at, at + 1, "9", "8", "value", (0,), None, "s1", value)
        removals = [(removal_of(proof.answer, proof.answer.sentences[n], {}), c) for n, c in ((1, second), (2, third))]
        return Plan(proof, "contradiction_patch", (edit,), tuple(removals), (), confusing)

    return make


def kinds(edits: tuple[Edit, ...]) -> list[str]:
    return [edit.kind for edit in edits if edit.kind != "note"]


def test_beside_something_sure_goes_what_is_likely_where_sources_are_long(plan):
    settings = Settings(caution=0.8, caution_beside=0.4)
    assert kinds(plan(0.9, 0.5, 0.3, 1.0).made(settings)) == ["value", "removal"]


def test_with_short_sources_every_edit_must_be_sure_itself(plan):
    settings = Settings(caution=0.8, caution_beside=0.4)
    assert kinds(plan(0.9, 0.5, 0.3, 0.0).made(settings)) == ["value"]
    assert plan(0.7, 0.7, 0.7, 0.0).made(settings) == ()


def test_several_likely_sentences_make_it_sure_that_something_is_wrong(plan):
    settings = Settings(caution=0.8, caution_beside=0.4)
    assert kinds(plan(0.6, 0.6, 0.6, 1.0).made(settings)) == ["value", "removal", "removal"]
    assert plan(0.5, 0.3, 0.3, 1.0).made(settings) == ()


def test_the_lower_bound_never_rises_above_caution(plan):
    assert kinds(plan(0.9, 0.85, 0.3, 1.0).made(Settings(caution=0.8, caution_beside=0.95))) == ["value", "removal"]


def test_everything_and_nothing(plan):
    assert kinds(plan(0.1, 0.1, 0.1, 1.0).made(Settings(caution=0.0))) == ["value", "removal", "removal"]
    assert plan(1.0, 1.0, 1.0, 1.0).made(Settings(caution=1.01)) == ()
