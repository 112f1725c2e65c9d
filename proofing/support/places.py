"""Where each value of a text stands and what it belongs to there.

A number alone says nothing; "60" is right or wrong only for *invoice B*. So each value gets a `Place`: the
words of its own part of the sentence (its zone), the words of the whole sentence, and the labels in reach
(names, identifiers, years, weekdays, headers of a table, keys of a record).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, takewhile
from typing import NamedTuple

from proofing.documents import Sentence
from proofing.report import Receipt
from proofing.support.carried import carried_nouns, with_carried_units
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
from proofing.support.reading import TextView, receipt_on
from proofing.support.slices import slice_of
from proofing.support.weekdays import days_of_values, says_days
from proofing.support.words import function_words, word_set
from proofing.values import Value, family
from proofing.values.base import Amount, exactly

#: Signs and words that part two statements of one sentence; between two values the strongest of them parts.
_SIGNS = word_set("; | •")
_CONTRAST = word_set("while whereas but mais aber sondern pero mas ma но während tandis mientras")
_AND: dict[str, frozenset[str]] = {
    "en": word_set("and or then plus &"), "de": word_set("und oder sowie &"), "fr": word_set("et ou puis &"),
    "es": word_set("y e o u &"), "it": word_set("e ed o &"), "pt": word_set("e ou &"), "ru": word_set("и или &"),
}  # fmt: skip
_COMMAS = word_set(", / ( )")
_BETWEEN = word_set("to from versus vs")
#: By language, how strongly each of these words parts: 0 most.
_RANKS = {
    language: {
        word: rank
        for rank, words in reversed([*enumerate((_SIGNS, _CONTRAST, joining, _COMMAS, _BETWEEN))])
        for word in words
    }
    for language, joining in _AND.items()
}
#: Words that say how a value is meant and never what it belongs to.
IDLE = word_set(
    "be have do about around approximately roughly nearly almost over under least most more less than per each every "
    "total only just up also as within after before during between from until exact exactly average rate "
    "respectively respective however while which one two three first second new other same such number amount "
    "remain rest"
)

_RESPECTIVELY = word_set("respectively beziehungsweise respectivement")
_AGES = ("aged ", "ages ", "age ", "age of ", "aged from ")
#: Families whose unit may be left out at the second figure ("40 million euros, of which schools get 12 million").
CARRIED = frozenset({"money", "percent", "length", "mass", "time", "temperature", "area", "volume", "speed"})
#: How far from a value (code points) words of its own sentence are looked at.
REACH = 400
#: A question longer than this (tokens) is an instruction and names nothing in particular.
ASKING = 30


#: What parts two statements on parts of a whole.
_PARTING_SLICES = re.compile(r"[;,|•]|\b(?:and|while|whereas|but|und|während|aber|et|mais|y|pero|e|ma|mas|и|а|но)\b")


class Place(NamedTuple):
    """Where one value stands and what it belongs to there.

    Attributes:
        view: the text.
        value: the value.
        sentence: index of its sentence in `view.sentences`; -1 where there is none.
        zone: half-open code points of its own part of the sentence.
        near: content stems of the zone, with headers and keys.
        wide: content stems of the whole sentence (and of what stands over it), `near` included.
        labels: the stems among `near` that name something: names, identifiers, years, headers, keys.
        wide_labels: the same over the whole sentence.
        days: weekdays named in the zone, 0 = Monday.
        noun: stem of the thing counted, empty when none is.
        structure: ``prose``, or ``cell`` of a table, or ``field`` of a record.
        path: keys of the record's field, list positions left out; empty elsewhere.
        headers: the stems of row, column, keys and record name alone.
        named: the same as they are written, outermost last; empty where the words of the zone say what it belongs to.
        read_at: where the value that was read there stands (an end of a range may have taken its place since).
        scale: what a bare figure of a table is multiplied by ("in millions"); 1 elsewhere.
        raw: the figure as a table "in millions" has it, where the value's readings are already multiplied out.
        alone: no other value of the family stands in the sentence, so the whole sentence speaks of this one.
    """

    view: TextView
    value: Value
    sentence: int
    zone: tuple[int, int]
    near: frozenset[str]
    wide: frozenset[str]
    labels: frozenset[str]
    wide_labels: frozenset[str]
    days: frozenset[int]
    noun: str
    structure: str
    path: tuple[str, ...]
    headers: frozenset[str]
    named: tuple[str, ...]
    read_at: tuple[int, int]
    alone: bool
    scale: Fraction = Fraction(1)
    raw: Fraction | None = None

    @property
    def belongs_to(self) -> str:
        """Headers, keys and record name in words, else the words around; for a note."""
        return " / ".join(self.named) if self.named else _phrase(self.view, self.zone, self.read_at)

    @property
    def number(self) -> Fraction | None:
        """The value's amount where it can be calculated with, else None."""
        amount = self.value.readings[0].amount if self.value.readings else None
        return amount if isinstance(amount, Fraction) else None


