"""Opening hours of the answer against the hours of a record, day by day.

"Monday to Friday from 9 to 17" is right only when it is right on every one of the five days. A record that has
no hours for a day, or ``0:0-0:0``, does not say that the place is open then.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from fractions import Fraction

from proofing.support.base import Judgement
from proofing.support.day_words import day_words
from proofing.support.places import Place, evidence_at, places_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.replacing import swap
from proofing.support.weekdays import DayPhrase, day_phrases, days_of_values
from proofing.support.words import word_set
from proofing.values import Value
from proofing.values.weekday_names import WEEKDAYS

#: A sentence about days speaks of opening when it has one of these stems.
OPENING = word_set(
    "open opens operat operate hour hours busines serv serve availabl run welcom close clos closed closes "
    "offen geöffnet öffnet öffnen öffnungszeiten geschlossen schliesst "
    "abierto abierta abre abren cerrado cerrada horario "
    "ouvert ouverte ouverts ouvertes ouvre ouvrent fermé fermée horaires "
    "aperto aperta apre aprono chiuso chiusa orario aberto aberta abrem fechado fechada horário "
    "открыт открыта открыто открыты закрыт закрыта закрыто работает часы"
)
#: A sentence with one of these tells what somebody said, not when the place is open.
REPORTING = word_set("customer customers reviewer reviewers review reviews noted mentioned reported arrived visited")
#: How far before its day "open" is taken into a mark, in code points.
VERB_REACH = 12
OPEN_FORMS = word_set(
    "open opens opened offen geöffnet öffnet ouvert ouverte abierto abierta aperto aperta aberto aberta "
    "открыт открыта открыто"
)
_EMPTY = frozenset({"none", "null", "closed", ""})


@dataclass(frozen=True, slots=True)
class Timetable:
    """The hours that one record lists.

    Attributes:
        view: the record.
        hours: place of the hours of each day that has some, 0 = Monday.
        empty: days that the record names with no hours, or with none of any length ("0:0-0:0").
        shut: days on which a text says in words that it is closed.
        span: code points from the first day's value to the last one's.
    """

    view: TextView
    hours: dict[int, Place]
    empty: frozenset[int]
    span: tuple[int, int]
    shut: frozenset[int] = frozenset()


def timetable_of(view: TextView) -> Timetable | None:
    """The timetable of a text, a record's fields or what it tells in words; None where it has none; read once."""
    if "timetable" not in view.memo:
        view.memo["timetable"] = _read_timetable(view)
    known: Timetable | None = view.memo["timetable"]
    return known


def _read_timetable(view: TextView) -> Timetable | None:
    """The timetable of a record: fields whose last key is a weekday; None where there are none."""
    if not view.is_record:
        return _told_in_prose(view)
    names = day_words(view.language).days
    fields = [
        (names[p.key_path[-1].casefold()], p)
        for p in view.passages
        if p.kind == "field" and p.key_path and p.key_path[-1].casefold() in names
    ]
    if not fields:
        return None
    at = {place.value.start: place for place in places_of(view) if place.value.dimension == "range:clock"}
    starts = sorted(at)
    hours: dict[int, Place] = {}
    empty: set[int] = set()
    for day, passage in fields:
        text = view.text[passage.start : passage.end].strip("'\" ").casefold()
        first = bisect_left(starts, passage.start)
        place = at[starts[first]] if first < len(starts) and starts[first] < passage.end else None
        if text in _EMPTY or (place is not None and _is_nothing(place.value)):
            empty.add(day)
        elif place is not None:
            hours.setdefault(day, place)
    if len(hours) + len(empty) < 2:
        return None
    return Timetable(view, hours, frozenset(empty), (fields[0][1].start, fields[-1][1].end))


