"""Reports made by hand: a healer test says itself which marks there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from proofing.documents import Source
from proofing.report import Finding, Mark, Receipt, Report
from proofing.settings import Settings
from proofing.support.reading import Proof, read

#: What a test writes for one mark: its text, the source's text, and what may take its place.
Given = tuple[str, str | None, tuple[str, ...]]


def mark(answer: str, source: str, given: Given, **fields: Any) -> Mark:
    """A mark on the first place where its text stands; the receipt on the first place of the source's text."""
    text, evidence, replacements = given
    start = answer.index(text)
    receipt = Receipt(None)
    if evidence is not None:
        at = source.index(evidence)
        first = source.rfind(". ", 0, at) + 2 if ". " in source[:at] else 0
        last = source.find(". ", at) + 1 or len(source)
        receipt = Receipt("s1", at, at + len(evidence), evidence, first, last, source[first:last])
    values: dict[str, Any] = {"kind": "money", "reason": "contradicted", "support": 0.0, "probability": 0.95}
    return Mark(
        start=start,
        end=start + len(text),
        text=text,
        receipt=receipt,
        replacements=replacements,
        **{**values, **fields},
    )


@pytest.fixture
def make_report() -> Callable[..., Report]:
    """A report of risk critical from an answer, one source and marks; checks can be set."""

    def make(answer: str, source: str, marks: Sequence[Mark], **changes: Any) -> Report:
        checks: dict[str, dict[str, Any]] = {
            "confidence": {"score": 0.5},
            "faithfulness": {"score": changes.pop("faithfulness", 0.5), "claims": changes.pop("claims", [])},
        }
        given: dict[str, Any] = {
            "question": "", "sources": (Source("s1", source),), "answer": answer, "settings": Settings(tier="fast"),
            "finding": Finding(tuple(marks), (), (), 0.0, (), ""), "unsupported_probability": 0.9, "above_cut": True,
            "risk": "critical", "triggered": ("contradiction",), "checks": checks, "engine": {}, "sha256": "",
        }  # fmt: skip
        return Report(**{**given, **changes})

    return make


@pytest.fixture
def proof_of() -> Callable[[str, str], Proof]:
    """The proof of an answer and one source."""

    def make(answer: str, source: str) -> Proof:
        return read("", (Source("s1", source),), answer, Settings(tier="fast"))

    return make
