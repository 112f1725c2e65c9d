"""Two models on the same answers."""

from __future__ import annotations

import random

from proofing.learning.comparison import SHOWN, compare
from proofing.learning.metrics import evaluate


def population(count, *, seed=3, edge=0.25):
    """Labels with scores of a weak model, and of one that is right a little more often on the same answers."""
    draw = random.Random(seed)
    labels = [int(draw.random() < 0.4) for _ in range(count)]
    noise = [draw.gauss(0, 0.3) for _ in range(count)]
    old = [min(1.0, max(0.0, 0.4 + 0.2 * label + n)) for label, n in zip(labels, noise, strict=True)]
    new = [min(1.0, max(0.0, 0.4 + (0.2 + edge) * label + n)) for label, n in zip(labels, noise, strict=True)]
    return labels, old, new


def test_each_model_has_the_figures_it_has_alone():
    labels, old, new = population(200)
    found = compare(old, new, labels, old_cut=0.5, new_cut=0.6, resamples=50)
    for scores, cut, part in ((old, 0.5, "old"), (new, 0.6, "new")):
        alone = evaluate(scores, labels, cut=cut, resamples=50)
        for name in SHOWN:
            assert getattr(found[name], part) == alone[name]
    difference = found["auroc"].difference
    assert difference.value == found["auroc"].new.value - found["auroc"].old.value
    assert difference.interval[0] <= difference.value <= difference.interval[1]


def test_a_better_model_is_seen_as_better_and_its_opposite_as_worse():
    labels, old, new = population(400)
    found = compare(old, new, labels, old_cut=0.5, new_cut=0.5)
    assert found["auroc"].better("auroc") is True
    assert found["fpr_at_95_recall"].better("fpr_at_95_recall") is True  # there lower is better
    turned = compare(new, old, labels, old_cut=0.5, new_cut=0.5)
    assert turned["auroc"].better("auroc") is False
    assert turned["fpr_at_95_recall"].better("fpr_at_95_recall") is False


def test_a_model_against_itself_makes_no_clear_difference():
    labels, old, _ = population(100)
    found = compare(old, old, labels, old_cut=0.5, new_cut=0.5, resamples=50)
    for name in SHOWN:
        assert found[name].better(name) is None
        assert found[name].difference.value == 0


def test_a_paired_interval_is_narrower_than_the_two_are_apart():
    labels, old, new = population(300, edge=0.06)
    found = compare(old, new, labels, old_cut=0.5, new_cut=0.5)["auroc"]
    paired = found.difference.interval[1] - found.difference.interval[0]
    alone = found.new.interval[1] - found.old.interval[0]
    assert paired < alone / 2


def test_answers_about_one_source_are_drawn_together():
    labels, old, new = population(200)
    wide = compare(old, new, labels, old_cut=0.5, new_cut=0.5, groups=[str(n // 20) for n in range(200)])["auroc"]
    alone = compare(old, new, labels, old_cut=0.5, new_cut=0.5)["auroc"]
    assert wide.difference.interval != alone.difference.interval
