"""The cut: steady from one draw of labels to the next, and near the one that many labels would give."""

import math
import random
import statistics

import pytest

from proofing.learning.cutting import best_cut
from proofing.learning.metrics import NAMES, measure_of


def drawn(count, seed, tilt=1.25, shift=0.3):
    """Probabilities of a model that is too sure of itself, and labels."""
    random_of = random.Random(seed)
    said, labels = [], []
    for _ in range(count):
        true = random_of.betavariate(0.6, 0.8)
        odds = tilt * math.log((true + 1e-6) / (1 - true + 1e-6)) + shift
        said.append(1 / (1 + math.exp(-odds)))
        labels.append(int(random_of.random() < true))
    return said, labels


def ragged(said, labels):
    return measure_of(said, labels, 0.5)([1] * len(said))[NAMES.index("best_f1_cut")]


def test_the_cut_hardly_moves_from_draw_to_draw_where_the_best_f1_of_each_draw_does():
    wanted = ragged(*drawn(60_000, 1))
    draws = [drawn(1800, seed) for seed in range(10, 30)]
    steady, raw = [best_cut(*draw) for draw in draws], [ragged(*draw) for draw in draws]
    assert statistics.stdev(steady) < 0.5 * statistics.stdev(raw)
    assert abs(statistics.mean(steady) - wanted) < 0.03


@pytest.mark.parametrize("shift", [-0.8, 0.0, 0.8])
def test_a_model_whose_probabilities_are_off_is_cut_where_its_own_scores_ask_for_it(shift):
    many = ragged(*drawn(60_000, 2, tilt=1.0, shift=shift))
    assert best_cut(*drawn(4000, 3, tilt=1.0, shift=shift)) == pytest.approx(many, abs=0.06)


def test_answers_of_one_score_are_cut_together():
    assert best_cut([0.9] * 40 + [0.1] * 60, [1] * 38 + [0] * 2 + [1] * 3 + [0] * 57) == 0.9


@pytest.mark.parametrize("label", [0, 1])
def test_without_both_classes_there_is_nothing_to_cut(label):
    assert best_cut([0.2, 0.8], [label, label]) == 0.5


def test_scores_at_the_ends_and_a_perfect_order_are_no_trouble():
    cut = best_cut([0.0] * 50 + [1.0] * 50, [0] * 50 + [1] * 50)
    assert cut == 1.0
