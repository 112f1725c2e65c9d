"""Ragas samples: ``user_input``, ``retrieved_contexts``, ``retrieved_context_ids``, ``response``, ``reference``.

>>> to_ragas(from_ragas({"user_input": "When?", "response": "At 9.", "retrieved_contexts": ["Open at 8."]}))
{'user_input': 'When?', 'retrieved_contexts': ['Open at 8.'], 'retrieved_context_ids': ['s1'], 'response': 'At 9.'}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.jsonl import LineFault
from proofing.exchange.rows import TAKEN, Row, row_of_record
from proofing.exchange.sinks import json_bytes
from proofing.learning import labels as rules

#: The metric under which an alignment file files the judgements of people.
METRIC = "unsupported"


def from_ragas(sample: Mapping[str, Any], line: int | None = None) -> AnswerLine:
    """One sample as an answer; `retrieved_context_ids` become the source ids when there is one for each.

    Raises:
        LineFault: with the field and the reason.
    """
    return answer_of_record(sample, line=line)


def to_ragas(answer: AnswerLine, reference: str | None = None) -> dict[str, Any]:
    """One answer as a sample; `reference` only when a person vouched for it."""
    sample: dict[str, Any] = {
        "user_input": answer.question,
        "retrieved_contexts": [source.text for source in answer.sources],
        "retrieved_context_ids": [source.id for source in answer.sources],
        "response": answer.answer,
    }
    if reference is not None:
        sample["reference"] = reference
    return sample


def sample_of_row(row: Row) -> dict[str, Any]:
    """A sample; the reference is the text a reviewer took."""
    return to_ragas(row.line, reference=row.taken)


def sample_of_record(record: Mapping[str, Any], line: int | None = None) -> dict[str, Any]:
    """A sample from a decoded `answers/1` or `reviews/1` line.

    Raises:
        LineFault: with the field and the reason.
    """
    return sample_of_row(row_of_record(record, line))


# Aligning a judge with people --------------------------------------------------------------------------------


def alignment_samples(row: Row) -> list[Mapping[str, Any]]:
    """One annotated sample per deciding review.

    The judge's task: does the response hold anything that its contexts do not back (1) or not (0)? What the engine
    said is the output that people accept or correct. ``is_accepted``: the person agrees with it.

    Raises:
        LineFault: the engine did not judge the answer, or nobody decided on it.
    """
    probability, flagged = row.scan.get("unsupported_probability"), row.scan.get("above_cut")
    if flagged is None:
        raise LineFault("the engine did not judge this answer", field="scan", line=row.line.line, id=row.line.id)
    out: list[Mapping[str, Any]] = []
    for review in row.reviews:
        said = rules.answer_label(str(review.get("decision")), wording_only=bool(review.get("wording_only")))
        if said is not None:
            out.append(_alignment_sample(row, review, int(bool(flagged)), said, probability))
    if not out:
        raise LineFault("nobody decided on this answer", field="reviews", line=row.line.line, id=row.line.id)
    return out


def _alignment_sample(row: Row, review: Mapping[str, Any], judged: int, said: int, probability: Any) -> dict[str, Any]:
    sample = to_ragas(row.line)
    marks = "; ".join(f"{mark.get('text')!r} {mark.get('reason') or 'unsupported'}" for mark in row.marks)
    output = {"reason": marks or "no words are marked", "verdict": judged, "probability": probability}
    agrees = judged == said
    healed = review.get("final") if review.get("decision") in TAKEN else None
    prompt = {
        "prompt_input": {name: sample[name] for name in ("user_input", "retrieved_contexts", "response")},
        "prompt_output": output,
        "is_accepted": agrees,
        "edited_output": None if agrees else {**output, "verdict": said},
    }
    return {
        "metric_input": {**sample, "reference": healed} if healed is not None else sample,
        "metric_output": float(judged),
        "prompts": {"unsupported_words": prompt},
        "is_accepted": agrees,
        "target": float(said),
    }


#: What stands around the samples of an alignment file: one list, under the metric's name.
ALIGNMENT_HEAD = b"{" + json_bytes(METRIC) + b":["
ALIGNMENT_TAIL = b"]}"
