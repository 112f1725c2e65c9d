"""A figure that bounds from below where the source lets it bound from above: "at least 5" for "up to 5".

The polarity channel sets such words against the nearest clause, which must be built much alike. Here the figure itself
leads: the answer's bound is held against the bounds that the sources put on the same figure, however the sentence is
built ("no fewer than 3" is "at least 3"; "the minimum dose is 10 mL" is not "at most 10 mL per dose").

Nothing is said where a source has both bounds, where one side denies and the other does not, or where the answer's
sentence says more than the source's does: "over 6 they pay" may follow from "under 6 they travel free".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from proofing.documents import Span
from proofing.support.base import Judgement
from proofing.support.beside import around
from proofing.support.ledger import Ledger
from proofing.support.places import Place, evidence_at
from proofing.support.polarity_words import axes_of, signs_of
from proofing.support.stems import stem_of
from proofing.support.turns import REFUSING
from proofing.support.wordset import word_set
from proofing.values import same

#: Words right before a figure, by the side from which they bound it; the longer of two that fit is meant.
_FLOOR = (
    "at least|(?:no|not) (?:less|fewer|younger|shorter|lower) than|(?:an? )?minimum(?: of)?|at minimum|more than|"
    "over|above|"
    "exceed(?:s|ing)?|(?:start(?:s|ing)?|costs?|prices?|priced|rates?|fares?|tickets?|available) (?:at|from)|ab|"
    "à partir de|a partir d[ei]|a partire da|от|dépasser?|überschreiten|superare?|exceder|превышает|"
    "(?:greater|higher|larger|older|longer|heavier|bigger) than|mayores de|maiores de|maggiori di|mindestens|"
    "wenigstens|nicht (?:weniger|unter)(?: als)?|"
    "mehr als|über|älter als|au moins|au minimum|(?:un )?minimum(?: de)?|plus de|al menos|como mínimo|por lo "
    "menos|un mínimo de|no menos de|más de|"
    "almeno|come minimo|un minimo di|non meno di|più di|pelo menos|ao menos|no mínimo|um mínimo de|não menos de|"
    "mais de|"
    "не менее|не меньше|как минимум|минимум|по меньшей мере|более|больше|свыше|старше"
)
_CEILING = (
    "at most|(?:no|not) (?:more|older|longer|higher|larger|greater) than|(?:an? )?maximum(?: of)?|up to|not exceeding|"
    "less than|under|below|(?:fewer|lower|smaller|younger|shorter|lighter) than|menores de|minori di|höchstens|"
    "maximal|nicht (?:mehr|über|länger)(?: als)?|bis zu|"
    "weniger als|unter|jünger als|au plus|au maximum|(?:un )?maximum(?: de)?|jusqu['’]à|moins de|como máximo|a "
    "lo sumo|no más de|un máximo de|hasta|"
    "menos de|al massimo|un massimo di|non più di|fino a|meno di|no máximo|um máximo de|não mais d[eo](?: que)?|até|"
    "не более|не больше|максимум|до|менее|меньше|младше"
)
_BEFORE = re.compile(
    rf"\b(?:(?P<floor>{_FLOOR})|(?P<ceiling>{_CEILING}))(?: the age of| (?:an?|un|una|the|los|las|les|os|as|il|lo|"
    rf"i|gli|le|la|el|den|die|das))?[ \u00a0]\Z",
    re.IGNORECASE,
)
#: "12 characters or more", "6 years and over", "10 at most", behind the figure and the thing it counts.
_BEHIND = re.compile(
    r"(?:[ \u00a0-](?!or\b|and\b|at\b|o\b|ou\b|oder\b|или\b)[^\W\d_]+){0,2}[ \u00a0](?:(?P<floor>(?:or|"
    r"and) (?:more|over|above|older|longer)"
    r"|at least|minimum|oder mehr|und mehr|ou plus|o más|o più|ou mais|или (?:более|больше|старше))"
    r"|(?P<ceiling>(?:or|and) (?:less|fewer|under|below|younger)|at most|maximum|oder weniger|ou moins|o menos|"
    r"o meno|ou menos"
    r"|или (?:менее|меньше)))\b",
    re.IGNORECASE,
)
#: "The minimum dose is", "Mindestlaufzeit: ", "la durée maximale est de": the thing itself is named a bound.
_NAMED = re.compile(
    r"\b(?:(?P<floor>minimum|minimal\w*|minim[aoe]|mínim[ao]s?|mindest[a-zäöüß]+|минимальн\w+)"
    r"|(?P<ceiling>maximum|maximal\w*|massim[aoe]|máxim[ao]s?|höchst[a-zäöüß]+|максимальн\w+))(?!\w)[^.;,\d]{0,48}\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|no|nicht|kein\w*|nie|ne|pas|non|não|nunca|не)|n['’]t)(?: [^\W\d_]+){0,2} ?\Z",
    re.IGNORECASE,
)
_OTHER_CASE = re.compile(
    r"[;:]|\b(?:otherwise|else|sonst|andernfalls|sinon|si no|altrimenti|senão|иначе)\b", re.IGNORECASE
)
#: With a length of time these mostly say how long something goes on.
_DURING = word_set("over über")
#: How far before a figure its bound may begin, and one that names the thing.
REACH, NAMING = 40, 64
#: So much of what the answer's sentence says the source's must say too.
SAID = 0.6
#: Stems that bound or measure and say nothing else.
BOUNDING = frozenset(
    stem_of(word, language)
    for language, words in {
        "en": "least most more less fewer minimum maximum min max minimal maximal up over under above below exceed "
        "than age weigh measure last take go went come came",
        "de": "mindestens höchstens wiegen wiegt dauern dauert messen",
        "fr": "peser pèse pesant dépasser durer",
        "es": "pesar pesa superar exceder durar mayores menores",
        "it": "pesare pesa superare durare",
        "pt": "pesar pesa exceder durar",
        "ru": "весить весит превышать",
    }.items()
    for word in words.split()
)  # fmt: skip
KINDS = frozenset({"number", "money", "percent", "quantity", "duration"})
NOBODY = word_set("nobody none niemand personne nadie nessuno ninguém никто")
#: Support of a word at a figure that is turned round.
TURNED = 0.05


class Bound(NamedTuple):
    """Which side a figure is bounded from, and the words that say so."""

    side: str
    start: int
    end: int


def judge_bounds(places: Sequence[Place], ledger: Ledger) -> list[Judgement]:
    """``negated`` judgements on the words that bound a figure of the answer from the wrong side."""
    found = []
    for ours in places:
        bound = bound_of(ours)
        theirs = _turned(ours, bound, ledger) if bound is not None else None
        if bound is not None and theirs is not None:
            found.append(_judgement(ours, bound, theirs))
    return found


def bound_of(place: Place) -> Bound | None:
    """The bound that a figure's own words put on it; None where there is none."""
    value, text = place.value, place.view.text
    if value.kind not in KINDS or value.implicit:
        return None
    first = max(place.zone[0], value.start - REACH)
    led = _BEFORE.search(text[first : value.start])
    if led is not None and not (value.kind == "duration" and led.group().strip().casefold() in _DURING):
        side = "floor" if led["floor"] else "ceiling"
        start, end = first + led.start(), first + led.end(side)
        return Bound(_denied(place, start, side), start, end)
    behind = _BEHIND.match(text, value.end)
    if behind is not None and behind.end() <= place.zone[1]:
        side = "floor" if behind["floor"] else "ceiling"
        return Bound(side, *behind.span(side))
    first = max(place.zone[0], value.start - NAMING)
    named = _NAMED.search(text[first : value.start])
    if named is None:
        return None
    side = "floor" if named["floor"] else "ceiling"
    return Bound(side, first + named.start(side), first + named.end(side))


