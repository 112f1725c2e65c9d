"""Where each value of a text stands and what it belongs to there.

A number alone says nothing; "60" is right or wrong only for *invoice B*. So each value gets a `Place`: the
words of its own part of the sentence (its zone), the words of the whole sentence, and the labels in reach
(names, identifiers, years, weekdays, headers of a table, keys of a record).

Most values of a source are never compared by what stands around them. So only the value is known at once, and the
words are read when they are first asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

from proofing.documents import Passage
from proofing.report import Receipt
from proofing.support.carried import with_carried_units
from proofing.support.headings import (
    LONG_FIELD,
    days_in_headers,
    header_labels,
    key_words,
    labels_of,
    multiplied_out,
    passage_at,
    record_names,
    record_of,
    stems_of_phrases,
)
from proofing.support.naming import words_of_sentence, words_within
from proofing.support.reading import TextView, receipt_on
from proofing.support.slices import slice_of
from proofing.support.statements import NO_DAYS, Statement, family_of
from proofing.support.words import word_set
from proofing.values import Value
from proofing.values.base import Amount, exactly

#: How far from a value (code points) words of its own sentence are looked at.
REACH = 400
#: A question longer than this (tokens) is an instruction and names nothing in particular.
ASKING = 30
_NONE: frozenset[str] = frozenset()


class _Words:
    """An attribute of a `Place` that is read, together with the other words around it, when first asked for."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, place: Place, owner: type) -> frozenset[str]:
        near, wide, labels, wide_labels = _words_around(place)
        place.__dict__.update(near=near, wide=wide, labels=labels, wide_labels=wide_labels)
        found: frozenset[str] = place.__dict__[self.name]
        return found


class Place:
    """Where one value stands and what it belongs to there.

    Attributes:
        view: the text.
        value: the value.
        own: the value that was read there (an end of a range may have taken its place as `value`).
        statement: its sentence with all values of it, and `position` among them.
        sentence: index of its sentence in `view.sentences`; -1 where there is none.
        near: content stems of the zone, with headers and keys.
        wide: content stems of the whole sentence (and of what stands over it), `near` included.
        labels: the stems among `near` that name something: names, identifiers, years, headers, keys.
        wide_labels: the same over the whole sentence.
        structure: ``prose``, or ``cell`` of a table, or ``field`` of a record.
        path: keys of the record's field, list positions left out; empty elsewhere.
        over: the headings, and the keys of a long field, that stand over it.
        scale: what a bare figure of a table is multiplied by ("in millions"); 1 elsewhere.
        raw: the figure as a table "in millions" has it, where the value's readings are already multiplied out.
    """

    structure = "prose"
    path: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    scale = Fraction(1)
    raw: Fraction | None = None
    near, wide, labels, wide_labels = _Words(), _Words(), _Words(), _Words()

    def __init__(self, statement: Statement, position: int) -> None:
        self.view = statement.view
        self.statement = statement
        self.position = position
        self.sentence = statement.index
        self.value = self.own = statement.values[position]

    def changed(self, **changes: Any) -> Place:
        """A copy with other attributes; what else was worked out stays."""
        other = object.__new__(Place)
        other.__dict__.update(self.__dict__, **changes)
        return other

    def _part(self) -> tuple[int, int]:
        """Its own part of the sentence, within its cell or field."""
        start, end = self.statement.zones[self.position] if len(self.statement.values) > 1 else self.statement.span
        passage = passage_at(self.view, self.own.start) if self.structure != "prose" else None
        return (start, end) if passage is None else (max(start, passage.start), min(end, passage.end))

    @cached_property
    def zone(self) -> tuple[int, int]:
        """Half-open code points of its own part of the sentence, as far as they are near."""
        return _within_reach(self._part(), self.own)

    @property
    def alone(self) -> bool:
        """Whether no other value of the family stands in the sentence, so that all of it speaks of this one."""
        (first, last), (start, end) = self.statement.span, self._part()
        return self.sentence >= 0 and start <= first and end >= last

    @cached_property
    def named(self) -> tuple[str, ...]:
        """Row, column, name and keys of its cell or field as written; empty where the words around say all."""
        passage = passage_at(self.view, self.own.start) if self.structure != "prose" else None
        if passage is None:
            return ()
        name = record_names(self.view).get(record_of(passage.key_path), "")
        return tuple(part for part in (passage.row, passage.column, name, *key_words(passage)) if part)

    @cached_property
    def headers(self) -> frozenset[str]:
        """The stems of `named`."""
        if not self.named:
            return _NONE
        return stems_of_phrases(self.named, self.view.language) | header_labels(self.named)

    @cached_property
    def thing(self) -> str:
        """What is counted or shared out, in the text's own words or in those of the list that it goes on."""
        return self.own.noun or self.statement.things.get(self.own.start, "")

    @cached_property
    def noun(self) -> str:
        """Stem of the thing counted, empty when none is."""
        return min(stems_of_phrases((self.thing,), self.view.language), default="") if self.thing else ""

    @cached_property
    def days(self) -> frozenset[int]:
        """Weekdays named in the zone or over it, 0 = Monday."""
        if self.named:
            return days_in_headers(self.named, self.view.language)
        return self.statement.days.get(self.own.start, NO_DAYS)

    @property
    def belongs_to(self) -> str:
        """Headers, keys and record name in words, else the words around; for a note."""
        at = (self.own.start, self.own.end)
        return " / ".join(self.named) if self.named else _phrase(self.view, self.zone, at)

    @property
    def number(self) -> Fraction | None:
        """The value's amount where it can be calculated with, else None."""
        amount = self.value.readings[0].amount if self.value.readings else None
        return amount if isinstance(amount, Fraction) else None


