"""Ways in which a source states a value in other words, or in pieces.

Each function looks at one way and returns the judgement, or None when that way does not hold.
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.support.backing import ASKED, FOLLOWS, STATED, UNITLESS, backed, judgement_on
from proofing.support.base import Judgement
from proofing.support.beside import around, is_aged
from proofing.support.figures import unit_scale
from proofing.support.ledger import Entry, Ledger
from proofing.support.places import Place
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.statements import CARRIED, family_of
from proofing.support.subjects import end_named
from proofing.support.wrong import is_other_end, judge_other_end
from proofing.values import Value, implied_by
from proofing.values.base import end_held

#: Dimensions of values that may be part of one another without being an end of it.
DATES = frozenset({"date", "range:date"})
#: Kinds whose words are their value, so that finding the words verbatim is enough.
VERBATIM = frozenset({"identifier", "citation", "url", "code", "version", "phone"})
_NUMBERED = re.compile(r"\b([^\W\d_]\w*) (\d+)")
_YEAR = re.compile(r"1[0-9]\d\d|20\d\d")
_NAME_BEFORE = re.compile(r"(?<=[\w,;] )([A-Z]\w*|[a-z]+[A-Z]\w*) $")
_NEXT_WORD = re.compile(r"[ \u00a0][^\W\d_]{3,}")


def by_ends(ours: Place, ledger: Ledger) -> Judgement | None:
    """A range whose ends the sources state side by side, or as two values of the thing the answer speaks of."""
    ends = ours.value.ends
    if len(ends) == 2 and ours.value.dimension == "ratio":
        return _by_parts(ours, ledger)
    if len(ends) != 2 or not ours.value.dimension.startswith("range:"):
        return None
    first, last = (
        [entry for entry in ledger.equal(end) if entry.place.structure == "prose" or not entry.end] for end in ends
    )
    for one in first:
        for other in last:
            together = one.place.view is other.place.view and one.place.sentence == other.place.sentence
            together = together and one.place.path == other.place.path
            if together and one.value.start < other.value.start:
                return backed(ours, STATED, one.place, note=f"from {one.value.text} and {other.value.text}")
    if ours.value.dimension == "range:clock":
        for one in ledger.equal(ends[0]):
            if one.end is not None and any(_same_end(one, other) for other in ledger.equal(ends[1])):
                return backed(
                    ours, FOLLOWS, one.place, note=f"between {ends[0].text} and {ends[1].text} on several days"
                )
    spoken = [[e for e in entries if e.place.wide & ours.wide] for entries in (first, last)]
    if all(spoken):
        one, other = spoken[0][0], spoken[1][0]
        return backed(ours, FOLLOWS, one.place, note=f"spans {one.value.text} and {other.value.text}")
    return None


def _same_end(one: Entry, other: Entry) -> bool:
    """Whether two times both open or both close, in the hours of two days of one source."""
    if one.end is None or other.end is None or one.place is other.place or one.place.view is not other.place.view:
        return False
    return (one.end == one.place.value.ends[0]) == (other.end == other.place.value.ends[0])


def _by_parts(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "4 out of 5 stars" where the source says 4, "nine of ten" where it says nine of the ten."""
    part, whole = ours.value.ends
    parts, wholes = ledger.equal(part), ledger.equal(whole)
    for one in parts:
        if whole.amount in (5, 10, 100) and ours.noun in ("star", "point", ""):
            return backed(ours, STATED, one.place, note=f"{one.value.text}, on a scale to {whole.text}")
        if any(one.place.view is w.place.view and one.place.sentence == w.place.sentence for w in wholes):
            return backed(ours, STATED, one.place, note=f"from {part.text} and {whole.text}")
    return None


def by_more_precise(ours: Place, ledger: Ledger) -> Judgement | None:
    """Part of a stated date, or an end of a stated range."""
    dated = any(reading.dimension in DATES for reading in ours.value.readings)
    turned: Judgement | None = None
    for place in ledger.candidates(ours):
        note = implied_by(ours.value, place.value) if dated or place.value.ends else None
        if not note:
            continue
        other = Entry(place, end_held(ours.value, place.value))
        named = end_named(ours) if other.end is not None else ""
        if not is_other_end(other, named):
            return backed(ours, STATED, place, note=note)
        turned = turned or judge_other_end(ours, other, named)
    return turned


def by_carried_unit(ours: Place, ledger: Ledger) -> Judgement | None:
    """A figure whose unit is left out because it was just named: "40 million euros, 12 million of it for schools"."""
    if ours.value.dimension != "count" or not isinstance(ours.value.amount, Fraction) or ours.sentence < 0:
        return None
    for named in around(ours):
        step = named.value.reading
        if named.sentence != ours.sentence or family_of(named.value) not in CARRIED or not step.unit:
            continue
        for entry in ledger.by_key.get((step.dimension, ours.value.amount * _scale_of(named.value)), ()):
            return backed(ours, STATED, entry.place, note=f"read as {step.unit}: {entry.value.text}")
    return None


def _scale_of(value: Value) -> Fraction:
    """The amount that one of the value's unit stands for: 1,000 for kilometres (in metres), 1 for euros."""
    return Fraction(1) if value.kind in ("money", "percent", "points") else unit_scale(value)


