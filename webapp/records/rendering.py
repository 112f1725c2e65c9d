"""How an answer, its sources and its healed text are cut into pieces for a page.

Two steps. `token_stream` runs once, in the worker, and is stored with the inspection: the answer's tokens with the
marks and notes each one belongs to. `render_*` run when a page is shown: they join the stored stream with the texts
into lines, runs and words, ready for a template. Nothing here splices markup into strings; every text is escaped on
the way out. Offsets count code points of the stored text, and the browser never counts: it sends token ids back.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from proofing.report import Report

#: Raised whenever the stored stream changes its shape; a page renders older streams again from the report.
RENDER_VERSION = 1
#: Highest support drawn with the heaviest and the middle underline. For the eye only: no decision rests on it.
HEAVY, MIDDLE = 0.15, 0.5
#: About how many words have elements of their own; in longer answers neighbours share one, or a page weighs megabytes.
MOST_SPANS = 2500
#: Rewrites longer than this many words are shown as a whole: a word diff of two long texts is slow and unreadable.
LONGEST_WORD_DIFF = 400

_WORD = re.compile(r"\w+|[^\w\s]", re.UNICODE)
_WORD_OR_SPACE = re.compile(r"\s+|\w+|[^\w\s]", re.UNICODE)


def token_stream(report: Report) -> list[list[Any]]:
    """The answer's tokens with what lies on them: ``[start, end, marks, notes]``, in text order.

    `marks` and `notes` are indexes into the report's lists. A token is cut where a mark begins or ends inside it, so
    that every mark covers whole entries; the position in the list is the token id that pages use.
    """
    from proofing.documents import tokens_of

    spans = [(t.start, t.end) for t in tokens_of(report.answer)]
    return _stream(spans, [(m.start, m.end) for m in report.marks], [(n.start, n.end) for n in report.finding.notes])


def stream_of(text: str, report: Mapping[str, Any]) -> list[list[Any]]:
    """The same from a stored ``report/1``, for streams of an older render version."""
    spans = [match.span() for match in _WORD.finditer(text)]
    return _stream(spans, _spans(report.get("marks", ())), _spans(report.get("notes", ())))


def _spans(rows: Iterable[Mapping[str, Any]]) -> list[tuple[int, int]]:
    return [(int(row["start"]), int(row["end"])) for row in rows]


def _stream(
    tokens: Sequence[tuple[int, int]], marks: Sequence[tuple[int, int]], notes: Sequence[tuple[int, int]]
) -> list[list[Any]]:
    cuts = sorted({edge for span in (*marks, *notes) for edge in span})
    on_marks, on_notes = _Cover(marks), _Cover(notes)
    stream: list[list[Any]] = []
    at = 0
    for start, end in tokens:
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        ahead, left = at, start
        while ahead < len(cuts) and cuts[ahead] < end:
            stream.append([left, cuts[ahead], on_marks(left), on_notes(left)])
            left, ahead = cuts[ahead], ahead + 1
        stream.append([left, end, on_marks(left), on_notes(left)])
    return stream


class _Cover:
    """Which spans cover a position, for positions asked in rising order."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._waiting = sorted(((start, end, index) for index, (start, end) in enumerate(spans)), reverse=True)
        self._open: list[tuple[int, int]] = []

    def __call__(self, position: int) -> list[int]:
        while self._waiting and self._waiting[-1][0] <= position:
            _, end, index = self._waiting.pop()
            self._open.append((end, index))
        self._open = [(end, index) for end, index in self._open if end > position]
        return sorted(index for _, index in self._open)


# The marked answer ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Run:
    """Neighbouring words of one line that carry the same marks.

    ``mark`` is the mark the run links to (None: plain text), ``note`` the note on it. ``first`` is set on the run that
    carries the mark's anchor id, ``numbers`` are the marks whose last word stands here. ``added``: the reviewer marked
    it.
    """

    html: SafeString
    mark: MarkView | None = None
    note: NoteView | None = None
    first: bool = False
    numbers: list[MarkView] = field(default_factory=list)
    note_ends: bool = False
    added: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MarkView:
    """A mark as the page shows it; ``number`` counts in reading order, ``index`` is its place in the report."""

    index: int
    number: int
    start: int
    end: int
    text: str
    kind: str
    reason: str
    support: float
    probability: float
    receipt: Mapping[str, Any]
    verdict: str = ""
    candidates: Sequence[Mapping[str, Any]] = ()
    chosen: int | None = None  # which candidate the reviewer took

    @property
    def weight(self) -> int:
        """3 to 1: how heavy the underline is drawn."""
        return 3 if self.support <= HEAVY else 2 if self.support <= MIDDLE else 1

    @property
    def evidence(self) -> str:
        return str(self.receipt.get("text") or (self.receipt.get("sentence") or {}).get("text") or "")