def _told_in_prose(view: TextView) -> Timetable | None:
    """The hours of "Open Mon–Fri 9:00–17:00, Sat 10:00–14:00, closed on Sundays"; None where a day has two.

    A text that gives one day two openings, or that names no closed day and fewer than two open ones, is no timetable.
    """
    claims, phrases = _claims(view)
    hours: dict[int, Place] = {}
    for place, tied in claims:
        for day in {day for phrase in tied for day in phrase.days}:
            known = hours.setdefault(day, place)
            if known is not place:
                return None
    shut = {day for phrase in phrases if phrase.shut for day in phrase.days}
    if not hours or shut & hours.keys() or len(hours) + len(shut) < 2:
        return None
    if any(place.value.dimension != "range:clock" for place in hours.values()):
        return None
    first = min(place.value.start for place in hours.values())
    last = max(place.value.end for place in hours.values())
    return Timetable(view, hours, frozenset(shut), (first, last), shut=frozenset(shut))


def _is_nothing(value: Value) -> bool:
    return len(value.ends) == 2 and value.ends[0].text == value.ends[1].text


def judge_hours(proof: Proof) -> list[Judgement]:
    """Marks on hours and day phrases that a record's timetable does not back; empty where no record has one."""
    answer = proof.answer
    claims, phrases = _claims(answer)
    if not claims and not phrases:
        return []  # most answers speak of no hours: no source needs to be read for any
    tables = [table for view in proof.sources if (table := timetable_of(view)) is not None]
    if len(tables) != 1 or not tables[0].hours:
        return []
    table = tables[0]
    narrowest: dict[int, int] = {}
    for phrase in phrases:
        for day in phrase.days:
            narrowest[day] = min(narrowest.get(day, 7), len(phrase.days))
    found = []
    for ours, tied in claims:
        days = {day for phrase in tied for day in phrase.days if narrowest.get(day, 7) >= len(phrase.days)}
        judgement = _on_hours(ours, sorted(days & table.hours.keys()), table)
        if judgement is not None:
            found.append(judgement)
    return found + _on_days(answer, phrases, table, narrowest, found)


def _claims(answer: TextView) -> tuple[list[tuple[Place, tuple[DayPhrase, ...]]], list[DayPhrase]]:
    """Hours with the days they are said of, and all day phrases of sentences about opening."""
    clocks = [p for p in places_of(answer) if p.value.dimension in ("clock", "range:clock")]
    numbers = [place.sentence for place in clocks]
    claims: list[tuple[Place, tuple[DayPhrase, ...]]] = []
    spoken: list[DayPhrase] = []
    for number, sentence in enumerate(answer.sentences):
        phrases = day_phrases(answer, sentence.start, sentence.end)
        if not phrases:
            continue
        words = {*answer.stems_in(sentence), *answer.folds[sentence.first_token : sentence.last_token]}
        if not OPENING & words:
            continue
        here = clocks[bisect_left(numbers, number) : bisect_right(numbers, number)]
        tied = days_of_values(answer, sentence, [place.value for place in here])
        claims += [(place, tied[place.value.start]) for place in here if tied.get(place.value.start)]
        if not REPORTING & set(answer.folds[sentence.first_token : sentence.last_token]):
            spoken += phrases
    return claims, spoken


def _on_hours(ours: Place, days: list[int], table: Timetable) -> Judgement | None:
    """A mark where the hours hold on no day or only on some of the days the answer names."""
    wrong = [day for day in days if not _agrees(ours, table.hours[day].value)]
    if not wrong:
        return None
    first = table.hours[wrong[0]]
    others = sorted({_text(table.hours[day].value) for day in wrong})
    named = ", ".join(WEEKDAYS[day].capitalize() for day in wrong)
    note = f"on {named} the source says {', '.join(others)}"
    elsewhere = [day for day in sorted(table.hours) if _agrees(ours, table.hours[day].value)]
    if elsewhere and len(wrong) == len(days):
        note = f"in the source this belongs to {WEEKDAYS[elsewhere[0]].capitalize()}; {note}"
    change = swap(ours.view.text, ours.value, first.view.text, first.value)
    sure = len(wrong) == len(days) and len(others) == 1 and change.text is not None
    receipt = evidence_at(first, note)
    return Judgement(
        ours.value.start, ours.value.end, ours.value.text, ours.value.kind, 0.0,
        "unbound" if elsewhere else "contradicted", receipt,
        (change.text,) if sure and change.text else (), "arithmetic", note, channel="values",
    )  # fmt: skip