def _denied(place: Place, start: int, side: str) -> str:
    """The side that is meant: "do not give more than" bounds from above."""
    before = place.view.text[max(place.zone[0], start - REACH) : start]
    return {"floor": "ceiling", "ceiling": "floor"}[side] if _DENIED.search(before) else side


def _turned(ours: Place, bound: Bound, ledger: Ledger) -> tuple[Place, Bound] | None:
    """The source place with the same figure bounded from the other side; None where any source agrees or is unclear."""
    best: tuple[int, Place, Bound] | None = None
    for place in same_figures(ours, ledger):
        theirs = bound_of(place)
        if theirs is None:
            return None
        if theirs.side == bound.side:
            if _may_be_meant(ours, place):
                return None
            continue
        shared = len(ours.wide & place.wide)
        if says_the_same(ours, place) and (best is None or shared > best[0]):
            best = (shared, place, theirs)
    return None if best is None else best[1:]


def same_figures(ours: Place, ledger: Ledger) -> Iterator[Place]:
    """The source places that write the answer's own figure, no end of a range and none that is only implied."""
    for entry in ledger.equal(ours.value):
        if entry.end is None and not entry.place.value.implicit and same(ours.value, entry.place.value):
            yield entry.place


def says_the_same(ours: Place, theirs: Place, idle: frozenset[str] = frozenset()) -> bool:
    """Whether the answer's sentence says of the figure what the source's says, bounds and `idle` stems apart."""
    if theirs.structure != "prose" or _denies(ours) != _denies(theirs) or (not idle and _opposed(ours, theirs)):
        return False
    there = [place for place in around(theirs) if not _is_another_case(theirs, place)]
    beside = _same_part(ours, around(ours))
    if any(not any(same(place.value, other.value) for other in there) for place in beside):
        return False  # "under £40 it costs £2.95" where the source has that price for another case
    words = {word for word in ours.wide if "=" not in word} - BOUNDING - idle
    said = sum(word in theirs.wide for word in words)
    return said >= SAID * len(words) if words else bool(ours.wide_labels & theirs.wide_labels)