def places_of(view: TextView) -> tuple[Place, ...]:
    """The place of each value of a text, in the order of `view.values`; worked out once per view."""
    known: tuple[Place, ...] | None = view.memo.get("places")
    if known is None:
        known = view.memo["places"] = _places(view)
    return known


def _places(view: TextView) -> tuple[Place, ...]:
    by_sentence: dict[int, list[Value]] = {}
    for value in view.values:
        index = view.sentence_index_at(value.start)
        by_sentence.setdefault(-1 if index is None else index, []).append(value)
    found: list[Place] = []
    for index, stated in by_sentence.items():
        statement = Statement(view, index, with_carried_units(view, stated))
        found.extend([Place(statement, position) for position in range(len(stated))])
    if any(p.context or p.scale != 1 or p.kind in ("cell", "field") for p in view.passages):
        for place in found:
            _set_under(place, passage_at(view, place.own.start))
    found.sort(key=lambda place: place.value.start)
    return tuple(found)


def _set_under(place: Place, passage: Passage | None) -> None:
    """Say what the structure of the text says of a value, and multiply out a figure of a table "in millions"."""
    if passage is None:
        return
    place.own, place.raw = multiplied_out(place.own, passage)
    place.value = place.own
    if place.raw is None:
        place.scale = passage.scale
    place.over = passage.context
    if passage.kind in ("cell", "field"):
        path = key_words(passage)
        if passage.end - passage.start > LONG_FIELD:
            place.over = (*place.over, *path)
        else:
            place.structure = passage.kind
            place.path = path if passage.kind == "field" else ()


def places_by_reading(view: TextView) -> dict[tuple[str, Amount | int], list[Place]]:
    """The places of a text by the dimension and amount (`exactly`) of their value's likeliest reading."""
    known: dict[tuple[str, Amount | int], list[Place]] | None = view.memo.get("places by reading")
    if known is None:
        known = {}
        for place in places_of(view):
            known.setdefault((place.value.dimension, exactly(place.value.amount)), []).append(place)
        view.memo["places by reading"] = known
    return known


def places_asked_about(answer: TextView, question: TextView) -> tuple[Place, ...]:
    """The places of an answer; its opening sentences also speak of what a short question asks about.

    "What does Basic cost?" — "It costs $25": the figure belongs to *Basic* although the answer does not say so.
    """
    places = tuple(_with_carried_subject(place) for place in places_of(answer))
    if not places or not question.text.strip() or len(question.tokens) > ASKING:
        return places
    words, labels = words_within(question, 0, len(question.text))
    return tuple(
        place.changed(wide=place.wide | words, wide_labels=place.wide_labels | labels)
        if place.sentence <= 1 and place.alone else place
        for place in places
    )  # fmt: skip


#: A sentence that begins with one of these speaks of what the sentence before it names.
_POINTING = word_set(
    "it they this these its their es sie er dieses diese il elle ils elles ce esto este esta esso essa questo ele ela "
    "он она оно они это"
)


def _with_carried_subject(place: Place) -> Place:
    """ "The Lumo 1500 … It costs 229 €": the price is of what the sentence before names."""
    view = place.view
    if place.sentence < 1 or place.structure != "prose":
        return place
    sentence, before = view.sentences[place.sentence], view.sentences[place.sentence - 1]
    tokens = range(sentence.first_token, sentence.last_token)
    first = next((i for i in tokens if view.tokens[i].kind == "word"), None)
    if first is None or view.folds[first] not in _POINTING or before.end - before.start > REACH:
        return place
    named = words_of_sentence(view, place.sentence - 1)[1]
    named |= _value_labels(view, (before.start, before.end), place.value)
    return place.changed(
        near=place.near | named, wide=place.wide | named, labels=place.labels | named,
        wide_labels=place.wide_labels | named,
    )  # fmt: skip