def _text(value: Value) -> str:
    return " ".join(value.text.split())


def _agrees(ours: Place, theirs: Value) -> bool:
    """Whether hours are the record's, or a single time is one of their ends."""
    if len(theirs.ends) != 2:
        return True
    opening, closing = theirs.ends
    loose = _first(closing) <= _first(opening)  # "7:30-2:0": the record may mean two in the afternoon
    if len(ours.value.ends) == 2:
        return _same_clock(ours.value.ends[0], opening, False) and _same_clock(ours.value.ends[1], closing, loose)
    return _same_clock(ours.value, opening, False) or _same_clock(ours.value, closing, loose)


def _first(value: Value) -> Fraction:
    amount = value.amount
    return amount if isinstance(amount, Fraction) else Fraction(0)


def _same_clock(one: Value, other: Value, loose: bool) -> bool:
    turn = 720 if loose else 1440
    ours = {r.amount % turn for r in one.readings if isinstance(r.amount, Fraction)}
    theirs = {r.amount % turn for r in other.readings if isinstance(r.amount, Fraction)}
    return bool(ours & theirs)


def _on_days(
    answer: TextView, phrases: list[DayPhrase], table: Timetable, narrowest: dict[int, int], earlier: list[Judgement]
) -> list[Judgement]:  # fmt: skip
    """Marks on day phrases that name a day without hours as open, or a day with hours as closed."""
    found = []
    taken = sorted((judgement.start, judgement.end) for judgement in earlier)
    for phrase in phrases:
        if phrase.shut:
            wrong = sorted(phrase.days & table.hours.keys())
            note = "the source has hours for {}"
        elif phrase.days <= table.shut:
            wrong = sorted(phrase.days)
            note = "the source says that it is closed on {}"
        elif not phrase.named or len(phrase.days) == 1 or not table.view.is_record:
            continue
        else:
            wrong = sorted(d for d in phrase.days - table.hours.keys() if narrowest.get(d, 7) >= len(phrase.days))
            note = "the source has no hours for {}"
        at = bisect_left(taken, (phrase.start, phrase.end))
        touched = (at < len(taken) and taken[at][0] < phrase.end) or (at > 0 and taken[at - 1][1] > phrase.start)
        if not wrong or touched:
            continue
        said = note.format(", ".join(WEEKDAYS[day].capitalize() for day in wrong))
        reason = "contradicted" if phrase.shut or phrase.days <= table.shut else "absent"
        shown = _with_verb(answer, phrase) if phrase.days <= table.shut else phrase
        found.append(_mark_on(answer, shown, table, wrong[0], reason, said))
    return found


def _with_verb(answer: TextView, phrase: DayPhrase) -> DayPhrase:
    """ "Open on Sundays" whole, so that the mark covers what is turned round."""
    if phrase.shut:
        return phrase
    before = answer.tokens_between(max(0, phrase.start - VERB_REACH), phrase.start)
    verbs = [i for i in before if answer.folds[i] in OPEN_FORMS and answer.tokens[i].end <= phrase.start]
    return replace(phrase, start=answer.tokens[verbs[-1]].start) if verbs else phrase


def _mark_on(answer: TextView, phrase: DayPhrase, table: Timetable, day: int, reason: str, note: str) -> Judgement:
    place = table.hours.get(day)
    receipt = evidence_at(place, note) if place is not None else receipt_on(table.view, *table.span, note)
    return Judgement(
        phrase.start, phrase.end, answer.text[phrase.start : phrase.end], "time", 0.0, reason, receipt, (),
        "arithmetic", note, channel="values",
    )  # fmt: skip
