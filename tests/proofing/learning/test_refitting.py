"""A project's own labels against the model that ships."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofing.documents import Source
from proofing.engine import READ_AT_MOST
from proofing.errors import Refused
from proofing.exchange.answers import AnswerLine
from proofing.inspection import inspect
from proofing.learning import refitting
from proofing.learning.evidence import windows_of
from proofing.learning.model import SupportModel
from proofing.learning.refitting import Counting, Row, cut_of, drawn, refit_and_compare, said_of
from proofing.settings import Settings

FAST = Settings(tier="fast")


def rows(training=(120, 120), held_out=(20, 20)):
    """Rows, each about a source of its own: so many unsupported and supported ones on each side."""
    found = []
    for held, counts in ((False, training), (True, held_out)):
        for label, count in zip((1, 0), counts, strict=True):
            for _ in range(count):
                name = str(len(found))
                found.append(Row(len(found), name, name, label, held))
    return found


@pytest.mark.parametrize(("training", "held_out", "sentence"), [
    ((100, 99), (20, 20), r"to fit on .* 200 labelled examples are needed, there are 199: 1 more"),
    ((210, 0), (20, 20), r"30 supported examples are needed, there are 0: 30 more"),
    ((5, 210), (20, 20), r"30 unsupported examples are needed, there are 5: 25 more"),
    ((120, 120), (3, 20), r"held-out part .* 10 unsupported examples are needed .* there are 3: 7 more"),
    ((120, 120), (20, 0), r"held-out part .* 10 supported examples are needed .* there are 0: 10 more"),
])  # fmt: skip
def test_too_few_labels_are_refused_with_how_many_more_of_which_kind(training, held_out, sentence):
    with pytest.raises(Refused, match=sentence):
        drawn(rows(training, held_out))


@pytest.mark.parametrize(("what", "sentence"), [("content", "1 answers stand"), ("group", "1 groups of sources stand")])
def test_what_stands_on_both_sides_of_the_split_is_refused(what, sentence):
    found = rows()
    found[0] = replace(found[0], **{what: getattr(found[-1], what)})
    with pytest.raises(Refused, match=sentence):
        drawn(found)


def test_an_answer_counts_once_with_its_last_label():
    found = rows()
    again = replace(found[0], key=9999, label=0)
    training, _ = drawn([*found, again])
    assert len(training) == 240
    assert [row.key for row in training if row.content == again.content] == [9999]


def test_more_answers_than_are_taken_are_drawn_alike_each_time(monkeypatch):
    monkeypatch.setitem(refitting.AT_MOST, "fast", (210, 30))
    first, second = drawn(rows()), drawn(list(reversed(rows())))
    assert (len(first[0]), len(first[1])) == (210, 30)
    assert {row.key for row in first[0]} == {row.key for row in second[0]}


def test_no_tier_takes_so_many_that_forests_of_words_would_be_fitted():
    from proofing.learning.staged import ENOUGH_FOR_FORESTS
    from proofing.settings import TIERS

    assert set(refitting.AT_MOST) == set(TIERS)
    assert all(training < ENOUGH_FOR_FORESTS for training, _ in refitting.AT_MOST.values())


def answers(count):
    """Answers in turn right and wrong, each about a source of its own, by a house rule the model that ships cannot
    know: whoever is not sent to the desk was told too little, and that the desk helps is right though no source
    says so. A third of the wrong ones have a wrong figure besides."""
    for n in range(count):
        faulty = n % 2
        days = 30 if faulty and n % 3 == 0 else 14
        more = "" if faulty else " The desk will help you gladly."
        yield (
            faulty,
            AnswerLine(
                answer=f"Case {n}: you have {days} days to return it.{more}",
                question="How long?",
                sources=(Source("s1", f"Case {n}: unused goods may be returned within 14 days of delivery."),),
            ),
        )


@pytest.fixture(scope="module")
def fitted():
    counting = Counting(FAST)
    pairs = list(answers(290))
    sides = [n % 7 == 0 for n in range(len(pairs))]  # all kinds of cases on both sides
    lines = [line for _, line in pairs]
    named = [Row(n, str(n), str(n), pairs[n][0], sides[n]) for n in range(len(pairs))]
    examples = [counting.example(line, row) for line, row in zip(lines, named, strict=True)]
    training = [e for e, held in zip(examples, sides, strict=True) if not held]
    held_out = [e for e, held in zip(examples, sides, strict=True) if held]
    said = []
    found = refit_and_compare(counting, training, held_out, say=said.append)
    return counting, training, held_out, lines, sides, found, said


def test_what_is_compared_is_what_a_proofreading_would_report(fitted):
    counting, _, held_out, lines, sides, found, _ = fitted
    model = found.fitted.model()
    own = [line for line, held in zip(lines, sides, strict=True) if held][:8]
    for at, line in enumerate(own):
        for which, model_of, said in (("new", model, found.new), ("old", None, found.old)):
            report = inspect(line.question, line.sources, line.answer, settings=FAST, model=model_of)
            assert said[at] == report.unsupported_probability, which
            assert report.engine["cut"] == round(found.cuts[which == "new"], 6)
    assert said_of(model, held_out, counting.most) == found.new
    assert found.shipped is None


def test_what_own_labels_teach_shows_on_answers_that_were_held_out(fitted):
    figures = fitted[5].figures
    assert figures["auroc"].new.value > figures["auroc"].old.value
    assert figures["auroc"].better("auroc") is True
    assert set(figures) == {"auroc", "f1", "precision", "recall", "fpr_at_95_recall", "expected_calibration_error"}
    assert all(one.difference.interval for one in figures.values() if one.difference.value is not None)


def test_a_refit_moves_answers_and_leaves_single_words(fitted):
    _, _, _, lines, _, found, _ = fitted
    model = found.fitted.model()
    line = lines[1]
    was = inspect(line.question, line.sources, line.answer, settings=FAST)
    now = inspect(line.question, line.sources, line.answer, settings=FAST, model=model)
    assert now.unsupported_probability != was.unsupported_probability
    assert [(m.start, m.end, m.probability) for m in now.marks] == [(m.start, m.end, m.probability) for m in was.marks]


def test_the_file_of_a_refit_is_read_back_as_the_same_model(fitted):
    counting, _, held_out, *_ = fitted
    found = fitted[5]
    raw = found.fitted.to_bytes()
    again = SupportModel.of_bytes(raw, "a file")
    assert said_of(again, held_out[:20], counting.most) == found.new[:20]
    assert cut_of(again, counting.most) == found.cuts[1]


def test_progress_can_stop_the_work(fitted):
    counting, training, held_out, *_ = fitted
    assert len(fitted[6]) > 5  # said often enough to notice that it is called off

    class Enough(Exception):
        pass

    def stop(line):
        raise Enough

    with pytest.raises(Enough):
        refit_and_compare(counting, training, held_out, say=stop)


def test_each_tier_reads_and_keeps_only_what_it_can_use():
    fast, standard = Counting(FAST), Counting(Settings(tier="standard"))
    assert set(fast.base.last) == {0}
    assert fast.reader is None
    assert set(standard.base.last) == {0, 1}
    example = standard.example(next(answers(1))[1], rows()[0])
    assert len(windows_of([(one.start, one.end) for one in example.read])) <= READ_AT_MOST["standard"]
    assert fast.example(next(answers(1))[1], rows()[0]).read is None
