"""Faint marks and the healer: they are for a person to look at, so nothing is changed because of them.

The healer reads a report without them, as its certainty was fitted; what it says of marks is numbered again after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from proofing.marks import is_faint
from proofing.report import Edit, Healing, Report


def without_faint(report: Report) -> tuple[Report, list[int]]:
    """The report with its other marks only, and which of its marks those are."""
    places = [i for i, mark in enumerate(report.marks) if not is_faint(mark, report.settings)]
    if len(places) == len(report.marks):
        return report, places
    finding = replace(report.finding, marks=tuple(report.marks[i] for i in places))
    return replace(report, finding=finding), places


def renumbered(healing: Healing, places: Sequence[int]) -> Healing:
    """The healing with marks counted among all of the report's, `places` being those the healer saw."""
    return replace(
        healing,
        edits=tuple(_edit(edit, places) for edit in healing.edits),
        proposed=tuple(_edit(edit, places) for edit in healing.proposed),
        alternatives=tuple(_alternative(one, places) for one in healing.alternatives),
    )


def _edit(edit: Edit, places: Sequence[int]) -> Edit:
    return replace(edit, marks=tuple(places[i] for i in edit.marks))


def _alternative(alternative: Mapping[str, Any], places: Sequence[int]) -> dict[str, Any]:
    candidates = [
        {**one, "edits": [{**step, "marks": [places[i] for i in step["marks"]]} for step in one["edits"]]}
        for one in alternative["candidates"]
    ]
    return {**alternative, "mark": places[int(alternative["mark"])], "candidates": candidates}
