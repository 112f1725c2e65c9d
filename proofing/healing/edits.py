"""Putting edits into a text, and taking single ones out again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from proofing.report import Edit, Healing


@dataclass(frozen=True, slots=True)
class Offer:
    """The text a person is shown as the healed answer, and the edits that lead to it."""

    text: str
    edits: tuple[Edit, ...]


def offered(healing: Healing | Mapping[str, Any]) -> Offer:
    """What a reviewer should look at: the proposal where there is one, else the text that would be served.

    Args:
        healing: a `Healing` or its ``to_dict()``.
    """
    if isinstance(healing, Healing):
        if healing.proposal is not None:
            return Offer(healing.proposal, healing.proposed)
        return Offer(healing.text, healing.edits)
    if healing.get("proposal") is not None:
        return Offer(str(healing["proposal"]), edits_from(healing.get("proposed", ())))
    return Offer(str(healing["text"]), edits_from(healing["edits"]))


def offered_edits(healing: Healing | Mapping[str, Any], choices: Mapping[int, int] | None = None) -> tuple[Edit, ...]:
    """The edits a reviewer is shown, then those of the alternatives that were chosen.

    Args:
        healing: a `Healing` or its ``to_dict()`` as stored.
        choices: index of a mark -> index of the candidate chosen for it; what names nothing is left out.
    """
    edits = list(offered(healing).edits)
    alternatives = healing.alternatives if isinstance(healing, Healing) else healing.get("alternatives", ())
    for alternative in alternatives:
        wanted = (choices or {}).get(int(alternative["mark"]))
        candidates = alternative["candidates"]
        if wanted is None or not 0 <= wanted < len(candidates):
            continue
        chosen = _chosen(alternative, candidates[wanted])
        if any(_overlap(new, old) for new in chosen for old in edits):
            continue
        at = len(edits)
        edits += [edit if edit.parent is None else replace(edit, parent=edit.parent + at) for edit in chosen]
    return tuple(edits)


def _chosen(alternative: Mapping[str, Any], candidate: Mapping[str, Any]) -> tuple[Edit, ...]:
    """The edits of a candidate: itself and what must agree with it."""
    if candidate.get("edits"):
        return edits_from(candidate["edits"])
    start, end, mark = int(alternative["start"]), int(alternative["end"]), int(alternative["mark"])
    source = str(candidate.get("source_id") or "")
    return (Edit(start, end, str(alternative["text"]), str(candidate["text"]), "value", (mark,), None, source),)


def _overlap(one: Edit, other: Edit) -> bool:
    return one.start < other.end and other.start < one.end


def text_without(
    healing: Healing | Mapping[str, Any],
    answer: str,
    switched_off: Collection[int],
    choices: Mapping[int, int] | None = None,
) -> str:
    """The healed answer less the edits switched off, with the alternatives that were chosen.

    Args:
        healing: a `Healing` or its ``to_dict()`` as stored.
        answer: the answer the edits were made for.
        switched_off: indexes into ``offered_edits(healing, choices)``; their children go with them.
        choices: index of a mark -> index of the candidate chosen for it.

    Raises:
        ValueError: an edit does not fit `answer`, or an index is out of range.
    """
    return apply_edits(answer, offered_edits(healing, choices), switched_off)


def apply_edits(answer: str, edits: Sequence[Edit], switched_off: Collection[int] = ()) -> str:
    """`answer` with `edits` put in; edits switched off, and what depends on them, are left out.

    Raises:
        ValueError: an edit's `old` is not what stands at its span, two edits overlap, or an index is wrong.
    """
    off = switched_off_with_children(edits, switched_off)
    kept = [edit for index, edit in enumerate(edits) if index not in off]
    pieces: list[str] = []
    at = 0
    for edit in sorted(kept, key=lambda e: (e.start, e.end)):
        if edit.start < at or answer[edit.start : edit.end] != edit.old:
            raise ValueError(f"the edit at {edit.start} does not fit this answer")
        pieces += [answer[at : edit.start], edit.new]
        at = edit.end
    return "".join([*pieces, answer[at:]])


def switched_off_with_children(edits: Sequence[Edit], switched_off: Collection[int]) -> frozenset[int]:
    """Indexes switched off by hand and those that follow: children, and a note whose removals are all off.

    >>> edits = [Edit(0, 1, "a", "b", "value"), Edit(2, 3, "c", "d", "agreement", parent=0)]
    >>> sorted(switched_off_with_children(edits, [0]))
    [0, 1]
    """
    wrong = [index for index in switched_off if not 0 <= index < len(edits)]
    if wrong:
        raise ValueError(f"there is no edit {wrong[0]}; this answer has {len(edits)}")
    off = set(switched_off)
    grew = True
    while grew:
        grew = False
        for index, edit in enumerate(edits):
            if index in off or edit.parent is None or edit.kind == "note":
                continue
            if edit.parent in off:
                off.add(index)
                grew = True
    removals = [index for index, edit in enumerate(edits) if edit.kind == "removal"]
    if all(index in off for index in removals):
        off |= {index for index, edit in enumerate(edits) if edit.kind == "note"}
    return frozenset(off)


def edits_from(stored: Sequence[Mapping[str, Any]]) -> tuple[Edit, ...]:
    """Edits from their JSON form (``Edit.to_dict``)."""
    return tuple(
        Edit(
            start=int(edit["start"]),
            end=int(edit["end"]),
            old=str(edit["from"]),
            new=str(edit["to"]),
            kind=str(edit["kind"]),
            marks=tuple(edit.get("marks", ())),
            parent=edit.get("parent"),
            origin=str(edit.get("origin", "")),
            certainty=float(edit.get("certainty", 1.0)),
        )
        for edit in stored
    )
