"""What a value is said of, read from the words around it: "24 euros for adults", "luggage … up to 3,000 euros".

These readings settle which of several values of one kind the answer's words speak of, where the words of the zones
alone do not: the same sentence gives one value for each of several things, or two sentences are built differently.
"""

from __future__ import annotations

import re

from proofing.support.naming import IDLE
from proofing.support.places import Place
from proofing.support.reading import TextView
from proofing.support.wordset import word_set

#: Words that tie a value to the thing right behind it.
TYING = word_set(
    "for by per with on in at via using from für pro mit bei per pour par avec para por con em com per su для при с за"
)
#: Words that say on which side of an event a value holds.
_SIDES = {
    word: side
    for side, words in {
        "before": "before beforehand prior previously antes avant auparavant prima vorher до раньше",
        "after": "after afterwards following since después despues après dopo depois danach nachher после",
    }.items()
    for word in words.split()
}
#: Words that end such a thing.
PARTING = word_set("and or but while plus y o e ou und oder et и или")
TAIL = 5
#: A clause that gives hours for some days says for all others what it says without a day.
CLOSING = word_set(
    "until till to close closes closing shut shuts bis hasta jusqu fino até schließt cierra ferme chiude"
)
OPENING = word_set("from open opens opening start starts von ab desde abre öffnet ouvre dalle das")
ROLE_REACH = 3


def tail_of(place: Place) -> frozenset[str]:
    """Content stems of what stands right behind a value: "adults" for "24 euros for adults"."""
    known: frozenset[str] | None = place.view.memo.get(("tail", place.value.start, place.value.end))
    if known is None:
        known = place.view.memo["tail", place.value.start, place.value.end] = _read_tail(place)
    return known


def _read_tail(place: Place) -> frozenset[str]:
    view, value = place.view, place.value
    start = max(value.end, value.period_span.end if value.period_span else 0)
    behind = view.tokens_between(start, place.zone[1]) if place.structure == "prose" else range(0)
    behind = behind[1:] if behind and view.tokens[behind[0]].start < start else behind
    if not behind or view.folds[behind[0]] not in TYING:
        return frozenset()
    found: set[str] = set()
    for i in behind[1 : TAIL + 1]:
        if view.tokens[i].kind != "word" or view.folds[i] in PARTING or (found and view.folds[i] in TYING):
            break
        if view.content[i] and view.stems[i] not in IDLE:
            found.add(view.stems[i])
    return frozenset(found)


def own_words(place: Place) -> frozenset[str]:
    """Content stems of a value's own statement: its zone, cut at the signs and conjunctions that part statements."""
    known: frozenset[str] | None = place.view.memo.get(("own", place.value.start, place.value.end))
    if known is None:
        view = place.view
        tokens = list(view.tokens_between(*place.zone))
        cuts = [
            i for i in tokens if view.tokens[i].text in ";:—" or (view.folds[i] in PARTING and view.folds[i - 1] == ",")
        ]
        first = max((i for i in cuts if view.tokens[i].end <= place.value.start), default=-1)
        last = min((i for i in cuts if view.tokens[i].start >= place.value.end), default=len(view.tokens))
        known = frozenset(view.stems[i] for i in tokens if first < i < last and view.content[i]) & place.near
        known = view.memo["own", place.value.start, place.value.end] = known or place.near
    return known


def parted_by_tail(ours: Place, rival: Place, held: Place) -> bool:
    """Whether one sentence ties its values to two things and the answer names the rival's alone."""
    if rival.view is not held.view or rival.sentence != held.sentence:
        return False
    gained, lost = tail_of(rival) - tail_of(held), tail_of(held) - tail_of(rival)
    if not gained or not lost:
        return False
    own = own_words(ours)
    return bool(gained & own) and not lost & own


def one_of_two(ours: Place, meant: Place, other: Place) -> bool:
    """Whether the answer names what `meant` is tied to, by its tail or its table row, and not what `other` is."""
    if meant.structure == other.structure == "cell" and meant.view is other.view:
        mine, theirs = meant.headers - other.headers, other.headers - meant.headers
        return bool(mine) and mine <= ours.wide and bool(theirs) and not theirs & ours.wide
    return parted_by_tail(ours, meant, other)


def subject_of(place: Place) -> str:
    """Stem of the first word of content in a value's own part of its sentence; "" where none stands before it."""
    view = place.view
    for i in view.tokens_between(place.zone[0], place.value.start):
        if view.content[i] and view.tokens[i].kind == "word" and view.stems[i] not in IDLE:
            return view.stems[i]
    return ""


