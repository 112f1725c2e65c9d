"""Contradiction: what the marks say against the sources, gathered in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofing.marks import CONTRADICTING
from proofing.report import Mark


def check_contradiction(marks: Sequence[Mark]) -> dict[str, Any]:
    """Marks whose reason is contradicted, unbound, negated, unit, derived_wrong or altered_quote.

    Returns:
        ``found`` and ``marks``: start, end, text, kind, reason, what the source says and its id, in text order.
    """
    against = sorted((m for m in marks if m.reason in CONTRADICTING), key=lambda m: m.start)
    return {
        "found": bool(against),
        "marks": [
            {
                "start": m.start,
                "end": m.end,
                "text": m.text,
                "kind": m.kind,
                "reason": m.reason,
                "source_says": m.receipt.text,
                "source_id": m.receipt.source_id,
            }
            for m in against
        ],
    }
