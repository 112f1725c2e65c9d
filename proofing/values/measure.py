"""A number with what belongs to it: sign, currency, scale word, unit. The heart of the value grammars.

`draft_at` reads the number at a place and everything attached to it into a `Draft`; `Draft.value` turns that into
a `Value`. Between the two, a range may lend one end the unit of the other ("from 5 to 7 percent").

>>> from proofing.values import find_values
>>> [(v.kind, v.text, str(v.amount)) for v in find_values("12.5k units, 3,2 Mio. Euro, -15 °C, 48 hours, .5 mg")]
[('number', '12.5k', '12500'), ('money', '3,2 Mio. Euro', '3200000'), ('quantity', '-15 °C', '5163/20'), ('duration', '48 hours', '172800'), ('quantity', '.5 mg', '1/2000000')]
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from proofing.documents import Span
from proofing.values import money
from proofing.values.draft import Draft
from proofing.values.numerals import Numeral
from proofing.values.page import Page
from proofing.values.signs import ACCOUNT, BELOW_ZERO, LOSS, MINUS_WORD, OVERDRAWN, closes, is_minus
from proofing.values.suffix import LETTER_SCALES, MILLIONS, MONEY_ONLY, SHORT_SCALES, SUFFIX, scale_word, unit_at
from proofing.values.unit_table import UNITS, Unit

_OF_A = re.compile(r"[ -](?:of[ ])?an?[ ](?P<word>[^\W\d_]+)|[ ](?:de|d['’]|di|of)[ ]?(?P<of>[^\W\d_]+)")
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
    draft = _with_scale(page, draft)
    draft = _with_unit(page, draft)
    if (draft.negative and text[draft.number.start - 1 : draft.number.start] == "(") or (
        draft.start > floor and text[draft.start - 1] == "(" and _is_account(page, draft, floor)
    ):
        draft = _with_unit(page, _with_scale(page, _close_parenthesis(text, draft)))
    if not draft.negative and OVERDRAWN.match(page.low, draft.end):
        draft = replace(draft, also_loss=True)
    if BELOW_ZERO.match(page.low, draft.end):
        end = BELOW_ZERO.match(page.low, draft.end)
        draft = replace(draft, negative=True, end=end.end() if end else draft.end)
    return draft


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
            draft, start = replace(draft, number=shrunk, start=start - 1), start - 1
            if start <= floor:
                return draft
    prefix = money.prefix_before(text, start, floor)
    if prefix is not None:
        begin, unit, minus, paren = prefix
        draft = replace(draft, start=begin, unit=unit, negative=minus or paren)
        if paren and not closes(text, draft.end):
            draft = replace(draft, negative=False, start=start, unit=None)
        start = begin
    elif text[start - 1] in "-−–" and start - 1 >= floor and is_minus(text, start - 1):
        return replace(draft, start=start - 1, negative=True)
    if start > floor and page.low[start - 1] == " ":
        before = page.low[max(floor, start - 24) : start]
        word = MINUS_WORD.search(before)
        if word:
            return replace(draft, start=start - len(before) + word.start(), negative=True)
        if LOSS.search(before):
            return replace(draft, also_loss=True)
    return draft


def _with_scale(page: Page, draft: Draft) -> Draft:
    """ "million", "Mrd.", "k": up to two of them ("10 thousand million")."""
    text, low = page.text, page.low
    for _ in range(2):
        match = SUFFIX.match(text, draft.end)
        if match is None or match["per"]:
            return draft
        word, glued = match["word"], match["gap"] == ""
        folded = low[match.start("word") : match.end("word")]
        factor = LETTER_SCALES.get(word) if glued else None
        if (
            factor is None
            and (glued or folded not in ("b", "t"))
            and (draft.unit is not None or folded not in MONEY_ONLY)
        ):
            factor = 10**6 if folded == "m" and draft.unit is not None and glued else SHORT_SCALES.get(folded)
        if factor is None:
            factor = scale_word(page, folded)
        if factor is None:
            return draft
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
        draft = replace(draft, factor=draft.factor * factor, end=end)
    return draft


def _with_unit(page: Page, draft: Draft) -> Draft:
    text, low = page.text, page.low
    if draft.unit is not None:
        return _with_same_currency(page, draft)
    match = SUFFIX.match(text, draft.end)
    if match is None:
        return _with_article_unit(page, draft)
    found = unit_at(page, match)
    if found is not None:
        end, unit = found
        if match["word"] == "m" and match["gap"] == "" and draft.factor == 1:
            unit = Unit(unit.kind, unit.name, (*unit.scales, MILLIONS))
            draft = replace(draft, note=f"{text[draft.start : end]} may be metres or millions")
        draft = replace(draft, end=end, unit=unit, suffixed=True)
        return _with_qualifier(page, draft) if unit.kind == "duration" else draft
    special = _QUALIFIER.match(low, draft.end)
    counted = UNITS.get(special["word"]) if special else None
    if special and counted is not None and counted.kind == "duration":
        name = "calendar" if special[1] in _CALENDAR else "business" if special[1] != "consecutive" else "consecutive"
        return replace(
            draft, end=special.end(), unit=counted, qualifier=name, qualifier_span=Span(*special.span(1)), suffixed=True
        )
    german = _BUSINESS_WORDS.match(low, draft.end)
    if german:
        name = "calendar" if german[1].startswith("kalender") else "business"
        return replace(
            draft,
            end=german.end(),
            unit=UNITS["day"],
            qualifier=name,
            qualifier_span=Span(*german.span(1)),
            suffixed=True,
        )
    return _with_article_unit(page, draft)


def _with_article_unit(page: Page, draft: Draft) -> Draft:
    """ "half an hour", "half a percentage point", "un millón de euros", "a quarter of a mile"."""
    text = page.text
    match = _OF_A.match(page.low, draft.end)
    if match is None:
        return draft
    word = match["word"] or match["of"]
    if (not draft.number.is_fraction and match["word"]) or (
        match["of"] and draft.factor == 1 and draft.number.step != 1
    ):
        return draft
    unit, end = UNITS.get(word), match.end()
    begin = match.start("word") if match["word"] else match.start("of")
    if (unit is None or match["of"]) and (suffix := SUFFIX.match(text, begin)) is not None:
        longer = unit_at(page, suffix)
        end, unit = longer if longer is not None else (end, unit)
    if unit is None or (match["of"] and unit.kind != "money" and draft.factor == 1):
        return draft
    return replace(draft, unit=unit, end=end, suffixed=True)


def _with_same_currency(page: Page, draft: Draft) -> Draft:
    """ "$5 USD", "$5 million Canadian dollars": the name behind says which dollar the sign meant."""
    match = SUFFIX.match(page.text, draft.end)
    if match is None or draft.unit is None:
        return draft
    found = unit_at(page, match)
    if found is None or found[1].kind != "money" or "mass" in (s.dimension for s in found[1].scales):
        return draft
    before = {s.dimension for s in draft.unit.scales}
    if before & {s.dimension for s in found[1].scales}:
        return replace(draft, unit=found[1], end=found[0])
    return draft


def _with_qualifier(page: Page, draft: Draft) -> Draft:
    match = _QUALIFIER_AFTER.match(page.low, draft.end)
    if match is None:
        return draft
    name = "calendar" if match[1] in _CALENDAR else "business"
    return replace(draft, end=match.end(), qualifier=name, qualifier_span=Span(*match.span(1)))


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
    return replace(draft, start=start, end=end, negative=True)
