"""Entities: persons, organisations, works and citations of the answer that stand in no source."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from proofing.report import Mark
from proofing.support.base import Judgement

_WORK_ID = re.compile(r"(?:arxiv|doi|rfc|isbn|pmid)\b|10\.\d{4,9}/", re.IGNORECASE)
ENTITY_KINDS = frozenset({"name", "citation", "identifier", "url"})


def check_entities(judgements: Sequence[Judgement], marks: Sequence[Mark], finder: str) -> dict[str, Any]:
    """Names and citations that were looked up.

    Args:
        judgements: what the channels said.
        marks: the marks that stayed; a name inside a larger mark (an invented sentence) still counts.
        finder: name of what found the names (a spaCy model, or ``rules``).

    Returns:
        ``absent``: start, end, text, kind of each one that stands in no source; ``checked``: how many were looked up;
        ``model``: `finder`.
    """
    marked = sorted((m.start, m.end) for m in marks)  # marks never overlap, so their ends are in order too
    absent = [
        j
        for j in sorted(judgements, key=lambda j: (j.start, j.end))
        if _names_something(j) and j.reason == "absent" and _touches(j, marked)
    ]
    checked = sum(1 for j in judgements if j.kind in ENTITY_KINDS)
    return {
        "absent": [{"start": j.start, "end": j.end, "text": j.text, "kind": j.kind} for j in absent],
        "checked": checked,
        "model": finder,
    }


def _touches(judgement: Judgement, marked: Sequence[tuple[int, int]]) -> bool:
    """Whether a judgement overlaps one of some spans that are in order and apart."""
    at = bisect_left(marked, (judgement.end, 0))
    return at > 0 and marked[at - 1][1] > judgement.start


def _names_something(judgement: Judgement) -> bool:
    """A name, a citation, an address on the web, or an identifier that cites a work (arXiv, DOI, RFC, ISBN, PMID)."""
    if judgement.kind == "identifier":
        return _WORK_ID.match(judgement.text) is not None
    return judgement.kind in ("name", "citation", "url")
