"""Parts of a whole in words: "half of", "two thirds", "one and a half", "a quarter of a million", "die Hälfte".

>>> from proofing.values import find_values
>>> [(v.text, str(v.amount)) for v in find_values("Two thirds stayed, a third of them for one and a half years.")]
[('Two thirds', '2/3'), ('a third', '1/3'), ('one and a half years', '18')]
>>> find_values("They met at half-time.")
()
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.values.number_words import ORDINAL_PARTS, PARTS, WORDS
from proofing.values.numerals import Numeral
from proofing.values.page import Page

_AND_PART = re.compile(
    r"[ -](?:and[ -](?:(?P<a>an?|one|two|three|four)[ -])?(?P<part>half|third|thirds|quarter|quarters|fifths?)"
    r"|et[ -]demie?|y[ -]medi[oa]|e[ -](?:mezz[oa]|mei[oa]))\b"
)
_LENGTH_LED = re.compile(r"\b(?:last|past|next|first|previous|recent|following|consecutive|these|for|within) $")
_PART_AFTER = re.compile(r"[ -]([^\W\d_]+)")
LEAD = re.compile(
    r"(?:\b(half|one half)[ -](?:of[ -])?)?\b(an?|one|una?|uno|ein|eine|einer|einem|une?|uma?|the|das|die|la|le|el|il|l['’]|o)[ '’]?$"
)
_HALF_LEAD = re.compile(r"\b(half|quarter|third)[ -](?:of[ -])?an?[ -]$")
_UN = re.compile(r"\bu[nm] $")
_OF_THE = re.compile(
    r" (?:dei|degli|delle|della|dell['’]|del|de l[ao]s?|d[oa]s?|des|du|der|d['’](?:heure|ora)|de hora)(?!\w)"
)
#: "La cuarta parte de", "a terça parte dos", "tres cuartas partes": the ordinal and the word behind it are a share.
_PARTS_BEHIND = re.compile(r" partes?(?= (?:de|del|dei|degli|delle|della|d[oa]s?)\b)")
_COUNTED = re.compile(r" [а-яё]{3,}")
_OF_A_SCALE = re.compile(r"[ -](?:of[ -])?an?[ -]([a-z]+)")


def with_parts(low: str, found: Numeral) -> Numeral:
    """ "two thirds", "one and a half"."""
    match = _AND_PART.match(low, found.end)
    if match:
        top = {"two": 2, "three": 3, "four": 4}.get(match["a"] or "", 1)
        below = PARTS[match["part"]][1] if match["part"] else 2
        if top < below:
            return found._replace(end=match.end(), amounts=(found.amounts[0] + Fraction(top, below),), step=None)
    match = _PART_AFTER.match(low, found.end)
    named = part_behind(low, match.end()) if match and match[1][:-1] in ORDINAL_PARTS else 0
    if match and named and found.amounts[0] < ORDINAL_PARTS[match[1][:-1]]:
        below = ORDINAL_PARTS[match[1][:-1]]
        return found._replace(end=named, amounts=(found.amounts[0] / below,), step=None, is_fraction=True)
    if match and found.amounts[0] < 100 and (part := PARTS.get(match[1])) and part[1] > 1:
        if match[1] in ("second", "seconds") or (
            match[1] in ("quarter", "quarters")
            and low[found.end] != "-"
            and not _is_share(low, match.end(), _LENGTH_LED.search(low, max(0, found.start - 16), found.start) is None)
        ):
            return found
        if part[0] != "en" and found.amounts[0] >= part[1]:
            return found  # "dezesseis quartos" are sixteen rooms
        return found._replace(end=match.end(), amounts=(found.amounts[0] / part[1],), step=None, is_fraction=True)
    return found


def _is_share(low: str, end: int, closing: bool) -> bool:
    """ "three quarters of the seats" is a share, "three quarters later" a length of time.

    `closing`: whether it is one where it closes its clause.
    """
    if low.startswith((" of", " full", "-full", " the", "-inch"), end):
        return True
    return closing and low[end : end + 1] in ("", ".", ",", ";", ")")


def part_behind(low: str, end: int) -> int:
    """Where the "parte" ends that makes the ordinal before it a share ("la cuarta parte de"); 0 where none does."""
    match = _PARTS_BEHIND.match(low, end)
    return match.end() if match else 0


def lone_part(page: Page, start: int, end: int, word: str, floor: int) -> Numeral | None:
    """ "half of", "a third", "die Hälfte"."""
    if word in ORDINAL_PARTS:
        return _ordinal_part(page.low, start, end, floor)
    part = PARTS.get(word)
    if part is None or not (part[0] == "en" or page.speaks(part[0])):
        return None
    low = page.low
    lead = LEAD.search(low, max(floor, start - 12, 0), start)
    begin = lead.start() if lead and lead[2] not in ("the", "la", "le", "el", "il", "o", "die", "das") else start
    if part[0] == "en":
        if word == "half":
            if not _half_is_number(low, start, end):
                return None
        elif not (
            lead
            and lead[2] in ("a", "an", "one")
            and (low.startswith((" of ", " off", " full", " empty"), end) or _compared(low, begin, end))
        ):
            return None
    elif part[1] != 2 and not (lead and (begin < start or _OF_THE.match(low, end))):
        return None
    ahead = _OF_A_SCALE.match(low, end)
    scale = (
        next((e for e in WORDS.get(ahead[1], ()) if e.role in ("scale", "hundred", "dozen")), None) if ahead else None
    )
    if ahead and scale:
        return Numeral(begin, ahead.end(), (Fraction(scale.amount, part[1]),), Fraction(scale.amount, part[1]))
    inner = _HALF_LEAD.search(low, max(floor, start - 12), begin)
    return None if inner else Numeral(begin, end, (Fraction(1, part[1]),), None, is_fraction=True)


def _ordinal_part(low: str, start: int, end: int, floor: int) -> Numeral | None:
    """ "un terzo dei soci", "um quarto dos votos", "треть жителей"; "un quarto gol" is a fourth one."""
    begin = start
    named = part_behind(low, end)
    if named:
        return Numeral(start, named, (Fraction(1, ORDINAL_PARTS[low[start:end]]),), None, is_fraction=True)
    if low[start] in "тч":
        if not _COUNTED.match(low, end) or low[max(0, start - 2) : start - 1].isdecimal():
            return None
    else:
        lead = _UN.search(low, max(floor, start - 4, 0), start)
        if lead is None or not _OF_THE.match(low, end):
            return None
        begin = lead.start()
    return Numeral(begin, end, (Fraction(1, ORDINAL_PARTS[low[start:end]]),), None, is_fraction=True)


def _compared(low: str, begin: int, end: int) -> bool:
    """ "more than a third", "fell by a quarter": the part closes its clause."""
    closes = low[end : end + 1] in ("", ".", ",", ";", ")")
    return closes and low[max(0, begin - 8) : begin].endswith(
        ("than ", "by ", "about ", "nearly ", "almost ", "only ", "over ")
    )


def _half_is_number(low: str, start: int, end: int) -> bool:
    if low[start - 5 : start] in ("first", "econd") or low[start - 6 : start - 1] in (
        "first",
        "econd",
        "other",
        "atter",
    ):
        return False
    return not low.startswith(("-hearted", "-time", "-baked", "-life", "-brother", "-sister", "time"), end)
