"""Boosted trees as plain data: served in pure Python, in the same bits on every platform.

A model is ``base + sum of one leaf per tree``. A tree is nested: a leaf is a number, a fork is
``[column, threshold, left, right]`` and goes left when the column's value is at most the threshold.

A forest that is asked often writes itself as one Python function of nested conditions over local variables, which takes
a quarter of the time of the walk and adds up in the same order; one that is asked a few times is not worth compiling.

>>> forest = Forest.of({"base": 0.5, "trees": [[0, 2.0, -1.0, 1.0]]})
>>> forest.score([1.0]), forest.score([3.0])
(-0.5, 1.5)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

#: So many rows are walked before a forest is compiled; compiling one takes as long as walking some hundreds.
WALKED_FIRST = 200

Node = Any  # float | tuple[int, float, Node, Node]; the type of a tree has no finite spelling


@dataclass(slots=True)
class _Use:
    """How often a forest was asked, its trees as `_steps` to walk, and its function once that is worth having."""

    rows: int = 0
    walked: tuple[Any, ...] = ()
    compiled: Callable[[Sequence[float]], float] | None = None


@dataclass(frozen=True, slots=True)
class Forest:
    """A sum of trees over rows of one set of columns."""

    base: float
    trees: tuple[Node, ...]
    _use: _Use = field(default_factory=lambda: _Use(), init=False, repr=False, compare=False)

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
        use = self._use
        if use.compiled is not None:
            return use.compiled(row)
        use.rows += 1
        if use.rows == WALKED_FIRST:
            use.compiled = _compiled(self.base, self.trees)
        if not use.walked:
            use.walked = tuple(map(_steps, self.trees))
        total: float = self.base
        for column, number, left, right in use.walked:
            while left is not None:
                column, number, left, right = left if row[column] <= number else right
            total += number
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
        return self.base + sum(map(self.weights.get, phrases, repeat(0.0)))


def _compiled(base: float, trees: Iterable[Node]) -> Callable[[Sequence[float]], float] | None:
    """The forest as one function; None where Python takes no expression of that depth.

    The source is written from numbers alone (`_node` made them): there is nothing a model could smuggle in.
    """
    trees = tuple(trees)
    columns = sorted(set().union(*map(_columns, trees)))
    named = [f"    c{column} = row[{column}]" for column in columns]
    lines = [f"    t += {_expression(tree)}" for tree in trees]
    source = "\n".join(["def score(row):", *named, f"    t = {base!r}", *lines, "    return t"])
    names: dict[str, Any] = {"inf": math.inf, "nan": math.nan, "__builtins__": {}}
    try:
        exec(compile(source, "<forest>", "exec"), names)  # noqa: S102 - see above
    except (SyntaxError, MemoryError, RecursionError):
        return None
    function: Callable[[Sequence[float]], float] = names["score"]
    return function


def _expression(node: Node) -> str:
    if node.__class__ is not tuple:
        return repr(node)
    column, threshold, left, right = node
    return f"({_expression(left)} if c{column} <= {threshold!r} else {_expression(right)})"


def _steps(node: Node) -> tuple[int, float, Any, Any]:
    """A tree in which a leaf is ``(0, number, None, None)``: one shape for all is quicker to walk."""
    if node.__class__ is not tuple:
        return 0, node, None, None
    column, threshold, left, right = node
    return column, threshold, _steps(left), _steps(right)


def _columns(node: Node) -> set[int]:
    if node.__class__ is not tuple:
        return set()
    column, _, left, right = node
    return {column} | _columns(left) | _columns(right)


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
