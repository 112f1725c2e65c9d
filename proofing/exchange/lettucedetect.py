"""LettuceDetect's training samples: a prompt with the passages, the answer and its faulty spans.

The prompt is the text its own detector builds from question and passages. Our files carry question and sources as well,
which its reader passes over, so that they come back as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.jsonl import LineFault, json_type
from proofing.exchange.ragtruth import BASELESS, CONFLICT
from proofing.exchange.rows import REASONS, Row

_QA = """Briefly answer the following question:
{question}
Bear in mind that your response should be strictly based on the following {count} passages:
{passages}
In case the passages do not contain the necessary information to answer the question, please reply with: \
"Unable to answer based on given passages."
output:
"""
_SUMMARY = """Summarize the following text:
{passages}
output:
"""


def prompt_of(question: str, passages: list[str]) -> str:
    """The prompt as LettuceDetect writes it."""
    if not question:
        return _SUMMARY.format(passages="\n".join(passages))
    numbered = "\n".join(f"passage {n}: {text}" for n, text in enumerate(passages, start=1))
    return _QA.format(question=question, count=len(passages), passages=numbered)


def sample_of_row(row: Row) -> dict[str, Any]:
    """One training sample; each span carries its text and, from the engine, a confidence.

    Raises:
        LineFault: it is not known which words are unsupported.
    """
    line = row.line
    sure = {(mark["start"], mark["end"]): mark.get("probability") for mark in row.marks}
    labels = [
        {
            "start": span.start,
            "end": span.end,
            "text": span.text,
            "label": span.type or BASELESS,
            "confidence": sure.get((span.start, span.end)),
        }
        for span in row.known_spans()
    ]
    return {
        "id": row.key,
        "prompt": prompt_of(line.question, [source.text for source in line.sources]),
        "answer": line.answer,
        "labels": labels,
        "split": row.split or "train",
        "task_type": line.task or "qa",
        "dataset": "ragtruth",
        "language": (line.locale or "en").split("-")[0].replace("und", "en"),
        "question": line.question,
        "sources": [{"id": source.id, "text": source.text} for source in line.sources],
    }


def answer_of_sample(sample: Mapping[str, Any], number: int) -> AnswerLine:
    """One answer from a training sample, or from an answer with the spans the detector predicted.

    Raises:
        LineFault: with the field and the reason.
    """
    labels = sample.get("labels")
    if labels is not None and not isinstance(labels, list):
        raise LineFault(f"must be a list, not {json_type(labels)}", field="labels", line=number)
    sources = sample.get("sources", sample.get("context"))
    if sources is None:
        sources = sample.get("prompt")
    record = {
        "id": sample.get("id"),
        "question": sample.get("question"),
        "answer": sample.get("answer"),
        "sources": [sources] if isinstance(sources, str) else sources,
        "task": sample.get("task_type"),
        "locale": sample.get("language"),
        "label": None if labels is None else int(bool(labels)),
        "labels": None if labels is None else [_span(span) for span in labels],
    }
    return answer_of_record(record, line=number)


def _span(span: Any) -> Any:
    if not isinstance(span, Mapping):
        return span  # the reader of answers says what is wrong with it
    kind = span.get("label")
    known = kind if isinstance(kind, str) and kind in (*REASONS, CONFLICT) else ""
    return {"start": span.get("start"), "end": span.get("end"), "text": span.get("text"), "type": known or kind or ""}
