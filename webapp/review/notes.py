"""The engine's notes in the reader's language. The engine writes English; a page reads its sentences back by pattern.

A pattern is the sentence as it stands in the catalogue: ``%(name)s`` stands for what the engine put there. Words of
the sources and figures stay as they are; kinds of values, spans of time, days and operations are put into words.
A note that no pattern knows is shown as the engine wrote it (a test proofreads the demo to find those).
"""

from __future__ import annotations

import re
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

#: Notes, the more special before the more general.
NOTES: tuple[Promise, ...] = (
    _("no sentence of the sources is close to this"),
    _("no sentence of the sources shares a word with this one"),
    _("nearest sentence; it does not say this"),
    _("nearest sentence; it does not hold this name"),
    _("the name in this place"),
    _("no source says anything like this; the nearest sentence is shown"),
    _("nearest wording in the sources"),
    _("the sources say this of another name"),
    _("the source says it without this denial"),
    _("the source sets no such limit"),
    _("the source denies it: %(said)s"),
    _("the source limits this: %(said)s"),
    _("the source has %(said)s in this place"),
    _("the source has %(said)s as a %(kind)s, not as a %(other_kind)s"),
    _("the source has hours for %(days)s"),
    _("the source has no hours for %(days)s"),
    _("the source says that it is closed on %(days)s"),
    _("the source says %(said)s, with no word on %(qualifier)s days"),
    _("the source says %(said)s"),
    _("the source counts %(qualifier)s days: %(said)s"),
    _("the source gives this price per %(span)s"),
    _("the source bills per %(span)s: %(said)s"),
    _("the source writes %(said)s without a unit"),
    _("the sources give %(said)s"),
    _("in the source this belongs to %(days)s; on %(days_2)s the source says %(said)s"),
    _("in the source this belongs to: %(whose)s; for this one it says %(said)s"),
    _("on %(days)s the source says %(said)s"),
    _("the change went the other way: %(said)s"),
    _("the figure is the source's, its unit is not: %(said)s"),
    _("no source states it; the nearest value is %(said)s (%(whose)s)"),
    _("no source states a %(kind)s like this"),
    _("%(operation)s; a random figure would follow as well with a chance of %(share)s"),
    _("%(operation)s of source values"),
    _("the same price for another period"),
    _("only the question states it"),
    _("a name, not stated by a source"),
    _("an age in years"),
    _("an age: %(said)s"),
    _("a year: %(said)s"),
    _("a bound of %(said)s"),
    _("an end of %(said)s"),
    _("part of %(said)s"),
    _("counted as %(said)s"),
    _("read as version %(said)s"),
    _("read as %(span)s: %(said)s"),
    _("read as %(said)s"),
    _("spans %(said)s and %(also)s"),
    _("between %(said)s and %(also)s on several days"),
    _("about: within %(share)s of %(said)s"),
    _("about: %(said)s rounded to the digits written"),
    _("%(said)s, converted and rounded"),
    _("%(said)s, on a scale to %(also)s"),
    _("%(said)s, and %(also)s elsewhere in the sources"),
    _("%(said)s is %(also)s to within a point"),
    _("%(said)s is %(also)s to within two points"),
    _("%(said)s is unknown in the source, which is neither yes nor no"),
    _("%(said)s may be before or after noon"),
    _("%(said)s may be metres or millions"),
    _("%(said)s may be %(also)s with decimals: nothing here decides"),
    _("%(said)s may be %(also)s"),
    _("the list that follows has %(said)s items"),
    _("the list before it has %(said)s items"),
    _("the record holds %(said)s reviews"),
    _("the record lists hours for %(said)s days"),
    _("%(said)s things are named beside it"),
    _("counts %(said)s, which no source counts"),
    _("counts the %(said)s of the text itself"),
    _("how often, where no source says otherwise"),
    _("speaks of the text itself"),
    _("a step of the text"),
    _("refers to a source"),
    _("from %(said)s and %(also)s"),
    _("%(said)s says %(also)s"),
)
SPANS: dict[str, Promise] = {
    "second": _("second"),
    "minute": _("minute"),
    "hour": _("hour"),
    "day": _("day"),
    "night": _("night"),
    "week": _("week"),
    "month": _("month"),
    "quarter": _("quarter"),
    "year": _("year"),
    "person": _("person"),
    "group": _("group"),
    "family": _("family"),
    "child": _("child"),
    "room": _("room"),
    "user": _("user"),
    "vehicle": _("vehicle"),
    "item": _("item"),
    "page": _("page"),
}
QUALIFIERS: dict[str, Promise] = {"business": _("business"), "calendar": _("calendar")}
DAYS: dict[str, Promise] = {
    "Monday": _("Monday"),
    "Tuesday": _("Tuesday"),
    "Wednesday": _("Wednesday"),
    "Thursday": _("Thursday"),
    "Friday": _("Friday"),
    "Saturday": _("Saturday"),
    "Sunday": _("Sunday"),
}
OPERATIONS: dict[str, Promise] = {
    "sum": _("sum"),
    "difference": _("difference"),
    "mean": _("mean"),
    "product": _("product"),
    "share": _("share"),
    "percent change": _("percent change"),
    "ratio": _("ratio"),
    "time between": _("time between"),
    "period": _("period"),
}
_HOLE = re.compile(r"%\((\w+)\)s")


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], int], ...]:
    """One pattern per note, from its English sentence."""
    found = []
    for place, note in enumerate(NOTES):
        english = _english(note)
        parts = _HOLE.split(english)  # text, name, text, name, …
        pattern = "".join(re.escape(part) if i % 2 == 0 else f"(?P<{part}>.+?)" for i, part in enumerate(parts))
        found.append((re.compile(pattern, re.DOTALL), place))
    return tuple(found)


def _english(note: Promise) -> str:
    """The text a lazy translation was made from."""
    from django.utils.translation import override

    with override(None):
        return str(note)


@lru_cache(maxsize=4096)
def read(note: str) -> tuple[int, dict[str, str]] | None:
    """Which of `NOTES` a sentence of the engine is, and what fills its holes; None for another sentence."""
    for pattern, place in _patterns():
        found = pattern.fullmatch(note)
        if found is not None:
            return place, found.groupdict()
    return None


def in_words(note: str) -> str:
    """A note of the engine in the reader's language."""
    if not note or (get_language() or "en").startswith("en"):
        return note
    known = read(note)
    if known is None:
        return note
    place, holes = known
    filled = {name: _filled(name, text) for name, text in holes.items()}
    return str(NOTES[place]) % filled


def _filled(name: str, text: str) -> str:
    from webapp.review.templatetags.desk import KINDS

    table = {
        "kind": KINDS,
        "other_kind": KINDS,
        "span": SPANS,
        "qualifier": QUALIFIERS,
        "operation": OPERATIONS,
    }.get(name)
    if name.startswith("days"):
        return ", ".join(str(DAYS.get(day, day)) for day in text.split(", "))
    return str(table.get(text, text)) if table else text
