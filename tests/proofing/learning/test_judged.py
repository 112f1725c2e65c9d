"""The levels that hear the channels: what they count, and that a mark never makes an answer look better."""

from dataclasses import replace

import pytest

from proofing.documents import Source
from proofing.engine import judge_all
from proofing.learning.features import sheet_of
from proofing.learning.judged import (
    JUDGED_ANSWER_NAMES,
    JUDGED_SENTENCE_NAMES,
    MARK_NAMES,
    SAID_NAMES,
    judged_answer_row,
    judged_sentence_rows,
    said_rows,
)
from proofing.learning.model import SupportModel
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import read

SOURCE = "The lease runs for 2 years and the rent is 900 euros a month. Pets are not allowed."


def judged(answer, source=SOURCE, question=""):
    proof = read(question, [Source("s1", source)], answer, Settings(tier="fast"))
    return proof, sheet_of(proof, ()), judge_all(proof).judgements


def probability(answer, source=SOURCE):
    _proof, sheet, said = judged(answer, source)
    return SupportModel.load().probabilities(sheet, said)[0]


def test_marks_count_in_the_sentence_they_start_in():
    _, sheet, said = judged("Pets are not allowed. The lease runs for 5 years.")
    first, second = (dict(zip(SAID_NAMES, row, strict=True)) for row in said_rows(sheet, said))
    assert sum(first[name] for name in MARK_NAMES) == 0
    assert second["marks_value_contradicted"] == 1
    assert second["marks_surest"] > 0.9


def test_rows_have_the_columns_they_are_named_by():
    _, sheet, said = judged("The lease runs for 5 years. Pets are not allowed.")
    spoken = said_rows(sheet, said)
    words, sentences = [0.1] * len(sheet.rows), [0.2, 0.3]
    rows = judged_sentence_rows(sheet, words, sentences, -1.0, spoken)
    assert {len(row) for row in rows} == {len(JUDGED_SENTENCE_NAMES)}
    assert len(judged_answer_row(sheet, sentences, sentences, -1.0, spoken)) == len(JUDGED_ANSWER_NAMES)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("The lease runs for 5 years.", "The lease runs for 2 years."),
        ("The rent is 950 euros a month.", "The rent is 900 euros a month."),
        ("Pets are allowed.", "Pets are not allowed."),
    ],
)
def test_one_wrong_word_ranks_above_the_right_one(wrong, right):
    assert probability(wrong) > probability(right) + 0.2


@pytest.mark.parametrize("reason", ["contradicted", "absent", "unbound", "unit", "derived_wrong", "negated"])
@pytest.mark.parametrize("kind", ["number", "name", "negation", "word", "quote"])
def test_one_mark_more_never_lowers_the_probability(kind, reason):
    model = SupportModel.load()
    for answer in ("The lease runs for 2 years.", "Pets are allowed. The rent is 900 euros. It is near the sea."):
        _, sheet, said = judged(answer)
        before = model.probabilities(sheet, said)[0]
        end = sheet.spans[0][1]
        for times in (1, 2, 5):
            mark = Judgement(0, end, answer[:end], kind, 0.0, reason=reason)
            after = model.probabilities(sheet, [*said, *[replace(mark) for _ in range(times)]])[0]
            assert after >= before
            before = after


def test_an_answer_without_judgements_still_gets_a_probability():
    _, sheet, _ = judged("The lease runs for 2 years.")
    assert 0.0 < SupportModel.load().probabilities(sheet)[0] < 1.0