def by_ordinal(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "A possible third eruption" where a source speaks of "a third eruption", which alone might be a share."""
    value, text = ours.value, ours.view.text
    following = _NEXT_WORD.match(text, value.end)
    if value.kind != "ordinal" or value.text[:1].isdigit() or following is None:
        return None
    words = (value.text + following.group()).casefold()
    for view in {id(place.view): place.view for place in ledger.places}.values():
        at = _low(view).find(words)
        if at >= 0 and _stands_alone(_low(view), at, at + len(words)):
            return judgement_on(ours, STATED, receipt=receipt_on(view, at, at + len(words)))
    return None


def by_birthday(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "Her 53rd birthday" where the source says that she turned 53, or is 53 years old."""
    value = ours.value
    if value.kind != "ordinal" or "birthday" not in (ours.noun, value.noun) or not isinstance(value.amount, Fraction):
        return None
    for key in (("count", value.amount), ("time.months", value.amount * 12)):
        for entry in ledger.by_key.get(key, ()):
            text = entry.place.view.text
            turned = text[max(0, entry.value.start - 8) : entry.value.start].casefold()
            if is_aged(entry.place) or turned.endswith(("turned ", "turns ", "turn ", "turning ")):
                return backed(ours, STATED, entry.place, note=f"an age: {entry.value.text}")
    return None


def by_year(ours: Place, ledger: Ledger) -> Judgement | None:
    """A bare four-digit number that is a year of the sources."""
    value = ours.value
    if value.dimension != "count" or not _YEAR.fullmatch(value.text) or value.amount is None:
        return None
    place = ledger.of_year(int(value.text))
    return None if place is None else backed(ours, STATED, place, note=f"a year: {place.value.text}")


def by_times(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "Ten men" for "married ten times", and the reverse: one count in another turn of phrase."""
    value = ours.value
    other = {"count": "times", "times": "count"}.get(value.dimension)
    if other is None or not isinstance(value.amount, Fraction) or value.amount < 2:
        return None
    for entry in ledger.by_key.get((other, value.amount), ()):
        if entry.place.wide & ours.wide:
            return backed(ours, UNITLESS, entry.place, note=f"counted as {entry.value.text}")
    return None


def by_model(ours: Place, proof: Proof) -> Judgement | None:
    """The number of a name ("iPhone 5", "Room 12"): the same words in a source, or no source that numbers the name."""
    value, text = ours.value, ours.view.text
    if value.dimension != "count" or ours.noun or not value.text.isdigit():
        return None
    led = _NAME_BEFORE.search(text, max(0, value.start - 30), value.start)
    if led is None:
        return None
    name = led.group(1).casefold()
    numbers = {number for view in proof.sources for number in _numbers_after(view, name)}
    if value.text in numbers:
        return judgement_on(ours, STATED, note=f"{led.group(1)} {value.text}")
    return None if numbers else judgement_on(ours, ASKED, note="a name, not stated by a source")


def _numbers_after(view: TextView, name: str) -> frozenset[str]:
    """The digits that follow a word anywhere in a text."""
    known: dict[str, set[str]] | None = view.memo.get("numbers after")
    if known is None:
        known = {}
        for word, digits in _NUMBERED.findall(_low(view)):
            known.setdefault(word, set()).add(digits)
        view.memo["numbers after"] = known  # not before it is whole: other threads read it
    return frozenset(known.get(name, ()))


def _low(view: TextView) -> str:
    """The text in lower case with unchanged offsets; as it stands where that is not possible."""
    text: str | None = view.memo.get("low")
    if text is None:
        text = view.text.lower()
        text = view.memo["low"] = text if len(text) == len(view.text) else view.text
    return text


def by_name(ours: Place, ledger: Ledger) -> Judgement | None:
    """A short code that is a name ("B12", "COVID-19") and that no source code resembles: left to the words."""
    value = ours.value
    if value.kind != "identifier" or sum(c.isdigit() for c in value.text) > 3:
        return None
    head = value.text.casefold().rstrip("0123456789")
    shape = _shape(value.text)
    rivals = ["".join(p.value.text.casefold().split()) for p in ledger.candidates(ours) if p.value.kind == "identifier"]
    if any(rival.startswith(head) or rival[:2] == head[:2] or _shape(rival) == shape for rival in rivals if head):
        return None
    named = _NUMBERED.fullmatch(value.text.casefold())
    if named and any(_numbers_after(place.view, named[1]) for place in _one_of_each_view(ledger)):
        return None
    return judgement_on(ours, ASKED, note="a name, not stated by a source")


def _shape(code: str) -> str:
    """A code with all its figures alike: "70d" and "90d" are of one kind."""
    return "".join("0" if c.isdigit() else c for c in code.casefold() if c.isalnum())


def _one_of_each_view(ledger: Ledger) -> list[Place]:
    return list({id(place.view): place for place in ledger.places}.values())


def by_words(ours: Place, proof: Proof) -> Judgement | None:
    """The very words in a source, for values whose words are all they are."""
    if ours.value.kind not in VERBATIM:
        return None
    words = ours.value.text.casefold().strip()
    if ours.value.kind == "code" and not words.strip("`").isalpha():
        words = words.strip("`")  # a source may write "--strict" without the code's marks; "main" is a word there
    if ours.value.kind == "version":
        words = words.lstrip("v. ")  # "v4.10" for "Tallow 4.10"
    for view in proof.sources:
        text = _low(view)
        at = text.find(words)
        if at >= 0 and _stands_alone(text, at, at + len(words)) and not _is_longer(ours, text, at, at + len(words)):
            return judgement_on(ours, STATED, receipt=receipt_on(view, at, at + len(words)))
    return None


def _is_longer(ours: Place, text: str, start: int, end: int) -> bool:
    """Whether the digits of a version go on in the source: "2.4.10" and "4.10.2" are not 4.10."""
    if ours.value.kind != "version":
        return False
    return text[start - 1 : start] == "." or (text[end : end + 1] == "." and text[end + 1 : end + 2].isdigit())


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())
