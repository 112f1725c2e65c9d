"""Wording confidence: how assertive an answer sounds, whatever it says.

    score = clamp(0.5 + 0.5 * min(high / (words / 10), 1) - 0.5 * min(low / (words / 10), 1), 0, 1)

`high` counts assertive markers, `low` counts hedges; one marker per ten words is as much as counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from proofing.support.reading import Proof, TextView
from proofing.support.words import load_list


def check_confidence(proof: Proof) -> dict[str, Any]:
    """The confidence of the answer's wording.

    Returns:
        ``score`` (0-1, 0.5 is neutral), ``assertive`` and ``hedges``: the markers found, with offsets.
    """
    view = proof.answer
    assertive = _found(view, _phrases("assertive"))
    hedges = _found(view, _phrases("hedges"))
    words = sum(1 for token in view.tokens if token.kind != "sign")
    per_ten = words / 10
    high = min(len(assertive) / per_ten, 1.0) if words else 0.0
    low = min(len(hedges) / per_ten, 1.0) if words else 0.0
    score = min(max(0.5 + 0.5 * high - 0.5 * low, 0.0), 1.0)
    return {"score": round(score, 6), "assertive": assertive, "hedges": hedges}


@cache
def _phrases(name: str) -> dict[str, list[tuple[str, ...]]]:
    """First word -> the marker phrases of one list that begin with it."""
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for phrase in load_list("confidence")[name]:
        parts = tuple(phrase.split())
        by_first.setdefault(parts[0], []).append(parts)
    return by_first


def _found(view: TextView, by_first: Mapping[str, Sequence[tuple[str, ...]]]) -> list[dict[str, Any]]:
    """Occurrences of marker phrases, longest first at one place; a word inside a typed value is no marker."""
    found = []
    free = 0
    for index, fold in enumerate(view.folds):
        if index < free or fold not in by_first:
            continue
        hit = max((p for p in by_first[fold] if view.folds[index : index + len(p)] == p), key=len, default=None)
        if hit is None or _is_no_marker(view, index, hit):
            continue
        start, end = view.tokens[index].start, view.tokens[index + len(hit) - 1].end
        found.append({"start": start, "end": end, "text": view.text[start:end]})
        free = index + len(hit)
    return found


def _is_no_marker(view: TextView, index: int, phrase: tuple[str, ...]) -> bool:
    """ "May 5" is a date and "must" in "the must of the grapes" a noun; a month or a noun hedges nothing."""
    token = view.tokens[index]
    if len(phrase) > 1:
        return False
    value = view.value_at(token.start)
    if value is not None and value.kind in {"date", "range", "duration"}:
        return True
    if phrase == ("may",) and token.text == "May" and index > 0:
        return True
    return index > 0 and view.folds[index - 1] in {"the", "a", "an", "his", "her", "their", "its"}
