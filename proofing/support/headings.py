"""What headers of tables and keys of records say about the values under them."""

from __future__ import annotations

import re
from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache

from proofing.documents import Passage
from proofing.support.day_words import day_words
from proofing.support.reading import TextView
from proofing.support.stems import stem_of
from proofing.support.words import function_words, word_set
from proofing.values import Value, find_values

#: A cell or field longer than this (code points) holds prose, and its sentences bind like prose.
LONG_FIELD = 80


def key_words(passage: Passage) -> tuple[str, ...]:
    if not passage.key_path:
        return ()
    return tuple(part for part in passage.key_path if part and not part.isdigit())


#: Keys whose value names the record of a list that it stands in, best first.
_NAMING = (
    "name",
    "title",
    "label",
    "plan",
    "product",
    "model",
    "item",
    "id",
    "sku",
    "type",
    "tier",
    "category",
    "variant",
)
#: A text of at most so many code points may name a record that has none of these keys: the first one does.
NAME_LENGTH = 40


def record_of(path: tuple[str, ...]) -> tuple[str, ...]:
    """The path of the list entry that a field stands in, its number included; empty outside of lists."""
    at = max((i for i, key in enumerate(path) if key.isdigit()), default=-1)
    return path[: at + 1]


def record_names(view: TextView) -> dict[tuple[str, ...], str]:
    """What the entries of lists in a record are called: ``{"name": "Pro", "price": 30}`` is "Pro"."""
    known: dict[tuple[str, ...], str] | None = view.memo.get("record names")
    if known is None:
        ranked: dict[tuple[str, ...], tuple[int, str]] = {}
        for passage in view.passages:
            record = record_of(passage.key_path)
            if passage.kind == "field" and record and passage.key_path[-1:] != record[-1:]:
                rank = _rank_of_name(passage, view)
                if rank is None:
                    continue
                if record not in ranked or rank < ranked[record][0]:
                    ranked[record] = (rank, view.text[passage.start : passage.end][:LONG_FIELD])
        known = view.memo["record names"] = {record: name for record, (_, name) in ranked.items()}
    return known


def _rank_of_name(passage: Passage, view: TextView) -> int | None:
    """How well a field names its record (0 best); None for figures, truth values and long texts."""
    key = passage.key_path[-1].casefold()
    if key in _NAMING:
        return _NAMING.index(key)
    text = view.text[passage.start : passage.end].strip("'\" ")
    names = 0 < len(text) <= NAME_LENGTH and text[0].isupper() and text not in ("True", "False", "None")
    return len(_NAMING) if names and len(passage.key_path) == len(record_of(passage.key_path)) + 1 else None


#: Rows and columns of a table "in millions" whose figures are no amounts.
UNSCALED_ROWS = word_set("per share ratio rate margin percent number count average employe headcount staff")
_SCALE_WORDS = re.compile(
    r"\b(?:in|en|em|в|of|de|di|thousands?|millions?|billions?|mio|mrd|tsd|millones|mill\w+|тыс|млн|млрд|mn|bn|k|m|b|000)\b\.?",
    re.IGNORECASE,
)


def multiplied_out(value: Value, passage: Passage | None) -> tuple[Value, Fraction | None]:
    """A bare figure of a table "in millions of euros" as the amount it stands for, and the figure itself.

    The figure keeps its plain reading last, for answers that repeat the table. Other values come back as they are,
    with None.
    """
    reading = value.readings[0] if value.readings else None
    if passage is None or passage.scale == 1 or reading is None or value.kind != "number":
        return value, None
    if reading.dimension != "count" or not isinstance(reading.amount, Fraction):
        return value, None
    if stems_of_phrases((passage.row, passage.column), "en") & UNSCALED_ROWS:
        return value, None
    step = reading.written_step * passage.scale if reading.written_step else None
    scaled = reading._replace(amount=reading.amount * passage.scale, written_step=step)
    currencies = tuple(scaled._replace(dimension=d, unit=u) for d, u in _currency_of(passage.scale_text))
    kind = "money" if currencies else value.kind
    return value._replace(kind=kind, readings=(*currencies, scaled, *value.readings)), reading.amount


@lru_cache(maxsize=256)
def _currency_of(words: str) -> tuple[tuple[str, str], ...]:
    """Dimension and unit of the money that "in millions of euros" speaks of; empty where it names none."""
    rest = " ".join(_SCALE_WORDS.sub(" ", words.replace("€m", "€ m").replace("$m", "$ m").replace("£m", "£ m")).split())
    found = find_values(f"1 {rest}") if rest else ()
    return tuple((r.dimension, r.unit) for v in found[:1] if v.kind == "money" for r in v.readings)


def passage_at(view: TextView, position: int) -> Passage | None:
    """The table cell, record field or prose passage that holds `position`."""
    index = bisect_right(view.passages, position, key=lambda passage: passage.start) - 1
    if index >= 0 and view.passages[index].end > position:
        return view.passages[index]
    return None


@lru_cache(maxsize=4096)
def stems_of_phrases(phrases: tuple[str, ...], language: str) -> frozenset[str]:
    """Content stems of headers or keys; ``openingHours`` and ``opening_hours`` are two words each."""
    idle = function_words(language)
    found = set()
    for phrase in phrases:
        for word in split_key(phrase):
            fold = word.casefold()
            if fold and (fold not in idle or len(fold) == 1):
                found.add(stem_of(fold, language))
    return frozenset(found)


@lru_cache(maxsize=4096)
def header_labels(headers: tuple[str, ...]) -> frozenset[str]:
    """Years, quarters and the like in headers and keys, as labels."""
    found: set[str] = set()
    for header in headers:
        if any(letter.isdigit() for letter in header):
            for value in find_values(header):
                found |= labels_of(value)
    return frozenset(found)


def labels_of(value: Value) -> set[str]:
    found = set()
    for reading in value.readings:
        found.add(f"{reading.dimension}={reading.amount}")
        amount = reading.amount
        if reading.dimension == "date" and isinstance(amount, tuple) and amount and isinstance(amount[0], int):
            found.add(f"year={amount[0]}")
    return found


def head_of(key: str, language: str) -> str:
    """Stem of the last word of a key: what is counted under ``review_stars`` is stars."""
    words = split_key(key)
    return stem_of(words[-1].casefold(), language) if words else ""


def split_key(phrase: str) -> list[str]:
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


def days_in_headers(headers: tuple[str, ...], language: str) -> frozenset[int]:
    names = day_words(language).days
    days = (names.get(word.casefold()) for header in headers for word in split_key(header))
    return frozenset(day for day in days if day is not None)
