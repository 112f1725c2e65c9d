"""The contradiction patch: what a mark covers becomes what its receipt says, and nothing else changes.

A mark whose receipt offers one text is corrected. One that offers several is left alone: the choice goes to
a person, as alternatives. One that offers none is left over for the other strategies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from proofing.documents import Sentence
from proofing.healing.grammar import capital_like
from proofing.healing.openings import french_denial
from proofing.healing.receipts import receipt_sentence
from proofing.healing.verbs import helper_goes
from proofing.report import Edit, Mark
from proofing.support.polarity_words import WITHOUT
from proofing.support.reading import Proof, TextView

#: Reasons that contradict a source; an ``absent`` span contradicts nothing unless its receipt has a correction.
CORRECTABLE = frozenset({"contradicted", "unbound", "negated", "unit", "altered_quote", "derived_wrong"})
#: Kinds read as words: only these are aligned with the receipt's sentence when the mark brings no correction.
ALIGNED_KINDS = frozenset({"negation", "modality", "comparator"})
_EMPHASIS_BEFORE = re.compile(r"(?:\*{1,3}|_{1,3}|~~|`)\Z")
#: What may stand in the place of a "without".
WITH = frozenset(("with", "mit", "avec", "con", "com", "с"))
_BARE_DENIALS = frozenset(("no", "not", "never"))
_FRAGMENT_BEFORE = re.compile(r"[:|–—][ \u00a0]?[*_]{0,3}[ \u00a0]?\Z")
_FRAGMENT_BEHIND = re.compile(r"[*_]{0,3}[ \u00a0]{0,2}(?:[|,.;(]|$)", re.MULTILINE)
#: "is not permitted", "aren't allowed", "non-refundable", "nicht erlaubt" at the end of what a receipt shows.
_DENIED = re.compile(r"\b(?P<denial>(?:not|nicht|no|non|não|не)\s|non-|(?:is|are|was|were)n['’]t\s)(?P<said>\S+)\Z")
#: An aligned correction may be this many tokens longer than what it replaces.
LONGER_BY = 3
#: From this share of equal words on, two sentences say the same thing but for the flip.
SAME_SENTENCE = 0.6


@dataclass(frozen=True, slots=True)
class Corrections:
    """Edits in text order, choices for a person, and the marks that nothing was found for."""

    edits: tuple[Edit, ...]
    alternatives: tuple[Mapping[str, Any], ...]
    left_over: tuple[int, ...]


def corrections(proof: Proof, marks: Sequence[Mark]) -> Corrections:
    """One edit per mark that has exactly one correction.

    Args:
        proof: the texts of the report the marks belong to.
        marks: the report's marks; an edit names them by their index here.
    """
    edits: list[Edit] = []
    alternatives: list[Mapping[str, Any]] = []
    left_over: list[int] = []
    doubtful = _names_beside_values(proof, marks)
    for index, mark in sorted(enumerate(marks), key=lambda pair: (pair[1].start, -pair[1].end)):
        if index in doubtful:
            continue
        if edits and mark.start < edits[-1].end:
            edits[-1] = _also_caused_by(edits[-1], index)
            continue
        options = _options(proof, mark)
        if len(options) > 1:
            alternatives.append(_alternative(index, mark, options))
        elif options:
            new = "" if helper_goes(proof, mark, mark.text) and mark.kind == "negation" else options[0]
            edit = correction(proof.answer, index, mark, new)
            edits.append(edit) if edit.old != edit.new else left_over.append(index)
        else:
            left_over.append(index)
    return Corrections(tuple(edits), tuple(alternatives), tuple(left_over))


def _names_beside_values(proof: Proof, marks: Sequence[Mark]) -> frozenset[int]:
    """Names said to belong to another value, in a sentence whose value is corrected anyway.

    Either the name or the value is wrong there, never both: correcting both would only swap the fault.
    """
    mended = {
        proof.answer.sentence_index_at(mark.start)
        for mark in marks
        if mark.kind != "name" and mark.replacements and mark.reason in CORRECTABLE
    }
    return frozenset(
        i
        for i, mark in enumerate(marks)
        if mark.kind == "name" and mark.reason == "unbound" and proof.answer.sentence_index_at(mark.start) in mended
    )


def _options(proof: Proof, mark: Mark) -> tuple[str, ...]:
    if mark.replacements == ("",) and mark.reason == "unit":
        # The source may say another sort there ("working days" for "calendar days"); else the word just goes.
        return (aligned_correction(proof, mark) or "",)
    if mark.replacements:
        return tuple(dict.fromkeys(mark.replacements))
    if mark.reason not in CORRECTABLE or mark.receipt.source_id is None:
        return ()
    if mark.reason == "altered_quote":
        return (mark.receipt.text,) if mark.receipt.text else ()
    if mark.kind in ALIGNED_KINDS:
        found = aligned_correction(proof, mark)
        if found is None and mark.kind == "negation":
            if french_denial(proof.answer, mark):
                return ("",)
            found = _denied_fragment(proof.answer.text, mark)
        if found is not None and mark.text.casefold() in WITHOUT and found.casefold() not in WITH:
            return ()  # "may park without a permit" does not become "may park requires a permit"
        return () if found is None else (found,)
    return ()


def _denied_fragment(text: str, mark: Mark) -> str | None:
    """The denial for what stands alone behind a label or in a cell: "not permitted" for "Camping: permitted"."""
    if not _FRAGMENT_BEFORE.search(text, max(0, mark.start - 12), mark.start) or not _FRAGMENT_BEHIND.match(
        text, mark.end
    ):
        return None
    word = mark.text.casefold()
    said = _DENIED.search(mark.receipt.text.casefold())
    if said is None or said.group("said") != word:
        return None
    denial = "not " if said.group("denial").endswith(("n't ", "n’t ")) else said.group("denial")
    return capital_like(denial + word, mark.text) if mark.text[0].isupper() else denial + mark.text


def correction(answer: TextView, index: int, mark: Mark, new: str) -> Edit:
    """The edit that puts `new` where `mark` (by its index in the report) stands."""
    start, end = mark.start, mark.end
    if not new:
        start = _whole_denial(answer.text, start, end)
        start, end = _with_one_space(answer.text, *_with_emphasis(answer.text, start, end))
    elif _starts_sentence(answer, start):
        new = capital_like(new, answer.text[start:end])
    sentence = answer.sentence_at(start)
    if sentence is not None and sentence.text.isupper():
        new = new.upper()
    return Edit(start, end, answer.text[start:end], new, "value", (index,), None, _origin(mark))


def _whole_denial(text: str, start: int, end: int) -> int:
    """Where a contracted denial begins whose "t" alone is marked: "can't" becomes "can", "isn't" becomes "is"."""
    before = text[max(0, start - 4) : start].casefold()
    if text[start:end].casefold() != "t" or not before.endswith(("n'", "n’")):
        return start
    return start - (1 if before.startswith("can") else 2)


def _origin(mark: Mark) -> str:
    return mark.receipt.formula or mark.receipt.source_id or ""


def _also_caused_by(edit: Edit, index: int) -> Edit:
    return Edit(
        edit.start,
        edit.end,
        edit.old,
        edit.new,
        edit.kind,
        (*edit.marks, index),
        edit.parent,
        edit.origin,
        edit.certainty,
    )


def _alternative(index: int, mark: Mark, options: tuple[str, ...]) -> Mapping[str, Any]:
    note = mark.receipt.note
    return {
        "mark": index,
        "start": mark.start,
        "end": mark.end,
        "text": mark.text,
        "candidates": [{"text": text, "source_id": mark.receipt.source_id, "note": note} for text in options],
    }


def _with_emphasis(text: str, start: int, end: int) -> tuple[int, int]:
    """A span that goes takes the Markdown emphasis around it alone along: "**not**" leaves no "****"."""
    before = _EMPHASIS_BEFORE.search(text, max(0, start - 3), start)
    if before is None or not text.startswith(before.group()[::-1], end):
        return start, end
    return start - len(before.group()), end + len(before.group())


def _with_one_space(text: str, start: int, end: int) -> tuple[int, int]:
    """A span that goes takes one of the spaces around it along."""
    if end < len(text) and text[end] == " " and (start == 0 or text[start - 1].isspace()):
        return start, end + 1
    if start > 0 and text[start - 1] == " ":
        return start - 1, end
    return start, end


def _starts_sentence(view: TextView, position: int) -> bool:
    sentence = view.sentence_at(position)
    return sentence is not None and not any(c.isalnum() for c in view.text[sentence.start : position])


def aligned_correction(proof: Proof, mark: Mark) -> str | None:
    """What the receipt's sentence says where the answer's sentence has the mark, by aligning the two.

    The words before and after the marked ones must be aligned with the source's, and nearly all words of the
    shorter sentence must be equal; otherwise None.
    """
    ours = proof.answer.sentence_at(mark.start)
    found = receipt_sentence(proof, mark)
    if ours is None or found is None:
        return None
    view, theirs = found
    blocks = _aligned(proof.answer, ours, view, theirs)
    if sum(size for _, _, size in blocks) < SAME_SENTENCE * min(_length(ours), _length(theirs)):
        return None
    marked = proof.answer.tokens_between(mark.start, mark.end)
    partner = {a + i: b + i for a, b, size in blocks for i in range(size)}
    left, right = partner.get(marked.start - 1), partner.get(marked.stop)
    if left is None and marked.start == ours.first_token:
        left = theirs.first_token - 1
    if left is None or right is None or not 0 <= right - left - 1 <= len(marked) + LONGER_BY:
        return None
    if right - left == 1:
        if mark.kind == "negation" and mark.text.casefold() in _BARE_DENIALS:
            return ""  # "contains no latex" where the source says "contains latex"
        return None  # the source has nothing in this place: leaving the words out would not say what it says
    return view.text[view.tokens[left + 1].start : view.tokens[right - 1].end]


def _aligned(ours: TextView, a: Sentence, theirs: TextView, b: Sentence) -> list[tuple[int, int, int]]:
    """Equal runs of stems (signs by their text) of two sentences: token index here, there, and length."""
    matcher = SequenceMatcher(None, _keys(ours, a), _keys(theirs, b), autojunk=False)
    return [(a.first_token + m.a, b.first_token + m.b, m.size) for m in matcher.get_matching_blocks() if m.size]


def _keys(view: TextView, sentence: Sentence) -> list[str]:
    return [view.stems[i] or view.folds[i] for i in range(sentence.first_token, sentence.last_token)]


def _length(sentence: Sentence) -> int:
    return sentence.last_token - sentence.first_token
