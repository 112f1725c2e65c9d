"""A number with what belongs to it: sign, currency, scale word, unit. The heart of the value grammars.

`draft_at` reads the number at a place and everything attached to it into a `Draft`; `Draft.value` turns that into
a `Value`. Between the two, a range may lend one end the unit of the other ("from 5 to 7 percent").

>>> from proofing.values import find_values
>>> [(v.kind, v.text, str(v.amount)) for v in find_values("12.5k units, 3,2 Mio. Euro, -15 °C, 48 hours, .5 mg")]
[('number', '12.5k', '12500'), ('money', '3,2 Mio. Euro', '3200000'), ('quantity', '-15 °C', '5163/20'), ('duration', '48 hours', '172800'), ('quantity', '.5 mg', '1/2000000')]
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values import money
from proofing.values.draft import Draft
from proofing.values.numerals import Numeral
from proofing.values.page import Page
from proofing.values.signs import (
    ACCOUNT,
    BEHIND,
    BELOW_ZERO,
    LOSS,
    LOSS_ENDINGS,
    MINUS_ENDINGS,
    MINUS_WORD,
    OVERDRAWN,
    closes,
    is_minus,
)
from proofing.values.suffix import LETTER_SCALES, MILLIONS, MONEY_ONLY, SHORT_SCALES, SUFFIX, scale_word, unit_at
from proofing.values.unit_table import UNITS, Unit

_OF_A = re.compile(r"[ -](?:of[ ])?an?[ ](?P<word>[^\W\d_]+)|[ ](?:de|d['’]|di|of)[ ]?(?P<of>[^\W\d_]+)")
_THINGS = re.compile(
    r"[ ](?:passes|tickets|trips|tours|permits|visits|rates|cards|shifts|sessions|students|guests|trippers)\b"
)
_QUALIFIER = re.compile(
    r"[ \u00a0\n-](business|working|calendar|consecutive|banking|рабочих|рабочие|календарных)[ -](?P<word>[^\W\d_]+)"
)
_QUALIFIER_AFTER = re.compile(
    r"[ \u00a0](ouvrables?|ouvrés?|hábiles|laborables|laborales|lavorativi|feriali|úteis|uteis|naturales|calendaires|corridos|solari)\b"
)
_BUSINESS_WORDS = re.compile(
    r"[ \u00a0]?[-]?(werktag(?:en|e)?|arbeitstag(?:en|e)?|kalendertag(?:en|e)?|geschäftstag(?:en|e)?)\b"
)
_CALENDAR = frozenset(
    "calendar kalendertag kalendertage kalendertagen naturales calendaires corridos solari календарных".split()
)


def draft_at(page: Page, number: Numeral, floor: int) -> Draft:
    """Everything that belongs to `number`: sign and currency before it, scale, unit and qualifier behind it."""
    text = page.text
    draft = Draft(number, number.start, number.end)
    if number.start > floor:
        draft = _with_prefix(page, draft, floor)
    draft = _measured(page, draft)
    if (draft.negative and text[draft.number.start - 1 : draft.number.start] == "(") or (
        draft.start > floor and text[draft.start - 1] == "(" and _is_account(page, draft, floor)
    ):
        draft = _measured(page, _close_parenthesis(text, draft))
    if page.low[draft.end : draft.end + 2] in BEHIND:
        if not draft.negative and OVERDRAWN.match(page.low, draft.end):
            draft = draft._replace(also_loss=True)
        if (below := BELOW_ZERO.match(page.low, draft.end)) is not None:
            draft = draft._replace(negative=True, end=below.end())
    return draft


def _measured(page: Page, draft: Draft) -> Draft:
    """The draft with the scale words and the unit behind it."""
    draft, suffix = _with_scale(page, draft, SUFFIX.match(page.text, draft.end))
    return _with_unit(page, draft, suffix)


def _with_prefix(page: Page, draft: Draft, floor: int) -> Draft:
    text, start = page.text, draft.number.start
    if (
        text[start - 1] == "."
        and (start < 2 or not text[start - 2].isalnum())
        and draft.number.amounts
        and draft.number.step == 1
    ):
        number = draft.number  # ".5": a leading decimal point
        width = len(text[start : number.end])
        if text[start : number.end].isdigit():
            shrunk = number._replace(
                start=start - 1, amounts=tuple(a / 10**width for a in number.amounts), step=Fraction(1, 10**width)
            )
            draft, start = draft._replace(number=shrunk, start=start - 1), start - 1
            if start <= floor:
                return draft
    prefix = money.prefix_before(text, start, floor)
    if prefix is not None:
        begin, unit, minus, paren = prefix
        draft = draft._replace(start=begin, unit=unit, negative=minus or paren)
        if paren and not closes(text, draft.end):
            draft = draft._replace(negative=False, start=start, unit=None)
        start = begin
    elif text[start - 1] in "-−–" and start - 1 >= floor and is_minus(text, start - 1):
        return draft._replace(start=start - 1, negative=True)
    if start > floor and page.low[start - 1] == " ":
        ending, begin = page.low[max(0, start - 3) : start - 1], max(floor, start - 24)
        if ending in MINUS_ENDINGS and (word := MINUS_WORD.search(page.low[begin:start])) is not None:
            return draft._replace(start=begin + word.start(), negative=True)
        if ending in LOSS_ENDINGS and LOSS.search(page.low[begin:start]):
            return draft._replace(also_loss=True)
    return draft


def _with_scale(page: Page, draft: Draft, match: re.Match[str] | None) -> tuple[Draft, re.Match[str] | None]:
    """ "million", "Mrd.", "k": up to two of them ("10 thousand million"); and the suffix behind them.

    `match` is the suffix behind the draft.
    """
    text, low = page.text, page.low
    for _ in range(2):
        if match is None or match["per"]:
            return draft, match
        word, glued = match["word"], match["gap"] == ""
        folded = low[match.start("word") : match.end("word")]
        factor = LETTER_SCALES.get(word) if glued else None
        if (
            factor is None
            and (glued or folded not in ("b", "t"))
            and (draft.unit is not None or folded not in MONEY_ONLY)
        ):
            factor = 10**6 if folded == "m" and draft.unit is not None and glued else SHORT_SCALES.get(folded)
        if factor is None and folded == "m" and glued and _names_money(page, match.end()):
            factor = 10**6  # "1.2m pounds"
        if factor is None:
            long = folded == "mil" and low.startswith((" millones", " milhões"), match.end())
            factor = 1000 if long else scale_word(page, folded)
        if factor is None:
            return draft, match
        end = match.end()
        if text[end : end + 1] == "." and folded in ("mio", "mrd", "tsd", "mln", "bn", "тыс", "млн", "млрд"):
            end += (
                1
                if (
                    end + 1 < len(text)
                    and text[end + 1 : end + 2] in " \u00a0€$"
                    and not text[end + 2 : end + 3].isupper()
                )
                or folded in ("mio", "mrd", "tsd")
                else 0
            )
        draft = draft._replace(factor=draft.factor * factor, end=end)
        match = SUFFIX.match(text, end)
    return draft, match


def _counts_things(page: Page, draft: Draft, end: int, unit: Unit) -> bool:
    """ "Three day passes" are three of them, "three-day passes" are for three days."""
    plural = page.low[end - 1] == "s" or draft.number.step != 1 or draft.number.amounts[0] <= 1
    return not plural and page.low[draft.end] == " " and _THINGS.match(page.low, end) is not None


def _names_money(page: Page, end: int) -> bool:
    """Whether the name of a currency follows."""
    suffix = SUFFIX.match(page.text, end)
    found = unit_at(page, suffix) if suffix is not None and suffix["gap"] else None
    return found is not None and found[1].kind == "money"


def _with_unit(page: Page, draft: Draft, match: re.Match[str] | None) -> Draft:
    text, low = page.text, page.low
    if draft.unit is not None:
        return _with_same_currency(page, draft, match)
    if match is None:
        return _with_article_unit(page, draft)
    found = unit_at(page, match)
    if found is not None and found[1].kind == "duration" and _counts_things(page, draft, *found):
        found = None
    if found is not None:
        end, unit = found
        if match["word"] == "m" and match["gap"] == "" and draft.factor == 1:
            unit = Unit(unit.kind, unit.name, (*unit.scales, MILLIONS))
            draft = draft._replace(note=f"{text[draft.start : end]} may be metres or millions")
        draft = draft._replace(end=end, unit=unit, suffixed=True)
        return _with_qualifier(page, draft) if unit.kind == "duration" else draft
    special = _QUALIFIER.match(low, draft.end)
    counted = UNITS.get(special["word"]) if special else None
    if special and counted is not None and counted.kind == "duration":
        name = "calendar" if special[1] in _CALENDAR else "business" if special[1] != "consecutive" else "consecutive"
        return draft._replace(
            end=special.end(), unit=counted, qualifier=name, qualifier_span=Span(*special.span(1)), suffixed=True
        )
    german = _BUSINESS_WORDS.match(low, draft.end)
    if german:
        name = "calendar" if german[1].startswith("kalender") else "business"
        return draft._replace(
            end=german.end(),
            unit=UNITS["day"],
            qualifier=name,
            qualifier_span=Span(*german.span(1)),
            suffixed=True,
        )
    return _with_article_unit(page, draft)


def _with_article_unit(page: Page, draft: Draft) -> Draft:
    """ "half an hour", "half a percentage point", "un millón de euros", "a quarter of a mile", "tre quarti d'ora"."""
    text = page.text
    match = _OF_A.match(page.low, draft.end)
    if match is None:
        return draft
    word = match["word"] or match["of"]
    unit, end = UNITS.get(word), match.end()
    hours = unit is UNITS["hour"] and draft.number.is_fraction
    if (not draft.number.is_fraction and match["word"]) or (
        match["of"] and draft.factor == 1 and draft.number.step != 1 and not hours
    ):
        return draft
    begin = match.start("word") if match["word"] else match.start("of")
    if (unit is None or match["of"]) and (suffix := SUFFIX.match(text, begin)) is not None:
        longer = unit_at(page, suffix)
        end, unit = longer if longer is not None else (end, unit)
    if unit is None or (match["of"] and unit.kind != "money" and draft.factor == 1 and not hours):
        return draft
    return draft._replace(unit=unit, end=end, suffixed=True)


def _with_same_currency(page: Page, draft: Draft, match: re.Match[str] | None) -> Draft:
    """ "$5 USD", "$5 million Canadian dollars": the name behind says which dollar the sign meant."""
    if match is None or draft.unit is None:
        return draft
    found = unit_at(page, match)
    if found is None or found[1].kind != "money" or "mass" in (s.dimension for s in found[1].scales):
        return draft
    before = {s.dimension for s in draft.unit.scales}
    if before & {s.dimension for s in found[1].scales}:
        return draft._replace(unit=found[1], end=found[0])
    return draft


def _with_qualifier(page: Page, draft: Draft) -> Draft:
    match = _QUALIFIER_AFTER.match(page.low, draft.end)
    if match is None:
        return draft
    name = "calendar" if match[1] in _CALENDAR else "business"
    return draft._replace(end=match.end(), qualifier=name, qualifier_span=Span(*match.span(1)))


def _is_account(page: Page, draft: Draft, floor: int) -> bool:
    """Whether a parenthesis around a number is an accountant's minus, not a remark, a year or an enumerator."""
    text = page.text
    if not closes(text, draft.end):
        return False
    written = text[draft.number.start : draft.number.end]
    if draft.unit is not None and draft.unit.kind not in ("money", "percent"):
        return False
    begin = max(floor, draft.start - 12)
    before = text[begin : draft.start - 1]
    if begin > 0 and text[begin - 1] != "\n":
        before = "…" + before  # something stands before, so the parenthesis does not open the line
    if "\n" in before:
        before = before.rpartition("\n")[2]
    if not ACCOUNT.search(before):
        return False
    if draft.unit is None and written.isdigit():
        return len(written) < 4 and before != "" and before.rstrip() != ""
    return True


def _close_parenthesis(text: str, draft: Draft) -> Draft:
    start = (
        draft.start if text[draft.start] == "(" or draft.start == 0 or text[draft.start - 1] != "(" else draft.start - 1
    )
    end = draft.end + 1 if closes(text, draft.end) else draft.end
    return draft._replace(start=start, end=end, negative=True)
