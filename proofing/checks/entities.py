"""Entities: persons, organisations, works and citations of the answer that stand in no source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofing.report import Mark
from proofing.support.base import Judgement

ENTITY_KINDS = frozenset({"name", "citation", "identifier", "url"})


def check_entities(judgements: Sequence[Judgement], marks: Sequence[Mark], finder: str) -> dict[str, Any]:
    """Names and citations that were looked up.

    Args:
        judgements: what the channels said.
        marks: the marks that stayed.
        finder: name of what found the names (a spaCy model, or ``rules``).

    Returns:
        ``absent``: start, end, text, kind of each one that stands in no source; ``checked``: how many were looked up;
        ``model``: `finder`.
    """
    absent = sorted(
        (m for m in marks if m.kind in ("name", "citation") and m.reason == "absent"), key=lambda m: m.start
    )
    checked = sum(1 for j in judgements if j.kind in ENTITY_KINDS)
    return {
        "absent": [{"start": m.start, "end": m.end, "text": m.text, "kind": m.kind} for m in absent],
        "checked": checked,
        "model": finder,
    }
