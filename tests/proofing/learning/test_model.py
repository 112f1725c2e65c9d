"""The support model: fitted on a small made-up set, served from its file, never from a pickle."""

import json
import random

import pytest

from proofing.documents import Source
from proofing.errors import BadInput, Refused
from proofing.learning.examples import Example, sentence_labels, word_labels
from proofing.learning.features import sheet_of
from proofing.learning.fit import fit
from proofing.learning.knots import calibrated, calibration_knots
from proofing.learning.model import SupportModel
from proofing.learning.trees import Forest, log_odds, logistic
from proofing.settings import Settings
from proofing.support.reading import read

WORDS = "lake harbour boat rope sail mast wind tide storm pier gull salt net crew deck oar fog reef buoy chart".split()
OTHER = "tractor barn wheat plough cow hay goat fence mill silo".split()


def example(n):
    """A right answer repeats words of its source; a wrong one brings in one of its own."""
    draw = random.Random(n)
    source = " ".join(draw.sample(WORDS, 8))
    said = draw.sample(source.split(), 3)
    label = n % 2
    if label:
        said[1] = draw.choice(OTHER)
    answer = f"The {said[0]} touched the {said[1]} near the {said[2]}."
    start = answer.index(said[1])
    proof = read("", [Source("s", f"They saw {source}.")], answer, Settings())
    sheet = sheet_of(proof, ())
    tokens = proof.answer.tokens
    starts = tuple((tokens[i].start, tokens[i].end) for i in sheet.row_tokens)
    spans = ((start, start + len(said[1])),) if label else ()
    return Example(sheet, starts, label, spans, group=str(n)), proof


@pytest.fixture(scope="module")
def fitted():
    pytest.importorskip("sklearn")
    return fit([example(n)[0] for n in range(400)], name="made up", card={"what": "a test"})


def test_it_learns_what_the_made_up_set_teaches(fitted):
    model = fitted.model()
    found = [model.predict(example(n)[1], ()) for n in range(1000, 1040)]
    assert all((p.answer_probability >= p.cut) == bool(n % 2) for n, p in enumerate(found))
    invented = found[1].token_probabilities
    words = [token.text for token in example(1001)[1].answer.tokens]
    assert words[max(range(len(words)), key=lambda i: invented[i])] in OTHER


def test_out_of_fold_probabilities_come_one_per_example(fitted):
    assert len(fitted.probabilities) == 400
    assert all(0.0 <= p <= 1.0 for p in fitted.probabilities)


def test_the_same_examples_give_the_same_bytes(fitted):
    again = fit([example(n)[0] for n in range(400)], name="made up", card={"what": "a test"})
    assert again.to_bytes() == fitted.to_bytes()


def test_served_and_fitted_scores_are_equal(fitted):
    numpy = pytest.importorskip("numpy")
    from sklearn.ensemble import HistGradientBoostingClassifier

    from proofing.learning.boosting import forest_data

    rows = numpy.random.default_rng(5).normal(size=(400, 6)).round(3)
    boosted = HistGradientBoostingClassifier(max_iter=20, random_state=1).fit(rows, rows[:, 0] * rows[:, 1] > 0)
    forest = Forest.of(json.loads(json.dumps(forest_data(boosted))))
    served = [forest.score(list(row)) for row in rows[:100]]
    assert served == pytest.approx(list(boosted.decision_function(rows[:100])), abs=1e-3)


def test_a_small_set_keeps_the_lower_forests_of_a_base(fitted):
    base = fitted.model()
    refitted = fit([example(n)[0] for n in range(2000, 2240)], name="own", base=base).model()
    assert refitted.words == base.words
    assert refitted.sha256 != base.sha256


def test_too_few_examples_are_refused():
    pytest.importorskip("sklearn")
    with pytest.raises(Refused, match="160 more"):
        fit([example(n)[0] for n in range(40)], name="few")


def test_a_model_comes_back_from_its_file(fitted, tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(fitted.to_bytes())
    loaded = SupportModel.load(path)
    proof = example(7)[1]
    assert loaded.predict(proof, ()) == fitted.model().predict(proof, ())
    assert (loaded.name, len(loaded.sha256)) == ("made up", 64)


@pytest.mark.parametrize(
    "change", [{"schema": "other"}, {"columns": {}}, {"words": {}}, {"words": {"base": 0, "trees": [[1]]}}]
)
def test_a_file_that_is_no_model_is_bad_input(fitted, tmp_path, change):
    path = tmp_path / "model.json"
    path.write_text(json.dumps({**fitted.data, **change}))
    with pytest.raises(BadInput):
        SupportModel.load(path)


def test_an_empty_answer_has_probability_zero(fitted):
    proof = read("", [Source("s", "The lake.")], "", Settings())
    assert fitted.model().predict(proof, ()).answer_probability == 0.0


def test_calibration_never_falls():
    draw = random.Random(2)
    scores = [draw.gauss(0, 2) for _ in range(2000)]
    labels = [int(draw.random() < logistic(score)) for score in scores]
    knots = calibration_knots(scores, labels, [1.0] * 2000)
    values = [calibrated(x / 10, knots) for x in range(-80, 81)]
    assert values == sorted(values)
    assert calibrated(2.0, knots) == pytest.approx(logistic(2.0), abs=0.08)
    assert 0.0 < values[0] < values[-1] < 1.0


def test_log_odds_is_the_inverse_of_the_logistic():
    assert log_odds(logistic(1.25)) == pytest.approx(1.25)
    assert logistic(-800) == 0.0


def test_labels_of_words_and_sentences_follow_the_spans():
    wrong, _ = example(1)
    assert sum(word_labels(wrong)) == 1
    assert sentence_labels(wrong) == [1]
    unmarked = Example(wrong.sheet, wrong.starts, 1, None, "g")
    assert set(word_labels(unmarked)) == {None}
    assert sentence_labels(unmarked) == [1]
