"""Traces as chains, pipelines and collectors leave them: what was said is found in them, with its documents."""

from __future__ import annotations

import json

import pytest

from proofing.exchange.openinference import scan_spans

PASSAGE = "Articles may be returned within 14 days."


def span(trace, own, parent=None, **attributes):
    named = {name.replace("__", "."): value for name, value in attributes.items()}
    return {"context": {"trace_id": trace, "span_id": own}, "parent_id": parent, "attributes": named}


def retrieved(trace, own, parent, *documents):
    attributes = {"openinference.span.kind": "RETRIEVER"}
    for index, (key, text) in enumerate(documents):
        attributes[f"retrieval.documents.{index}.document.id"] = key
        attributes[f"retrieval.documents.{index}.document.content"] = text
    return {"context": {"trace_id": trace, "span_id": own}, "parent_id": parent, "attributes": attributes}


def lines_of(tmp_path, *spans):
    path = tmp_path / "spans.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in spans), encoding="utf-8")
    return [line for _, line in scan_spans(path)]


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ("Within 30 days.", "Within 30 days."),
        ('{"input": "How long?", "context": [{"page_content": "x"}], "answer": "Within 30 days."}', "Within 30 days."),
        ('{"output": "Within 30 days."}', "Within 30 days."),
        ('{"llm": {"replies": ["Within 30 days."]}}', "Within 30 days."),
        ('{"output": {"content": "Within 30 days.", "type": "ai"}}', "Within 30 days."),
        ("{not JSON} within 30 days.", "{not JSON} within 30 days."),
        ('["Within 30 days."]', '["Within 30 days."]'),
    ],
)
def test_an_answer_is_found_in_what_a_chain_puts_out(tmp_path, output, answer):
    root = span("t1", "a", input__value='{"input": "How long?"}', output__value=output)
    (line,) = lines_of(tmp_path, root, retrieved("t1", "b", "a", ("r", PASSAGE)))
    assert (line.question, line.answer) == ("How long?", answer)
    assert [(source.id, source.text) for source in line.sources] == [("r", PASSAGE)]


def test_a_root_without_text_leaves_the_answer_to_the_spans_below(tmp_path):
    root = span("t1", "a", input__value='{"batch": 7}', output__value='{"scores": [1, 2]}')
    chain = span("t1", "b", "a", input__value="How long?", output__value="Within 30 days.")
    (line,) = lines_of(tmp_path, root, chain)
    assert (line.question, line.answer) == ("How long?", "Within 30 days.")


def test_the_documents_of_two_retrievers_are_all_kept(tmp_path):
    root = span("t1", "a", input__value="How long?", output__value="Within 30 days.")
    first = retrieved("t1", "b", "a", ("r", PASSAGE), ("s", "Sale items are final."))
    second = retrieved("t1", "c", "a", ("s", "Sale items are final."), ("r", "Articles cost 5 euros."))
    (line,) = lines_of(tmp_path, first, second, root)
    texts = [source.text for source in line.sources]
    assert texts == [PASSAGE, "Sale items are final.", "Articles cost 5 euros."]
    assert len({source.id for source in line.sources}) == 3


def test_an_object_nested_beyond_reading_is_kept_as_it_is(tmp_path):
    deep = '{"a":' * 5000 + "1" + "}" * 5000
    (line,) = lines_of(tmp_path, span("t1", "a", input__value="?", output__value=deep))
    assert line.answer == deep