def _words_around(place: Place) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """Words near a value and in its whole sentence, and the names among either, with what stands over them."""
    view, value, statement, zone, span = place.view, place.own, place.statement, place.zone, place.statement.span
    whole = span == zone and statement.index >= 0
    near, labels = words_of_sentence(view, statement.index) if whole else words_within(view, *zone)
    if whole or place.structure != "prose" or statement.index < 0:
        wide, wide_labels = near, labels
    elif span[1] - span[0] <= 2 * REACH:
        wide, wide_labels = words_of_sentence(view, statement.index)
    else:
        wide, wide_labels = words_within(view, *_within_reach(span, value))
    if len(statement.values) > 1:
        figures = _labels_among(view, statement.values, zone, value)
        near, wide, labels, wide_labels = near | figures, wide | figures, labels | figures, wide_labels | figures
        if place.thing != value.noun:
            things = stems_of_phrases((place.thing,), view.language)
            near, wide = near | things, wide | things
    if place.structure != "prose":
        headers = place.headers
        near, wide, labels, wide_labels = near | headers, wide | headers, labels | headers, wide_labels | headers
    if place.over:
        wide |= stems_of_phrases(place.over, view.language)
    return near, wide, labels, wide_labels


def _within_reach(stretch: tuple[int, int], value: Value) -> tuple[int, int]:
    """A stretch cut to what stands near the value, so that one endless sentence costs no more than many short ones."""
    return max(stretch[0], value.start - REACH), min(stretch[1], value.end + REACH)


def _value_labels(view: TextView, zone: tuple[int, int], value: Value) -> frozenset[str]:
    """Values of other families in a stretch, as labels: the year that a figure is for, the item it is the price of."""
    first = bisect_left(view.values, zone[0], key=lambda other: other.start)
    inside = takewhile(lambda other: other.start < zone[1], islice(view.values, first, None))
    return _labels_among(view, list(inside), zone, value)


def _labels_among(view: TextView, values: Sequence[Value], zone: tuple[int, int], value: Value) -> frozenset[str]:
    """The same, among values of which some begin in the stretch."""
    found: set[str] = set()
    for other in values:
        if other is value or other.implicit or not zone[0] <= other.start < zone[1]:
            continue
        part = slice_of(view, other)
        if part and not slice_of(view, value):
            found.add(f"slice={part} {other.amount}")
        elif family_of(other) != family_of(value):
            found |= labels_of(other)
    return frozenset(found)


def _phrase(view: TextView, zone: tuple[int, int], at: tuple[int, int]) -> str:
    """The zone's words in one line, short enough for a note."""
    text = " ".join(view.text[zone[0] : zone[1]].split())
    if len(text) <= 90:
        return text
    start = max(zone[0], at[0] - 45)
    return "…" + " ".join(view.text[start : min(zone[1], at[1] + 40)].split()) + "…"


def evidence_at(
    place: Place, note: str = "", formula: str | None = None, operands: tuple[str, ...] = (), value: Value | None = None
) -> Receipt:
    """A receipt on a source value, with the sentence, table row or record field around it.

    Args:
        place: where the evidence stands.
        note: one sentence for the reviewer.
        formula: arithmetic that uses it.
        operands: texts the formula uses.
        value: an end of the range at `place` when only that end is meant.
    """
    shown = value or place.value
    receipt = receipt_on(place.view, shown.start, shown.end, note, formula, operands)
    if place.structure == "prose":
        return receipt
    start, end = _row_or_field(place)
    return replace(receipt, sentence_start=start, sentence_end=end, sentence_text=place.view.text[start:end])


def _row_or_field(place: Place) -> tuple[int, int]:
    """The table row of a cell; a record's field with its key."""
    text = place.view.text
    start, end = place.zone
    if place.structure == "cell":
        start = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        return max(start, place.value.start - 400), min(stop if stop >= 0 else len(text), place.value.end + 400)
    passage = passage_at(place.view, place.value.start)
    if passage is None or not passage.key_path:
        return start, end
    if passage.end - passage.start > 300:
        return start, end
    key = text.rfind(passage.key_path[-1], max(0, passage.start - 120), passage.start)
    return (key if key >= 0 else passage.start), passage.end
