"""Words of tables and records in another row's place: "Paulo owns the roof" where his row is the doors'.

A row is a row of a table, an object of a list of records ("[{…}, {…}]") or one of several objects under names
("{"Basic": {…}, "Pro": {…}}"). A clause is held against it when it names this row and no other, and says a cell that
only other rows have, and not the row's own cell of that column. Values (figures, dates) and yes or no have their own
channels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proofing.documents import Passage, Sentence
from proofing.support.base import Judgement
from proofing.support.checklists import NO, YES
from proofing.support.clauses import clause_ranges
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.words import synonyms
from proofing.support.wordset import word_set

#: Keys whose text names the object they stand in, where a list of records gives it no other name.
NAMING = ("name", "title", "id", "nombre", "nom", "nome", "titel", "label", "item")
#: A cell of more words is a sentence, not a name or a state.
CELL_WORDS = 4
#: A table of more rows is not read: a clause would name one of them by chance.
ROWS = 200
MISPLACED = 0.1
#: "Basic and Pro are saved weekly and daily, respectively": which is which is not read.
EACH_ITS_OWN = word_set("respectively jeweils beziehungsweise bzw respectivamente respectivement rispettivamente")
CUTTING = word_set(", ; and und y e et und и while während mientras mentre enquanto")


@dataclass(frozen=True, slots=True)
class Cell:
    """One short text of a row: what it says, as stems, and where it stands."""

    stems: tuple[str, ...]
    passage: Passage


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table or of records that go together: name of the row -> column -> cell."""

    view: TextView
    rows: Mapping[tuple[str, ...], Mapping[str, Cell]]


def cells_misplaced(proof: Proof) -> list[Judgement]:
    """``unbound`` on each cell that a clause gives to another row; nothing where a source says so elsewhere."""
    tables = [table for view in proof.sources for table in _tables_of(view)]
    if not tables:
        return []
    answer = proof.answer
    out: list[Judgement] = []
    for number, sentence in enumerate(answer.sentences):
        if sentence.text.rstrip().endswith(("?", "？")):
            continue
        inside = range(sentence.first_token, sentence.last_token)
        if any(answer.folds[i] in EACH_ITS_OWN for i in inside):
            continue
        for clause in _parts(answer, clause_ranges(answer, number)):
            if not signs_of(answer).denies_between(clause.start, clause.stop):
                out += [j for table in tables for j in _misplaced(proof, table, clause)]
    return out


def _parts(answer: TextView, clauses: Sequence[range]) -> Iterator[range]:
    """The clauses, cut at every "and" and comma: "the roof is done and the doors open" names two rows."""
    for clause in clauses:
        cuts = [i for i in clause if answer.folds[i] in CUTTING]
        yield from (range(a, b) for a, b in zip([clause.start, *cuts], [*cuts, clause.stop], strict=True) if a < b)


def _misplaced(proof: Proof, table: Table, clause: range) -> Iterator[Judgement]:
    answer = proof.answer
    row = _row_named(table, answer, clause)
    if row is None:
        return
    own = table.rows[row]
    held = {_key(answer, i) for i in clause if answer.stems[i]}
    in_row = {stem for cell in own.values() for stem in cell.stems} | set(row)
    for column, cell in own.items():
        if _says(answer, clause, cell.stems) or any(stem in held and stem not in row for stem in cell.stems):
            continue
        others = {r[column].stems for name, r in table.rows.items() if name != row and column in r}
        for stems in sorted(others - {cell.stems}):
            place = _place_of(answer, clause, stems)
            if place is None or not in_row.isdisjoint(stems) or _are_alike(answer, stems, cell.stems):
                continue
            if not _said_in_prose(proof, table, (*row, *stems)):
                yield _judgement(answer, place, table, cell, column)


def _row_named(table: Table, answer: TextView, clause: range) -> tuple[str, ...] | None:
    """The one row that a clause names; None where it names none or several."""
    held = {_key(answer, i) for i in clause if answer.stems[i]}
    named = [row for row in table.rows if held.issuperset(row)]
    named = [row for row in named if not any(set(row) < set(other) for other in named)]
    return named[0] if len(named) == 1 else None


def _says(answer: TextView, clause: range, stems: Sequence[str]) -> bool:
    return _place_of(answer, clause, stems) is not None


def _place_of(answer: TextView, clause: range, stems: Sequence[str]) -> range | None:
    """Where a clause has these stems side by side."""
    for i in clause:
        if _key(answer, i) == stems[0]:
            spoken = [k for k in range(i, min(i + 2 * len(stems), clause.stop)) if answer.stems[k]][: len(stems)]
            if tuple(_key(answer, k) for k in spoken) == tuple(stems):
                return range(i, spoken[-1] + 1)
    return None


def _are_alike(answer: TextView, stems: Sequence[str], own: Sequence[str]) -> bool:
    """Whether the two cells may say the same: one is part of the other, or a word of one a synonym of the other's."""
    kin = synonyms(answer.language)
    return set(stems) <= set(own) or any(not kin.get(stem, frozenset()).isdisjoint(own) for stem in stems)