def parted_by_subject(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the rival is said of the answer's subject in the answer's way, and the held value of another subject.

    "Luggage is insured up to 5,000 euros" where luggage is insured up to 3,000 and cancellation up to 5,000.
    """
    if rival.structure != "prose" or held.structure != "prose" or rival.view is not held.view:
        return False
    subject, other = subject_of(ours), subject_of(held)
    if not subject or not other or subject != subject_of(rival) or subject in held.wide or other in ours.wide:
        return False
    if len(ours.near & held.near) > len(ours.near & rival.near):
        return False
    return len(ours.near & rival.near) > 1 or (_lead(ours) == _lead(rival) != ())


def _lead(place: Place) -> tuple[str, ...]:
    """The two words before a value ("up to"), where both stand in its zone and neither is a word of content."""
    view = place.view
    before = list(view.tokens_between(place.zone[0], place.value.start))[-2:]
    if len(before) < 2 or any(view.content[i] for i in before):
        return ()
    return tuple(view.folds[i] for i in before)


def side_of(place: Place) -> str:
    """Whether a value holds "before" or "after" something: "before the fire the forest covered 400 hectares"."""
    known: str | None = place.view.memo.get(("side", place.value.start, place.value.end))
    if known is None:
        view = place.view
        sides = set()
        for i in view.tokens_between(*place.zone) if place.structure == "prose" else ():
            side = _SIDES.get(view.folds[i])
            if side and not view.tokens[i].end <= place.value.start <= view.tokens[i].end + 3:  # "after 30 days"
                sides.add(side)
        known = view.memo["side", place.value.start, place.value.end] = sides.pop() if len(sides) == 1 else ""
    return known


def parted_by_side(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the rival is on the answer's side of an event and the held value on the other."""
    if rival.view is not held.view or abs(rival.sentence - held.sentence) > 1:
        return False
    side, other = side_of(ours), side_of(held)
    return bool(side and other) and side == side_of(rival) != other


def parted_by_day(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the rival is for the answer's day and the held value for every day that is not named."""
    if not ours.days or held.days or rival.view is not held.view or abs(rival.sentence - held.sentence) > 1:
        return False
    mine, theirs = role_of(ours), role_of(rival)
    return ours.days <= rival.days and not (mine and theirs and mine != theirs)


def role_of(place: Place) -> str:
    """Whether a single time opens or closes, as the words right before it say."""
    view = place.view
    before = [view.folds[i] for i in view.tokens_between(max(0, place.value.start - 40), place.value.start)]
    for fold in reversed(before[-ROLE_REACH:]):
        if fold in CLOSING:
            return "closing"
        if fold in OPENING:
            return "opening"
    return ""


#: Words before a time that say which end of something it is.
STARTING = word_set(
    "open opens opened start starts started begin begins began commence commences checkin pickup beginnt "
    "beginnen begann "
    "startet öffnet eröffnet commencent débute débutent démarre ouvre empieza empiezan comienza comienzan inicia "
    "inician "
    "abre inizia iniziano comincia cominciano apre começa começam começou arranca начинается начинаются начался "
    "началась "
    "departs depart departed leaves leave left sale salen parte parten part partent abfahrt départ salida "
    "отправляется отходит "
    "начнётся откроется открывается стартует"
)
ENDING = word_set(
    "close closes closed end ends ended finish finishes finished expire expires expired checkout dropoff endet "
    "enden endete "
    "schließt termine terminent achève ferme finit finissent termina terminan terminó acaba acaban cierra "
    "finaliza finisce "
    "finiscono terminano chiude terminam terminou fecha encerra заканчивается заканчиваются закончился закончится "
    "arrives arrive arrived llega llegan kommt ankunft arriva arrivano arrivent arrivée llegada chega chegam прибывает "
    "завершается закрывается кончается"
)
#: "The first day of the fair is 3 May": the day itself says which end is meant.
_DAY_NAMED = re.compile(
    r"\b(?:(?P<start>(?:first|opening|erste|premier|primer|primo|primeiro|первый)|(?:start|opening|begin|"
    r"anfangs?)[- ]?date)"
    r"|(?P<end>last|final|closing|letzte|dernier|último|ultimo|последний|(?:end|closing)[- ]?date))"
    r"(?: (?:day|tag|jour|día|giorno|dia|день)\b| ?:|(?<=date))[^.;,:\d]{0,40}\Z",
    re.IGNORECASE,
)
#: German, Dutch and questions put the verb behind: "Am 9. Mai beginnt die Messe".
_BEHIND = re.compile(r"[ ]([^\W\d_]+)")
#: "Check in", "checks out", "pick you up": the small word and the verb, at most so many words before it.
PARTICLES = {
    "in": ("start", word_set("check checks checking")), "out": ("end", word_set("check checks checking")),
    "up": ("start", word_set("pick picks picked")), "off": ("end", word_set("drop drops dropped")),
}  # fmt: skip
VERB_BEFORE = 2
#: What may be said between such a word and its time ("check-in is from 3 pm, check-out until 11 am").
ON_ITS_SIDE = {"start": word_set("from after"), "end": word_set("by until till before")}
#: Words of a key that do not say which end it is ("checkInTime").
_KEY_REST = re.compile(r"[^a-z]|(?:time|date|from|until|at|by)$")
OTHER_SIDE = word_set(
    "until till to before by after from since between and or not bis vor nach ab seit jusqu avant après depuis "
    "hasta antes "
    "después desde fino prima dopo dal até depois до после с по"
)
#: So many words before a time are looked at.
BEFORE_A_TIME = 5


def end_named(place: Place) -> str:
    """Whether a time or date is said to be the start or the end of something ("opens at"); "" where neither.

    In a record the key says it.
    """
    if place.value.kind not in ("time", "date"):
        return ""
    if place.path:
        key = _KEY_REST.sub("", _KEY_REST.sub("", place.path[-1].casefold()))
        return "start" if key in STARTING else "end" if key in ENDING else ""
    view = place.view
    at = view.token_index_at(place.value.start)
    beside = ""
    for i in range(at - 1, max(at - 1 - BEFORE_A_TIME, -1), -1):
        if view.tokens[i].kind == "digits" or view.tokens[i].text in ".,;":
            return ""
        fold = view.folds[i]
        named = _stay_named(view, i)
        if named:
            return named if not beside or beside in ON_ITS_SIDE[named] else ""
        if fold in OTHER_SIDE:
            beside = beside or fold
        elif fold in STARTING or fold in ENDING:
            return "" if beside else "start" if fold in STARTING else "end"  # "open until 4"
    return "" if beside else _day_named(place)


def _day_named(place: Place) -> str:
    """Which end "the first day … is" before a date names, or the verb right behind it ("am 9. Mai beginnt")."""
    view, value = place.view, place.value
    if value.kind != "date":
        return ""
    led = _DAY_NAMED.search(view.text[max(place.zone[0], value.start - 64) : value.start])
    if led is not None:
        return "start" if led["start"] else "end"
    behind = _BEHIND.match(view.text, value.end) if view.language == "de" else None
    verb = behind.group(1).casefold() if behind else ""
    return "start" if verb in STARTING else "end" if verb in ENDING else ""


def _stay_named(view: TextView, i: int) -> str:
    """Which end the word at `i` names, when it is part of "check in", "checkout", "picked up", "drop you off"."""
    fold = view.folds[i]
    if fold in ("checkin", "pickup"):
        return "start"
    if fold in ("checkout", "dropoff"):
        return "end"
    named, verbs = PARTICLES.get(fold, ("", frozenset()))
    before = [k for k in range(i - 1, max(i - 1 - VERB_BEFORE, 0) - 1, -1) if view.tokens[k].text != "-"]
    return named if any(view.folds[k] in verbs for k in before) else ""


def parted_by_end(ours: Place, rival: Place, held: Place) -> bool:
    """ "Closes at 6:15" where the source opens at 6:15 and closes at 1."""
    named = end_named(ours)
    return bool(named) and rival.view is held.view and end_named(rival) == named and end_named(held) not in ("", named)


def opening_words(place: Place) -> frozenset[str]:
    """Content stems of the value's sentence before its first value: what holds for all of it ("in winter …")."""
    view = place.view
    if place.sentence < 0:
        return frozenset()
    sentence = view.sentences[place.sentence]
    values = view.values_between(sentence.start, place.value.start)
    end = values[0].start if values else place.value.start
    return frozenset(view.stems[i] for i in view.tokens_between(sentence.start, end) if view.content[i]) & place.wide


def thing_before(place: Place) -> str:
    """Stem of the word of content right before a value ("the battery two years", "motor: 5 years"), else ""."""
    view = place.view
    at = view.token_index_at(place.value.start) - 1
    if at >= 0 and view.tokens[at].text == ":":
        at -= 1
    if at < 0 or view.tokens[at].start < place.zone[0] or not view.content[at] or view.tokens[at].kind != "word":
        return ""
    return "" if view.stems[at] in IDLE else view.stems[at]


def parted_by_thing(ours: Place, rival: Place, held: Place) -> bool:
    """Whether one sentence sets its values right behind two things and the answer speaks of the rival's alone:
    "the motor five years and the battery two" where the answer gives the battery five."""
    if rival.view is not held.view or rival.sentence != held.sentence or rival.structure != "prose":
        return False
    meant, other = thing_before(rival), thing_before(held)
    return bool(meant and other) and meant != other and meant in ours.near and other not in ours.near


#: A value of a list whose own part of the sentence has at most so many words of content leaves the rest to the others.
LISTED_SHORT = 3


def parted_by_listed_subject(ours: Place, rival: Place, held: Place) -> bool:
    """ "The slow train runs at 80 km/h, the express at 160 km/h" where the answer gives the express 80."""
    if rival.view is not held.view or rival.sentence != held.sentence or rival.structure != "prose":
        return False
    subject, other = subject_of(ours), subject_of(held)
    if not subject or not other or subject != subject_of(rival) or subject == other:
        return False
    apart = subject not in held.near and other not in rival.near and other not in ours.near
    return apart and min(len(rival.near), len(held.near)) <= LISTED_SHORT
