"""Which thing a value belongs to: its clause, its labels, its row and column, its key path.

A number alone says nothing; "60" is right or wrong only for *invoice B*. So each value gets a `Place`: the
words of its own part of the sentence (its zone), the words of the whole sentence, and the labels in reach
(names, identifiers, years, weekdays, headers of a table, keys of a record). Two places are compared by
what they share, and `rival_of` asks the one question that makes a right number wrong: does another value of
the same kind fit this place of the answer strictly better?

The comparison is careful by design. A value of the answer is only called unbound when the place where it
stands in the source and the rival's place are built alike, and the answer names what the rival belongs to
and does not name what the value belongs to.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from proofing.documents import Passage, Sentence
from proofing.support.reading import TextView
from proofing.support.words import function_words, word_set
from proofing.values import Value, family

#: Words that part two statements of one sentence, strongest first; between two values the strongest one parts them.
PARTING: tuple[frozenset[str], ...] = (
    frozenset({";", "\n", "|", "•"}),
    word_set("while whereas but mais aber sondern pero mas ma но während tandis mientras"),
    word_set("and or und oder et ou y e o then plus и или"),
    frozenset({",", "/", "(", ")"}),
    word_set("to from versus vs then"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_FORMS = {
    form: index
    for index, day in enumerate(WEEKDAYS)
    for form in (day, day + "s", day[:3], day[:4], {"tuesday": "tues", "thursday": "thurs"}.get(day, day))
}
_DAY_GROUPS = {
    "weekday": range(5), "weekdays": range(5), "weekend": range(5, 7), "weekends": range(5, 7), "daily": range(7),
}  # fmt: skip
_THROUGH = frozenset({"to", "through", "thru", "until", "till", "-", "–", "—"})
#: Words that say how a value is meant and never what it belongs to.
IDLE = word_set(
    "be have do about around approximately roughly nearly almost over under least most more less than per each every "
    "total only just up also as well within after before during between from until exact exactly average rate "
    "respectively respective however while which one two three first second new other same such number amount"
)


@dataclass(frozen=True, slots=True)
class Place:
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
        structure: ``prose``, or the kind of the table or record it stands in.
        belongs_to: the same in words, for a note.
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
    belongs_to: str

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


def _places(view: TextView) -> tuple[Place, ...]:
    by_sentence: dict[int, list[Value]] = {}
    for value in view.values:
        index = view.sentence_index_at(value.start)
        by_sentence.setdefault(-1 if index is None else index, []).append(value)
    found: list[Place] = []
    for index, values in by_sentence.items():
        zones = _zones(view, index, values)
        found.extend(_place(view, value, index, zone) for value, zone in zip(values, zones, strict=True))
    found.sort(key=lambda place: place.value.start)
    return tuple(found)


def _zones(view: TextView, index: int, values: Sequence[Value]) -> list[tuple[int, int]]:
    """The part of the sentence that is each value's own: parted from the next value of the same family."""
    sentence = view.sentences[index] if index >= 0 else None
    first, last = (sentence.start, sentence.end) if sentence else (0, len(view.text))
    together = _has_respectively(view, sentence)
    before: dict[str, tuple[int, int]] = {}
    zones = [[first, last] for _ in values]
    for position, value in enumerate(values):
        family = family_of(value)
        known = before.get(family)
        if known is not None and not together:
            cut = _cut_between(view, values[known[0]].end, value.start)
            zones[known[0]][1] = cut
            zones[position][0] = cut
        before[family] = (position, value.end)
    return [(zone[0], zone[1]) for zone in zones]


def _has_respectively(view: TextView, sentence: Sentence | None) -> bool:
    if sentence is None:
        return False
    folds = view.folds[sentence.first_token : sentence.last_token]
    return "respectively" in folds or "beziehungsweise" in folds or "respectivement" in folds


def _cut_between(view: TextView, start: int, end: int) -> int:
    """Where the words between two values part: at the strongest parting word, else right after the first value."""
    best: tuple[int, int] | None = None
    for i in view.tokens_between(start, end):
        token = view.tokens[i]
        if token.start < start:
            continue
        for rank, words in enumerate(PARTING):
            if view.folds[i] in words:
                if best is None or rank < best[0]:
                    best = (rank, token.start)
                break
    line = view.text.find("\n", start, end)
    if line >= 0:
        return line
    return best[1] if best else start


