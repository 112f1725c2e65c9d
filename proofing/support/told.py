"""What an answer tells of figures: sums, changes, shares, magnitudes, rates, former values, "24/7"."""

from __future__ import annotations

from collections.abc import Sequence

from proofing.support.base import Judgement
from proofing.support.former import judge_former
from proofing.support.ledger import Ledger
from proofing.support.magnitudes import by_magnitude, judge_magnitudes
from proofing.support.per_what import judge_per_what
from proofing.support.places import Place
from proofing.support.reading import Proof
from proofing.support.round_the_clock import judge_round_the_clock
from proofing.support.told_changes import judge_told_changes
from proofing.support.told_shares import judge_told_shares
from proofing.support.told_sums import judge_told_sums

__all__ = ["by_magnitude", "judge_former", "judge_told"]


def judge_told(places: Sequence[Place], ledger: Ledger, proof: Proof) -> list[Judgement]:
    """Judgements on all that the answer tells of its figures, former values apart, in text order.

    Args:
        places: the values of the answer, in text order.
        ledger: the values of the sources.
        proof: the texts.
    """
    found = judge_told_sums(places, ledger) + judge_magnitudes(proof, ledger) + judge_per_what(places, ledger)
    found += judge_round_the_clock(proof) + judge_told_changes(places)
    found += judge_told_shares(places, ledger)
    return sorted(found, key=lambda judgement: (judgement.start, judgement.end))