def _said_in_prose(proof: Proof, table: Table, wanted: Sequence[str]) -> bool:
    """Whether one line of a source has the row's name and the other cell beside each other after all."""
    for view in proof.sources:
        for sentence in view.sentences:
            if view.is_record or (view is table.view and ("|" in sentence.text or "\t" in sentence.text)):
                continue
            if "<t" not in sentence.text.casefold() and _keys_in(view, sentence).issuperset(wanted):
                return True
    return False


def _keys_in(view: TextView, sentence: Sentence) -> frozenset[str]:
    return frozenset([_key(view, i) for i in range(sentence.first_token, sentence.last_token)])


def _judgement(answer: TextView, place: range, table: Table, cell: Cell, column: str) -> Judgement:
    start, end = answer.tokens[place.start].start, answer.tokens[place.stop - 1].end
    says = table.view.text[cell.passage.start : cell.passage.end].strip("'\" *_")
    note = f"{column} of this row is {says!r}" if column else f"this row says {says!r}"
    receipt = receipt_on(table.view, cell.passage.start, cell.passage.end, note)
    return Judgement(
        start, end, answer.text[start:end], "word", MISPLACED, "unbound", receipt, (says,), note=note, whole=True,
        channel="fields",
    )  # fmt: skip


# --- the rows of a source -----------------------------------------------------------------------------------------


def _tables_of(view: TextView) -> tuple[Table, ...]:
    """All tables and families of records of a text that have two rows or more; worked out once."""
    known: tuple[Table, ...] | None = view.memo.get("tables")
    if known is None:
        grouped = [*_by_rows(view), *_by_keys(view)]
        known = view.memo["tables"] = tuple(Table(view, rows) for rows in grouped if 1 < len(rows) <= ROWS)
    return known


def _by_rows(view: TextView) -> Iterator[dict[tuple[str, ...], dict[str, Cell]]]:
    """Tables by the headers of their rows; a cell without both headers begins the next table."""
    rows: dict[tuple[str, ...], dict[str, Cell]] = {}
    for passage in view.passages:
        if passage.kind != "cell" or not (passage.column or passage.row):
            yield rows
            rows = {}
            continue
        name = _stems_of(view, passage.row)
        cell = _cell(view, passage)
        if _names_something(name) and cell is not None:
            rows.setdefault(name, {}).setdefault(passage.column, cell)
    yield rows


def _by_keys(view: TextView) -> Iterator[dict[tuple[str, ...], dict[str, Cell]]]:
    """Objects side by side in a list or under names of their own."""
    families: dict[tuple[str, ...], dict[str, dict[str, Passage]]] = {}
    for passage in view.passages:
        if passage.kind == "field" and len(passage.key_path) > 1:
            *above, key, column = passage.key_path
            families.setdefault(tuple(above), {}).setdefault(key, {})[column] = passage
    for objects in families.values():
        if not _share_columns(objects):
            continue
        rows: dict[tuple[str, ...], dict[str, Cell]] = {}
        for key, fields in objects.items():
            naming = next((fields[c] for c in fields if c.casefold() in NAMING), None) if key.isdigit() else None
            text = view.text[naming.start : naming.end] if naming else "" if key.isdigit() else key
            cells = {c: cell for c, p in fields.items() if p is not naming and (cell := _cell(view, p)) is not None}
            if _names_something(name := _stems_of(view, text)):
                rows[name] = cells
        yield rows if _share_columns(rows) else {}


def _share_columns(rows: Mapping[Any, Mapping[str, object]]) -> bool:
    """Whether objects are of one sort: two of them have a key in common."""
    columns = [column for cells in rows.values() for column in cells]
    return len(set(columns)) < len(columns)


def _cell(view: TextView, passage: Passage) -> Cell | None:
    """A cell of a few words that is neither value nor yes or no."""
    text = view.text[passage.start : passage.end].strip("'\" *_`").casefold()
    if not text or text in YES or text in NO or text in ("none", "null") or view.values_between(*_span(passage)):
        return None
    stems = _stems_of(view, text)
    return Cell(stems, passage) if len(stems) <= CELL_WORDS and _names_something(stems) else None


def _names_something(stems: Sequence[str]) -> bool:
    """Whether a word of three letters is among them: a row called "2" would be named by any figure."""
    return any(len(stem) > 2 and stem.isalpha() for stem in stems)


def _span(passage: Passage) -> tuple[int, int]:
    return passage.start, passage.end


def _stems_of(view: TextView, text: str) -> tuple[str, ...]:
    """Stems of a header or cell read by itself, in the language of its text."""
    alone = TextView(None, text.strip("'\" *_`"), view.locale, view.language)
    return tuple(_key(alone, i) for i, token in enumerate(alone.tokens) if token.kind != "sign")


def _key(view: TextView, i: int) -> str:
    """A word as it is compared: small words as they are written ("done" is not "does"), others by their stem."""
    return view.stems[i] if view.content[i] or view.tokens[i].kind == "digits" else view.folds[i]
