"""Units and nouns that a list says once: "adults pay 14 euros, students 9", "hall A holds 40 people, hall B 25".

The later figure stands bare at the end of its part, right behind what it is said of; it means what the one before it
means. It keeps its plain reading too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from proofing.support.figures import unit_scale
from proofing.support.reading import TextView
from proofing.values import Reading, Value

#: Kinds with a unit that a later figure may leave out.
LENT = frozenset({"money", "percent", "quantity", "duration"})
#: Words right before a number that number things and count none; "seats" and "numbers" are verbs ("it seats 300").
_NUMBERING = re.compile(
    r"\b(?:lots?|rules?|rooms?|pages?|bus|buses|routes?|lines?|platforms?|gates?|tracks?|chapters?|sections?|articles?|figures?|tables?|"
    r"items?|units?|steps?|versions?|buildings?|doors?|seat|rows?|bays?|wards?|paragraphs?|clauses?|no\.|number|zimmer|gleis|saal|"
    r"halle|seite|salle|page|chambre|sala|habitación|camera|quarto|página|pagina|комната|зал|страница)\s\Z",
    re.IGNORECASE,
)
#: What parts the items of such a list, and what may stand behind the figure of one.
_PARTED = re.compile(r"[,;]|\b(?:and|und|et|y|e|и|while|during|mais|pero|aber|ma|mas|а)\b")
_ENDS = re.compile(r"[ \u00a0]?(?:[.,;)](?!\d)|\n|\Z|[ \u00a0](?:and|und|et|y|e|и)\b)")
#: So far apart may the figures of one list be (code points).
REACH = 80


def numbers_a_thing(view: TextView, value: Value) -> bool:
    """Whether a word that numbers things stands right before a value ("lot 17", "rule 4.2")."""
    known: bool | None = view.memo.get(("numbered", value.start))
    if known is None:
        found = _NUMBERING.search(view.text, max(0, value.start - 14), value.start)
        known = view.memo["numbered", value.start] = found is not None
    return known


def with_carried_units(view: TextView, values: Sequence[Value]) -> list[Value]:
    """The values of one sentence, where figures of a list have the unit of the one before them."""
    found: list[Value] = []
    lender: Value | None = None
    for value in values:
        if value.kind in LENT and isinstance(value.amount, Fraction) and not value.implicit:
            lender = value
        elif lender is not None and _goes_on(view, lender, value):
            value = lender = _lent(lender, value)
        elif value.kind == "number":
            lender = None
        found.append(value)
    return found


def carried_nouns(view: TextView, values: Sequence[Value]) -> dict[int, str]:
    """What the bare counts of a list count, by where they begin: people, in "hall A holds 40 people, hall B 25"."""
    found: dict[int, str] = {}
    lender: Value | None = None
    noun = ""
    for value in values:
        if value.kind == "number" and value.noun and value.dimension == "count" and not value.implicit:
            lender, noun = value, value.noun
        elif lender is not None and _goes_on(view, lender, value):
            found[value.start], lender = noun, value
        elif value.kind in ("number", *LENT):
            lender = None
    return found


def _goes_on(view: TextView, before: Value, value: Value) -> bool:
    if value.kind != "number" or value.dimension != "count" or value.noun or value.period or value.ends:
        return False
    if (
        not value.text[0].isdigit()
        or not 0 < value.start - before.end <= REACH
        or not _ENDS.match(view.text, value.end)
    ):
        return False
    if not _PARTED.search(view.text, before.end, value.start) or numbers_a_thing(view, value):
        return False
    at = view.token_index_at(value.start) - 1
    last = view.tokens[at] if at >= 0 else None
    return (
        last is not None and last.kind == "word" and (view.content[at] or (last.text.isupper() and len(last.text) == 1))
    )


def _lent(lender: Value, value: Value) -> Value:
    scale = unit_scale(lender) if lender.kind in ("quantity", "duration") else Fraction(1)
    own = value.readings[0]
    if not isinstance(own.amount, Fraction):
        return value
    step = own.written_step * scale if own.written_step is not None else None
    lent = tuple(Reading(r.dimension, own.amount * scale, r.unit, step) for r in lender.readings if r.unit)
    return value._replace(kind=lender.kind, readings=(*lent, *value.readings)) if lent else value
