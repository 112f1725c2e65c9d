"""From decision to label: what a reviewer's decision says about the answer and about its marks.

| decision | answer label | marks |
|---|---|---|
| accept_healed | 1 | marks of the applied edits: implied unsupported; of edits switched off, or without an edit: none |
| accept_edited | 1; 0 when only wording changed | explicit ones; marks whose words are gone: implied unsupported |
| keep | 0 | implied supported |
| reject | 1 | explicit ones only |
| skip, flag | none | explicit ones only |

An accepted healing that changed nothing is a `keep`. Marks that were hidden from the reviewer imply nothing.
An `unsure` verdict is an answer to nobody's question: it is left out, never counted as half.
This is the only place that knows the table; the web records verdicts by it and exports are read back by it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

ACCEPT_HEALED, ACCEPT_EDITED, KEEP, REJECT, SKIP, FLAG = (
    "accept_healed",
    "accept_edited",
    "keep",
    "reject",
    "skip",
    "flag",
)
DECISIONS = (ACCEPT_HEALED, ACCEPT_EDITED, KEEP, REJECT, SKIP, FLAG)
UNSUPPORTED, SUPPORTED, UNSURE = "unsupported", "supported", "unsure"
VERDICTS = (UNSUPPORTED, SUPPORTED, UNSURE)


@dataclass(frozen=True, slots=True)
class CausedEdit:
    """What the table needs to know of one edit: the marks that caused it and the edit it agrees with."""

    marks: tuple[int, ...]
    parent: int | None = None


def effective_decision(decision: str, edits: Sequence[CausedEdit], switched_off: Collection[int] = ()) -> str:
    """The decision as it counts: accepting a healing with no edit left is keeping the original."""
    if decision == ACCEPT_HEALED and not applied_edits(edits, switched_off):
        return KEEP
    return decision


def answer_label(decision: str, *, wording_only: bool = False) -> int | None:
    """1 = the answer held something unsupported, 0 = it did not, None = the decision does not say.

    Give the `effective_decision`.
    """
    if decision == ACCEPT_EDITED:
        return 0 if wording_only else 1
    return {ACCEPT_HEALED: 1, KEEP: 0, REJECT: 1}.get(decision)


def applied_edits(edits: Sequence[CausedEdit], switched_off: Collection[int]) -> tuple[int, ...]:
    """Indexes of the edits that stay when some are switched off; a reverted edit takes its children along."""
    off = set(switched_off)
    for index, edit in enumerate(edits):  # parents come before their children
        if edit.parent is not None and edit.parent in off:
            off.add(index)
    return tuple(index for index in range(len(edits)) if index not in off)


def implied_verdicts(
    decision: str,
    *,
    mark_texts: Sequence[str],
    edits: Sequence[CausedEdit] = (),
    switched_off: Collection[int] = (),
    final_text: str | None = None,
    wording_only: bool = False,
    marks_hidden: bool = False,
    explicit: Collection[int] = (),
) -> dict[int, str]:
    """Verdicts that follow from a decision alone, by mark index; marks with an `explicit` verdict are left out.

    Args:
        decision: one of `DECISIONS`, as clicked.
        mark_texts: the words of each mark, in the order of the report.
        final_text: what the reviewer sent, for ``accept_edited``.
        marks_hidden: the marks were not shown before the reviewer decided (audit): nothing is implied.
    """
    if marks_hidden:
        return {}
    decision = effective_decision(decision, edits, switched_off)
    implied: dict[int, str] = {}
    if decision == KEEP:
        implied = dict.fromkeys(range(len(mark_texts)), SUPPORTED)
    elif decision == ACCEPT_HEALED:
        for index in applied_edits(edits, switched_off):
            implied.update(dict.fromkeys(edits[index].marks, UNSUPPORTED))
    elif decision == ACCEPT_EDITED and final_text is not None and not wording_only:
        implied = {i: UNSUPPORTED for i, text in enumerate(mark_texts) if text not in final_text}
    return {index: verdict for index, verdict in sorted(implied.items()) if index not in explicit}


def agreed_label(labels: Iterable[int | None]) -> int | None:
    """The one label several reviewers agree on; None when none says anything or they disagree."""
    said = {label for label in labels if label is not None}
    return said.pop() if len(said) == 1 else None