def _place(view: TextView, value: Value, index: int, zone: tuple[int, int]) -> Place:
    passage = passage_at(view, value.start)
    structure = "prose"
    headers: tuple[str, ...] = ()
    over = passage.context if passage is not None else ()
    if passage is not None and passage.kind in ("cell", "field"):
        structure = passage.kind
        headers = tuple(part for part in (passage.row, passage.column, *_key_words(passage)) if part)
        zone = (max(zone[0], passage.start), min(zone[1], passage.end))
    near, labels = _words_of(view, zone)
    sentence = view.sentences[index] if index >= 0 else None
    around = (sentence.start, sentence.end) if sentence is not None and structure == "prose" else zone
    wide, wide_labels = (near, labels) if around == zone else _sentence_words(view, index)
    figures = _value_labels(view, zone, value)
    labels, wide_labels = labels | figures, wide_labels | figures
    near, wide = near | figures, wide | figures
    header_stems = stems_of_phrases(headers, view.language)
    over_stems = stems_of_phrases(over, view.language)
    noun = stems_of_phrases((value.noun,), view.language) if value.noun else frozenset()
    return Place(
        view=view,
        value=value,
        sentence=index,
        zone=zone,
        near=near | header_stems,
        wide=wide | header_stems | over_stems,
        labels=labels | header_stems,
        wide_labels=wide_labels | header_stems,
        days=_days_in(view, zone, headers),
        noun=min(noun) if noun else "",
        structure=structure,
        belongs_to=" / ".join(headers) if headers else _phrase(view, zone, value),
    )


def _key_words(passage: Passage) -> tuple[str, ...]:
    return tuple(part for part in passage.key_path if part and not part.isdigit())


def passage_at(view: TextView, position: int) -> Passage | None:
    """The table cell, record field or prose passage that holds `position`."""
    index = bisect_right(view.passages, position, key=lambda passage: passage.start) - 1
    if index >= 0 and view.passages[index].end > position:
        return view.passages[index]
    return None


@lru_cache(maxsize=4096)
def stems_of_phrases(phrases: tuple[str, ...], language: str) -> frozenset[str]:
    """Content stems of headers or keys; ``openingHours`` and ``opening_hours`` are two words each."""
    from proofing.support.stems import stem_of

    idle = function_words(language)
    found = set()
    for phrase in phrases:
        for word in _split_key(phrase):
            fold = word.casefold()
            if fold and (fold not in idle or len(fold) == 1):
                found.add(stem_of(fold, language))
    return frozenset(found)


def _split_key(phrase: str) -> list[str]:
    words: list[str] = []
    current = ""
    previous = ""
    for letter in phrase:
        if not letter.isalnum():
            words.append(current)
            current = ""
        elif letter.isupper() and previous.islower():
            words.append(current)
            current = letter
        else:
            current += letter
        previous = letter
    words.append(current)
    return [word for word in words if word]


def _words_of(view: TextView, zone: tuple[int, int]) -> tuple[frozenset[str], frozenset[str]]:
    """Content stems of a stretch outside its values, and those among them that name something."""
    near: set[str] = set()
    labels: set[str] = set()
    idle = function_words(view.language)
    covered = _covered(view)
    for i in view.tokens_between(*zone):
        token = view.tokens[i]
        if token.kind != "word" or covered[i]:
            continue
        stem = view.stems[i]
        if view.content[i] and stem not in IDLE:
            near.add(stem)
            if token.text[0].isupper():
                labels.add(stem)
        elif len(token.text) == 1 and token.text.isupper() and _is_letter_label(view, i, idle):
            near.add(stem)
            labels.add(stem)
    return frozenset(near), frozenset(labels)


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
    found: set[str] = set()
    first = bisect_left(view.values, zone[0], key=lambda other: other.start)
    for other in islice(view.values, first, None):
        if other.start >= zone[1]:
            break
        if other is value or other.implicit or family_of(other) == family_of(value):
            continue
        for reading in other.readings:
            found.add(f"{reading.dimension}={reading.amount}")
            amount = reading.amount
            if reading.dimension == "date" and isinstance(amount, tuple) and amount and isinstance(amount[0], int):
                found.add(f"year={amount[0]}")
    return frozenset(found)


def _is_letter_label(view: TextView, i: int, idle: frozenset[str]) -> bool:
    """Whether a lone capital names something ("invoice B"), and is no article or pronoun at the start."""
    if i == 0:
        return False
    before = view.tokens[i - 1]
    return before.kind == "word" and view.folds[i - 1] not in idle


