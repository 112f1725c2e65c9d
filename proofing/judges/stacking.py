"""The judges' votes beside the engine's probability, as one probability: a logistic model of two numbers.

    log odds = a + b * log odds of the engine + c * log((yes + 1/2) / (no + 1/2))

The votes enter as their smoothed log odds (the empirical logit of Haldane and Anscombe), which is 0 when nobody
voted, so an answer without votes keeps the engine's order. Fitted by penalised maximum likelihood (Newton's method);
with two inputs and a few hundred labels that is exact in a handful of steps and needs no library.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from proofing.errors import BadInput, Refused
from proofing.judges.votes import Vote
from proofing.learning.calibrate import missing_labels

#: Weight of the penalty on b and c; weak, there to keep separable data finite.
PENALTY = 0.5
FOLDS = 5
SCHEMA = "judge_stack/1"


@dataclass(frozen=True, slots=True)
class Stack:
    """A fitted combination; `n` labels, `positive` of them unsupported."""

    intercept: float
    engine: float
    votes: float
    n: int
    positive: int

    def probability(self, engine: float, votes: Sequence[Vote]) -> float:
        """Probability, 0-1, that the answer holds something unsupported."""
        z = self.intercept + self.engine * _log_odds(engine) + self.votes * vote_log_odds(votes)
        return round(_logistic(z), 6)

    def to_dict(self) -> dict[str, Any]:
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Stack:
        """Raises BadInput when it is no such record."""
        try:
            if record["schema"] != SCHEMA:
                raise ValueError(record["schema"])
            weights = {name: float(record[name]) for name in ("intercept", "engine", "votes")}
            return cls(**weights, n=int(record["n"]), positive=int(record["positive"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no {SCHEMA}: {error}") from error


def vote_log_odds(votes: Sequence[Vote]) -> float:
    """Smoothed log odds of the valid votes; 0 when there are none or as many on each side."""
    counted = [vote for vote in votes if vote.valid]
    yes = sum(bool(vote.unsupported) for vote in counted)
    return math.log((yes + 0.5) / (len(counted) - yes + 0.5))


def fit_stack(engine: Sequence[float], votes: Sequence[Sequence[Vote]], labels: Sequence[int]) -> Stack:
    """Fit the combination on labels.

    Args:
        engine: the engine's probability for each answer, 0-1.
        votes: the votes on each answer.
        labels: 1 = unsupported.

    Raises:
        Refused: too few labels (as for an operating point); the message says how many are missing.
    """
    missing = missing_labels(len(labels), sum(labels))
    if missing:
        raise Refused(missing)
    return _fitted(engine, votes, labels)


def held_out(
    engine: Sequence[float], votes: Sequence[Sequence[Vote]], labels: Sequence[int], groups: Sequence[str]
) -> list[float]:
    """For each answer the probability from a fit that saw none of its group, five folds by hash of the group.

    Raises:
        Refused: as `fit_stack`.
    """
    missing = missing_labels(len(labels), sum(labels))
    if missing:
        raise Refused(missing)
    folds = [int(hashlib.sha256(f"stack {group}".encode()).hexdigest()[:8], 16) % FOLDS for group in groups]
    out = [0.0] * len(labels)
    for fold in range(FOLDS):
        kept = [row for row, own in enumerate(folds) if own != fold]
        stack = _fitted([engine[i] for i in kept], [votes[i] for i in kept], [labels[i] for i in kept])
        for row, own in enumerate(folds):
            if own == fold:
                out[row] = stack.probability(engine[row], votes[row])
    return out


def _fitted(engine: Sequence[float], votes: Sequence[Sequence[Vote]], labels: Sequence[int]) -> Stack:
    rows = [(1.0, _log_odds(p), vote_log_odds(own)) for p, own in zip(engine, votes, strict=True)]
    weights = [0.0, 1.0, 0.0]
    for _ in range(50):
        gradient = [0.0, -PENALTY * weights[1], -PENALTY * weights[2]]
        hessian = [[1e-9, 0.0, 0.0], [0.0, PENALTY, 0.0], [0.0, 0.0, PENALTY]]
        for row, label in zip(rows, labels, strict=True):
            p = _logistic(sum(w * x for w, x in zip(weights, row, strict=True)))
            for i in range(3):
                gradient[i] += (label - p) * row[i]
                for j in range(3):
                    hessian[i][j] += p * (1 - p) * row[i] * row[j]
        step = _solved(hessian, gradient)
        largest = max(map(abs, step))
        scale = min(1.0, 4.0 / largest) if largest else 1.0  # no wild first step on separable data
        weights = [w + scale * s for w, s in zip(weights, step, strict=True)]
        if largest < 1e-9:
            break
    intercept, own, said = (round(weight, 9) for weight in weights)
    return Stack(intercept, own, said, len(labels), sum(labels))


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The x with ``matrix @ x = right``, by elimination; the matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        for j in range(i + 1, size):
            share = rows[j][i] / rows[i][i]
            rows[j] = [a - share * b for a, b in zip(rows[j], rows[i], strict=True)]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][size] - sum(rows[i][k] * found[k] for k in range(i + 1, size))) / rows[i][i]
    return found


def _log_odds(p: float) -> float:
    kept = min(max(p, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))


def _logistic(z: float) -> float:
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))
