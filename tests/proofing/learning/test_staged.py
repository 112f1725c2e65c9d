"""A model refitted on a project's own answers keeps its reader, and its figures are those of what is served."""

from dataclasses import replace

import pytest

from proofing.documents import Source
from proofing.exchange.answers import AnswerLine
from proofing.learning import staged
from proofing.learning.lastfit import LastShape
from proofing.learning.model import SupportModel
from proofing.learning.stacking import Shape
from proofing.learning.training import example_of
from proofing.settings import Settings
from tests.proofing.learning.test_last import SMALL, example

pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def base():
    return SupportModel.load()


@pytest.fixture(scope="module")
def examples():
    return [replace(example(n % 90)[0], group=str(n)) for n in range(210)]


def test_a_refit_keeps_a_stage_for_each_reading_of_the_base(base, examples):
    fitted = staged.refit(base, examples, name="own", most=1)
    model = fitted.model()
    assert set(model.last) == set(base.last)
    assert model.last[1].sentences == base.last[1].sentences  # 210 answers are too few for those forests
    assert model.last[1].answers != base.last[1].answers
    assert fitted.data["cut"] == model.last[1].cut


def test_the_refitted_model_asks_the_reader(base, examples):
    model = staged.refit(base, examples, name="own").model()
    ex, proof = example(3)
    asked = []
    model.predict(proof, ex.judgements, lambda spans: asked.append(spans) or ex.read, 1)
    assert len(asked) == 1


def test_what_was_not_read_leaves_only_the_stage_without_a_reader(base, examples):
    unread = [replace(one, read=None) for one in examples]
    assert set(staged.refit(base, unread, name="own", most=24).model().last) == {0}


def test_a_larger_set_fits_the_forests_of_the_last_stage(base, examples, monkeypatch):
    monkeypatch.setattr(staged, "ENOUGH_FOR_FORESTS", len(examples))
    model = staged.refit(base, [replace(one, read=None) for one in examples], name="own").model()
    assert model.last[0].sentences != base.last[0].sentences


def test_levels_fitted_anew_get_a_last_stage_of_sources_they_never_saw(examples):
    examples = [replace(one, group=f"{one.group} {n}") for n in range(2) for one in examples]
    shape, last = Shape(*[SMALL] * 5), LastShape(SMALL, SMALL)
    fitted = staged.fit_all(examples, [0, 1], name="own", most=1, shape=shape, last_shape=last)
    model = fitted.model()
    assert set(model.last) == {0, 1}
    assert len(fitted.probabilities) == len(examples)
    wrong = [p for p, one in zip(fitted.probabilities, examples, strict=True) if one.label]
    right = [p for p, one in zip(fitted.probabilities, examples, strict=True) if not one.label]
    assert sum(wrong) / len(wrong) > sum(right) / len(right) + 0.5


def test_an_example_holds_what_the_reader_said_of_each_sentence():
    class Told:
        def read(self, proof, spans):
            return tuple(spans)

    line = AnswerLine("One boat sank. Two boats came back.", (Source("s", "Two boats came back."),), label=1)
    read = example_of(line, "g", Settings(tier="fast"), Told()).read
    assert [line.answer[start:end] for start, end in read] == ["One boat sank.", "Two boats came back."]
    assert example_of(line, "g", Settings(tier="fast")).read is None
