"""What a judge is asked about, and what it said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from proofing.documents import Source

#: How a vote ended. Only ``valid`` ones count; ``invalid`` ones came back but said nothing usable; the others were
#: never said: the endpoint failed, the budget was spent, or the run was called off.
VALID, INVALID, FAILED, OVER_BUDGET, CANCELLED = "valid", "invalid", "failed", "over_budget", "cancelled"
OUTCOMES = (VALID, INVALID, FAILED, OVER_BUDGET, CANCELLED)


@dataclass(frozen=True, slots=True)
class Case:
    """One answer put before the judges."""

    answer: str
    sources: tuple[Source, ...]
    question: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one judge said of one answer.

    Attributes:
        judge: name of the judge.
        outcome: one of `OUTCOMES`.
        unsupported: True = the answer holds something unsupported; None unless the vote is valid.
        reason: the judge's own sentence, "" when it gave none.
        words: the words of the answer it named, as it wrote them.
        form: ``json`` or ``plain`` (said on being asked again for yes or no), "" unless the vote is valid.
        fault: why the vote is not valid, as a short code: ``no_verdict``, ``echo``, ``timeout``, ``rate_limited``,
            ``http_500``, ``connection``, ``unreadable``, ``too_long``, ``away``, ``no_key``.
        requests: how many requests were sent for it, repeats included; 0 when it came from the cache.
        tokens_in, tokens_out: as the endpoint counted them, else estimated as a quarter of the characters.
        cost: what it cost, in the currency of the judge's prices.
        latency_ms: time spent waiting for replies, without the pauses between repeats.
        cached: the vote was known from an earlier run and cost nothing now.
    """

    judge: str
    outcome: str
    unsupported: bool | None = None
    reason: str = ""
    words: tuple[str, ...] = ()
    form: str = ""
    fault: str = ""
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    latency_ms: float = 0.0
    cached: bool = False

    @property
    def valid(self) -> bool:
        return self.outcome == VALID

    @property
    def lasting(self) -> bool:
        """Whether asking again would say the same, so that the vote may be kept: it was answered, well or badly."""
        return self.outcome in (VALID, INVALID) and self.fault != "too_long"

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "words": list(self.words)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Vote:
        """The vote back from `to_dict`; unknown names are passed over."""
        known = {field.name for field in fields(cls)}
        values = {name: value for name, value in record.items() if name in known}
        return cls(**{**values, "words": tuple(values.get("words", ()))})