def _is_another_case(one: Place, other: Place) -> bool:
    """Whether a stronger sign than a comma, or "otherwise", stands between two values of a sentence."""
    first, second = sorted((one.value, other.value), key=lambda value: value.start)
    return _OTHER_CASE.search(one.view.text, first.end, max(first.end, second.start)) is not None


def _may_be_meant(ours: Place, theirs: Place) -> bool:
    """Whether a source value with the answer's own bound is not clearly another case ("above $500 there is no fee")."""
    if theirs.structure != "prose" or _denies(ours) == _denies(theirs):
        return True
    return not any(_same_part(ours, around(ours)))


def _same_part(ours: Place, places: Sequence[Place]) -> list[Place]:
    """Those of some values that no comma parts from the answer's figure."""
    text = ours.view.text
    found = []
    for place in places:
        if place.value is ours.value or place.value.implicit:
            continue
        between = Span(min(place.value.end, ours.value.end), max(place.value.start, ours.value.start))
        if not any(sign in text[between.start : between.end] for sign in ",;:("):
            found.append(place)
    return found


def _denies(place: Place) -> bool:
    """Whether a place's own part of its sentence denies or refuses something, the bound's own "no" apart."""
    view, bound = place.view, bound_of(place)
    tokens = view.tokens_between(*place.zone)
    inside = range(0) if bound is None else view.tokens_between(max(place.zone[0], bound.start - REACH // 2), bound.end)
    signs = signs_of(view)
    if any(view.folds[i] in NOBODY for i in tokens):
        return True
    return any((i in signs.denials and i not in inside) or view.stems[i] in REFUSING for i in tokens)


def _opposed(ours: Place, theirs: Place) -> bool:
    """Whether the two parts hold words that are opposites: "accepted over 3" and "refused under 3" agree."""
    axes = axes_of(ours.view.language)
    mine = {pair for word in ours.near for pair in axes.get(word, ())}
    return any((axis, -side) in mine for word in theirs.near - BOUNDING for axis, side in axes.get(word, ()))


def _judgement(ours: Place, bound: Bound, turned: tuple[Place, Bound]) -> Judgement:
    place, theirs = turned
    said = " ".join(place.view.text[theirs.start : theirs.end].split())
    alike = (bound.start < ours.value.start) == (theirs.start < place.value.start)
    capital = ours.view.text[bound.start].isupper()
    replacement = (said[0].upper() + said[1:] if capital else said.lower(),) if alike else ()
    return turned_at(ours, Span(bound.start, bound.end), place, said, replacement)


def turned_at(ours: Place, span: Span, place: Place, said: str, replacement: tuple[str, ...]) -> Judgement:
    """``negated`` on words at a figure of the answer, against what the source says of the same figure."""
    note = f"the source says {said!r} of {' '.join(place.value.text.split())}"
    return Judgement(
        span.start, span.end, ours.view.text[span.start : span.end], "comparator", TURNED, "negated",
        evidence_at(place, note), replacement, "arithmetic", note, None, (), "values",
    )  # fmt: skip
