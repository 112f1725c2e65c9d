"""`reviews/1` lines: written with a manifest, read back as labelled examples."""

import hashlib
import json

import pytest

from proofing.exchange.jsonl import LineFault
from proofing.exchange.ragas import alignment_samples, sample_of_record
from proofing.exchange.reviews import (
    groups_by_source,
    labelled_answer,
    labelled_of_record,
    mark_examples,
    pseudonym,
    review_line,
    scan_labelled,
    split_of,
    write_reviews,
)
from proofing.exchange.rows import row_of_record

REPORT = {
    "id": "a-1",
    "unsupported_probability": 0.9,
    "marks": [
        {"start": 3, "end": 4, "text": "9", "probability": 0.8, "receipt": {"source_id": "s1", "text": "8"}},
        {"start": 8, "end": 13, "text": "daily", "probability": 0.6, "receipt": None},
    ],
    "healing": {"text": "At 8 , daily.", "edits": [{"start": 3, "end": 4, "marks": [0], "parent": None}]},
    "quality": {"route": "healed_accept"},
    "engine": {"version": "1"},
}


def reviewed(*reviews, gold=None):
    return review_line(
        REPORT, question="When?", sources=[("s1", "At 8.")], answer="At 9 , daily.", reviews=reviews, gold=gold
    )


@pytest.mark.parametrize(
    ("review", "label"),
    [
        ({"decision": "accept_healed"}, 1),
        ({"decision": "accept_healed", "switched_off": [0]}, 0),
        ({"decision": "accept_edited"}, 1),
        ({"decision": "accept_edited", "wording_only": True}, 0),
        ({"decision": "keep"}, 0),
        ({"decision": "reject"}, 1),
        ({"decision": "skip"}, None),
        ({"decision": "flag"}, None),
    ],
)
def test_a_decision_reads_back_as_its_label(review, label):
    assert labelled_answer(reviewed(review)).label == label


def test_reviewers_at_odds_give_no_label_and_gold_decides():
    at_odds = ({"decision": "keep"}, {"decision": "reject"})
    assert labelled_answer(reviewed(*at_odds)).label is None
    settled = labelled_of_record(reviewed(*at_odds, gold={"by": "lead", "answer": 1, "labels": []}))
    assert (settled.line.label, settled.how) == (1, "gold")


def test_the_engines_own_score_comes_along():
    assert labelled_answer(reviewed({"decision": "keep"})).score == 0.9


def test_only_explicit_verdicts_are_mark_examples():
    verdicts = [
        {"mark_id": "m0", "verdict": "unsupported", "source": "explicit"},
        {"mark_id": "m1", "verdict": "supported", "source": "implied"},
    ]
    assert mark_examples(reviewed({"decision": "reject", "verdicts": verdicts})) == [(0.8, 1)]
    verdicts[0]["verdict"] = "unsure"
    assert mark_examples(reviewed({"decision": "reject", "verdicts": verdicts})) == []


def test_every_line_has_the_same_keys():
    assert reviewed().keys() == reviewed({"decision": "keep"}, gold={"answer": 0}).keys()


def test_the_manifest_counts_and_hashes_what_was_written(tmp_path):
    path = tmp_path / "set.jsonl"
    lines = [reviewed({"decision": "keep"}), reviewed({"decision": "reject"}), reviewed({"decision": "skip"})]
    manifest = write_reviews(path, lines, created_at="2026-01-02T03:04:05Z", created_by="lead")
    assert manifest["counts"] == {"rows": 3, "label_0": 1, "label_1": 1, "unlabelled": 1, "mark_verdicts": 0}
    assert manifest["files"]["set.jsonl"]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert json.loads((tmp_path / "set.jsonl.manifest.json").read_text()) == manifest
    assert [item.line.label for item in scan_labelled(path)] == [0, 1, None]


def test_a_misshapen_review_is_a_fault():
    for broken in ({"schema": "reviews/1", "answer": "text"}, {"schema": "reviews/1", "answer": {"text": "x"}},
                   {"schema": "reviews/2"}):  # fmt: skip
        with pytest.raises(LineFault):
            labelled_of_record(broken, 1)
    broken = reviewed({"decision": "keep"}) | {"reviews": ["keep"]}
    with pytest.raises(LineFault):
        labelled_of_record(broken, 1)


def test_rows_that_share_a_source_share_a_group_even_through_others():
    groups = groups_by_source([["a"], ["b"], ["a", "b"], ["c"], []])
    assert groups[0] == groups[1] == groups[2]
    assert len(set(groups)) == 3
    assert split_of(groups[0]) in ("train", "test")
    assert groups == groups_by_source([["a"], ["b"], ["b", "a"], ["c"], []])


def test_pseudonyms_are_stable_and_need_the_salt():
    assert pseudonym("Ana", "x") == pseudonym("Ana", "x") != pseudonym("Ana", "y")
    assert "Ana" not in pseudonym("Ana", "x")


def test_ragas_carries_a_reference_only_when_a_person_took_it():
    taken = reviewed({"decision": "accept_healed", "final": "At 8, daily."})
    assert sample_of_record(taken)["reference"] == "At 8, daily."
    assert "reference" not in sample_of_record(reviewed({"decision": "reject", "final": "x"}))


@pytest.mark.parametrize(("decision", "agrees"), [("accept_healed", True), ("reject", True), ("keep", False)])
def test_an_alignment_sample_says_whether_people_agree_with_the_engine(decision, agrees):
    line = reviewed({"decision": decision, "final": "At 8, daily."})
    line["scan"]["above_cut"] = True
    (sample,) = alignment_samples(row_of_record(line))
    assert (sample["metric_output"], sample["is_accepted"]) == (1.0, agrees)
    prompt = sample["prompts"]["unsupported_words"]
    assert (prompt["edited_output"] is None) == agrees
    assert sample["target"] == (1.0 if agrees else 0.0)


def test_an_answer_nobody_judged_aligns_nothing():
    with pytest.raises(LineFault, match="did not judge"):
        alignment_samples(row_of_record(reviewed({"decision": "keep"})))
    line = reviewed({"decision": "skip"})
    line["scan"]["above_cut"] = False
    with pytest.raises(LineFault, match="nobody decided"):
        alignment_samples(row_of_record(line))
