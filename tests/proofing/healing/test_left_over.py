"""What stays marked after a patch is taken out, offered, or keeps the risk up."""

from __future__ import annotations

import pytest

from proofing.pipeline import proofread_whole
from proofing.settings import Settings

SOURCE = "Bicycles may be hired for up to 10 days. A helmet is included. The deposit is 80 euros."

LIES = [
    "Bicycles may be hired for up to 30 days, and a lifelong breakdown warranty is always granted.",
    "The deposit is 95 euros, and every customer receives free theft insurance worldwide.",
]


@pytest.mark.parametrize("answer", LIES)
def test_an_invented_clause_does_not_survive_the_patch_beside_it(answer):
    report = proofread_whole("", [SOURCE], answer, settings=Settings(tier="fast"))
    invented = answer.partition(", and ")[2].rstrip(".")
    assert any(mark.start >= answer.index(invented) for mark in report.marks)
    assert invented not in report.healing.text or report.healing.final_risk in ("high", "critical")
    assert invented not in (report.healing.proposal or report.healing.text)


def test_a_change_that_waits_for_a_person_keeps_the_risk_up():
    padding = " ".join(
        f"Article {n} of the rules speaks of storage hall number {n} and of its keys." for n in range(60)
    )
    answer = LIES[0]
    report = proofread_whole("", [SOURCE + " " + padding], answer, settings=Settings(tier="fast"))
    healing = report.healing
    if healing.applied and healing.proposal:
        assert healing.final_risk in ("high", "critical")
        assert report.quality.route == "fallback"


def test_a_wrong_value_is_marked_itself_and_not_drowned_in_an_invented_sentence():
    answer = "Bicycles may certainly be hired for 30 days, and the golden comfort promise is honoured in every shop."
    marks = proofread_whole("", [SOURCE], answer, settings=Settings(tier="fast")).marks
    assert any(mark.kind == "duration" and "10" in "".join(mark.replacements) for mark in marks)
