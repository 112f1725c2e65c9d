"""The last stage: what it counts of marks and of the reader, and that more doubt never makes an answer look better."""

import json
from dataclasses import replace

import pytest

from proofing.documents import Source
from proofing.engine import judge_all
from proofing.learning.examples import Example, word_labels
from proofing.learning.features import sheet_of
from proofing.learning.last import (
    DRAWN_AT,
    HEARD_FROM,
    UNREAD,
    columns,
    heard_of,
    mark_counts,
    marked_words,
    to_read,
    word_rows,
)
from proofing.learning.lastfit import LastShape, fit_last, refit_last
from proofing.learning.model import SupportModel
from proofing.learning.reader import ReadSentence
from proofing.settings import Settings
from proofing.support.reading import read

SMALL = {"max_iter": 8, "max_leaf_nodes": 4, "learning_rate": 0.2, "min_samples_leaf": 5}
SOURCE = "The lease runs for 2 years and the rent is 900 euros a month. Pets are not allowed."
ANSWER = "The lease runs for {} years. Pets are allowed in the garden."


def example(n):
    """Wrong answers name another figure; the reader doubts the words of wrong ones."""
    label = n % 2
    answer = ANSWER.format(3 + n if label else 2)
    proof = read("", [Source("s1", SOURCE)], answer, Settings(tier="fast"))
    judgements = judge_all(proof).judgements
    sheet = sheet_of(proof, judgements)
    starts = tuple((proof.answer.tokens[i].start, proof.answer.tokens[i].end) for i in sheet.row_tokens)
    odds = 1.0 if label else -3.0
    said = tuple(
        ReadSentence(start, end, odds, tuple((a, b, odds) for a, b in starts if start <= a < end))
        for start, end in sheet.spans
    )
    at = answer.index("for ") + 4
    spans = ((at, answer.index(" years")),) if label else ()
    return Example(sheet, starts, label, spans, str(n), judgements=judgements, read=said), proof


@pytest.fixture(scope="module")
def base():
    return SupportModel.load()


@pytest.fixture(scope="module")
def staged(base):
    """The shipped lower levels with last stages fitted on the made-up answers: without and with a reader."""
    pytest.importorskip("sklearn")
    shape = LastShape(SMALL, SMALL)
    examples = [example(n)[0] for n in range(120)]
    data = base.to_dict()
    data["last"] = {str(most): fit_last(base, examples, most, shape=shape).data for most in (0, 2)}
    return SupportModel.of_bytes(json.dumps(data).encode(), "the staged model")


def test_the_same_examples_give_the_same_stage(base):
    pytest.importorskip("sklearn")
    shape = LastShape(SMALL, SMALL)
    examples = [example(n)[0] for n in range(60)]
    assert fit_last(base, examples, 2, shape=shape).data == fit_last(base, examples, 2, shape=shape).data


def test_a_model_asks_the_reader_only_when_it_may(staged):
    ex, proof = example(1)
    asked = []

    def reader(spans):
        asked.append(list(spans))
        return ex.read

    staged.predict(proof, ex.judgements)
    staged.predict(proof, ex.judgements, reader, 0)
    assert asked == []
    staged.predict(proof, ex.judgements, reader, 1)
    assert asked == []  # fitted for two sentences: with fewer allowed it does without
    staged.predict(proof, ex.judgements, reader, 24)
    assert len(asked) == 1
    assert set(asked[0]) <= set(ex.sheet.spans)


def test_more_doubt_never_lowers_a_probability(staged):
    ex, proof = example(2)
    calm = staged.predict(proof, ex.judgements, lambda spans: ex.read, 2)
    doubtful = tuple(
        replace(s, score=4.0, pieces=tuple((a, b, 4.0) for a, b, _ in s.pieces)) for s in ex.read
    )  # fmt: skip
    alarmed = staged.predict(proof, ex.judgements, lambda spans: doubtful, 2)
    assert alarmed.answer_probability >= calm.answer_probability


def test_an_answer_with_a_contradicted_value_gets_what_such_marks_are_worth(staged):
    ex, proof = example(1)
    assert mark_counts(ex.judgements)["marks_value_contradicted"] >= 1
    worth = staged.last[0].worth["marks_value_contradicted"]
    assert staged.predict(proof, ex.judgements).answer_probability >= round(worth, 6)


