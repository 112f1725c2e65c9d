"""Weekdays in text: names, ranges and groups, and which value of a sentence is for which days.

In "Monday to Thursday from 9 to 17, Friday from 9 to 15" the days stand before their hours, in "9 to 17 from
Monday to Thursday, 9 to 15 on Friday" behind them. Which way a sentence goes is told by what comes first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from proofing.documents import Sentence
from proofing.support.reading import TextView
from proofing.support.words import word_set
from proofing.values import Value

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
EVERY_DAY = frozenset(range(7))
DAY_FORMS = {
    form: index
    for index, day in enumerate(WEEKDAYS)
    for form in (day, day + "s", day[:3], day[:4], {"tuesday": "tues", "thursday": "thurs"}.get(day, day))
}
_GROUPS = {
    "weekday": frozenset(range(5)), "weekdays": frozenset(range(5)), "weekend": frozenset((5, 6)),
    "weekends": frozenset((5, 6)), "daily": EVERY_DAY, "everyday": EVERY_DAY,
}  # fmt: skip
_THROUGH = frozenset({"to", "through", "thru", "until", "till", "-", "–", "—"})
_JOINING = frozenset({"and", ",", "&", "as", "well", "plus", "on", "or"})
_EXCEPTING = word_set("except excepting excluding besides apart")
#: A sentence without one of these names no day.
_SAYING_DAYS = frozenset(DAY_FORMS) | frozenset(_GROUPS) | {"every", "each", "seven", "7", "all"}
#: Words that make a sentence too loose to tie hours to days: "different hours on Monday".
LOOSE = word_set(
    "different differ differs varying vary varies unlike most mostly some certain usually generally either depending "
    "between customer customers reviewer reviewers review reviews noted mentioned arrived visited"
)
_SHUT = word_set("closed closes shut close")
#: Words that may stand between hours and the days right behind them.
_ADJACENT = word_set("on from every each for during of the")
_UNTIL_DAY = word_set("on all day every each during for the")
#: How many words before or after a day "closed" is looked for.
_SHUT_REACH = 5


@dataclass(frozen=True, slots=True)
class DayPhrase:
    """Days named together at ``[start, end)``.

    Attributes:
        start: first code point.
        end: one past the last.
        days: 0 = Monday.
        shut: the words say that it is closed then.
        named: by name or as "seven days a week"; not as "weekdays", "daily" and the like, which people use loosely.
    """

    start: int
    end: int
    days: frozenset[int]
    shut: bool = False
    named: bool = True


def day_phrases(view: TextView, start: int, end: int) -> list[DayPhrase]:
    """Weekdays, ranges of them and groups ("weekdays", "every day") in a stretch of a text, in order.

    Days joined by "and" are one phrase; days after "except" are taken from the phrase before them.
    """
    found: list[DayPhrase] = []
    tokens = view.tokens_between(start, end)
    if _SAYING_DAYS.isdisjoint(view.folds[tokens.start : tokens.stop]):
        return found
    i, stop, after, excepting = tokens.start, tokens.stop, -1, False
    while i < stop:
        piece = _piece_at(view, i, stop) if view.folds[i] in _SAYING_DAYS else None
        if piece is None:
            i += 1
            continue
        days, last, named = piece
        gap = view.folds[after:i] if after >= 0 else ()
        excepted = set(view.folds[max(tokens.start, i - 4) : i]) & _EXCEPTING or (excepting and _joins(gap, True))
        excepting = bool(excepted)
        if excepted and found:
            found[-1] = replace(found[-1], days=found[-1].days - days)
        elif excepted:
            found.append(DayPhrase(view.tokens[i].start, view.tokens[last].end, EVERY_DAY - days, named=False))
        elif found and _joins(gap, found[-1].named and named):
            head = found[-1]
            found[-1] = replace(head, end=view.tokens[last].end, days=head.days | days, named=head.named and named)
        else:
            shut = _is_shut(view, i, last, tokens)
            found.append(DayPhrase(view.tokens[i].start, view.tokens[last].end, days, shut, named))
        i = after = last + 1
    return found


def _joins(gap: Sequence[str], named: bool) -> bool:
    """Whether the words between two day phrases make them one: "and", or a comma between days named singly."""
    if not gap or len(gap) > 3 or any(word not in _JOINING for word in gap):
        return False
    return named or any(word != "," for word in gap)


def _piece_at(view: TextView, i: int, stop: int) -> tuple[frozenset[int], int, bool] | None:
    """One day, range or group at token `i`: its days, its last token, and whether it names them."""
    day = _day_at(view, i)
    if day is not None:
        if i + 2 < stop and view.folds[i + 1] in _THROUGH and (other := _day_at(view, i + 2)) is not None:
            return frozenset(_run(day, other)), i + 2, True
        return frozenset({day}), i, True
    if view.tokens[i].text[0].isupper() and i and view.tokens[i - 1].kind == "word":
        return None
    folds = view.folds
    known = _GROUPS.get(folds[i])
    if known is not None:
        return known, i, False
    if folds[i] in ("every", "each") and folds[i + 1 : i + 2] == ("day",):
        return EVERY_DAY, i + 1, False
    if folds[i] in ("seven", "7") and folds[i + 1 : i + 4] in (("days", "a", "week"), ("days", "per", "week")):
        return EVERY_DAY, i + 3, True
    if folds[i] == "all" and folds[i + 1 : i + 2] == ("week",):
        return EVERY_DAY, i + 1, False
    return None


def _is_shut(view: TextView, first: int, last: int, tokens: range) -> bool:
    """Whether "closed" stands close by, with no other day and no hours in between."""
    for i in range(first - 1, max(tokens.start, first - _SHUT_REACH) - 1, -1):
        if view.folds[i] in _SHUT:
            return True
        if view.folds[i] not in _UNTIL_DAY:
            break
    for i in range(last + 1, min(tokens.stop, last + 1 + _SHUT_REACH)):
        if view.folds[i] == "closed":
            return view.folds[i + 1 : i + 2] != ("on",)
    return False


def _day_at(view: TextView, i: int) -> int | None:
    token = view.tokens[i]
    if token.kind != "word":
        return None
    fold = view.folds[i]
    day = DAY_FORMS.get(fold)
    if day is not None and len(fold) <= 4 and not (token.text[0].isupper() and len(fold) >= 3):
        return None
    return day


def _run(first: int, last: int) -> list[int]:
    return [(first + step) % 7 for step in range((last - first) % 7 + 1)]


def says_days(view: TextView, sentence: Sentence) -> bool:
    """Whether a sentence names a weekday or a group of them, and no loose word ("usually") beside it."""
    folds = view.folds[sentence.first_token : sentence.last_token]
    return not _SAYING_DAYS.isdisjoint(folds) and LOOSE.isdisjoint(folds)


def days_of_values(view: TextView, sentence: Sentence, values: Sequence[Value]) -> dict[int, tuple[DayPhrase, ...]]:
    """For each value of a sentence (by its start) the day phrases it is for; empty for a loose sentence.

    Days right behind a value are its days; else those before it, after the value before; two times of one
    opening ("opens at 9 and closes at 17 on Friday") share theirs.

    Args:
        view: the text.
        sentence: one of its sentences.
        values: its values in order; dates and ordinals should be left out.
    """
    if not values or not says_days(view, sentence):
        return {}
    phrases = _clear_of(values, [p for p in day_phrases(view, sentence.start, sentence.end) if not p.shut])
    if not phrases:
        return {}
    starts = [phrase.start for phrase in phrases]
    found: dict[int, tuple[DayPhrase, ...]] = {}
    taken = sentence.start
    for position, value in enumerate(values):
        at = bisect_left(starts, value.end)
        behind = phrases[at] if at < len(phrases) and _adjacent(view, value.end, phrases[at].start) else None
        before = bisect_left(starts, value.start) - 1
        earlier = values[position - 1] if position else None
        if behind is not None:
            found[value.start] = (behind,)
            if earlier is not None and not found[earlier.start] and _closes_it(view, earlier, value):
                found[earlier.start] = (behind,)
        elif before >= 0 and phrases[before].start >= taken:
            found[value.start] = (phrases[before],)
        elif earlier is not None and _closes_it(view, earlier, value):
            found[value.start] = found[earlier.start]
        else:
            found[value.start] = ()
        taken = behind.end if behind is not None else value.end
    return found


def _clear_of(values: Sequence[Value], phrases: list[DayPhrase]) -> list[DayPhrase]:
    """Phrases that no value covers ("seven days" is a value when it is no week)."""
    starts = [value.start for value in values]
    kept = []
    for phrase in phrases:
        at = bisect_right(starts, phrase.start)
        covered = (at and values[at - 1].end > phrase.start) or (at < len(values) and values[at].start < phrase.end)
        if not covered:
            kept.append(phrase)
    return kept


def _adjacent(view: TextView, start: int, end: int) -> bool:
    """Whether nothing but a preposition stands between hours and the days behind them."""
    if end - start > 30:
        return False
    gap = [view.folds[i] for i in view.tokens_between(start, end) if start <= view.tokens[i].start < end]
    return len(gap) <= 3 and all(word in _ADJACENT for word in gap)


def _closes_it(view: TextView, first: Value, last: Value) -> bool:
    """Whether two single times are the opening and closing of one day: "from 9 to 17", "at 9 and closes at 17"."""
    if first.ends or last.ends or last.start - first.end > 80:
        return False
    gap = [view.folds[i] for i in view.tokens_between(first.end, last.start)]
    return len(gap) <= 8 and any(word.startswith("clos") or word in ("to", "until", "till") for word in gap)
