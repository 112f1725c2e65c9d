"""How judgements become marks: phrases, not confetti; overlaps; order; anchors."""

from __future__ import annotations

import pytest

import proofing
from proofing.inspection import prepare
from proofing.marks import canonical_sha256, find_marks
from proofing.report import Receipt
from proofing.support.base import Judgement

FAST = proofing.Settings(tier="fast")
ANSWER = "The red kite circled over the quiet valley, and a fox watched it from the hedge."


def find(judgements=(), probabilities=None, answer=ANSWER, sources=("A kite circled.",)):
    proof = prepare("", list(sources), answer, FAST)
    return find_marks(proof, list(judgements), probabilities, FAST)


def judgement(text, kind="word", support=0.0, reason=None, answer=ANSWER, **more):
    start = answer.index(text)
    return Judgement(start, start + len(text), text, kind, support, reason, **more)


def probabilities_of(words, high=0.9, low=0.05, answer=ANSWER):
    proof = prepare("", [], answer, FAST)
    return [high if token.text in words else low for token in proof.answer.tokens]


@pytest.mark.parametrize(
    ("words", "phrases"),
    [
        ({"quiet", "valley"}, ["quiet valley"]),
        ({"circled", "quiet", "valley"}, ["circled over the quiet valley"]),
        ({"red"}, ["red"]),
        ({"red", "fox"}, ["red", "fox"]),
        (set(), []),
        ({"the", "over"}, []),
    ],
    ids=["neighbours", "over function words", "one word", "far apart", "none", "function words alone"],
)
def test_marked_words_join_into_phrases(words, phrases):
    finding = find(probabilities=probabilities_of(words))
    assert [m.text for m in sorted(finding.marks, key=lambda m: m.start)] == phrases


def test_a_doubtful_word_between_two_marked_ones_joins_them():
    p = probabilities_of({"red", "circled"})
    tokens = prepare("", [], ANSWER, FAST).answer.tokens
    p[[t.text for t in tokens].index("kite")] = 0.5
    assert [m.text for m in find(probabilities=p).marks] == ["red kite circled"]


def test_a_supported_value_is_never_taken_by_a_word_mark():
    answer = "It costs 25 dollars every morning."
    value = judgement("25 dollars", "money", 1.0, answer=answer, checked_by="arithmetic")
    p = probabilities_of({"costs", "25", "dollars", "morning"}, answer=answer)
    texts = {m.text for m in find([value], p, answer=answer).marks}
    assert texts == {"costs", "morning"}


def test_the_more_specific_of_two_overlapping_marks_stays():
    name = judgement("red kite", "name", 0.0, "absent")
    word = judgement("kite circled", "word", 0.0, "contradicted")
    assert [m.text for m in find([name, word]).marks] == ["red kite"]


def test_a_whole_invented_clause_swallows_what_is_in_it():
    clause = judgement("a fox watched it from the hedge", "word", 0.0, "absent", whole=True)
    inner = judgement("fox", "name", 0.0, "absent")
    assert [m.text for m in find([clause, inner]).marks] == ["a fox watched it from the hedge"]


def test_values_come_before_words_at_equal_support_then_by_position():
    marks = find(
        [
            judgement("red", "word", 0.0, "contradicted"),
            judgement("fox", "number", 0.0, "contradicted"),
            judgement("hedge", "number", 0.0, "contradicted"),
            judgement("kite", "negation", 0.05, "negated"),
        ]
    ).marks
    assert [m.text for m in marks] == ["fox", "hedge", "red", "kite"]


def test_a_mark_without_near_evidence_says_so():
    (mark,) = find([judgement("fox", "name", 0.0, "absent")], sources=["Nothing."]).marks
    assert mark.receipt.source_id is None
    assert mark.receipt.note


def test_receipt_and_replacements_are_handed_on():
    receipt = Receipt("s1", 2, 6, "kite", 0, 15, "A kite circled.")
    (mark,) = find([judgement("fox", "name", 0.0, "contradicted", receipt=receipt, replacements=("kite",))]).marks
    assert (mark.receipt, mark.replacements) == (receipt, ("kite",))


def test_every_scored_stretch_is_one_anchor_in_text_order():
    finding = find(
        [judgement("fox", support=0.2), judgement("red", support=0.9), judgement("kite", support=0.123456789)]
    )
    assert [(a.text, a.support) for a in finding.anchors] == [("red", 0.9), ("kite", 0.123457), ("fox", 0.2)]
    assert finding.floor == 0.123457


def test_a_formula_on_a_backed_value_becomes_a_note():
    (note,) = find([judgement("red", "number", 1.0, formula="2 + 3 = 5")]).notes
    assert (note.kind, note.formula) == ("derived", "2 + 3 = 5")


def test_nothing_scored_means_no_floor():
    assert find().floor is None


def test_the_canonical_hash_ignores_key_order_and_keeps_letters():
    assert canonical_sha256({"b": 1, "a": "é"}) == canonical_sha256({"a": "é", "b": 1})
    assert canonical_sha256({"a": "é"}) != canonical_sha256({"a": "e"})


def test_a_receipt_without_evidence_does_not_speak_of_a_sentence_that_is_shown():
    finding = proofing.proofread(
        "Galloping zebras adore velvet umbrellas.",
        ["Ticket offices open at nine."],
        settings=proofing.Settings(tier="fast"),
    )
    assert finding.marks
    assert all(mark.receipt.source_id or "is shown" not in mark.receipt.note for mark in finding.marks)
