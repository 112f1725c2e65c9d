"""Amounts written in several units: "2 h 5 min", "1 year and 6 months", "5 ft 11 in", "$5 and 20 cents".

>>> from proofing.values import find_values, same
>>> [(v.text, str(v.amount)) for v in find_values("2 h 5 min; 1 year and 6 months; 5 ft 11 in; 5'11\\"")]
[('2 h 5 min', '7500'), ('1 year and 6 months', '18'), ('5 ft 11 in', '9017/5000'), ('5\\'11"', '9017/5000')]
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.values.draft import Draft
from proofing.values.page import Page
from proofing.values.suffix import SUFFIX, unit_at
from proofing.values.unit_table import UNITS, Scale, Unit

#: "7 Euro 50", "7 euros 50": the cents behind the name, where nothing they could count follows.
_BARE_CENTS = re.compile(r"[ ](\d\d)(?=[.,;:!?)]?(?:\s|$)(?![ ]?\w)|[.,;!?)]?$|[.,;!?)][ ])")
#: An inch mark may also be a sign that the writer left out of mind.
INCHES = Unit("quantity", "inch", (*UNITS["inch"].scales, Scale("count", Fraction(1))))
_NEXT = re.compile(
    r"(?:[ \u00a0]|,[ ])?(?:(?:and|und|et|y|e|и)[ ])?(?P<number>\d{1,3}(?:\.\d{1,3})?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty(?:-five)?|fifty)(?=[ \u00a0a-zа-я]|$)"
)
_FEET = re.compile(r"['’′]\s?(?P<inches>\d{1,2}(?:\.\d)?)\s?(?:\"|”|″|''|in\b)")
#: Signs for feet and inches.
_MARKS = "'’′\"″"
_AND_A_HALF = re.compile(
    r"[ ](?:and an?|and one)[ ](?:half|(?P<quarter>quarter))\b|[ ](?P<three>and three[ -]quarters)\b|[ -](?:et demie?|y medi[oa]|e mezz[oa]|e meia?o?)\b"
    r"|[ ](?P<other>et (?:un )?quart|y (?:un )?cuarto|e (?:un )?quarto)\b"
)
#: What `_AND_A_HALF` begins with.
_AND_OPENS = frozenset({" a", " e", "-e", " y", "-y"})
_SMALL = {w: n for n, w in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)} | {
    "a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50,
}  # fmt: skip
#: Only these lend themselves to being written in parts, and "and" joins parts only where the second unit is smaller.
_FAMILIES = {"time.seconds", "time.months", "length", "mass", "volume"}


def compound(page: Page, draft: Draft) -> Draft:
    """`draft` with the smaller units that follow it added."""
    if draft.unit is None:
        mark = page.text[draft.end : draft.end + 1]
        return _inches(page, _feet(page, draft)) if mark and mark in _MARKS else draft
    scale = draft.unit.scales[0]
    if scale.dimension.startswith("money"):
        return _cents(page, draft)
    if scale.dimension not in _FAMILIES or not draft.suffixed:
        return draft
    half = and_part(page.low, draft.end)
    if half and draft.number.step == 1:
        return draft._replace(end=half[0], extra=draft.extra + half[1] * scale.factor)
    smallest = scale.factor
    for _ in range(3):
        found = _part(page, draft.end, scale.dimension, smallest)
        if found is None:
            return draft
        end, amount, smallest = found
        sign = -1 if draft.negative else 1
        draft = draft._replace(end=end, extra=draft.extra + sign * amount * smallest)
    return draft


def and_part(low: str, end: int) -> tuple[int, Fraction] | None:
    """Where "and a half" or "et quart" behind a unit ends, and how much of the unit it adds; None for other words."""
    match = _AND_A_HALF.match(low, end) if low[end : end + 2] in _AND_OPENS else None
    if match is None:
        return None
    if match["three"]:
        return match.end(), Fraction(3, 4)
    return match.end(), Fraction(1, 4) if match["quarter"] or match["other"] else Fraction(1, 2)


def smaller_part(page: Page, position: int, scale: Scale) -> tuple[int, Fraction] | None:
    """The "and 45 minutes" behind "an hour": where it ends and its amount in the base unit; None for other words."""
    if scale.dimension not in _FAMILIES:
        return None
    found = _part(page, position, scale.dimension, scale.factor)
    return None if found is None else (found[0], found[1] * found[2])


def _part(page: Page, position: int, dimension: str, above: Fraction) -> tuple[int, Fraction, Fraction] | None:
    match = _NEXT.match(page.low, position)
    if match is None or (match["number"] in ("a", "an") and "and" not in match.group()):
        return None
    suffix = SUFFIX.match(page.text, match.end())
    if suffix is None:
        return None
    word = page.low[slice(*suffix.span("word"))]
    if word == "in" and dimension == "length" and above == UNITS["ft"].scales[0].factor:
        end, unit = suffix.end(), UNITS["inch"]
    elif word == "m" and dimension == "time.seconds" and above == 3600:
        end, unit = suffix.end(), UNITS["minute"]
    else:
        found = unit_at(page, suffix)
        if found is None:
            return None
        end, unit = found
    scale = next((s for s in unit.scales if s.dimension == dimension), None)
    if scale is None or scale.factor >= above or page.text[end : end + 1].isalnum():
        return None
    number = match["number"]
    amount = Fraction(_SMALL[number]) if number in _SMALL else Fraction(number)
    return (end, amount, scale.factor) if amount * scale.factor < above else None


def _inches(page: Page, draft: Draft) -> Draft:
    """ "a 27\" panel": inches, where the mark closes no quotation."""
    mark = page.text[draft.end : draft.end + 1]
    if not mark or mark not in '"″' or draft.factor != 1 or not draft.number.amounts:
        return draft
    line = page.text.rfind("\n", max(0, draft.start - 400), draft.start) + 1
    if mark == '"' and (page.text.count('"', max(line, draft.start - 400), draft.start) % 2 or draft.start == 0):
        return draft
    return draft._replace(unit=INCHES, end=draft.end + 1, suffixed=True)


def _feet(page: Page, draft: Draft) -> Draft:
    match = _FEET.match(page.text, draft.end)
    if match is None or draft.number.step != 1 or draft.factor != 1 or draft.number.amounts[0] > 300:
        return draft
    inches = Fraction(match["inches"])
    if inches >= 12:
        return draft
    return draft._replace(unit=UNITS["ft"], end=match.end(), extra=inches * Fraction("0.0254"), suffixed=True)


def _cents(page: Page, draft: Draft) -> Draft:
    bare = _BARE_CENTS.match(page.low, draft.end)
    if bare is not None and draft.suffixed and draft.number.step == 1 and draft.factor == 1:
        return draft._replace(end=bare.end(1), extra=(-1 if draft.negative else 1) * Fraction(int(bare[1]), 100))
    match = _NEXT.match(page.low, draft.end)
    if match is None or draft.number.step != 1 or draft.factor != 1 or match["number"] in ("a", "an"):
        return draft
    suffix = re.compile(r"[ ](?:cents?|pence|centimes|céntimos|centavos|cent)\b").match(page.low, match.end())
    if suffix is None:
        return draft
    number = match["number"]
    amount = Fraction(_SMALL[number]) if number in _SMALL else Fraction(number)
    return draft._replace(end=suffix.end(), extra=(-1 if draft.negative else 1) * amount / 100)
