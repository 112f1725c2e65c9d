"""Figures against an independent implementation, and their edges."""

import random

import pytest

from proofing.learning.curves import cut_points, histogram, review_costs, thinned
from proofing.learning.intervals import clopper_pearson, resampled
from proofing.learning.metrics import covered, evaluate, shared_characters, span_figures


def sample(count, seed=1):
    draw = random.Random(seed)
    labels = [int(draw.random() < 0.4) for _ in range(count)]
    scores = [round(min(max(draw.gauss(0.35 + 0.3 * label, 0.2), 0), 1), 2) for label in labels]
    return scores, labels


def test_figures_agree_with_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    scores, labels = sample(700)
    found = evaluate(scores, labels, cut=0.5, resamples=0)
    flagged = [score >= 0.5 for score in scores]
    assert found["auroc"].value == pytest.approx(metrics.roc_auc_score(labels, scores))
    assert found["f1"].value == pytest.approx(metrics.f1_score(labels, flagged))
    assert found["precision"].value == pytest.approx(metrics.precision_score(labels, flagged))
    fpr, recall, _ = metrics.roc_curve(labels, scores, drop_intermediate=False)
    assert found["fpr_at_95_recall"].value == pytest.approx(
        min(f for f, r in zip(fpr, recall, strict=True) if r >= 0.95)
    )


def test_the_order_of_ties_does_not_matter():
    scores, labels = sample(200)
    backwards = evaluate(scores[::-1], labels[::-1], cut=0.5, resamples=0)
    assert {n: e.value for n, e in evaluate(scores, labels, cut=0.5, resamples=0).items()} == pytest.approx(
        {n: e.value for n, e in backwards.items()}
    )


def test_intervals_hold_the_figure_and_narrow_with_more_data():
    small, large = (evaluate(*sample(n), cut=0.5)["auroc"] for n in (100, 1600))
    for estimate in (small, large):
        assert estimate.interval[0] < estimate.value < estimate.interval[1]
    assert large.interval[1] - large.interval[0] < small.interval[1] - small.interval[0]


def test_one_class_leaves_figures_undefined():
    found = evaluate([0.2, 0.4], [0, 0], cut=0.5)
    assert found["auroc"].value is None
    assert found["fpr"].value == 0.0


def test_scores_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="finite"):
        evaluate([float("nan")], [1], cut=0.5)


def test_clopper_pearson_agrees_with_the_beta_distribution():
    beta = pytest.importorskip("scipy.stats").beta
    for hits, total in ((0, 30), (1, 30), (15, 30), (30, 30), (950, 1000)):
        low, high = clopper_pearson(hits, total)
        assert low == pytest.approx(beta.ppf(0.025, hits, total - hits + 1) if hits else 0.0, abs=1e-9)
        assert high == pytest.approx(beta.ppf(0.975, hits + 1, total - hits) if hits < total else 1.0, abs=1e-9)


def test_groups_are_drawn_whole():
    drawn = []
    resampled(lambda counts: drawn.append(list(counts)) or [0.0], ["a", "a", "b"], resamples=20)
    assert all(counts[0] == counts[1] for counts in drawn)
    assert all(counts[0] + counts[2] == 2 for counts in drawn)


def test_span_figures_count_characters():
    assert covered([(4, 6), (0, 2), (1, 5)]) == [(0, 6)]
    assert shared_characters([(0, 10)], [(5, 7), (9, 20)]) == 3
    found = span_figures([[(0, 10)], []], [[(5, 15)], [(0, 10)]], resamples=0)
    assert found["span_precision"].value == 0.5
    assert found["span_recall"].value == 0.25


def test_curves_end_where_everything_is_flagged():
    scores, labels = sample(300)
    points = cut_points(scores, labels)
    assert points[-1].recall == points[-1].fpr == 1.0
    assert [p.recall for p in points] == sorted(p.recall for p in points)
    assert len(thinned(points, 10)) == 10
    assert sum(bar.count for bar in histogram(scores, labels)) == 300
    assert review_costs(scores, labels)[-1][1:] == (300.0, 0)


def test_one_group_says_nothing_of_how_a_figure_varies():
    assert resampled(lambda counts: [0.5], ["a", "a"]) == []
    alone = evaluate([0.2, 0.9], [0, 1], cut=0.5, groups=["one", "one"])
    assert alone["f1"].value == 1.0
    assert {estimate.interval for estimate in alone.values()} == {None}
