"""LettuceDetect's training samples: a prompt with the passages, the answer and its faulty spans.

The prompt is the text its own detector builds from question and passages. What a sample has no field for stands in its
`metadata`, which LettuceDetect keeps as it is: so the sources come back one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofing.exchange.answers import AnswerLine, SpanLabel, answer_of_record
from proofing.exchange.jsonl import LineFault, json_type
from proofing.exchange.rows import Row

_QA = (
    "Briefly answer the following question:\n{question}\n"
    "Bear in mind that your response should be strictly based on the following {count} passages:\n{passages}\n"
    "In case the passages do not contain the necessary information to answer the question, please reply with: "
    '"Unable to answer based on given passages."\noutput:'
)
_SUMMARY = "Summarize the following text:\n{passages}\noutput:"
#: The languages it knows, by the first part of a BCP 47 tag.
_LANGUAGES = {name: name for name in ("en", "de", "fr", "es", "it", "pl", "hu")} | {"zh": "cn"}
_PLAIN = "unsupported"


def prompt_of(question: str, passages: list[str]) -> str:
    """The prompt as LettuceDetect writes it in English."""
    numbered = "\n".join(f"passage {n}: {text}" for n, text in enumerate(passages, start=1))
    if not question:
        return _SUMMARY.format(passages=numbered)
    return _QA.format(question=question, count=len(passages), passages=numbered)


def sample_of_row(row: Row) -> dict[str, Any]:
    """One training sample; each span carries its text and, from the engine, a confidence.

    Raises:
        LineFault: it is not known which words are unsupported.
    """
    line = row.line
    sure = {(mark["start"], mark["end"]): mark.get("probability") for mark in row.marks}
    passages = [source.text for source in line.sources]
    metadata = {
        "id": row.key,
        "external_id": line.external_id,
        "model": line.model or None,
        "locale": line.locale,
        "sources": [{"id": source.id, "text": source.text} for source in line.sources],
    }
    return {
        "prompt": prompt_of(line.question, passages),
        "answer": line.answer,
        "labels": [_label(span, sure.get((span.start, span.end))) for span in row.known_spans()],
        "split": row.split or "train",
        "task_type": line.task or "qa",
        "dataset": "proofmark",
        "language": _LANGUAGES.get((line.locale or "en").split("-")[0].lower(), "en"),
        "context": "\n\n".join(passages),
        "question": line.question or None,
        "metadata": metadata,
    }


def _label(span: SpanLabel, confidence: Any) -> dict[str, Any]:
    added = span.type in ("", "absent")
    return {
        "start": span.start,
        "end": span.end,
        "text": span.text,
        "label": span.type or _PLAIN,
        "category": "unsupported_addition" if added else "contradiction",
        "confidence": confidence,
    }


def answer_of_sample(sample: Mapping[str, Any], number: int) -> AnswerLine:
    """One answer from a training sample, or from an answer with the spans the detector predicted.

    Raises:
        LineFault: with the field and the reason.
    """
    labels = sample.get("labels")
    if labels is not None and not isinstance(labels, list):
        raise LineFault(f"must be a list, not {json_type(labels)}", field="labels", line=number)
    kept = sample.get("metadata")
    kept = kept if isinstance(kept, Mapping) else {}
    sources = next(
        (s for s in (kept.get("sources"), sample.get("context"), sample.get("prompt")) if s is not None), None
    )
    record = {
        "id": kept.get("id", sample.get("id")),
        "external_id": kept.get("external_id"),
        "question": sample.get("question"),
        "answer": sample.get("answer"),
        "sources": [sources] if isinstance(sources, str) else sources,
        "model": kept.get("model"),
        "task": sample.get("task_type"),
        "locale": kept.get("locale") if kept else sample.get("language"),
        "label": None if labels is None else int(bool(labels)),
        "labels": None if labels is None else [_span(span) for span in labels],
    }
    return answer_of_record(record, line=number)


def _span(span: Any) -> Any:
    if not isinstance(span, Mapping):
        return span  # the reader of answers says what is wrong with it
    kind = span.get("label")
    return {
        "start": span.get("start"),
        "end": span.get("end"),
        "text": span.get("text"),
        "type": "" if kind == _PLAIN else kind,
    }
