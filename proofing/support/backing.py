"""Ways in which sources back a value that none of them states in so many words.

Each function looks at one way and returns the judgement, or None when that way does not hold. All of them
are exact or name the tolerance they used.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from proofing.support.base import Judgement
from proofing.support.figures import unit_scale
from proofing.support.ledger import Entry, Ledger
from proofing.support.places import CARRIED, Place, evidence_at, family_of, places_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.words import word_set
from proofing.values import Reading, Value, close_enough, family, implied_by
from proofing.values.unit_table import UNITS

#: Support of a value that a source states, of one that follows from what it states, of a figure whose unit the source
#: leaves out, of a count made while reading, and of a value that only the question brought in.
STATED, FOLLOWS, UNITLESS, COUNTED, ASKED = 1.0, 0.95, 0.8, 0.6, 0.3
#: Kinds whose words are their value, so that finding the words verbatim is enough.
VERBATIM = frozenset({"identifier", "citation", "url", "code", "version", "phone"})
#: A unit conversion may be rounded when the last digit written is at most this share of the value.
CONVERTED_STEP = Fraction(5, 100)
#: Words that may stand behind a figure without being the thing it counts.
NO_THINGS = word_set("each apiece percentage percent degree degrees deg now f c fahrenheit celsius")
#: A bound may be this many times off the value it is a bound of: "more than 60" for 63 to 75.
FAIR = Fraction(5, 4)
_ABOVE = re.compile(
    r"\b(?:more than|over|exceed(?:s|ing|ed)?|upwards of|mehr als|über|más de|plus de|più di|mais de)\s$", re.IGNORECASE
)
_BELOW = re.compile(r"\b(?:less than|fewer than|under|weniger als|unter|menos de|moins de|meno di)\s$", re.IGNORECASE)
_NUMBERED = re.compile(r"\b([^\W\d_]\w*) (\d+)")
_YEAR = re.compile(r"1[0-9]\d\d|20\d\d")
_NAME_BEFORE = re.compile(r"(?<=[\w,;] )([A-Z]\w*|[a-z]+[A-Z]\w*) $")

_CENTURY_BEHIND = re.compile(
    r"[ \u00a0-](?:century|centuries|siècle|siglo|secolo|século|век[аеу]?\b|Jahrhundert)", re.IGNORECASE
)
_CENTURY_BEFORE = re.compile(r"\b(?:siglo|secolo|século)\s$", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:every|each|alle|cada|tous les|toutes les|ogni|каждые)\s$", re.IGNORECASE)
_NEXT_WORD = re.compile(r"[ \u00a0][^\W\d_]{3,}")
_OLD = re.compile(r"[- ](?:old|aged|of age)\b", re.IGNORECASE)
_AGED = re.compile(r"\b(?:aged?|age of|at)\s$", re.IGNORECASE)


def judgement_on(ours: Place, support: float, **said: object) -> Judgement:
    """A judgement that marks nothing, over the whole value."""
    value = ours.value
    return Judgement(
        start=value.start, end=value.end, text=value.text, kind=value.kind, support=support,
        checked_by="arithmetic", channel="values", **said,  # type: ignore[arg-type]
    )  # fmt: skip


def backed(ours: Place, support: float, place: Place | None, note: str = "", formula: str | None = None) -> Judgement:
    """A judgement that a source place backs the value; without a place only the note says why."""
    if place is None:
        return judgement_on(ours, support, note=note)
    operands = (place.value.text,) if formula else ()
    receipt = evidence_at(place, note, formula, operands)
    return judgement_on(ours, support, receipt=receipt, note=note, formula=formula, operands=operands)


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
    for place in ledger.candidates(ours):
        note = implied_by(ours.value, place.value)
        if note:
            return backed(ours, STATED, place, note=note)
    return None


def by_joined_dates(ours: Place, ledger: Ledger) -> Judgement | None:
    """A date put together from a day or month and a year that the sources state apart."""
    amount = ours.value.amount
    if ours.value.dimension != "date" or not isinstance(amount, tuple) or len(amount) != 3:
        return None
    year, month, day = amount
    if not isinstance(year, int) or not isinstance(month, int):
        return None
    dates = [p for p in ledger.candidates(ours) if isinstance(p.value.amount, tuple) and len(p.value.amount) == 3]
    has_year = any(p.value.amount[0] == year for p in dates)  # type: ignore[index]
    for place in dates:
        theirs = place.value.amount
        if has_year and isinstance(theirs, tuple) and theirs[0] is None and theirs[1:] == (month, day):
            return backed(ours, FOLLOWS, place, note=f"{place.value.text}, and {year} elsewhere in the sources")
    return None


def by_rounding(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "About 1,000" for 998, "about half" for 48 %, "two thirds" for 66 %."""
    for place in ledger.candidates(ours):
        for value in (place.value, *place.value.ends):
            note = close_enough(ours.value, value) if ours.value.approximate else None
            note = note or _fraction_of(ours.value, value) or _percent_of(ours.value, value)
            if note and (ours.value.qualifier or "calendar") == (value.qualifier or "calendar"):
                return backed(ours, FOLLOWS, place, note=note)
    return None


