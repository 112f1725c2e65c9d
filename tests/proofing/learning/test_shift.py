"""Whether something measured of every answer is distributed otherwise than it was."""

from __future__ import annotations

import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofing.learning.shift import LEAST, SHIFTED, Shape


def numbers(count, middle, seed):
    draw = random.Random(seed)
    return [draw.lognormvariate(middle, 0.5) for _ in range(count)]


def test_the_index_is_the_one_of_the_formula():
    shape = Shape.of(["a"] * 300 + ["b"] * 100)
    found = shape.shift(["a"] * 100 + ["b"] * 300)
    then = {"a": 300.5 / 401.5, "b": 100.5 / 401.5, "other": 0.5 / 401.5}
    now = {"a": 100.5 / 401.5, "b": 300.5 / 401.5, "other": 0.5 / 401.5}
    assert found.index == pytest.approx(sum((now[k] - then[k]) * math.log(now[k] / then[k]) for k in then))
    assert found.moved


@pytest.mark.parametrize("count", [100, 200, 500])
def test_chance_alone_seldom_moves_anything(count):
    moved = sum(
        Shape.of(numbers(count, 3.0, seed)).shift(numbers(count, 3.0, 1000 + seed)).moved for seed in range(200)
    )
    assert moved <= 2


@pytest.mark.parametrize("count", [200, 500])
def test_lengths_that_doubled_are_seen(count):
    then = Shape.of(numbers(count, 3.0, 1))
    found = then.shift(numbers(count, 3.7, 2))
    assert found.moved
    assert found.limit >= SHIFTED


def test_a_number_that_was_always_the_same_is_seen_to_change_either_way():
    three = Shape.of([3] * 200)
    assert not three.shift([3] * 200).moved
    assert three.shift([2] * 200).moved
    assert three.shift([5] * 200).moved


def test_names_never_seen_before_are_seen():
    assert Shape.of(["en"] * 200).shift(["en"] * 100 + ["de"] * 100).moved


def test_the_part_that_moved_most_is_named_with_its_shares():
    """Neighbouring values that changed alike are one part, whatever the median does."""
    then = Shape.of([1] * 194 + [2, 3, 4] * 2)
    part = then.moved_most([1] * 78 + [2, 3, 4] * 40 + [9] * 2)
    assert (part.low, part.high) == (2, 9)
    assert (part.then, part.now) == (pytest.approx(0.03), pytest.approx(0.61))
    assert then.moved_most([7] * 200)[:2] == (7, 7)  # a value never seen before; nothing between 1 and 7 is claimed


def test_the_part_of_a_number_of_many_values_goes_by_the_earlier_tenths():
    shape = Shape.of(list(range(1, 201)))
    top = shape.moved_most([500] * 100)
    assert (top.low, top.high) == (181, None)
    assert (top.then, top.now) == (pytest.approx(0.095), 1.0)
    assert shape.moved_most([-5] * 100)[:2] == (None, 21)
    assert shape.moved_most([100] * 100)[:2] == (81, 101)


def test_the_part_of_names_is_the_name_that_came_or_went():
    shape = Shape.of(["en"] * 190 + ["de"] * 10)
    assert shape.moved_most(["en"] * 100 + ["es"] * 100) == ("es", "es", 0.0, 0.5)
    assert shape.moved_most(["de"] * 200)[:2] == ("de", "de")


def test_too_few_values_say_nothing():
    assert not Shape.of([1] * (LEAST - 1)).shift([9] * 500).moved
    assert not Shape.of([1] * 500).shift([9] * (LEAST - 1)).moved
    assert not Shape.of([]).shift([]).moved


@given(st.lists(st.floats(0, 1e6) | st.integers(0, 5), min_size=1, max_size=300))
def test_a_shape_survives_json_and_counts_every_value(values):
    shape = Shape.of(values)
    assert shape.total == len(values)
    back = Shape.from_dict(json.loads(json.dumps(shape.to_dict())))
    assert back == shape
    assert back.shift(values).index == shape.shift(values).index < SHIFTED
