"""Arithmetic that the answer states itself, of bare figures: "91 is the product of 7 and 13", "12 + 30 = 42".

Where it holds and the sources have one of the figures, the others follow from it; where it does not hold, the result is
wrong whatever the sources say. Figures with a unit or of something counted are left to the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from proofing.report import Receipt
from proofing.support.backing import FOLLOWS, STATED, backed, judgement_on
from proofing.support.base import Judgement
from proofing.support.figures import written_like
from proofing.support.ledger import Ledger
from proofing.support.places import Place

_SUM = "sum|summe|somme|suma|somma|soma|сумм[аыуой]+"
_PRODUCT = "product|produkt|produit|producto|prodotto|produto|произведени[ея]м?"
_DIFFERENCE = "difference|differenz|différence|diferencia|differenza|diferença|разност[ьи]ю?"
_QUOTIENT = "quotient|cociente|quoziente|quociente|частное"
#: What is said between the two operands and the result; figures stand as "#".
_OF = r"(?:of|between|von|aus|zwischen|de|des|entre|di|da|tra|do|dos|между)?"
_AND = r"(?:and|und|et|y|e|и)"
_IS = (
    r"(?:is|are|was|equals|makes|gives|ist|beträgt|ergibt|gleich|est|égale?|fait|vaut|es|son|è|fa|é|são|равн[аоы]"
    r"|равняется|составляет|=)"
)
_THE = r"(?:the|die|das|der|la|le|el|il|lo|a|o)?"
_NAMED = (
    rf"{_THE}\s?(?:(?P<sum>{_SUM})|(?P<product>{_PRODUCT})|(?P<difference>{_DIFFERENCE})|(?P<quotient>{_QUOTIENT}))"
)
_FORMS = (
    re.compile(rf"#r {_IS},? {_NAMED} {_OF}\s?#a {_AND} #b", re.IGNORECASE),
    re.compile(rf"{_NAMED} {_OF}\s?#a {_AND} #b,? {_IS} #r", re.IGNORECASE),
    re.compile(
        rf"#a\s?(?:(?P<product>times|multiplied by|[x×*·]|mal|fois|por|per|vezes|на)|(?P<sum>plus|\+|più|más|mais|плюс)"
        rf"|(?P<difference>minus|[-−–]|moins|menos|meno|минус)|(?P<quotient>divided by|[÷/:]|durch|divisé par)) ?#b"
        rf" {_IS} #r",
        re.IGNORECASE,
    ),
    re.compile(
        rf"#r {_IS} #a\s?(?:(?P<product>times|multiplied by|[x×*·]|mal|fois|vezes)|(?P<sum>plus|\+|più|más|mais|плюс)"
        rf"|(?P<difference>minus|−|moins|menos|meno|минус)) ?#b(?! [-+x×*−])",
        re.IGNORECASE,
    ),
)
#: One of these stands in every calculation that is told.
_TRIGGER = re.compile(
    rf"\b(?:{_SUM}|{_PRODUCT}|{_DIFFERENCE}|{_QUOTIENT}|times|multiplied|plus|minus|divided|mal|fois|vezes|por|per|più|más"
    r"|mais|moins|menos|meno|durch|divisé|плюс|минус|на)\b|[=×÷]",
    re.IGNORECASE,
)
#: Two operands and a result lie within so many code points.
REACH = 120


class Told(NamedTuple):
    """One calculation of the answer: its figures, its sign, and what it really gives."""

    one: Place
    other: Place
    result: Place
    sign: str
    right: Fraction


def judge_told_sums(places: Sequence[Place], ledger: Ledger) -> list[Judgement]:
    """Judgements on the figures of calculations that the answer states; nothing where the sources have none of them.

    Args:
        places: the values of the answer, in text order.
        ledger: the values of the sources.
    """
    found: list[Judgement] = []
    if not places or _TRIGGER.search(places[0].view.text) is None:
        return found
    for told in _told(places):
        figures = (told.one, told.other, told.result)
        held = {id(place): ledger.equal(place.value) for place in figures}
        formula = f"{told.one.value.text} {told.sign} {told.other.value.text} = {told.result.value.text}"
        if told.right != told.result.number:
            if not held[id(told.result)] or held[id(told.one)] or held[id(told.other)]:
                found.append(_miscalculated(told))  # else the figures that no source has are the wrong ones
        elif any(held.values()):
            for place in figures:
                entries = held[id(place)]
                found.append(
                    backed(place, STATED, entries[0].place) if entries
                    else judgement_on(place, FOLLOWS, note="follows from the others", formula=formula)
                )  # fmt: skip
    return sorted({(j.start, j.end): j for j in found}.values(), key=lambda j: j.start)


def _told(places: Sequence[Place]) -> Iterator[Told]:
    bare = [place for place in places if _is_bare(place)]
    for first, second, third in zip(bare, bare[1:], bare[2:], strict=False):
        if third.value.end - first.value.start > REACH or first.sentence != third.sentence:
            continue
        for form, order in zip(_FORMS, ("rab", "abr", "abr", "rab"), strict=True):
            figures = dict(zip(order, (first, second, third), strict=True))
            found = form.search(_with_letters(figures))
            operation = next((name for name, word in found.groupdict().items() if word), "") if found else ""
            right = _worked_out(operation, figures["a"].number, figures["b"].number)
            if right is not None:
                sign = {"sum": "+", "product": "×", "difference": "−", "quotient": "÷"}[operation]
                yield Told(figures["a"], figures["b"], figures["r"], sign, right)
                break


def _is_bare(place: Place) -> bool:
    """Whether a value is a figure without a unit that counts nothing."""
    return place.value.kind == "number" and place.value.dimension in ("count", "times") and place.number is not None


def _with_letters(figures: dict[str, Place]) -> str:
    """The text around three figures, with a mark for each."""
    ordered = sorted(figures.items(), key=lambda item: item[1].value.start)
    text, at = ordered[0][1].view.text, max(0, ordered[0][1].value.start - REACH // 2)
    said = ""
    for letter, place in ordered:
        times = place.value.dimension == "times"
        end = place.value.digits_span.end if times else place.value.end
        said += text[at : place.value.start] + f"#{letter}"
        at = end
    return said + text[at : at + 4]


def _worked_out(operation: str, one: Fraction | None, other: Fraction | None) -> Fraction | None:
    if one is None or other is None or not operation or (operation == "quotient" and not other):
        return None
    results = {"sum": one + other, "product": one * other, "difference": one - other}
    return one / other if operation == "quotient" else results[operation]


def _miscalculated(told: Told) -> Judgement:
    value = told.result.value
    right = written_like(value, told.right)
    formula = f"{told.one.value.text} {told.sign} {told.other.value.text} = {right or told.right}"
    note = f"calculated, this is {formula}"
    receipt = Receipt(None, note=note, formula=formula)
    return Judgement(
        value.start, value.end, value.text, value.kind, 0.0, "derived_wrong", receipt, (right,) if right else (),
        "arithmetic", note, formula, channel="values",
    )  # fmt: skip
