"""Reading `answers/1` lines: what is accepted, what is refused, and with which words."""

import gzip
import json
from contextlib import suppress

import pytest

from proofing.errors import BadInput
from proofing.exchange.answers import READ_NAMES, answer_of_record, parse_answer, read_answers, scan_answers
from proofing.exchange.jsonl import LineFault
from proofing.exchange.reviews import mark_examples
from proofing.exchange.unread import LONGEST_NAME, MOST_NAMES, UnreadFields


def line(**fields):
    return json.dumps({"answer": "It opens at 9.", "sources": ["It opens at 8."], **fields})


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (["one", "two"], [("s1", "one"), ("s2", "two")]),
        ([["p1", "one"], ["p2", "two"]], [("p1", "one"), ("p2", "two")]),
        ([{"id": "p1", "text": "one"}, {"text": "two"}], [("p1", "one"), ("s2", "two")]),
        ([], []),
    ],
)
@pytest.mark.parametrize("field", ["sources", "contexts", "retrieved_contexts"])
def test_sources_come_in_several_shapes_under_several_names(field, sources, expected):
    read = parse_answer(json.dumps({"answer": "x", field: sources}))
    assert [(source.id, source.text) for source in read.sources] == expected


def test_ragas_field_names_are_read():
    read = parse_answer(
        json.dumps(
            {
                "user_input": "When?",
                "response": "At 9.",
                "retrieved_contexts": ["At 8.", "Daily."],
                "retrieved_context_ids": ["a", 7],
            }
        )
    )
    assert (read.question, read.answer) == ("When?", "At 9.")
    assert [source.id for source in read.sources] == ["a", "7"]


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        ('{"sources": []}', "answer", "missing"),
        ('{"answer": "x"}', "sources", "missing"),
        ('{"answer": 3, "sources": []}', "answer", "must be text"),
        ('{"answer": "x", "sources": "y"}', "sources", "must be a list"),
        ('{"answer": "x", "sources": [["a", "b", "c"]]}', "sources[0]", "[id, text]"),
        ('{"answer": "x", "sources": [{"id": "a"}]}', "sources[0].text", "missing"),
        ('{"answer": "x", "sources": [["a", "1"], ["a", "2"]]}', "sources", "'a'"),
        ('{"answer": "a\\u0000b", "sources": []}', "answer", "NUL"),
        ('{"answer": "x", "sources": ["\\ud83d"]}', "sources[0]", "surrogate"),
        ('{"answer": "x", "sources": [], "label": 2}', "label", "0 or 1"),
        ('{"answer": "x", "sources": [], "latency_ms": -1}', "latency_ms", "at least 0"),
        ('{"answer": "x", "sources": [], "labels": [{"start": 0, "end": 9}]}', "labels[0]", "no span"),
        ('{"answer": "x", "sources": [], "labels": [{"start": true, "end": 1}]}', "labels[0].start", "whole number"),
        ("[1]", "", "JSON object"),
        ("{", "", "not valid JSON"),
    ],
)
def test_a_line_that_cannot_be_used_says_why(text, field, reason):
    with pytest.raises(LineFault) as caught:
        parse_answer(text, line=7)
    assert caught.value.field == field
    assert reason in caught.value.reason
    assert caught.value.line == 7


def test_a_fault_keeps_the_id_of_its_line():
    with pytest.raises(LineFault) as caught:
        parse_answer('{"id": "a-3", "sources": []}', line=2)
    assert caught.value.to_dict() == {"id": "a-3", "error": {"line": 2, "reason": "answer: missing"}}


def test_labels_counted_in_utf16_units_are_brought_to_code_points():
    read = parse_answer(line(answer="😀 built 1932", labels=[{"start": 9, "end": 13, "text": "1932"}]))
    assert (read.labels[0].start, read.labels[0].end) == (8, 12)


def test_a_file_is_read_past_its_faults(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + line(id="a").encode() + b"\n\n" + b"\xff\n" + line(id="b").encode())
    found = list(scan_answers(path))
    assert [getattr(item, "id", None) for item in found] == ["a", None, "b"]
    assert [item.line for item in found] == [1, 3, 4]
    assert "UTF-8" in str(found[1])


def test_gzip_is_unpacked(tmp_path):
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress(line(id="a").encode()))
    assert [item.id for item in read_answers(path)] == ["a"]


def test_read_answers_stops_at_the_first_fault_with_its_number(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text(line() + "\n{}\n")
    with pytest.raises(BadInput, match=r"^line 2, answer: missing$"):
        list(read_answers(path))


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(BadInput, match="cannot read"):
        list(read_answers(tmp_path / "none.jsonl"))


def test_deep_nesting_is_a_fault_and_no_crash():
    with pytest.raises(LineFault):
        parse_answer('{"answer": "x", "sources": ' + "[" * 100_000)


def test_a_line_goes_out_as_it_came_in():
    given = json.loads(line(id="a", question="When?", task="qa", label=1, locale="en", latency_ms=3.5))
    given["sources"] = [{"id": "s1", "text": "It opens at 8.", "title": "Hours"}]
    assert parse_answer(json.dumps(given)).to_dict() == given


STRANGE = [10**400, -(10**400), 10**4000, 10**5000, 1e400, -1e400, float("nan"), 1.5, -1, True, [], {}, "7", "\ud800"]
NUMERIC = [
    ("latency_ms",), ("label",), ("score",), ("id",), ("external_id",),
    ("labels", 0, "start"), ("labels", 0, "end"), ("retrieved_context_ids", 0), ("contexts", 0, "id"),
]  # fmt: skip


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("place", NUMERIC, ids=lambda place: ".".join(map(str, place)))
def test_a_strange_number_is_taken_or_a_fault_wherever_it_stands(place, value):
    record = {"answer": "It opens at 9.", "labels": [{"start": 0, "end": 2}]}
    if place[0] == "retrieved_context_ids":
        record |= {"retrieved_contexts": ["one"], "retrieved_context_ids": ["a"]}
    else:
        record |= {"contexts": [{"id": "a", "text": "one"}]}
    holder = record
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    read = None
    with suppress(LineFault):
        read = answer_of_record(record)
    if read is not None:
        assert read.latency_ms is None or 0 <= read.latency_ms < float("inf")
        assert all(text.isprintable() for text in (read.id or "", read.external_id or ""))


@pytest.mark.parametrize("probability", STRANGE, ids=lambda value: type(value).__name__)
def test_a_strange_probability_of_a_mark_stops_nothing(probability):
    said = {"mark_id": "m0", "verdict": "unsupported", "source": "explicit"}
    record = {"scan": {"marks": [{"id": "m0", "probability": probability}]}, "reviews": [{"verdicts": [said]}]}
    assert all(isinstance(score, float) for score, _ in mark_examples(record))


def test_fields_that_nobody_reads_are_named_and_no_fault():
    found = parse_answer(
        line(
            sources=[{"id": "a", "text": "x", "txt": 1}, "y", {"id": "b", "text": "z", "txt": 2}],
            labels=[{"start": 0, "end": 1, "kind": "?"}], colour="red", reference="Ragas", split="train",
        )
    )  # fmt: skip
    assert found.unread == ("colour", "sources[].txt", "labels[].kind")
    assert parse_answer(line()).unread == ()


def test_names_of_unread_fields_are_few_and_short():
    counted = UnreadFields(READ_NAMES)
    counted.add(parse_answer(line(**{f"{n}\x00\ud800" + "long" * 1000: 1 for n in range(100)})).unread)
    assert len(counted.counts) == MOST_NAMES
    assert all(len(name) <= LONGEST_NAME and name.isprintable() for name in counted.counts)
