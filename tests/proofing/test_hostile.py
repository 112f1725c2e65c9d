"""Nothing that a caller can send makes the whole inspection crash, hang or claim offsets that are not so."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import proofing
from tests.work import steps, within

FAST = proofing.Settings(tier="fast")
PIECES = st.sampled_from(
    ["The fee is ", "30 days", " not ", "$1,234.50", " and ", "Maria Keller", ". ", "\n", "- ",
     "| a | 1 |\n", "|---|---|\n", "{'a': 1}", '"quoted words"',
     "Smith et al. (2019)", "https://e.org/a", "`code`", "twenty", "-five", "(", ")", "[", "]",
     "{", "}", "<td>", "e\u0301", "\u0301\u0301", "\u200b",
     "\u202e", "\u2067", "\ufeff", "İ", "ß", "ﬁ", "九十", "ไทย", "٣٫٥", "½", "1/2", "5–7", "%", "°C",
     "Q4 FY24", "XIV", "1.1.1", "\t", "\r", "😀", "\U0010ffff"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=120), st.lists(PIECES, max_size=25).map("".join), st.lists(PIECES, max_size=15).map(" ".join)
)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answer=TEXTS, sources=st.lists(TEXTS, max_size=3), question=TEXTS)
def test_every_offset_holds_its_text(answer, sources, question):
    try:
        report = proofing.inspect(question, sources, answer, settings=FAST)
    except proofing.BadInput:
        assert any(c == "\x00" or "\ud800" <= c <= "\udfff" for c in answer + question + "".join(sources))
        return
    last = 0
    for mark in sorted(report.marks, key=lambda mark: mark.start):
        assert answer[mark.start : mark.end] == mark.text
        assert last <= mark.start < mark.end
        last = mark.end
        assert 0 <= mark.support <= 1
        receipt = mark.receipt
        if receipt.source_id is not None:
            source = sources[int(receipt.source_id.removeprefix("s")) - 1]
            assert source[receipt.start : receipt.end] == receipt.text
            assert source[receipt.sentence_start : receipt.sentence_end] == receipt.sentence_text
    again = proofing.inspect(question, sources, answer, settings=FAST)
    assert (report.finding, report.checks) == (again.finding, again.checks)


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, at=st.integers(0, 60), sign=st.sampled_from("\x00\ud800\udbff\udfff"), where=st.integers(0, 2))
def test_nul_and_half_surrogates_are_refused_wherever_they_stand(text, at, sign, where):
    texts = ["A question?", "A source.", "An answer."]
    texts[where] = text[:at] + sign + text[at:]
    with pytest.raises(proofing.BadInput):
        proofing.inspect(texts[0], [texts[1]], texts[2], settings=FAST)


@pytest.mark.parametrize(
    "piece",
    ["7", "1 ", "1 - ", "1. ", "1% ", "$1 to ", "§ 1 ", "a@b.", "“a” ", "(", "[{(", ")]",
     "e\u0301", "\u200b", "\u202e", "漢", "not ", "not never ",
     "half ", "and ", "Dr. ", "A. B. ", "| ", "|1|2|\n", '{"a":', "{'a': [", "<td>", '"', "``` ",
     "et al. (2019) ", "5 March ", "twenty-", "XIV ", "\n"],
)  # fmt: skip
def test_repeats_take_work_in_proportion(piece):
    proofing.proofread("It is so.", ["It is so."], settings=FAST)
    spent = []
    for size in (1200, 4800):
        text = (piece * size)[:size]
        with within():
            spent.append(steps(partial(proofing.proofread, text, [text], settings=FAST)))
    assert spent[1] < 8 * spent[0] + 20_000  # four times the length; a square would be sixteen times


@pytest.mark.parametrize(
    ("answer", "sources"),
    [("word " * 20_001, ["a"]), ("a", ["b"] * 201), ("a", ["word " * 5_001])],
    ids=["long answer", "many sources", "long source"],
)
def test_more_than_the_limits_is_refused_with_a_sentence(answer, sources):
    with pytest.raises(proofing.BadInput, match="more than the"):
        proofing.proofread(answer, sources, settings=FAST)
