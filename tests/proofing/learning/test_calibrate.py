"""Operating points: what is found, what it costs, and what is refused."""

import json
import random

import pytest

from proofing.errors import BadInput, Refused
from proofing.learning.calibrate import OperatingPoint, calibrate, fitted_threshold, needed


def sample(count, seed=3, positive=0.4):
    draw = random.Random(seed)
    labels = [int(draw.random() < positive) for _ in range(count)]
    return [min(max(draw.gauss(0.35 + 0.3 * label, 0.2), 0), 1) for label in labels], labels


def test_the_count_is_rounded_up():
    assert needed(0.95, 20) == 19
    assert needed(0.95, 21) == 20
    assert needed(0.07, 100) == 7
    assert needed(1, 13) == 13


@pytest.mark.parametrize("target", [0.5, 0.8, 0.9, 0.95, 0.99, 1.0])
def test_recall_is_never_below_the_target_and_the_cut_is_the_largest(target):
    scores, labels = sample(400)
    point = calibrate(scores, labels, target)
    assert point.recall.value >= target
    higher = [s for s, label in zip(scores, labels, strict=True) if label and s > point.threshold]
    assert len(higher) < needed(target, sum(labels))


def test_ties_at_the_cut_are_all_flagged():
    scores = [0.5] * 40 + [0.5] * 200
    point = calibrate(scores, [1] * 40 + [0] * 200, 0.9)
    assert (point.threshold, point.recall.value, point.fpr.value) == (0.5, 1.0, 1.0)


def test_held_out_figures_cover_every_example_once():
    scores, labels = sample(500)
    point = calibrate(scores, labels, groups=[f"g{i // 4}" for i in range(500)])
    assert point.held_out_recall.total == sum(labels)
    assert point.held_out_fpr.total == 500 - sum(labels)
    assert point.fpr_bootstrap[0] <= point.fpr.value <= point.fpr_bootstrap[1]


def test_the_false_positive_rate_is_shown_before_the_threshold():
    text = str(calibrate(*sample(300)))
    assert text.index("false-positive rate") < text.index("threshold")


@pytest.mark.parametrize(
    ("scores", "labels", "target", "sentence"),
    [
        (*sample(150), 0.95, "50 more"),
        ([0.5] * 200, [1] * 10 + [0] * 190, 0.95, "30 unsupported examples are needed, there are 10: 20 more"),
        ([0.5] * 200, [1] * 190 + [0] * 10, 0.95, "30 supported examples are needed, there are 10: 20 more"),
        ([float("nan")] * 200, [0, 1] * 100, 0.95, "200 of 200 scores"),
        ([1.5] + [0.5] * 199, [0, 1] * 100, 0.95, "1 of 200 scores"),
        ([0.5] * 200, [0, 1] * 100, 0.0, "above 0 and at most 1"),
        ([0.5] * 200, [0, 1] * 100, 1.01, "above 0 and at most 1"),
        ([0.5] * 200, [0, 1] * 100, float("nan"), "above 0 and at most 1"),
    ],
)
def test_what_is_refused_says_what_is_missing(scores, labels, target, sentence):
    with pytest.raises(Refused, match=sentence):
        calibrate(scores, labels, target)


def test_one_example_on_both_sides_of_the_split_is_refused():
    scores, labels = sample(300)
    keys = [str(i) for i in range(300)]
    keys[1] = keys[0]
    groups = [str(i) for i in range(300)]
    with pytest.raises(Refused, match="both sides"):
        calibrate(scores, labels, groups=groups, keys=keys)
    groups[1] = groups[0]
    assert calibrate(scores, labels, groups=groups, keys=keys).n == 300


def test_a_point_comes_back_from_its_file(tmp_path):
    point = calibrate(*sample(300), name="spring")
    (tmp_path / "point.json").write_text(json.dumps(point.to_dict()))
    assert OperatingPoint.load(tmp_path / "point.json") == point
    assert point.judged(1.0) == {
        "point": "spring", "level": "answer", "threshold": point.threshold, "fpr": point.fpr.value, "above": True,
    }  # fmt: skip


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": "operating_point/1"}'])
def test_a_file_that_is_no_point_is_bad_input(tmp_path, content):
    (tmp_path / "point.json").write_text(content)
    with pytest.raises(BadInput):
        OperatingPoint.load(tmp_path / "point.json")


def test_the_threshold_is_a_score_of_a_positive():
    scores, labels = sample(60)
    assert fitted_threshold(scores, labels, 0.9) in {s for s, label in zip(scores, labels, strict=True) if label}