def test_a_mark_reaches_the_words_it_touches_and_no_others():
    ex, _ = example(1)
    found = dict(zip(ex.starts, marked_words(ex.starts, ex.judgements), strict=True))
    answer = ANSWER.format(4)
    figure = (answer.index("4"), answer.index("4") + 1)
    assert found[figure][0] > 0.9
    lease = answer.index("lease")
    assert found[lease, lease + 5] == (0.0, 0.0)


def test_unread_sentences_and_words_say_so():
    ex, _ = example(1)
    heard = heard_of(ex.sheet, ex.starts, ex.read[:1])
    assert heard.sentences[0][0] == 1.0
    assert heard.sentences[1] == [UNREAD] * 4
    by_sentence = dict(zip(ex.sheet.row_sentences, heard.words, strict=True))
    assert by_sentence == {0: 1.0, 1: UNREAD}


def test_the_most_suspicious_sentences_are_read_in_text_order():
    apart = [(0, 400), (401, 800), (801, 1200), (1201, 1600)]
    assert to_read(apart, [0.1, 0.9, 0.5, 0.9], 3) == [1, 2, 3]
    assert to_read(apart[:1], [0.1], 3) == [0]


def test_a_sentence_is_read_with_the_others_of_its_window():
    spans = [(0, 90), (91, 180), (181, 290), (291, 400), (401, 800)]
    assert to_read(spans, [0.1, 0.9, 0.2, 0.1, 0.1], 1) == [0, 1, 2]
    assert to_read(spans, [0.1, 0.9, 0.2, 0.1, 0.8], 2) == [0, 1, 2, 4]


def test_rows_have_the_columns_they_name(base):
    ex, _ = example(1)
    known = base.known(ex.sheet, ex.starts, ex.judgements)
    heard = heard_of(ex.sheet, ex.starts, ex.read)
    for said in (None, heard):
        rows = word_rows(ex.sheet, known, said, known.judged)
        assert {len(row) for row in rows} == {len(columns(reader=said is not None)["words"])}


def stage_of(staged, **changes):
    return replace(staged.last[0], **{"cut": 0.5, "line": 0.3, **changes})


def test_words_are_raised_in_long_answers_that_are_judged_faulty_and_nowhere_else(staged):
    known, own = [0.2, 0.9] * HEARD_FROM, [0.4, 0.1] * HEARD_FROM
    stage = stage_of(staged)
    raised = stage.drawn(known, own, 0.7)
    assert raised[0] > DRAWN_AT  # above the line
    assert raised[1] == 0.9  # never lowered
    assert stage.drawn(known, own, 0.4) == known
    assert stage.drawn(known[: HEARD_FROM - 1], own[: HEARD_FROM - 1], 0.7) == known[: HEARD_FROM - 1]
    assert stage_of(staged, line=None).drawn(known, own, 0.7) == known


def test_the_line_is_laid_where_words_are_drawn_unless_somebody_sets_another_cut():
    assert Settings().mark_cut == DRAWN_AT


@pytest.mark.parametrize("line", [0.05, 0.3, 0.9])
def test_a_word_on_the_line_is_just_drawn(staged, line):
    words = [line] * HEARD_FROM
    assert stage_of(staged, line=line).drawn([0.0] * HEARD_FROM, words, 0.7)[0] == pytest.approx(DRAWN_AT)


def test_the_line_of_a_fitted_stage_parts_the_unsupported_words_from_the_others(base):
    pytest.importorskip("sklearn")
    examples = [example(n)[0] for n in range(120)]
    fitted = fit_last(base, examples, 2, shape=LastShape(SMALL, SMALL))
    drawn = [
        label
        for one, words, answer in zip(examples, fitted.words, fitted.answers, strict=True)
        if answer >= fitted.data["cut"]
        for word, label in zip(words, word_labels(one), strict=True)
        if word >= fitted.data["line"]
    ]
    assert sum(drawn) >= 0.9 * len(drawn) > 0


def test_a_stage_without_labelled_spans_has_no_line(base):
    pytest.importorskip("sklearn")
    examples = [replace(example(n)[0], spans=None if n % 2 else ()) for n in range(120)]
    assert fit_last(base, examples, 0, shape=LastShape(SMALL, SMALL)).data["line"] is None
    assert refit_last(base, examples, 0).data["line"] == base.last[0].line  # its forests are kept, so is their line