@dataclass(frozen=True, slots=True, eq=False)
class NoteView:
    """A supported span with something to say about it: a derivation, a conversion, an ambiguity."""

    index: int
    letter: str
    start: int
    end: int
    text: str
    said: str


@dataclass(slots=True)
class AnswerView:
    """The marked answer, line by line, with its marks and notes in reading order."""

    lines: list[list[Run]]
    marks: list[MarkView]
    notes: list[NoteView]


def render_answer(
    text: str,
    report: Mapping[str, Any],
    stream: Sequence[Sequence[Any]] | None,
    *,
    verdicts: Mapping[str, str] | None = None,
    choices: Mapping[int, int] | None = None,
    added: Sequence[Mapping[str, Any]] = (),
    hidden: bool = False,
) -> AnswerView:
    """Cut `text` into lines of runs.

    `verdicts` maps mark indexes (as text) to the verdict given so far, `choices` mark indexes to the alternative that
    the reviewer took; `added` are spans the reviewer marked. `hidden`
    shows the words without the machine's marks and notes, as blind and audit reading need it.
    """
    marks = [] if hidden else mark_views(report, verdicts or {}, choices)
    notes = [] if hidden else note_views(report)
    rows = stream if stream is not None else stream_of(text, report)
    by_index = {mark.index: mark for mark in marks}
    note_by_index = {note.index: note for note in notes}
    own = _Cover(_spans(added))
    builder = _Lines(text, len(rows))
    for token, (start, end, on_marks, on_notes) in enumerate(rows):
        shown = [by_index[i] for i in on_marks if i in by_index]
        note = next((note_by_index[i] for i in on_notes if i in note_by_index), None)
        builder.word(token, int(start), int(end), shown, _Look(note=note, added=bool(own(int(start)))))
    return AnswerView(lines=builder.finish(), marks=marks, notes=notes)


def mark_views(
    report: Mapping[str, Any], verdicts: Mapping[str, str], choices: Mapping[int, int] | None = None
) -> list[MarkView]:
    """The report's marks in reading order, numbered from 1."""
    healing = report.get("healing") or {}
    offers = {int(row["mark"]): row.get("candidates", ()) for row in healing.get("alternatives", ()) if "mark" in row}
    rows = sorted(enumerate(report.get("marks", ())), key=lambda pair: (pair[1]["start"], pair[1]["end"], pair[0]))
    return [
        MarkView(
            index=index,
            number=number,
            start=int(row["start"]),
            end=int(row["end"]),
            text=str(row["text"]),
            kind=str(row.get("kind", "")),
            reason=str(row.get("reason", "")),
            support=float(row.get("support") or 0.0),
            probability=float(row.get("probability") or 0.0),
            receipt=row.get("receipt") or {},
            verdict=verdicts.get(str(index), ""),
            candidates=offers.get(index, ()),
            chosen=(choices or {}).get(index),
        )
        for number, (index, row) in enumerate(rows, start=1)
    ]


def note_views(report: Mapping[str, Any]) -> list[NoteView]:
    """The report's notes in reading order, lettered from a."""
    rows = sorted(enumerate(report.get("notes", ())), key=lambda pair: (pair[1]["start"], pair[1]["end"], pair[0]))
    return [
        NoteView(
            index=index,
            letter=_letter(place),
            start=int(row["start"]),
            end=int(row["end"]),
            text=str(row["text"]),
            said=str(row.get("formula") or row.get("note") or ""),
        )
        for place, (index, row) in enumerate(rows)
    ]


def _letter(place: int) -> str:
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


@dataclass(frozen=True, slots=True)
class _Look:
    """What, besides its marks, makes a word look as it does; words of one run share it."""

    mark: MarkView | None = None
    note: NoteView | None = None
    added: bool = False


