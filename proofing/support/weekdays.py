"""Weekdays in text: names, ranges and groups, and which value of a sentence is for which days.

In "Monday to Thursday from 9 to 17, Friday from 9 to 15" the days stand before their hours, in "9 to 17 from
Monday to Thursday, 9 to 15 on Friday" behind them. Which way a sentence goes is told by what comes first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from proofing.documents import Sentence
from proofing.support.day_words import EVERY_DAY, DayWords, day_words
from proofing.support.reading import TextView
from proofing.values import Value
from proofing.values.weekday_names import ORDINALS

#: How many words before or after a day "closed" is looked for.
_SHUT_REACH = 5
#: Names up to this length are short forms, and often other words too.
_SHORT = 4


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
    words = day_words(view.language)
    if words.saying.isdisjoint(view.folds[tokens.start : tokens.stop]):
        return found
    i, stop, after, excepting = tokens.start, tokens.stop, -1, False
    while i < stop:
        piece = _piece_at(view, words, i, stop) if view.folds[i] in words.saying else None
        if piece is None:
            i += 1
            continue
        days, last, named = piece
        gap = view.folds[after:i] if after >= 0 else ()
        excepted = set(view.folds[max(tokens.start, i - 4) : i]) & words.excepting or (
            excepting and _joins(gap, True, words)
        )
        excepting = bool(excepted)
        if excepted and found:
            found[-1] = replace(found[-1], days=found[-1].days - days)
        elif excepted:
            found.append(DayPhrase(view.tokens[i].start, view.tokens[last].end, EVERY_DAY - days, named=False))
        elif found and _joins(gap, found[-1].named and named, words):
            head = found[-1]
            found[-1] = replace(head, end=view.tokens[last].end, days=head.days | days, named=head.named and named)
        else:
            shut = _is_shut(view, words, i, last, tokens)
            found.append(DayPhrase(view.tokens[i].start, view.tokens[last].end, days, shut, named))
        i = after = last + 1
    return found


def _joins(gap: Sequence[str], named: bool, words: DayWords) -> bool:
    """Whether the words between two day phrases make them one: "and", or a comma between days named singly."""
    if not gap or len(gap) > 3 or any(word not in words.joining for word in gap):
        return False
    return named or any(word != "," for word in gap)


def _piece_at(view: TextView, words: DayWords, i: int, stop: int) -> tuple[frozenset[int], int, bool] | None:
    """One day, range or group at token `i`: its days, its last token, and whether it names them."""
    folds = view.folds
    found = _day_at(view, words, i, stop)
    if found is not None:
        day, last = found
        at = last + 2
        if at < stop and folds[last + 1] in words.through:
            at += folds[at] in words.articles
            other = _day_at(view, words, at, stop)
            if other is not None:
                return frozenset(_run(day, other[0])), other[1], True
        return frozenset({day}), last, True
    if view.language == "en" and view.tokens[i].text[0].isupper() and i and view.tokens[i - 1].kind == "word":
        return None
    known = words.groups.get(folds[i])
    if known is not None:
        return known, i, False
    for phrase, counted in words.phrases:
        if folds[i : i + len(phrase)] == phrase:
            return EVERY_DAY, i + len(phrase) - 1, counted
    return None


def _is_shut(view: TextView, words: DayWords, first: int, last: int, tokens: range) -> bool:
    """Whether "closed" stands close by, with no other words before or few behind."""
    for i in range(first - 1, max(tokens.start, first - _SHUT_REACH) - 1, -1):
        if view.folds[i] in words.shut:
            return True
        if view.folds[i] not in words.leading:
            break
    for i in range(last + 1, min(tokens.stop, last + 1 + _SHUT_REACH)):
        if view.folds[i] in words.closed:
            return words.on.isdisjoint(view.folds[i + 1 : i + 2])
    return False


def _day_at(view: TextView, words: DayWords, i: int, stop: int) -> tuple[int, int] | None:
    """The day named at token `i` and the last token of its name, None where none is."""
    if i >= stop or view.tokens[i].kind != "word":
        return None
    fold = view.folds[i]
    day = words.days.get(fold)
    if day is None:
        return None
    if view.folds[i + 1 : i + 3] in (("-", "feira"), ("-", "feiras")):
        return day, i + 2
    if view.language == "en":
        certain = len(fold) > _SHORT or (view.tokens[i].text[0].isupper() and len(fold) >= 3)
    else:
        certain = (len(fold) > _SHORT and fold not in ORDINALS) or _in_company(view, words, i, stop)
    return (day, i) if certain else None


def _in_company(view: TextView, words: DayWords, i: int, stop: int) -> bool:
    """Whether a word that may be another one stands as days do: at an end of "Mo–Fr", before figures ("Sa 10–14")."""
    folds = view.folds
    if i + 2 < stop and folds[i + 1] in words.through and folds[i + 2] in words.days:
        return True
    if i >= 2 and folds[i - 1] in words.through and (folds[i - 2] in words.days or folds[i - 2] == "feira"):
        return True
    behind = i + 1 + (folds[i + 1 : i + 2] in ((":",), (".",)))
    return behind < stop and view.tokens[behind].kind == "digits" and folds[i] not in ORDINALS


def _run(first: int, last: int) -> list[int]:
    return [(first + step) % 7 for step in range((last - first) % 7 + 1)]


def says_days(view: TextView, sentence: Sentence) -> bool:
    """Whether a sentence names a weekday or a group of them, and no loose word ("usually") beside it."""
    folds = view.folds[sentence.first_token : sentence.last_token]
    words = day_words(view.language)
    return not words.saying.isdisjoint(folds) and words.loose.isdisjoint(folds)


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
    return len(gap) <= 3 and all(word in day_words(view.language).adjacent for word in gap)


def _closes_it(view: TextView, first: Value, last: Value) -> bool:
    """Whether two single times are the opening and closing of one day: "from 9 to 17", "at 9 and closes at 17"."""
    if first.ends or last.ends or last.start - first.end > 80:
        return False
    gap = [view.folds[i] for i in view.tokens_between(first.end, last.start)]
    words = day_words(view.language)
    return len(gap) <= 8 and any(word.startswith(words.closes) or word in words.until for word in gap)