def family_of(value: Value) -> str:
    """The group of values that could stand for one another: ``money``, ``time``, ``count``, …"""
    return family(value.readings[0].dimension) if value.readings else value.kind


def places_of(view: TextView) -> tuple[Place, ...]:
    """The place of each value of a text, in the order of `view.values`; worked out once per view."""
    known: tuple[Place, ...] | None = view.memo.get("places")
    if known is None:
        known = view.memo["places"] = _places(view)
    return known


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
    words, labels = _words_of(question, (0, len(question.text)))
    return tuple(
        place._replace(wide=place.wide | words, wide_labels=place.wide_labels | labels)
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
    words = [i for i in range(sentence.first_token, sentence.last_token) if view.tokens[i].kind == "word"][:1]
    if not words or view.folds[words[0]] not in _POINTING or before.end - before.start > REACH:
        return place
    named = _sentence_words(view, place.sentence - 1)[1] | _value_labels(view, (before.start, before.end), place.value)
    return place._replace(
        near=place.near | named, wide=place.wide | named, labels=place.labels | named,
        wide_labels=place.wide_labels | named,
    )  # fmt: skip


def _places(view: TextView) -> tuple[Place, ...]:
    by_sentence: dict[int, list[Value]] = {}
    starts = [sentence.start for sentence in view.sentences]
    for value in view.values:
        index = max(bisect_right(starts, value.start) - 1, 0) if starts else -1
        by_sentence.setdefault(index, []).append(value)
    found: list[Place] = []
    for index, stated in by_sentence.items():
        values = with_carried_units(view, stated)
        zones = _zones(view, index, values)
        days = _days(view, index, values)
        wholes = _wholes(view, values) | carried_nouns(view, values)
        found.extend(
            _place(view, value, values, index, zone, days.get(value.start, frozenset()), wholes.get(value.start, ""))
            for value, zone in zip(values, zones, strict=True)
        )
    found.sort(key=lambda place: place.value.start)
    return tuple(found)


def _wholes(view: TextView, values: Sequence[Value]) -> dict[int, str]:
    """What the percentages of a sentence are of, where only one before them says so: "45% of the seats, men 55%"."""
    found: dict[int, str] = {}
    whole = ""
    for value in values:
        if value.kind != "percent" or slice_of(view, value):
            continue
        if value.noun:
            whole = value.noun if view.text.startswith(" of ", value.end) else ""
        elif whole:
            found[value.start] = whole
    return found


def _zones(view: TextView, index: int, values: Sequence[Value]) -> list[tuple[int, int]]:
    """The part of the sentence that is each value's own: parted from the next value of the same family."""
    sentence = view.sentences[index] if index >= 0 else None
    first, last = (sentence.start, sentence.end) if sentence else (0, len(view.text))
    together = _has_respectively(view, sentence)
    before: dict[str, tuple[int, int]] = {}
    zones = [[first, last] for _ in values]
    carried = ""
    for position, value in enumerate(values):
        family = "slice" if slice_of(view, value) else family_of(value)
        if family in CARRIED:
            carried = family
        elif family == "count" and not value.noun and carried and not view.text.endswith(_AGES, 0, value.start):
            family = carried
        known = before.get(family)
        if family == "slice" and known and not _PARTING_SLICES.search(view.text, values[known[0]].end, value.start):
            known = None  # "splits the lowest 25% from the highest 75%" says both of one thing
        if known is not None and not together:
            cut = _cut_between(view, values[known[0]].end, value.start)
            zones[known[0]][1] = cut
            zones[position][0] = cut
        before[family] = (position, value.end)
    return [(zone[0], zone[1]) for zone in zones]


def _has_respectively(view: TextView, sentence: Sentence | None) -> bool:
    if sentence is None:
        return False
    return not _RESPECTIVELY.isdisjoint(view.folds[sentence.first_token : sentence.last_token])


def _cut_between(view: TextView, start: int, end: int) -> int:
    """Where the words between two values part: at the strongest parting word, else right after the first value."""
    ranks = _RANKS.get(view.language, _RANKS["en"])
    best: tuple[int, int] | None = None
    for i in view.tokens_between(start, end):
        rank = ranks.get(view.folds[i])
        if rank is not None and (best is None or rank < best[0]) and view.tokens[i].start >= start:
            best = (rank, view.tokens[i].start)
    line = view.text.find("\n", start, end)
    if line >= 0:
        return line
    return best[1] if best else start


def _days(view: TextView, index: int, values: Sequence[Value]) -> dict[int, frozenset[int]]:
    """The weekdays that each value of a sentence is for, by the start of the value."""
    if index < 0 or not says_days(view, view.sentences[index]):
        return {}
    sentence = view.sentences[index]
    counted = [value for value in values if value.kind not in ("date", "ordinal") and not value.implicit]
    tied = days_of_values(view, sentence, counted)
    return {start: frozenset(day for phrase in phrases for day in phrase.days) for start, phrases in tied.items()}


def _place(
    view: TextView,
    value: Value,
    values: Sequence[Value],
    index: int,
    zone: tuple[int, int],
    days: frozenset[int],
    whole: str = "",
) -> Place:
    """The place of one of the `values` of sentence `index`; `whole`: what it counts or is a share of, where unsaid."""
    passage = passage_at(view, value.start)
    value, raw = multiplied_out(value, passage)
    structure = "prose"
    headers: tuple[str, ...] = ()
    over = passage.context if passage is not None else ()
    path = key_words(passage) if passage is not None else ()
    if passage is not None and passage.kind in ("cell", "field") and passage.end - passage.start > LONG_FIELD:
        over = (*over, *path)
    elif passage is not None and passage.kind in ("cell", "field"):
        structure = passage.kind
        name = record_names(view).get(record_of(passage.key_path), "")
        headers = tuple(part for part in (passage.row, passage.column, name, *path) if part)
        zone = (max(zone[0], passage.start), min(zone[1], passage.end))
    sentence = view.sentences[index] if index >= 0 else None
    alone = sentence is not None and zone[0] <= sentence.start and zone[1] >= sentence.end
    zone = _within_reach(zone, value)
    near, labels = _words_of(view, zone)
    around = (sentence.start, sentence.end) if sentence is not None and structure == "prose" else zone
    if around == zone:
        wide, wide_labels = near, labels
    elif around[1] - around[0] <= 2 * REACH:
        wide, wide_labels = _sentence_words(view, index)
    else:
        wide, wide_labels = _words_of(view, _within_reach(around, value))
    figures = _labels_among(view, values, zone, value) if len(values) > 1 else _NONE
    header_stems = stems_of_phrases(headers, view.language) | header_labels(headers) if headers else _NONE
    over_stems = stems_of_phrases(over, view.language) if over else _NONE
    if figures:
        labels, wide_labels = labels | figures, wide_labels | figures
        near, wide = near | figures, wide | figures
    counted = value.noun or whole
    noun = stems_of_phrases((counted,), view.language) if counted else _NONE
    if whole:
        near, wide = near | noun, wide | noun
    return Place(
        view=view,
        value=value,
        sentence=index,
        zone=zone,
        near=near | header_stems,
        wide=wide | header_stems | over_stems,
        labels=labels | header_stems,
        wide_labels=wide_labels | header_stems,
        days=days_in_headers(headers, view.language) if headers else days,
        noun=min(noun) if noun else "",
        structure=structure,
        path=path if structure == "field" else (),
        headers=header_stems,
        named=headers,
        read_at=(value.start, value.end),
        alone=alone,
        scale=passage.scale if passage is not None and raw is None else Fraction(1),
        raw=raw,
    )


def _within_reach(stretch: tuple[int, int], value: Value) -> tuple[int, int]:
    """A stretch cut to what stands near the value, so that one endless sentence costs no more than many short ones."""
    return max(stretch[0], value.start - REACH), min(stretch[1], value.end + REACH)


def _words_of(view: TextView, zone: tuple[int, int]) -> tuple[frozenset[str], frozenset[str]]:
    """Content stems of a stretch outside its values, and those among them that name something."""
    known: tuple[_Found, _Found] | None = view.memo.get("naming")
    if known is None:
        known = view.memo["naming"] = _naming(view)
    stretch = view.tokens_between(*zone)
    return known[0].within(stretch), known[1].within(stretch)


_NONE: frozenset[str] = frozenset()


class _Found(NamedTuple):
    """Some tokens of a text, in order, with their stems."""

    tokens: list[int]
    stems: list[str]

    def add(self, token: int, stem: str) -> None:
        self.tokens.append(token)
        self.stems.append(stem)

    def within(self, stretch: range) -> frozenset[str]:
        """The stems of those in a stretch of tokens."""
        first = bisect_left(self.tokens, stretch.start)
        return frozenset(self.stems[first : bisect_left(self.tokens, stretch.stop, first)])


def _naming(view: TextView) -> tuple[_Found, _Found]:
    """The words of content outside the values, and those that name something."""
    near, labels = _Found([], []), _Found([], [])
    idle = function_words(view.language)
    covered = _covered(view)
    for i, (token, stem, content, held) in enumerate(zip(view.tokens, view.stems, view.content, covered, strict=True)):
        if held:
            continue
        if content and stem not in IDLE:
            if token.kind != "word":
                continue
            near.add(i, stem)
            if token.text[0].isupper():
                labels.add(i, stem)
        elif (
            token.end - token.start == 1
            and token.kind == "word"
            and token.text.isupper()
            and _is_letter_label(view, i, idle)
        ):
            near.add(i, stem)
            labels.add(i, stem)
    return near, labels


def _sentence_words(view: TextView, index: int) -> tuple[frozenset[str], frozenset[str]]:
    known: tuple[frozenset[str], frozenset[str]] | None = view.memo.get(("words", index))
    if known is None:
        sentence = view.sentences[index]
        known = view.memo["words", index] = _words_of(view, (sentence.start, sentence.end))
    return known


def _covered(view: TextView) -> bytearray:
    """For each token 1 where a typed value holds it."""
    known: bytearray | None = view.memo.get("covered")
    if known is None:
        known = bytearray(len(view.tokens))
        for value in view.values:
            for i in view.tokens_between(value.start, value.end):
                known[i] = 1
        view.memo["covered"] = known
    return known


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


def _is_letter_label(view: TextView, i: int, idle: frozenset[str]) -> bool:
    """Whether a lone capital names something ("invoice B"), and is no article or pronoun at the start."""
    if i == 0:
        return False
    before = view.tokens[i - 1]
    return before.kind == "word" and view.folds[i - 1] not in idle


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
