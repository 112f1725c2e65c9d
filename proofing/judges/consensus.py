"""What several votes amount to: the share that says unsupported, a decision, and how sure it is.

The confidence is the probability that the share of all such judges lies on the side of the threshold where this one
does, from a uniform prior:

    P(p >= t | k of n) with p ~ Beta(1 + k, 1 + n - k)         (Bayes; Gelman et al., BDA 3, section 2.4)

It grows with the margin and with the number of votes, and says nothing about judges that err together: how far votes
can be trusted is what labels tell (`proofing.judges.stacking`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from proofing.judges.votes import Vote
from proofing.learning.intervals import beta_share

#: Thresholds with a name: one vote of three is enough, or half of them.
ONE_OF_THREE, MAJORITY = 0.33, 0.5


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the judges amount to on one answer.

    Attributes:
        asked: how many judges were asked.
        valid: how many of their votes count.
        yes: how many of these say that something is unsupported.
        share: ``yes / valid``; None when too few votes count.
        unsupported: ``share >= threshold``, so that a tie at the threshold is worth a look; None without a share.
        confidence: probability, 0-1, that more such judges would decide the same; None without a share.
        threshold: from which share on the answer counts as unsupported, 0-1.
    """

    asked: int
    valid: int
    yes: int
    share: float | None
    unsupported: bool | None
    confidence: float | None
    threshold: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def consensus_of(votes: Sequence[Vote], *, threshold: float = MAJORITY, least: int = 2) -> Consensus:
    """The consensus of some votes on one answer.

    Args:
        threshold: see `Consensus`; `ONE_OF_THREE` found most in the work this follows, `MAJORITY` errs least often
            on the side of alarm, and `proofing.learning.calibrate.calibrate` fits one on labels.
        least: with fewer valid votes there is no consensus.

    >>> said = [Vote("a", "valid", True), Vote("b", "valid", False), Vote("c", "valid", False)]
    >>> consensus_of(said, threshold=ONE_OF_THREE).unsupported, consensus_of(said).unsupported
    (True, False)
    >>> consensus_of(said).confidence
    0.6875
    >>> consensus_of(said[:1]).share is None
    True
    """
    counted = [vote for vote in votes if vote.valid]
    yes = sum(bool(vote.unsupported) for vote in counted)
    if len(counted) < max(least, 1):
        return Consensus(len(votes), len(counted), yes, None, None, None, threshold)
    share = yes / len(counted)
    below = beta_share(threshold, 1 + yes, 1 + len(counted) - yes)
    flagged = share >= threshold
    sure = 1.0 - below if flagged else below
    return Consensus(len(votes), len(counted), yes, round(share, 6), flagged, round(sure, 6), threshold)
