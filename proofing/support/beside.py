"""What stands right beside a value: other values of its sentence, "every", "-year-old", parentheses."""

from __future__ import annotations

import re
from bisect import bisect_left

from proofing.support.places import Place, places_of

_EVERY = re.compile(r"\b(?:every|each|alle|cada|tous les|toutes les|ogni|каждые)\s$", re.IGNORECASE)
_OLD = re.compile(r"[- ](?:old|aged|of age)\b", re.IGNORECASE)
_AGED = re.compile(r"\b(?:aged?|ages|age of|at)\s$", re.IGNORECASE)


def around(ours: Place) -> list[Place]:
    """The values of the same sentence, at most a dozen before and behind."""
    places = places_of(ours.view)
    at = bisect_left(places, ours.value.start, key=lambda place: place.value.start)
    return [place for place in places[max(0, at - 12) : at + 13] if place.sentence == ours.sentence]


def before_parentheses(ours: Place) -> list[Place]:
    """The value of the answer right before this one, when this one stands in parentheses behind it."""
    places = places_of(ours.view)
    at = bisect_left(places, ours.value.start, key=lambda place: place.value.start)
    if at == 0 or ours.view.text[places[at - 1].value.end : ours.value.start].strip(" \u00a0") != "(":
        return []
    return [places[at - 1]] if places[at - 1].sentence == ours.sentence else []


def is_every(place: Place) -> bool:
    """Whether "every" stands before a length of time."""
    return _EVERY.search(place.view.text, max(0, place.value.start - 12), place.value.start) is not None


def is_aged(place: Place) -> bool:
    """Whether a value is somebody's age in words: "27-year-old", "aged 27"."""
    text = place.view.text
    if place.value.kind not in ("number", "duration", "range"):
        return False  # "opens at 6:00"
    if _OLD.match(text, place.value.end):
        return True
    return _AGED.search(text, max(0, place.value.start - 8), place.value.start) is not None
