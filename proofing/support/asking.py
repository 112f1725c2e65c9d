"""What calculation the words of an answer ask for: "together" a sum, "rose by" a difference, "on average" a mean."""

from __future__ import annotations

from fractions import Fraction

from proofing.support.places import Place
from proofing.support.statements import family_of
from proofing.support.words import word_set

SUM, DIFFERENCE, MEAN, PRODUCT = "sum", "difference", "mean", "product"
SHARE, CHANGE, RATIO, SPAN, PERIOD = "share", "percent change", "ratio", "time between", "period"
#: Stems and irregular forms of verbs of change; a sentence of another language keeps its own forms as they stand.
RISING = word_set(
    "rise rose risen increase increased grow grew grown climb climbed gain gained jump jumped up expand expanded surge "
    "surged rais raise raised lift lifted boost boosted hike hiked add added improve improved soar soared advance "
    "advanced higher stieg gestiegen aumentó subió augmenté"
)
FALLING = word_set(
    "fall fell fallen drop dropped decreas decrease decreased declin decline declined shrink shrank down lose lost "
    "reduc reduce reduced cut lowered trimmed slashed slip slipped dip dipped slump slumped sink sank lower dipped "
    "fiel gesunken bajó cayó descendió baissé diminué"
)
CUES: dict[str, frozenset[str]] = {
    SUM: word_set("together total combin combine altogether sum overall jointly joint zusammen insgesamt ensemble "
                   "junto juntos totale insieme total somma soma suma"),
    DIFFERENCE: word_set("differenc difference gap differ"),
    MEAN: word_set("average mean averag durchschnitt moyenne promedio media média"),
    RATIO: frozenset({"fold"}),
}  # fmt: skip
#: Words right behind a value that make it the difference of two things, where "than" follows.
COMPARING = word_set(
    "more fewer less higher lower cheaper dearer costlier longer shorter older younger taller faster slower heavier "
    "lighter larger smaller bigger later earlier wider deeper further farther closer hotter colder warmer cooler "
    "mehr weniger teurer billiger günstiger länger kürzer älter jünger schneller schwerer leichter größer kleiner "
    "plus moins más menos mais"
)
THAN = word_set("than als que")
#: Words for what lies in the middle: only they, or "about", make a figure the mean of two others.
MIDDLING = word_set("typical typic usual usually normal normally mid middle halfway middling gewöhnlich üblich")
#: Words that offer a price for another period as the same price.
EQUIVALENT = (
    "works out", "work out", "equivalent", "equals", "equal to", "that is", "i.e.", "comes to", "amounts to",
    "amounting", "averages", "averaging", "effectively", "comes out", "which is", "or about", "or roughly", "or just",
    "breaks down",
    "per month when", "if paid", "when paid", "when billed", "billed at",
)  # fmt: skip
#: One period in parts of another: 1 year is 12 months.
PERIODS: dict[tuple[str, str], Fraction] = {
    ("year", "month"): Fraction(12), ("year", "quarter"): Fraction(4), ("quarter", "month"): Fraction(3),
    ("year", "week"): Fraction(52), ("week", "day"): Fraction(7), ("year", "day"): Fraction(365),
    ("day", "hour"): Fraction(24), ("hour", "minute"): Fraction(60), ("month", "week"): Fraction(4),
    ("month", "day"): Fraction(30), ("minute", "second"): Fraction(60),
}  # fmt: skip
#: Verbs that multiply; the values are exact.
MULTIPLES: dict[str, Fraction] = {
    "doubled": Fraction(2), "tripled": Fraction(3), "trebled": Fraction(3), "quadrupled": Fraction(4),
    "quintupled": Fraction(5), "halved": Fraction(1, 2), "doubling": Fraction(2), "tripling": Fraction(3),
    "halving": Fraction(1, 2), "verdoppelt": Fraction(2), "verdreifacht": Fraction(3), "halbiert": Fraction(1, 2),
    "duplicó": Fraction(2), "triplicó": Fraction(3), "doublé": Fraction(2), "triplé": Fraction(3),
    "verdoppelte": Fraction(2), "verdreifachte": Fraction(3), "halbierte": Fraction(1, 2), "vervierfachte": Fraction(4),
    "duplicaron": Fraction(2), "triplicaron": Fraction(3), "dobló": Fraction(2), "удвоился": Fraction(2),
    "raddoppiato": Fraction(2), "triplicato": Fraction(3), "dobrou": Fraction(2), "triplicou": Fraction(3),
}  # fmt: skip


def asked_operation(ours: Place) -> str | None:
    """The operation that the words around a value of the answer ask for; None when they ask for none.

    "together" asks for a sum, "rose by" for a difference (for a percentage: a percent change), "on average"
    for a mean; "25% of" asks for a share.
    """
    view, value = ours.view, ours.value
    zone = list(view.tokens_between(*ours.zone))
    stems = {view.stems[i] for i in zone} | {view.folds[i] for i in zone}
    before = [view.folds[i] for i in zone if view.tokens[i].end <= value.start][-4:]
    after = [view.folds[i] for i in zone if view.tokens[i].start >= value.end][:3]
    family = family_of(value)
    moves = bool(stems & (RISING | FALLING))
    if value.dimension == "points":
        return DIFFERENCE
    if family == "percent":
        if moves and ("by" in before or "of" in before or after[:1] != ["of"]):
            return CHANGE
        return SHARE if "of" in after[:1] else None
    if moves and before[-1:] in (["by"], ["um"], ["de"], ["di"]):
        return DIFFERENCE
    if stems & CUES[DIFFERENCE] or (after and after[0] in COMPARING and stems & THAN):
        return DIFFERENCE
    if stems & CUES[MEAN]:
        return MEAN
    if stems & CUES[SUM] or ("in" in before and "all" in stems):
        return SUM
    if "times" in after[:1]:
        return RATIO
    return None


def period_factor(ours: str, theirs: str) -> tuple[Fraction, str] | None:
    """What turns a price per `theirs` into a price per `ours`: ``("month", "year")`` gives 1/12 and ``"/ 12"``."""
    known = PERIODS.get((theirs, ours))
    if known is not None:
        return 1 / known, f"/ {known}"
    known = PERIODS.get((ours, theirs))
    return None if known is None else (known, f"× {known}")


def offered_as_equivalent(ours: Place) -> bool:
    """Whether the answer offers a price as another price restated ("which works out at"), and not as a price."""
    sentence = ours.view.sentences[ours.sentence].text.casefold() if ours.sentence >= 0 else ours.view.text.casefold()
    return any(phrase in sentence for phrase in EQUIVALENT)
