"""A forest that compiled itself says the same, to the last bit, as one that walks."""

from __future__ import annotations

import math
import random

import pytest

from proofing.learning.trees import WALKED_FIRST, Forest


def a_tree(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.gauss(0, 1)
    return [
        rng.randrange(6),
        rng.choice([rng.gauss(0, 2), 0.0, math.inf]),
        a_tree(rng, depth - 1),
        a_tree(rng, depth - 1),
    ]


@pytest.fixture
def rows():
    rng = random.Random(5)
    values = [0.0, -0.0, 1.0, math.inf, -math.inf, math.nan]
    return [[rng.choice([*values, rng.gauss(0, 2)]) for _ in range(6)] for _ in range(2 * WALKED_FIRST)]


def test_compiled_and_walked_are_the_same(rows):
    rng = random.Random(3)
    data = {"base": 0.125, "trees": [a_tree(rng, 6) for _ in range(40)]}
    used = Forest.of(data)
    assert [used.score(row) for row in rows] == [Forest.of(data).score(row) for row in rows]
    assert used == Forest.of(data)


def test_a_tree_too_deep_to_compile_is_walked(rows):
    tree = 1.0
    for _ in range(400):
        tree = [0, 0.5, tree, 2.0]
    used = Forest.of({"base": 0.0, "trees": [tree]})
    assert {used.score([0.0]) for _ in range(2 * WALKED_FIRST)} == {1.0}
    assert used.score([1.0]) == 2.0


def test_nothing_but_numbers_becomes_a_tree():
    with pytest.raises(ValueError, match="a number or"):
        Forest.of({"base": 0.0, "trees": ["__import__('os')"]})
    with pytest.raises((ValueError, TypeError)):
        Forest.of({"base": 0.0, "trees": [["0] or exit() or row[0", 1.0, 0.0, 1.0]]})
