"""Ragas samples: ``user_input``, ``retrieved_contexts``, ``retrieved_context_ids``, ``response``, ``reference``.

>>> to_ragas(from_ragas({"user_input": "When?", "response": "At 9.", "retrieved_contexts": ["Open at 8."]}))
{'user_input': 'When?', 'retrieved_contexts': ['Open at 8.'], 'retrieved_context_ids': ['s1'], 'response': 'At 9.'}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.reviews import SCHEMA, labelled_answer

#: Decisions by which a person vouches for a final text.
_TAKEN = ("accept_healed", "accept_edited", "keep")


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


def sample_of_record(record: Mapping[str, Any], line: int | None = None) -> dict[str, Any]:
    """A sample from a decoded `answers/1` or `reviews/1` line; the reference is the text a reviewer took.

    Raises:
        LineFault: with the field and the reason.
    """
    if record.get("schema") == SCHEMA:
        return to_ragas(labelled_answer(record, line), reference=taken_text(record))
    return to_ragas(answer_of_record(record, line=line))


def taken_text(record: Mapping[str, Any]) -> str | None:
    """The text the last deciding reviewer of a `reviews/1` line took, or None."""
    for review in reversed(record.get("reviews") or []):
        if review.get("decision") in _TAKEN and isinstance(review.get("final"), str):
            return str(review["final"])
    return None


def alignment_sample(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows for aligning a judge with people: per review, was the answer accepted as it stood, and the edited text."""
    text = record["answer"]["text"]
    rows = []
    for review in record.get("reviews") or []:
        if review.get("decision") in (*_TAKEN, "reject"):
            edited = review.get("final") if review.get("final") not in (None, text) else None
            accepted = review["decision"] == "keep"
            rows.append({"user_input": record.get("question"), "response": text, "is_accepted": accepted,
                         "edited_output": edited})  # fmt: skip
    return rows