def _fraction_of(ours: Value, theirs: Value) -> str | None:
    """A fraction in words against a percentage: less than one point off, two when it says "about"."""
    a, b = ours.reading, theirs.reading
    if (a.dimension, b.dimension) != ("ratio", "percent") or not isinstance(a.amount, Fraction):
        return None
    if not isinstance(b.amount, Fraction):
        return None
    off = abs(a.amount * 100 - b.amount)
    if off < 1 or (ours.approximate and off <= 2):
        return f"{theirs.text} is {ours.text} to within {'two points' if off >= 1 else 'a point'}"
    return None


def _percent_of(ours: Value, theirs: Value) -> str | None:
    """A percentage that is a fraction in words, rounded to the digits written: "33 %" for "a third"."""
    a, b = ours.reading, theirs.reading
    if (a.dimension, b.dimension) != ("percent", "ratio") or not isinstance(a.amount, Fraction):
        return None
    if not isinstance(b.amount, Fraction) or 100 % b.amount.denominator == 0 or a.written_step is None:
        return None
    off = abs(b.amount * 100 - a.amount)
    return f"{theirs.text} is {ours.text}, rounded" if 2 * off <= a.written_step else None


def by_century(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "The 13th century" where a source names a year of it."""
    amount = ours.number
    if ours.value.kind != "ordinal" or amount is None or not (
        _CENTURY_BEHIND.match(ours.view.text, ours.value.end)
        or _CENTURY_BEFORE.search(ours.view.text, max(0, ours.value.start - 10), ours.value.start)
    ):  # fmt: skip
        return None
    for place in ledger.candidates(ours, "date"):
        parts = place.value.amount
        year = parts[0] if isinstance(parts, tuple) and len(parts) == 3 else None
        if isinstance(year, int) and year > 0 and (year - 1) // 100 + 1 == amount and place.wide & ours.wide:
            return backed(ours, FOLLOWS, place, note=f"{place.value.text} lies in it")
    return None


def by_hours_between(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "An hour and 45 minutes" where a source sentence says "starts at 10:00 and ends at 11:45"."""
    length = ours.number
    if ours.value.dimension != "time.seconds" or length is None or length > 86400:
        return None
    clocks = [p for p in ledger.candidates(ours, "clock") if p.wide & ours.wide]
    pairs = [(p, p.value.ends) for p in clocks if len(p.value.ends) == 2]
    for one, other in pairwise(clocks):
        if one.view is other.view and one.sentence == other.sentence and not (one.value.ends or other.value.ends):
            pairs.append((one, (one.value, other.value)))
    for place, (first, last) in pairs:
        if not isinstance(first.amount, Fraction) or not isinstance(last.amount, Fraction):
            continue
        if (last.amount - first.amount) % 1440 * 60 == length:
            formula = f"{last.text} - {first.text} = {ours.value.text}"
            return backed(ours, FOLLOWS, place, note="the time between them", formula=formula)
    return None


def by_rate(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "Every six months" for "twice a year", and the reverse."""
    value = ours.value
    if value.kind == "duration" and isinstance(value.amount, Fraction) and is_every(ours):
        for place in ledger.candidates(ours, "times"):
            if _spacing(place.value) == (value.dimension, value.amount) and place.wide & ours.wide:
                return backed(ours, FOLLOWS, place, note=f"{place.value.text} per {place.value.period}")
    spacing = _spacing(value) if value.dimension == "times" else None
    if spacing is not None:
        for entry in ledger.by_key.get(spacing, ()):
            if is_every(entry.place) and entry.place.wide & ours.wide:
                return backed(ours, FOLLOWS, entry.place, note=f"every {entry.value.text}")
    return None


def is_every(place: Place) -> bool:
    """Whether "every" stands before a length of time."""
    return _EVERY.search(place.view.text, max(0, place.value.start - 12), place.value.start) is not None


def _spacing(value: Value) -> tuple[str, Fraction] | None:
    """How far apart the occasions of "twice a year" lie: dimension and amount of that length of time."""
    unit = UNITS.get(value.period or "")
    if unit is None or not isinstance(value.amount, Fraction) or value.amount <= 0 or unit.kind != "duration":
        return None
    return unit.scales[0].dimension, unit.scales[0].factor / value.amount


def by_bound(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "More than 60" where the source says 63, "under 50" where it says 47: a fair bound of a value so named.

    Lengths of time and values that the source itself gives as a bound are left out: there the bound is the rule.
    """
    amount = ours.number
    above, below = _bounds(ours)
    if amount is None or amount <= 0 or above == below or ours.value.kind == "duration":
        return None
    low, high = (amount, amount * FAIR) if above else (amount / FAIR, amount)
    for place in ledger.candidates(ours):
        number = place.number
        if (
            number is None
            or place.value.dimension != ours.value.dimension
            or place.value.implicit
            or any(_bounds(place))
        ):
            continue
        same_noun = ours.noun == place.noun or not (ours.noun and place.noun)
        if low <= number <= high and same_noun and len(place.wide & ours.wide) >= min(2, len(ours.wide)):
            return backed(ours, FOLLOWS, place, note=f"a bound of {place.value.text}")
    return None


def _bounds(place: Place) -> tuple[bool, bool]:
    """Whether "more than" or "less than" stands before a value."""
    before = place.view.text[max(0, place.value.start - 20) : place.value.start]
    return _ABOVE.search(before) is not None, _BELOW.search(before) is not None


def by_conversion(ours: Place, ledger: Ledger) -> Judgement | None:
    """A source value in another unit, rounded to the digits the answer writes: "165 °F" as "74 °C"."""
    if ours.value.kind not in ("quantity", "duration", "money"):
        return None
    for reading in ours.value.readings:
        if (
            not isinstance(reading.amount, Fraction)
            or not reading.written_step
            or reading.dimension.startswith("money")
        ):
            continue
        for place in (*ledger.candidates(ours), *ledger.candidates(ours, family(reading.dimension)), *_beside(ours)):
            if any(_converts(reading, theirs) for theirs in place.value.readings) and not place.value.implicit:
                note = f"{place.value.text}, converted and rounded"
                return (
                    judgement_on(ours, FOLLOWS, note=note)
                    if place.view is ours.view
                    else (backed(ours, FOLLOWS, place, note=note))
                )
    return None


def _converts(ours: Reading, theirs: Reading) -> bool:
    """Equal within half of the last digit written, when that digit is small enough, or within one percent."""
    if theirs.dimension != ours.dimension or theirs.unit == ours.unit:
        return False
    if not isinstance(theirs.amount, Fraction) or not isinstance(ours.amount, Fraction) or not ours.written_step:
        return False
    off = abs(theirs.amount - ours.amount)
    fine = ours.written_step <= CONVERTED_STEP * abs(ours.amount)
    return (fine and off * 2 <= ours.written_step) or off * 100 <= abs(ours.amount)


def _beside(ours: Place) -> list[Place]:
    """The value of the answer right before this one, when this one stands in parentheses behind it."""
    places = places_of(ours.view)
    at = bisect_left(places, ours.value.start, key=lambda place: place.value.start)
    if at == 0 or ours.view.text[places[at - 1].value.end : ours.value.start].strip(" \u00a0") != "(":
        return []
    return [places[at - 1]] if places[at - 1].sentence == ours.sentence else []


def is_aged(place: Place) -> bool:
    """Whether a value is somebody's age in words: "27-year-old", "aged 27"."""
    text = place.view.text
    if place.value.kind not in ("number", "duration", "range"):
        return False  # "opens at 6:00"
    if _OLD.match(text, place.value.end):
        return True
    return _AGED.search(text, max(0, place.value.start - 8), place.value.start) is not None


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
    rivals = ("".join(p.value.text.casefold().split()) for p in ledger.candidates(ours) if p.value.kind == "identifier")
    if any(rival.startswith(head) or rival[:2] == head[:2] for rival in rivals if head):
        return None
    return judgement_on(ours, ASKED, note="a name, not stated by a source")


def by_words(ours: Place, proof: Proof) -> Judgement | None:
    """The very words in a source, for values whose words are all they are."""
    if ours.value.kind not in VERBATIM:
        return None
    words = ours.value.text.casefold().strip()
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


def around(ours: Place) -> list[Place]:
    """The values of the same sentence, at most a dozen before and behind."""
    places = places_of(ours.view)
    at = bisect_left(places, ours.value.start, key=lambda place: place.value.start)
    return [place for place in places[max(0, at - 12) : at + 13] if place.sentence == ours.sentence]


def _scale_of(value: Value) -> Fraction:
    """The amount that one of the value's unit stands for: 1,000 for kilometres (in metres), 1 for euros."""
    return Fraction(1) if value.kind in ("money", "percent", "points") else unit_scale(value)


#: In the order in which they are asked.
WAYS: tuple[Callable[[Place, Ledger], Judgement | None], ...] = (
    by_ends,
    by_more_precise,
    by_joined_dates,
    by_rounding,
    by_bound,
    by_conversion,
    by_carried_unit,
    by_rate,
    by_hours_between,
    by_century,
    by_ordinal,
    by_birthday,
    by_year,
    by_times,
    by_name,
)
