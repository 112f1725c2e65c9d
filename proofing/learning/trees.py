"""Boosted trees as plain data: served in pure Python, in the same bits on every platform.

A model is ``base + sum of one leaf per tree``. A tree is nested: a leaf is a number, a fork is
``[column, threshold, left, right]`` and goes left when the column's value is at most the threshold.

>>> forest = Forest.of({"base": 0.5, "trees": [[0, 2.0, -1.0, 1.0]]})
>>> forest.score([1.0]), forest.score([3.0])
(-0.5, 1.5)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Node = Any  # float | tuple[int, float, Node, Node]; the type of a tree has no finite spelling


@dataclass(frozen=True, slots=True)
class Forest:
    """A sum of trees over rows of one set of columns."""

    base: float
    trees: tuple[Node, ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Forest:
        """From its JSON form.

        Raises:
            ValueError: a node is neither a number nor a fork.
        """
        return cls(float(data["base"]), tuple(_node(tree) for tree in data["trees"]))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form again."""
        return {"base": self.base, "trees": list(self.trees)}

    def score(self, row: Sequence[float]) -> float:
        """The raw score (log odds) of one row."""
        total = self.base
        for node in self.trees:
            while node.__class__ is tuple:
                node = node[2] if row[node[0]] <= node[1] else node[3]
            total += node
        return total

    def probability(self, row: Sequence[float]) -> float:
        """The logistic of the raw score."""
        return logistic(self.score(row))


@dataclass(frozen=True, slots=True)
class Straight:
    """A straight sum over a few columns of a row: ``base`` plus weight times value."""

    base: float
    weights: tuple[tuple[int, float], ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Straight:
        """From its JSON form."""
        return cls(float(data["base"]), tuple((int(column), float(weight)) for column, weight in data["weights"]))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form again."""
        return {"base": self.base, "weights": [list(pair) for pair in self.weights]}

    def score(self, row: Sequence[float]) -> float:
        """The raw score (log odds) of one row."""
        return self.base + sum(weight * row[column] for column, weight in self.weights)


@dataclass(frozen=True, slots=True)
class Phrases:
    """A straight sum: ``base`` plus the weight of every phrase that is there and known."""

    base: float
    weights: Mapping[str, float]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Phrases:
        """From its JSON form."""
        return cls(float(data["base"]), {str(phrase): float(weight) for phrase, weight in data["weights"].items()})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form again."""
        return {"base": self.base, "weights": dict(self.weights)}

    def score(self, phrases: Iterable[str]) -> float:
        """The raw score (log odds) of the phrases."""
        known = self.weights.get
        return self.base + sum(known(phrase, 0.0) for phrase in phrases)


def _node(data: Any) -> Node:
    if isinstance(data, int | float):
        return float(data)
    if isinstance(data, list | tuple) and len(data) == 4:
        return (int(data[0]), float(data[1]), _node(data[2]), _node(data[3]))
    raise ValueError("a tree's node must be a number or [column, threshold, left, right]")


def logistic(score: float) -> float:
    """``1 / (1 + exp(-score))`` without overflow."""
    if score >= 0:
        return 1.0 / (1.0 + math.exp(-score))
    grown = math.exp(score)
    return grown / (1.0 + grown)


def log_odds(probability: float, edge: float = 1e-6) -> float:
    """The inverse of `logistic`, kept `edge` away from 0 and 1."""
    kept = min(max(probability, edge), 1.0 - edge)
    return math.log(kept / (1.0 - kept))
