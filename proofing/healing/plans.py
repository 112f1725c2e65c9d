"""What could be changed in one answer: corrections with their grammar, removals, a rewrite."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from proofing.documents import Sentence
from proofing.healing.agreement import in_text_order, with_agreement
from proofing.healing.certainty import Certainty
from proofing.healing.corrections import CORRECTABLE, correction, corrections
from proofing.healing.edits import apply_edits
from proofing.healing.phrases import without_own_phrases
from proofing.healing.removal import (
    Removal,
    in_own_bracket,
    is_invented_clause,
    is_invented_item,
    note_for,
    removal_of,
    with_removals,
)
from proofing.healing.rewriting import origins, rewrite
from proofing.report import Edit, Mark, Report
from proofing.settings import Settings
from proofing.support.reading import Proof

#: A removal less certain than this is not worth a person's look; below it about nine in ten would be wrong.
PROPOSED_FROM = 0.30


@dataclass(frozen=True, slots=True)
class Plan:
    """Edits that may be made, each with its certainty; `at_least` puts together those sure enough.

    Attributes:
        strategy: as in `proofing.report.Healing`.
        edits: corrections and their children, or the one rewrite.
        removals: what would be taken out, with certainties.
        alternatives: choices for a person.
        confusing: 0-1, how far the certainties are fitted ones (`Certainty.confusing`).
    """

    proof: Proof
    strategy: str
    edits: tuple[Edit, ...] = ()
    removals: tuple[tuple[Removal, float], ...] = ()
    alternatives: tuple[Mapping[str, Any], ...] = ()
    confusing: float = 0.0

    @property
    def is_empty(self) -> bool:
        return not self.edits and not self.removals

    @property
    def certainty(self) -> float:
        """How sure it is that something of this has to be done, 0-1: more doubtful sentences make it surer."""
        surest: dict[int | None, float] = {}
        places = [(e.start, e.certainty) for e in self.edits if e.parent is None]
        for start, certainty in [*places, *((r.sentence.start, c) for r, c in self.removals)]:
            at = self.proof.answer.sentence_index_at(start)
            surest[at] = max(surest.get(at, 0.0), certainty)
        top, none = max(surest.values(), default=0.0), math.prod(1.0 - certainty for certainty in surest.values())
        return top + (1.0 - none - top) * self.confusing

    def made(self, settings: Settings) -> tuple[Edit, ...]:
        """What the healer does alone: nothing, or every edit that is sure enough beside the surest.

        Where one thing is surely wrong the answer is known to be faulty, and what is likely wrong beside it goes too.
        """
        if self.certainty < settings.caution:
            return ()
        lower = max(0.0, settings.caution - settings.caution_beside)
        return self.at_least(settings.caution - lower * self.confusing)

    def at_least(self, certainty: float) -> tuple[Edit, ...]:
        """The edits of this certainty or more, in text order, with children and the note about removals."""
        kept = [i for i, e in enumerate(self.edits) if _root(self.edits, i).certainty >= certainty]
        place = {old: new for new, old in enumerate(kept)}
        chosen = [e if e.parent is None else replace(e, parent=place[e.parent]) for e in (self.edits[i] for i in kept)]
        removals = [(r, c) for r, c in self.removals if c >= certainty]
        if removals:
            chosen = list(with_removals(self.proof, chosen, [r for r, _ in removals], [c for _, c in removals]))
        ordered = in_text_order(chosen)
        note = note_for(self.proof.answer, ordered)
        return ordered if note is None else (*ordered, note)


def _root(edits: Sequence[Edit], index: int) -> Edit:
    edit = edits[index]
    while edit.parent is not None:
        edit = edits[edit.parent]
    return edit


def patch(sure: Certainty, certainties: Sequence[float]) -> Plan:
    """Corrections from receipts, and removal of what contradicts or is absent and has no correction."""
    proof, report = sure.proof, sure.report
    found = corrections(proof, report.marks)
    known = [replace(e, certainty=certainties[e.marks[0]]) for e in found.edits]
    edits = with_agreement(proof, known, report.marks)
    covered = {m for e in edits for m in e.marks} | {int(a["mark"]) for a in found.alternatives}
    rest = [i for i in found.left_over if i not in covered]
    removals = _removals(sure, rest, certainties, found.alternatives, edits)
    strategy = "contradiction_patch" if edits or found.alternatives else "entity_scrub"
    alternatives = tuple(_with_edits(proof, a, report.marks, edits) for a in found.alternatives)
    return Plan(proof, strategy, edits, removals, alternatives, sure.confusing)


def _with_edits(
    proof: Proof, alternative: Mapping[str, Any], marks: Sequence[Mark], others: Sequence[Edit]
) -> Mapping[str, Any]:
    """An alternative whose candidates carry their edits, with the grammar that would have to follow each of them."""
    index = int(alternative["mark"])

    def edits_of(candidate: Mapping[str, Any]) -> list[dict[str, Any]]:
        edit = correction(proof.answer, index, marks[index], candidate["text"])
        chain = with_agreement(proof, [edit], marks)
        if any(new.start < old.end and old.start < new.end for new in chain for old in others):
            chain = (edit,)
        return [step.to_dict() for step in chain]

    return {**alternative, "candidates": [{**c, "edits": edits_of(c)} for c in alternative["candidates"]]}


def rewritten(proof: Proof, report: Report, certainty: float) -> Plan | None:
    """The whole answer replaced by the source sentences that answer the question; None when there are none."""
    found = rewrite(proof)
    if found is None or not without_own_phrases(found.text).strip():
        return None
    answer = proof.answer.text
    edit = Edit(
        0, len(answer), answer, found.text, "rewrite", tuple(range(len(report.marks))), None, origins(found), certainty
    )
    return Plan(proof, "grounding_rewrite", (edit,))


def _removals(
    sure: Certainty,
    left_over: Sequence[int],
    certainties: Sequence[float],
    alternatives: Sequence[Mapping[str, Any]],
    edits: Sequence[Edit],
) -> tuple[tuple[Removal, float], ...]:
    """At most one removal per sentence: all of it where that is surer, else the clause that holds its marks."""
    proof, report = sure.proof, sure.report
    by_sentence: dict[int, dict[int, Mark]] = {}
    for index in left_over:
        mark = report.marks[index]
        at = proof.answer.sentence_index_at(mark.start)
        goes = (
            mark.reason in CORRECTABLE or mark.kind != "word" or is_invented_clause(proof.answer, mark, proof.postings)
        )
        if goes and at is not None:
            by_sentence.setdefault(at, {})[index] = mark
    ungrounded = _ungrounded(sure)
    removals: list[tuple[Removal, float]] = []
    for at, sentence in enumerate(proof.answer.sentences):
        if any(_within(a, sentence) for a in alternatives):
            continue  # a person chooses there first
        inside = _marks_in(report, sentence)
        mended = any(sentence.start <= e.start < sentence.end for e in edits if e.parent is None)
        whole = 0.0
        if (inside or at in ungrounded) and not mended:
            whole = sure.of_sentence(sentence, ungrounded.get(at))
        if inside and not mended and is_invented_item(proof.answer, sentence, [report.marks[i] for i in inside]):
            item = max(whole, *(certainties[i] for i in inside))
            if item >= PROPOSED_FROM:
                removals.append(
                    (replace(removal_of(proof.answer, sentence, {}), marks=tuple(inside), rest_known=True), item)
                )
            continue
        marks = dict(by_sentence.get(at, {}))
        if len(marks) > 1 and at not in ungrounded:
            for index in [i for i, mark in marks.items() if in_own_bracket(proof.answer, mark)]:
                if certainties[index] >= PROPOSED_FROM:
                    bracket = removal_of(proof.answer, sentence, {index: marks[index]})
                    removals.append((bracket, certainties[index]))
                del marks[index]
            if not marks:
                continue
        part = max((certainties[i] for i in marks), default=0.0)
        smaller = removal_of(proof.answer, sentence, marks, proof.postings) if marks else None
        if smaller is not None and smaller.rest_known:
            # It takes out less than the sentence, and what stays is known: no more certainty is needed for it.
            if max(whole, part) >= PROPOSED_FROM:
                removals.append((smaller, max(whole, part)))
            continue
        if (at in ungrounded and not mended) or whole > part:
            if whole >= PROPOSED_FROM:
                everything = removal_of(proof.answer, sentence, {})
                removals.append((replace(everything, marks=tuple(inside)), whole))
        elif smaller is not None and part >= PROPOSED_FROM:
            removals.append((smaller, part))
    return tuple(removals)


def _ungrounded(sure: Certainty) -> dict[int, float]:
    """Sentences that are claims and stand in no source, with the share of their words that do."""
    found: dict[int, float] = {}
    for claim in sure.report.checks.get("faithfulness", {}).get("claims", ()):
        at = sure.proof.answer.sentence_index_at(int(claim["start"]))
        if not claim["grounded"] and at is not None:
            found[at] = float(claim["overlap"])
    return found


def _marks_in(report: Report, sentence: Sentence) -> list[int]:
    return [i for i, mark in enumerate(report.marks) if sentence.start <= mark.start < sentence.end]


def _within(alternative: Mapping[str, Any], sentence: Sentence) -> bool:
    return sentence.start <= int(alternative["start"]) < sentence.end


def text_of(proof: Proof, edits: Sequence[Edit]) -> str:
    """The answer with edits applied."""
    return apply_edits(proof.answer.text, edits)
