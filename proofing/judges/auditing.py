"""Votes as a label audit takes them (`proofing.learning.audit`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proofing.errors import Refused
from proofing.judges.stacking import held_out
from proofing.judges.votes import Vote
from proofing.learning.audit import Heard


def heard_of(votes: Sequence[Vote], probability: float | None = None) -> Heard:
    """What some votes on one answer amount to in an audit."""
    counted = [vote for vote in votes if vote.valid]
    said = tuple((vote.judge, bool(vote.unsupported), vote.reason) for vote in counted)
    return Heard(len(counted), sum(unsupported for _, unsupported, _ in said), said, probability)


def heard_on_labels(
    engine: Sequence[float], votes: Sequence[Sequence[Vote]], labels: Sequence[int], groups: Sequence[str]
) -> list[Heard]:
    """The same for a labelled set. With labels enough, engine and votes are taken together by a fit on the labels
    of other sources (so no label speaks for itself); with fewer, `probability` stays None."""
    heard = [heard_of(row) for row in votes]
    try:
        together = held_out(engine, votes, labels, groups)
    except Refused:
        return heard
    return [replace(one, probability=p) for one, p in zip(heard, together, strict=True)]
