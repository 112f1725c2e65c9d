"""Finding all values of a text in one pass over its words and digits.

`proofing.values.triggers` knows the places where a value may begin: digits, and words that some grammar has asked for. At
each place the grammars that fit are tried from the most specific to the least, so a piece of a typed value is
never a bare number. What has been read is never read again, so the cost is linear in the length of the text.
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values import (
    citations,
    clock,
    codes,
    dates,
    day_hours,
    frequency,
    layout,
    money,
    ordinals,
    part_hours,
    phones,
    ranges,
    sizes,
    spoken_clock,
    triggers,
    versions,
    years,
)  # fmt: skip
from proofing.values.base import Reading, Value
from proofing.values.draft import Draft
from proofing.values.links import fixed_values
from proofing.values.measure import draft_at
from proofing.values.numerals import VULGAR, numeral_at
from proofing.values.page import Page, is_compound, letters_at, word_at
from proofing.values.parts import and_part, compound, smaller_part
from proofing.values.spelled import spelled_at
from proofing.values.unit_table import UNITS

_ARTICLE = re.compile(r"\b(?:(?:an?|eine?|einer|einem|une?|una?|uma?)[ ]|un['’])$")
_NO_PERIOD = re.compile(
    r"\b(?:times?|once|twice|per|\d|thousand|million|billion|fold|dollars?|euros?|pounds?)[ ]an?[ ]$"
)


def find_values(text: str, locale: str = "und") -> tuple[Value, ...]:
    """All typed values of a text, in order, none inside another (but `Value.ends`).

    Args:
        text: any text; offsets of the values count its code points.
        locale: BCP 47 tag that decides ``1.234`` and ``03/04`` where the text itself does not; ``und`` for
            "not declared".

    Returns:
        The longest, most specific value at each place. Enumerators of lists, heading numbers and footnote
        marks are left out.

    >>> [v.text for v in find_values("1. The 2 plans cost $10 to $12 a month until March 5, 2024.")]
    ['2', '$10 to $12', 'March 5, 2024']
    """
    page = Page(text, locale)
    fixed = fixed_values(page)
    values: list[Value] = []
    floor = 0
    for start in triggers.starts_of(page.low):
        while fixed and fixed[0].start <= start:
            taken = fixed.pop(0)
            if taken.start >= floor:
                values.append(taken)
                floor = taken.end
        if start < floor:
            continue
        found = _read(page, start, floor)
        if isinstance(found, int):
            floor = found
        elif found is not None and found.end > start:
            values.append(found)
            floor = max(found.end, found.period_span.end if found.period_span else 0)
    values += [v for v in fixed if v.start >= floor]
    return tuple(values)


def _read(page: Page, start: int, floor: int) -> Value | int | None:
    """The value at `start`, joined with the one behind it where they are one; an int skips to there."""
    first = single_at(page, start, floor)
    if first is None or isinstance(first, int):
        return first
    if isinstance(first, Value) and first.kind not in ("date", "time", "ordinal"):
        return first
    if isinstance(first, Draft) and (measure := sizes.sized(page, first, _reader)) is not None:
        return measure
    item = ranges.join(page, first, floor, _reader)
    return item.value(page) if isinstance(item, Draft) else item


def _reader(page: Page, start: int, floor: int) -> ranges.Item | None:
    found = single_at(page, start, floor)
    return None if isinstance(found, int) else found


def single_at(page: Page, start: int, floor: int) -> Value | Draft | int | None:
    """What one grammar makes of the place: a value, a number whose unit is open, a place to skip to, or nothing."""
    first = page.low[start]
    if first.isdecimal():
        return _at_digits(page, start, floor)
    if first in VULGAR:
        number = numeral_at(page, start)
        return None if number is None else compound(page, draft_at(page, number, floor))
    if first in triggers.LOW_DIGITS:
        return _glued(page, start, floor)  # the 2 of "H₂O"
    if first in "§№":
        return citations.place_at(page, start, floor)
    if first == "#":
        return codes.hash_at(page, start)
    return _at_word(page, start, floor)


def _at_digits(page: Page, start: int, floor: int) -> Value | Draft | int | None:
    text, low = page.text, page.low
    before = text[start - 1] if start > floor else " "
    skip = layout.skip_digits(page, start, floor)
    if skip is not None:
        return skip
    if before == "-" and (aged := _age_group(page, start)) is not None:
        return aged
    if (before.isalpha() or before == "_") and money.prefix_before(text, start, floor) is None:
        return _glued(page, start, floor)
    if before in "-–/." and start - 2 >= floor and text[start - 2].isalpha() and not years.is_decade(page, start):
        found = codes.cluster_at(page, start, floor)
        if found is not None:
            return found
    end = start
    while end < len(low) and low[end].isdecimal():
        end += 1
    value = _special(page, start, end, floor)
    if value is not None:
        return value
    number = numeral_at(page, start)
    if number is None:
        return None
    draft = compound(page, draft_at(page, number, floor))
    after = text[draft.end : draft.end + 1]
    if after and (after.isalnum() or after == "_"):
        code = codes.cluster_at(page, start, floor)
        if code is not None and code.end > draft.end:
            return code
    return draft


#: "Under-16s", "over-65": people by their age, which the hyphen makes no identifier.
_AGE_GROUP = re.compile(r"(\d{1,2})s?(?![\w-])")


def _age_group(page: Page, start: int) -> Value | None:
    match = _AGE_GROUP.match(page.low, start) if page.low.startswith(("under-", "over-"), max(0, start - 6)) else None
    if match is None or not page.low.endswith(("under-", "over-"), 0, start):
        return None
    count = Reading("count", Fraction(int(match[1])), "", Fraction(1))
    return Value("number", match[1], start, match.end(1), (count,), digits_span=Span(start, match.end(1)))


def _special(page: Page, start: int, end: int, floor: int) -> Value | None:
    """Everything that begins with digits and is no plain number, most specific first."""
    after = page.low[end : end + 1]
    before = page.low[start - 1] if start else " "
    width = end - start
    if width > 15:
        return None
    following = page.low[end + 1 : end + 2]
    if (
        width in (2, 3)
        and (after == "/" or (after == " " and following in ranges.PRESSURE_GOES_ON))
        and before in " ("
        and (found := ranges.pressure_at(page, start))
    ):
        return found
    if width <= 4 and (era := years.era_at(page, start, end, floor)) is not None:
        return era
    if width <= 2 and before == " " and page.languages[:1] != ("en",) and (spoken := spoken_clock.at(page, start)):
        return spoken
    if after and after in "¹²³" and page.low.startswith(":", end + 1):
        after = ":"  # a footnote mark inside a time
    if width in (3, 13) and page.low.startswith(("978", "979"), start) and (isbn := codes.isbn_at(page, start)):
        return isbn
    dash = following if after == " " else after
    if width <= 2 and dash and dash in day_hours.DASHES and (found := day_hours.at_digits(page, start)):
        return found
    if after == ":" and (found := clock.at_digits(page, start, floor) or ranges.colon_score(page, start, floor)):
        return found
    if (
        before in "(+"
        or (after == ")" and width <= 5)
        or (after and after in "-. " and width <= 5 and (following.isdecimal() or following in "(/ "))
        or (after == "/" and page.low[start] == "0")
    ):
        phone = phones.phone_at(page, start, floor)
        if phone is not None:
            return phone
    if after == "." and following in ("º", "ª") and (found := ordinals.at_digits(page, start, floor)):
        return found
    if after in "./-–" and after:
        found = (
            (codes.doi_at(page, start, floor) if after == "." and width == 2 else None)
            or dates.at_digits(page, start, floor)
            or (clock.at_digits(page, start, floor) if after == "." and width <= 2 else None)
            or versions.version_at(page, start, floor)
        )
        if found is None and (following in (" ", "\u00a0") or following.isalpha()):
            found = ordinals.at_digits(page, start, floor)  # "im 2. Stock", "на 5-м этаже"
        if found is not None:
            return found
    elif after and (after in " \u00a0'’年" or after.isalpha()) and not _goes_on_otherwise(page.low, end):
        found = dates.at_digits(page, start, floor) if width <= 4 else None
        found = found or (ordinals.at_digits(page, start, floor) if after.isalpha() else None)
        found = found or (clock.at_digits(page, start, floor) if width in (1, 2, 4) else None)
        if found is not None:
            return found
    if after in ("º", "ª", "°"):
        found = ordinals.at_digits(page, start, floor)
        if found is not None:
            return found
    may_be_named = before == " " and width <= 4 and page.low[max(0, start - 3) : start - 1] in versions.ENDINGS
    if may_be_named and (found := versions.version_at(page, start, floor)) is not None:
        return found
    if width == 4:
        return citations.author_year_at(page, start, floor) or years.year_at(page, start, floor)
    return None


def _goes_on_otherwise(low: str, end: int) -> bool:
    """Whether a word stands behind digits and a blank that is part of no date and no time."""
    word = word_at(low, end + 1) if low[end] == " " else ""
    return bool(word) and word[0] not in clock.AFTER_HOUR and word not in dates.AFTER_DAY and word[0] != "年"


def _glued(page: Page, start: int, floor: int) -> Value | int | None:
    """Digits that stick to letters: a version, an identifier, or a footnote mark behind a word."""
    text = page.text
    found = codes.iban_at(page, start - 2, floor) if start - 2 >= floor else None
    found = found or codes.cluster_at(page, start, floor)
    if found is None:
        return None
    if re.fullmatch(r"[a-zà-ÿ]{3,}\d{1,2}", found.text) or found.text in UNITS:
        return found.end
    return found if text[found.start : found.end] else None


def _at_word(page: Page, start: int, floor: int) -> Value | Draft | int | None:
    word = letters_at(page.low, start)
    end = start + len(word)
    wanted = triggers.TRIGGERS.get(word, 0)
    if start > floor and page.text[start - 1].isdecimal():
        return None
    if wanted & triggers.STEP and (skip := layout.step_label(page, start)) is not None:
        return skip
    found: Value | None = None
    if wanted & triggers.ET_AL:
        found = citations.et_al_at(page, start, floor)
    if wanted & triggers.ARXIV:
        found = citations.arxiv_at(page, start, floor)
    if found is None and wanted & triggers.DATE:
        found = years.at_word(page, start, floor)
    if found is None and wanted & triggers.WEEK:
        found = years.week_at(page, start)
    if found is None and wanted & triggers.MONTH:
        found = dates.at_month(page, start, floor)
    if found is None and wanted & triggers.STANDARD:
        found = codes.standard_at(page, start, floor)
    if found is None and wanted & triggers.PLACE:
        found = citations.place_at(page, start, floor)
    if found is None and wanted & triggers.V:
        found = versions.v_version_at(page, start, floor)
    if found is None and wanted & triggers.CLOCK:
        found = clock.at_word(page, start, floor) or spoken_clock.at(page, start)
    if found is None and wanted & triggers.ORDINAL:
        found = ordinals.at_word(page, start, end, floor)
    if found is None and wanted & triggers.ROMAN_YEAR:
        found = years.roman_year_at(page, start, end)
    if found is None and wanted & triggers.ROMAN and page.text[start].isupper():
        found = ordinals.roman_at(page, start, floor)
    if found is not None:
        return found
    if wanted & triggers.PART_HOUR and (found := part_hours.at_word(page, start, floor)) is not None:
        return found
    if wanted & triggers.NUMBER or (not wanted and is_compound(word)):
        draft = _number_words(page, start, end, floor)
        if draft is not None:
            return draft
    if wanted & triggers.FREQUENCY:
        return frequency.at_word(page, start, end, floor)
    if wanted & triggers.EVERY:
        return frequency.every_at(page, start, floor)
    if wanted & triggers.UNIT:
        return _one_unit(page, start, end, floor)
    return None


def _number_words(page: Page, start: int, end: int, floor: int) -> Value | Draft | None:
    number = spelled_at(page, start, floor)
    if number is None:
        return None
    draft = compound(page, draft_at(page, number, floor))
    low = page.low
    if draft.unit is not None and draft.unit.name != "times" and low[start:end] != "one":
        return draft
    before = low[max(0, start - 7) : start]
    if number.amounts[0] == 1 and number.end == end and low[start:end] == "one":
        if draft.unit is None and _opens_share(low, draft.end):
            return draft
        counts = not _points(low, draft.end) and (
            draft.extra != 0
            or (draft.unit is not None and draft.unit.kind != "duration")
            or before.endswith(("only ", "than ", "least ", "most ", "just "))
        )
        return draft if counts else draft.value(page)._replace(implicit=True)
    if (
        number.amounts[0] <= 10
        and before.endswith(("the ", "these ", "those ", "its ", "his ", "her "))
        and draft.unit is None
        and not number.is_fraction
    ):
        return draft.value(page)._replace(implicit=True)
    return draft


_SHARE_AHEAD = re.compile(
    r"[ ](?:in|out of)(?: every)?[ ](?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|a hundred)"
)


def _opens_share(low: str, end: int) -> bool:
    return _SHARE_AHEAD.match(low, end) is not None


_POINTED = re.compile(r"[ ](?:that|which|who|whose|to|with|without)\b")


def _points(low: str, end: int) -> bool:
    """ "The only one that folds": "one" stands for a thing and counts nothing."""
    return _POINTED.match(low, end) is not None


_THING = re.compile(
    r"[ -](?:pass|passes|ticket|tickets|card|trip|tour|course|plan|permit|class|lesson|rate|fee|rental|visit|session)\b"
)


def _names_a_thing(low: str, end: int) -> bool:
    return _THING.match(low, end) is not None


def _one_unit(page: Page, start: int, end: int, floor: int) -> Value | None:
    """ "within an hour": one of something, good as evidence and never marked; "an hour and a half" is a length."""
    low = page.low
    before = low[max(floor, start - 16) : start]
    match = _ARTICLE.search(before)
    if match is None or _NO_PERIOD.search(before):
        return None
    part = and_part(low, end)
    if part is None and _names_a_thing(low, end):
        return None  # "a week pass" is a pass, not a week
    unit = UNITS[low[start:end]]
    begin = start - len(before) + match.start()
    amount, end = (1 + part[1], part[0]) if part else (Fraction(1), end)
    readings = tuple(Reading(s.dimension, (amount + s.shift) * s.factor, unit.name, s.factor) for s in unit.scales)
    rest = smaller_part(page, end, unit.scales[0]) if part is None else None
    if rest is not None:
        end, readings = rest[0], (readings[0]._replace(amount=unit.scales[0].factor + rest[1]),)
    return Value(
        "duration",
        page.text[begin:end],
        begin,
        end,
        readings,
        digits_span=Span(begin, end),
        implicit=part is None and rest is None,
    )