def _days_in(view: TextView, zone: tuple[int, int], headers: Iterable[str]) -> frozenset[int]:
    """Weekdays named in a stretch or a header, ranges and groups ("weekdays") spelled out."""
    found: set[int] = set()
    for header in headers:
        for word in _split_key(header):
            day = _DAY_FORMS.get(word.casefold())
            if day is not None:
                found.add(day)
    open_end: int | None = None
    last: int | None = None
    for i in view.tokens_between(*zone):
        fold = view.folds[i]
        day = _DAY_FORMS.get(fold) if view.tokens[i].kind == "word" else None
        if day is not None and not (len(fold) <= 4 and not view.tokens[i].text[0].isupper()):
            if open_end is not None:
                found.update(_run(open_end, day))
            found.add(day)
            last, open_end = day, None
        elif fold in _DAY_GROUPS:
            found.update(_DAY_GROUPS[fold])
            last = open_end = None
        elif fold in _THROUGH and last is not None:
            open_end, last = last, None
        elif view.tokens[i].kind != "sign":
            last = open_end = None
    return frozenset(found)


def _run(first: int, last: int) -> list[int]:
    return [(first + step) % 7 for step in range((last - first) % 7 + 1)]


def _phrase(view: TextView, zone: tuple[int, int], value: Value) -> str:
    """The zone's words in one line, short enough for a note."""
    text = " ".join(view.text[zone[0] : zone[1]].split())
    if len(text) <= 90:
        return text
    start = max(zone[0], value.start - 45)
    return "…" + " ".join(view.text[start : min(zone[1], value.end + 40)].split()) + "…"


def kinship(ours: Place, theirs: Place) -> int:
    """How well a source place fits a place of the answer: a whole number, larger is closer, ties are ties.

    Labels count most, then the thing counted and the words of the zone, then the rest of the sentence;
    a label of theirs that the answer does not have counts against it when the answer names another one.
    """
    shared_labels = ours.labels & theirs.labels
    score = 4 * len(shared_labels) + 3 * len(ours.near & theirs.near)
    score += len((ours.wide & theirs.wide) - (ours.near & theirs.near))
    if ours.noun and ours.noun == theirs.noun:
        score += 3
    if ours.days and theirs.days:
        score += 6 if ours.days & theirs.days else -6
    strangers = theirs.labels - ours.wide
    if strangers and ours.labels - theirs.wide:
        score -= 2
    return score


def rival_of(ours: Place, theirs: Sequence[Place], others: Sequence[Place]) -> Place | None:
    """The source place that the answer's words really speak of, when it is none of `theirs`.

    Args:
        ours: the place of the value in the answer.
        theirs: every source place that holds the same value.
        others: source places of comparable values that are not equal to it, in text order.

    Returns:
        the best-fitting rival when it beats *each* of `theirs`; None when one of them holds its ground.
    """
    best: tuple[int, Place] | None = None
    for rival in others:
        if all(_beats(ours, rival, held) for held in theirs):
            fit = kinship(ours, rival)
            if best is None or fit > best[0]:
                best = (fit, rival)
    return best[1] if best else None


def _beats(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the answer names what `rival` belongs to and does not name what `held` belongs to."""
    if ours.days and rival.days and held.days:
        return bool(ours.days & rival.days) and not ours.days & held.days
    if not built_alike(rival, held):
        return False
    same_sentence = rival.view is held.view and rival.sentence == held.sentence
    if same_sentence or rival.structure != "prose":
        theirs, ourlabels = rival.near - held.near, rival.labels - held.labels
        lost, lost_labels = held.near - rival.near, held.labels - rival.labels
    else:
        theirs, ourlabels = rival.wide - held.wide, rival.wide_labels - held.wide_labels
        lost, lost_labels = held.wide - rival.wide, held.wide_labels - rival.wide_labels
    ground = ours.near if (theirs | lost) & ours.near else ours.wide
    if lost & ground or lost_labels & ours.near:
        return False
    if ourlabels & ground and lost_labels:
        return True
    return len(theirs & ground) >= 2 and bool(lost)


def built_alike(one: Place, other: Place) -> bool:
    """Whether two places say the same sort of thing: rows of one table, keys of one record, like clauses."""
    if one.view is other.view and one.structure != "prose" and one.structure == other.structure:
        return True
    if one.view is other.view and one.sentence == other.sentence:
        return True
    if one.noun and one.noun == other.noun and one.view is other.view and abs(one.sentence - other.sentence) <= 2:
        return True
    shared = one.wide & other.wide
    return len(shared) >= 2 and 2 * len(shared) >= min(len(one.wide), len(other.wide)) - 1
