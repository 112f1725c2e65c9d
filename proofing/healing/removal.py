"""Taking out what no source backs: the clause where the rest stands, else the whole sentence, and saying so."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from proofing.documents import Sentence, Span
from proofing.healing.cuts import Cut, cut_of, leaves_a_statement
from proofing.healing.gaps import with_gap, with_headings
from proofing.healing.phrases import removal_note
from proofing.report import Edit, Mark
from proofing.support.reading import Proof, TextView

#: A clause may be cut off here: what follows adds something that the first part does not need.
_CLAUSE_START = re.compile(
    r"(?:;|\s[—–]|,)\s+(?:and|but|while|which|whereas|although|who|where|with|including|as well as|plus)\b"
    r"|,\s+(?:y|pero|und|aber|et|mais)\b"
    r"|;\s|\s[—–]\s|\s\((?=[^)]*\))|\s\[(?=[^\]]*\](?!\())",
    re.IGNORECASE,
)
#: A remark between commas, or after the last one, without which its sentence stands.
_ASIDE_START = re.compile(
    r",\s+(?:see\b|cf\.|as\s+[^\W\d_]+\s+(?:by|in)\b|according\s+to\b"
    r"|(?:[^\W\d_]+(?:ed|lt|wn)|led|known|called|made|run|held|written)\s+(?:by|as|in|at|from|with|under)\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r",\s+(?:which|who|where)\b", re.IGNORECASE)
#: What stays must have this many words to stand as a sentence.
LEAST_WORDS_LEFT = 4
#: A marked clause has as many; where what stays is known from the sources, this many are enough.
LEAST_WORDS_CUT = 2
#: Share of a clause that a mark must cover before the clause counts as marked.
FILLED = 0.75
_LAST_JOINT = re.compile(r"(?<=\w)[ \u00a0](?:and|und|y|et|e|&)[ \u00a0]\Z", re.IGNORECASE)
_EMPTY_LINE_ABOVE = re.compile(r"\n[ \t\r]*\n\Z")
_EMPTY_LINES = re.compile(r"(?:[ \t\r]*\n)*")
BRACKETS = {"(": ")", "[": "]"}
_BULLET_LINE = re.compile(r"[ \t]*(?:[-*+•·‣–▪◦]|\(?\d{1,3}[.)])[ \t]+")


@dataclass(frozen=True, slots=True)
class Removal:
    """A stretch to take out and the marks that ask for it.

    Attributes:
        leaves: what stays in its place: the words of a link, the capital of the next word.
        rest_known: that what stays (of the sentence, or the other items of a list) can stand without it.
    """

    span: Span
    marks: tuple[int, ...]
    sentence: Sentence
    leaves: str = ""
    rest_known: bool = False


def removal_of(view: TextView, sentence: Sentence, marks: Mapping[int, Mark], known: Collection[str] = ()) -> Removal:
    """The smallest stretch of `sentence` that holds `marks` and leaves a sentence that stands.

    Args:
        view: the answer.
        sentence: one of its sentences.
        marks: index -> mark, those of the sentence that have to go; empty = the whole sentence goes.
        known: the stems that stand in the sources.
    """
    indexes = tuple(sorted(marks))
    cut = cut_of(view, sentence, list(marks.values()), known) if marks and known else None
    if cut is not None:
        return Removal(cut.span, indexes, sentence, cut.leaves, rest_known=True)
    clause = _clause(view, sentence, list(marks.values())) if marks else None
    span = clause if clause is not None else whole_sentence(view.text, sentence)
    return Removal(span, indexes, sentence)


def _clause(view: TextView, sentence: Sentence, marks: Sequence[Mark]) -> Span | None:
    """The clause that holds all marks, where a statement is left without it."""
    span = _clause_of(view, sentence, marks)
    return span if span is not None and leaves_a_statement(view, sentence, Cut(span)) else None


def _clause_of(view: TextView, sentence: Sentence, marks: Sequence[Mark]) -> Span | None:
    """The part of a sentence from a clause boundary to the next one (or its end) that holds all marks."""
    text = sentence.text
    first, last = min(m.start for m in marks), max(m.end for m in marks)
    end = sentence.start + len(text.rstrip().rstrip(".!?…\"'”»)"))
    bounds = [sentence.start + m.start() for m in _CLAUSE_START.finditer(text)]
    listed = _listed_last(view, sentence, first, last, marks)
    if listed is not None:
        return listed
    aside = _aside(view, sentence, first, last, end)
    if aside is not None:
        return aside
    starts = [b for b in bounds if b <= first]
    if not starts or last > end:
        return None
    start = starts[-1]
    bracket = view.text[start + 1 : start + 2]
    if bracket in BRACKETS:
        close = view.text.find(BRACKETS[bracket], start + 2)
        return Span(start, close + 1) if last <= close < sentence.end else None
    stops = [b for b in bounds if b >= last and view.text[b] != " "]
    stop = stops[0] if stops else end
    if _RELATIVE.match(view.text, start) and view.text.find(",", last, stop) >= 0:
        return None  # the main clause goes on behind the comma
    if len(view.text[sentence.start : start].split()) < LEAST_WORDS_LEFT:
        return None
    return Span(start, stop)


def _aside(view: TextView, sentence: Sentence, first: int, last: int, end: int) -> Span | None:
    """A remark between commas that holds all marks: "The bridge, designed by Hugo Lind, opened in 1987"."""
    starts = [m.start() for m in _ASIDE_START.finditer(view.text, sentence.start, last) if m.start() <= first]
    if not starts or last > end or view.text.find(",", starts[-1] + 1, first) >= 0:
        return None
    comma = view.text.find(",", last, end)
    span = Span(starts[-1], end if comma < 0 else comma + 1)
    left = view.text[sentence.start : span.start].split() + view.text[span.end : end].split()
    return span if len(left) >= LEAST_WORDS_LEFT - 1 else None


def _listed_last(view: TextView, sentence: Sentence, first: int, last: int, marks: Sequence[Mark]) -> Span | None:
    """A name that ends a list, with its "and": "led by Noor Haddad and Viktor Lenz"."""
    joint = _LAST_JOINT.search(view.text, sentence.start, first)
    if joint is None or any(mark.kind != "name" for mark in marks) or len(marks) > 1:
        return None
    ends = last == len(view.text) or view.text[last] in ".,;:)!?\n" or last >= sentence.end
    return Span(joint.start(), last) if ends else None


def in_own_bracket(view: TextView, mark: Mark) -> bool:
    """Whether a mark stands in a bracket that can go alone."""
    sentence = view.sentence_at(mark.start)
    span = _bracket(view, sentence, mark.start, mark.end) if sentence is not None else None
    return span is not None


def _bracket(view: TextView, sentence: Sentence, first: int, last: int) -> Span | None:
    """The innermost bracket around a stretch, with the space before it."""
    opens = max(view.text.rfind(sign, sentence.start, first) for sign in BRACKETS)
    if opens <= sentence.start or not view.text[opens - 1].isspace():
        return None
    close = view.text.find(BRACKETS[view.text[opens]], opens)
    linked = view.text[close + 1 : close + 2] == "(" and view.text[opens] == "["
    return Span(opens - 1, close + 1) if last <= close < sentence.end and not linked else None


def is_invented_clause(view: TextView, mark: Mark, known: Collection[str] = ()) -> bool:
    """Whether a mark on words covers a whole clause that can go while the rest of its sentence stands."""
    sentence = view.sentence_at(mark.start)
    if sentence is None or mark.kind != "word" or mark.reason != "absent":
        return False
    words = len(mark.text.split())
    cut = cut_of(view, sentence, [mark], known) if known else None
    if cut is not None:
        said = [i for i in view.tokens_between(*cut.span) if view.content[i]]
        held = sum(mark.start <= view.tokens[i].start < mark.end for i in said)
        return words >= LEAST_WORDS_CUT and held >= FILLED * len(said)
    clause = _clause(view, sentence, [mark]) if words >= LEAST_WORDS_LEFT else None
    return clause is not None and mark.end - mark.start >= FILLED * (clause.end - clause.start)


def is_invented_item(view: TextView, sentence: Sentence, marks: Sequence[Mark]) -> bool:
    """Whether marks on absent words cover all that an item of a list says: "- Award: Golden Paddle"."""
    if not _BULLET_LINE.match(view.text, view.text.rfind("\n", 0, sentence.start + 1) + 1):
        return False
    said = [i for i in range(sentence.first_token, sentence.last_token) if view.content[i]]
    spans = [(m.start, m.end) for m in marks if m.reason == "absent"]
    return bool(said) and all(any(a <= view.tokens[i].start < b for a, b in spans) for i in said)


def whole_sentence(text: str, sentence: Sentence) -> Span:
    """A sentence with the white space that it leaves behind; a list item takes its line along, a paragraph its gap."""
    start, end = sentence.start, sentence.end
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    lead = text[line_start:start]
    if not text[end:line_end].strip() and (not lead.strip() or _BULLET_LINE.fullmatch(lead)):
        return _whole_line(text, line_start, line_end)
    if not lead.strip() or _BULLET_LINE.fullmatch(lead):
        while end < line_end and text[end] in " \t\u00a0":
            end += 1
        return Span(start, end)
    while start > line_start and text[start - 1] in " \t\u00a0":
        start -= 1
    return Span(start, end)


def _whole_line(text: str, start: int, end: int) -> Span:
    """A line and one line break; a paragraph of one line takes the empty lines after it along, or those before."""
    if end == len(text):
        return Span(len(text[:start].rstrip()), end)
    alone = not text[:start].strip() or _EMPTY_LINE_ABOVE.search(text, 0, start)
    gap = _EMPTY_LINES.match(text, end + 1) if alone else None
    return Span(start, gap.end() if gap else end + 1)


def with_removals(
    proof: Proof, edits: Sequence[Edit], removals: Sequence[Removal], certainties: Sequence[float]
) -> tuple[Edit, ...]:
    """`edits` less those inside a removal, and one edit for each removal; parents stay right.

    Removals that overlap are joined. No note is added here; see `note_for`.
    """
    merged = _with_gap(proof.answer.text, _joined(_with_headings(proof.answer, removals), certainties))
    gone = {
        i for i, e in enumerate(edits) if any(r.span.overlaps((e.start, max(e.end, e.start + 1))) for r, _ in merged)
    }
    grew = True
    while grew:
        more = {i for i, e in enumerate(edits) if e.parent in gone} - gone
        gone |= more
        grew = bool(more)
    place: dict[int, int] = {}
    kept: list[Edit] = []
    for i, edit in enumerate(edits):
        if i in gone:
            continue
        place[i] = len(kept)
        kept.append(edit)
    text = proof.answer.text
    result = [_reparented(edit, place) for edit in kept]
    for removal, certainty in merged:
        start, end = removal.span
        result.append(Edit(start, end, text[start:end], removal.leaves, "removal", removal.marks, None, "", certainty))
    return tuple(result)


def _with_headings(view: TextView, removals: Sequence[Removal]) -> list[Removal]:
    """Removals that leave a heading with nothing under it take the heading along."""
    spans = with_headings(view.text, [removal.span for removal in removals])
    return [replace(removal, span=span) for removal, span in zip(removals, spans, strict=True)]


def _with_gap(text: str, merged: Sequence[tuple[Removal, float]]) -> list[tuple[Removal, float]]:
    """What goes from the end of a text takes the empty lines before it along, once."""
    if not merged or merged[-1][0].leaves:
        return list(merged)
    spans = with_gap(text, [removal.span for removal, _ in merged])
    return [(replace(removal, span=span), sure) for (removal, sure), span in zip(merged, spans, strict=True)]


def _reparented(edit: Edit, place: Mapping[int, int]) -> Edit:
    if edit.parent is None:
        return edit
    return Edit(
        edit.start, edit.end, edit.old, edit.new, edit.kind, edit.marks, place[edit.parent], edit.origin, edit.certainty
    )


def _joined(removals: Sequence[Removal], certainties: Sequence[float]) -> list[tuple[Removal, float]]:
    joined: list[tuple[Removal, float]] = []
    for removal, certainty in sorted(zip(removals, certainties, strict=True), key=lambda pair: pair[0].span):
        if joined and removal.sentence != joined[-1][0].sentence and removal.span.end > joined[-1][0].span.end:
            # Two sentences may want the white space between them; each can be taken back alone.
            start = max(removal.span.start, joined[-1][0].span.end)
            joined.append((replace(removal, span=Span(start, removal.span.end)), certainty))
        elif joined and removal.span.start < joined[-1][0].span.end:
            last, sure = joined[-1]
            span = Span(last.span.start, max(last.span.end, removal.span.end))
            marks = tuple(sorted({*last.marks, *removal.marks}))
            leaves = removal.leaves if removal.span.end == span.end else last.leaves
            joined[-1] = (Removal(span, marks, last.sentence, leaves), max(sure, certainty))
        else:
            joined.append((removal, certainty))
    return joined


def note_for(answer: TextView, edits: Sequence[Edit]) -> Edit | None:
    """The edit that says something was left out, a child of the first removal; None without removals.

    It stands at the end, in the answer's language: on a line of its own where the answer has lines.
    """
    removals = [i for i, edit in enumerate(edits) if edit.kind == "removal"]
    if not removals:
        return None
    gap = "\n\n" if "\n" in answer.text.strip() else " "
    end = len(answer.text.rstrip())
    last = max((edits[i].end for i in removals), default=0)
    at = max(end, last)
    marks = tuple(sorted({m for i in removals for m in edits[i].marks}))
    certainty = max(edits[i].certainty for i in removals)
    note = gap + removal_note(answer.language, len(removals))
    return Edit(at, at, "", note, "note", marks, removals[0], "", certainty)