class _Lines:
    """Collects words into runs and runs into lines; a line ends at each line break of the text."""

    def __init__(self, text: str, tokens: int) -> None:
        self.text = text
        self.at = 0
        self.lines: list[list[Run]] = [[]]
        self.anchored: set[int] = set()
        self.look = _Look()
        self.words: list[str] = []
        self.most = max(1, -(-tokens // MOST_SPANS))  # words in one span
        self.span: tuple[int, int, int] | None = None  # the open one: its place in `words`, first and last token

    def word(self, token: int, start: int, end: int, marks: list[MarkView], look: _Look) -> None:
        # The innermost mark (latest start, then shortest) owns the words, so a mark inside another stays reachable.
        mark = max(marks, key=lambda m: (m.start, -m.end, -m.index), default=None)
        look = _Look(mark, look.note, look.added)
        self._gap(self.text[self.at : start], look)
        self._enter(look)
        self.words.append(escape(self.text[start:end]))
        place, first, _ = self.span or (len(self.words) - 1, token, token)
        self.span = (place, first, token)
        if token - first + 1 >= self.most:
            self._end_span()
        self.at = end
        ending = [m for m in marks if m.end == end]
        note_ends = look.note is not None and look.note.end == end
        if ending or note_ends:
            self._close(ending, note_ends)

    def _end_span(self) -> None:
        # Joined by hand from escaped parts: a helper per word would cost more than the rest of the page.
        if self.span is not None:
            place, first, last = self.span
            more = f' data-u="{last}"' if last != first else ""
            self.words[place] = f'<span data-t="{first}"{more}>{self.words[place]}'
            self.words[-1] += "</span>"
            self.span = None

    def _gap(self, gap: str, ahead: _Look) -> None:
        # Space inside one run belongs to the run; space between two runs is plain.
        inside = bool(self.words) and self.look == ahead
        for number, piece in enumerate(gap.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
            if number:
                self._close([], False)
                self.lines.append([])
                inside = False
            if piece:
                if not inside:
                    self._enter(_Look())
                self.words.append(escape(piece))

    def _enter(self, look: _Look) -> None:
        if self.look != look:
            self._close([], False)
            self.look = look

    def _close(self, ending: list[MarkView], note_ends: bool) -> None:
        if not self.words:
            return
        self._end_span()
        mark = self.look.mark
        first = mark is not None and mark.index not in self.anchored
        if mark is not None:
            self.anchored.add(mark.index)
        html = mark_safe("".join(self.words))  # noqa: S308 - every part was escaped when it was added
        self.words = []
        self.lines[-1].append(Run(html, mark, self.look.note, first, ending, note_ends, self.look.added))

    def finish(self) -> list[list[Run]]:
        self._gap(self.text[self.at :], _Look())
        self._close([], False)
        return self.lines


# Sources ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Passage:
    """A stretch of a source; ``marks`` have their receipt here, ``sentence`` are those whose sentence it is part of."""

    text: str
    marks: tuple[MarkView, ...] = ()
    sentence: tuple[MarkView, ...] = ()


@dataclass(slots=True)
class SourceView:
    """One source with the evidence cut out."""

    key: str
    title: str
    url: str
    passages: list[Passage]
    score: float | None = None  # how near it was, where it was found in the corpus

    @property
    def is_data(self) -> bool:
        """Whether the text is a record or a table, where columns and signs matter more than lines."""
        start = "".join(passage.text for passage in self.passages)[:200].lstrip()
        return start.startswith(("{", "[{", "[[", "|", "<table"))

    @property
    def has_evidence(self) -> bool:
        return any(passage.marks for passage in self.passages)


def render_source(
    key: str, text: str, marks: Sequence[MarkView], *, title: str = "", url: str = "", score: float | None = None
) -> SourceView:
    """Cut a source at the receipts (and their sentences) of `marks`; spans that do not fit the text are left out."""
    spans: list[tuple[int, int, int, MarkView]] = []  # start, end, 0 evidence / 1 sentence, mark
    for mark in marks:
        receipt = mark.receipt
        if receipt.get("source_id") != key:
            continue
        sentence = receipt.get("sentence") or {}
        evidence = (int(receipt.get("start") or 0), int(receipt.get("end") or 0))
        around = (int(sentence.get("start") or 0), int(sentence.get("end") or 0))
        if evidence[0] == evidence[1]:
            evidence = around
        for place, (start, end) in enumerate((evidence, around)):
            if 0 <= start < end <= len(text):
                spans.append((start, end, place, mark))
    cuts = sorted({0, len(text), *(edge for start, end, _, _ in spans for edge in (start, end))})
    passages = []
    for start, end in pairwise(cuts):
        here = [(place, mark) for left, right, place, mark in spans if left <= start and end <= right]
        passages.append(
            Passage(
                text[start:end],
                marks=tuple(mark for place, mark in here if place == 0),
                sentence=tuple(mark for place, mark in here if place == 1),
            )
        )
    return SourceView(key=key, title=title, url=url, passages=passages, score=score)


# The healed answer ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class DiffPiece:
    """``op``: same, del or ins."""

    op: str
    text: str


@dataclass(slots=True)
class EditView:
    """One edit of the healed answer with its switch; ``on`` is how the switch stands."""

    index: int
    kind: str
    old: str
    new: str
    pieces: list[DiffPiece]
    parent: int | None
    marks: list[int]
    origin: str
    on: bool = True


@dataclass(slots=True)
class DiffSegment:
    """Plain text of the answer, or an edit in its place."""

    text: str = ""
    edit: EditView | None = None


def render_diff(
    answer: str, edits: Sequence[Mapping[str, Any]], switched_off: Collection[int] = ()
) -> list[DiffSegment]:
    """The answer with its edits in place, in text order."""
    segments: list[DiffSegment] = []
    at = 0
    order = sorted(range(len(edits)), key=lambda i: (edits[i]["start"], edits[i]["end"], i))
    for index in order:
        row = edits[index]
        start, end = int(row["start"]), int(row["end"])
        if start < at or end > len(answer):
            continue
        if start > at:
            segments.append(DiffSegment(text=answer[at:start]))
        segments.append(DiffSegment(edit=_edit_view(index, row, switched_off)))
        at = end
    if at < len(answer):
        segments.append(DiffSegment(text=answer[at:]))
    return segments


def _edit_view(index: int, row: Mapping[str, Any], switched_off: Collection[int]) -> EditView:
    old, new = str(row["from"]), str(row["to"])
    return EditView(
        index=index,
        kind=str(row.get("kind", "")),
        old=old,
        new=new,
        # A rewrite goes by the sources' sentences, not by the answer's: only the two wholes can be compared.
        pieces=[DiffPiece("del", old), DiffPiece("ins", new)] if row.get("kind") == "rewrite" else word_diff(old, new),
        parent=row.get("parent"),
        marks=list(row.get("marks", ())),
        origin=str(row.get("origin", "")),
        on=index not in switched_off,
    )


def word_diff(old: str, new: str, *, always: bool = False) -> list[DiffPiece]:
    """What was taken out and put in, word by word; ``same`` + ``del`` give `old`, ``same`` + ``ins`` give `new`.

    Short texts, and texts with less than half their words in common, are shown as one replacement, which reads better;
    `always` asks for words with short texts too.
    """
    before, after = _WORD_OR_SPACE.findall(old), _WORD_OR_SPACE.findall(new)
    whole = [DiffPiece(op, text) for op, text in (("del", old), ("ins", new)) if text]
    if (len(before) <= 8 and not always) or len(before) > LONGEST_WORD_DIFF or len(after) > LONGEST_WORD_DIFF:
        return whole
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    kept = sum(
        not word.isspace() for block in matcher.get_matching_blocks() for word in before[block.a :][: block.size]
    )
    most = max(sum(not word.isspace() for word in words) for words in (before, after))
    if kept * 2 < most:
        return whole
    return _pieces(matcher.get_opcodes(), before, after)


def _pieces(opcodes: Sequence[tuple[str, int, int, int, int]], before: list[str], after: list[str]) -> list[DiffPiece]:
    """Stretches of a diff; a space alone does not part two changes, so that words do not alternate one by one."""
    pieces: list[DiffPiece] = []
    gone, come = "", ""
    for number, (op, a, b, c, d) in enumerate(opcodes):
        old, new = "".join(before[a:b]), "".join(after[c:d])
        inside = 0 < number < len(opcodes) - 1
        if op == "equal" and not (old.isspace() and inside):
            pieces += [DiffPiece(kind, text) for kind, text in (("del", gone), ("ins", come)) if text]
            pieces.append(DiffPiece("same", old))
            gone, come = "", ""
        else:
            gone, come = gone + old, come + new
    return pieces + [DiffPiece(kind, text) for kind, text in (("del", gone), ("ins", come)) if text]
