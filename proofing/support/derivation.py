"""Values that no source states but that follow from values it states, with the arithmetic shown.

Sums, differences, means, products, shares, percent change, ratios, multiples ("tripled"), durations between
dates and prices for another period. Each is exact; a result may be rounded only to the precision that the
answer writes.

With enough operands almost any figure can be derived. So each derivation carries its chance: the share
of all figures of that size and precision that the same operations on the same operands would also have reached
(`chance_of`). A derivation with a chance over `COINCIDENCE` is no support.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from proofing.support.asking import CHANGE, DIFFERENCE, FALLING, MEAN, RATIO, RISING, SHARE, SUM
from proofing.support.carried import numbers_a_thing
from proofing.support.figures import plain
from proofing.support.kinship import kinships
from proofing.support.operands import amount_of, operands_for
from proofing.support.places import Place
from proofing.support.statements import family_of
from proofing.support.steps import Step, in_time, number_of, percent_steps, same_family_steps, steps_for, whole
from proofing.support.subjects import one_of_two
from proofing.values import Value

#: Largest share of random figures that may also be derivable; above it a derivation says nothing.
COINCIDENCE = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Derivation:
    """One way to reach a figure from values of the sources.

    Attributes:
        operation: what was done, for people.
        formula: the arithmetic in the sources' own words, ``"155 - 140 = 15"``.
        operands: where the operands stand.
        result: exact, in the answer value's canonical unit.
        chance: share of figures of that size and precision that would be derivable as well, 0-1.
        wrong_way: the amount is right but it fell where the answer says it rose, or the reverse.
    """

    operation: str
    formula: str
    operands: tuple[Place, ...]
    result: Fraction
    chance: Fraction = Fraction(0)
    wrong_way: bool = False


def derive(ours: Place, places: Sequence[Place], asked: str | None) -> Derivation | None:
    """The best accepted derivation of a value of the answer from values of the sources, or None.

    Args:
        ours: the place of the value in the answer.
        places: every value of the sources with its place.
        asked: the operation the answer's words ask for, from `asked_operation`.
    """
    target = amount_of(ours.value)
    if target is None or (
        family_of(ours.value) == "count" and not ours.noun and numbers_a_thing(ours.view, ours.value)
    ):
        return None
    if ours.value.dimension == "ratio":
        target *= 100  # shares are worked out in percent
    steps = list(steps_for(ours, places, asked))
    hits = _fitting(ours.value, target, steps)
    if asked is None:
        hits = [step for step in hits if not (_one_is_meant(ours, step.operands) or _mixes_things(ours, step))]
    if not hits:
        return None
    chance = chance_of(target, ours.value, (step.result for step in steps))
    if chance > COINCIDENCE:
        return None
    best = min(hits, key=lambda step: (len(step.operands), -sum(kinships(ours, step.operands))))
    wrong_way = best.operation in (DIFFERENCE, CHANGE) and _goes_other_way(ours, best)
    return Derivation(best.operation, _formula(best, ours.value), best.operands, best.result, chance, wrong_way)


def expected(ours: Place, places: Sequence[Place], asked: str | None) -> Derivation | None:
    """What the asked operation gives where the sources leave one choice of operands; None where they leave several."""
    if asked is None or asked in (SHARE, RATIO):
        return None
    operands = operands_for(ours, places)
    if any(not _may_be_meant(ours, operand) for operand in operands):
        return None
    if asked in (DIFFERENCE, CHANGE) and len(operands) != 2:
        return None
    if asked in (SUM, MEAN) and not 2 <= len(operands) <= 4:
        return None
    steps = percent_steps(ours, operands, asked) if asked == CHANGE else same_family_steps(ours, operands, asked)
    results = [s for s in steps if len(s.operands) == len(operands)]
    results = [s for s in results if s.operation == asked]
    if not results:
        return None
    step = results[0]
    return Derivation(asked, _formula(step, ours.value), step.operands, step.result)


def _one_is_meant(ours: Place, operands: Sequence[Place]) -> bool:
    """Whether the answer names the thing of one operand and not of another: "children pay 11 euros" is no sum."""
    return any(one_of_two(ours, one, other) for one, other in permutations(operands, 2))


def _mixes_things(ours: Place, step: Step) -> bool:
    """ "18 motors - 2 cameras" makes no 16 motors; "12 men + 15 women" may make 27 people."""
    nouns = {place.noun for place in step.operands if place.noun}
    return step.operation in (SUM, DIFFERENCE, MEAN) and bool(ours.noun) and ours.noun in nouns and len(nouns) > 1


def _may_be_meant(ours: Place, operand: Place) -> bool:
    """Whether a source value is so clearly of the answer's thing that its sum or difference can be held against it."""
    if operand.structure == "field":
        return False
    if ours.noun and operand.noun and family_of(ours.value) == "count":
        return ours.noun == operand.noun
    return True


def chance_of(target: Fraction, value: Value, results: Iterable[Fraction]) -> Fraction:
    """Share of all figures as large and as precise as `target` that stand among `results`.

    Figures are counted in steps of the last digit that the answer writes, trailing zeros left out, up to the next
    power of ten: for 16,500 these are the 1,000 hundreds below 100,000, for 15 the 100 numbers below 100, for
    "6 years" the ten numbers below ten.
    """
    step = step_of(target, value)
    size = abs(target) / step
    top = 10
    while top <= size:
        top *= 10
    reached = {round(abs(result) / step) for result in results}
    return min(Fraction(sum(1 for figure in reached if top <= 10 * figure < 10 * top), top), Fraction(1))


def step_of(target: Fraction, value: Value) -> Fraction:
    """The precision a figure is written with: its last non-zero digit, in the value's base unit."""
    step = (value.readings[0].written_step if value.readings else None) or Fraction(1)
    digits = target / step
    if digits.denominator != 1:
        step = Fraction(1, digits.denominator) * step
        digits = target / step
    while digits and digits % 10 == 0:
        digits /= 10
        step *= 10
    return step


def _goes_other_way(ours: Place, step: Step) -> bool:
    zone = ours.view.tokens_between(*ours.zone)
    stems = {ours.view.stems[i] for i in zone} | {ours.view.folds[i] for i in zone}
    rises, falls = bool(stems & RISING), bool(stems & FALLING)
    if rises == falls:
        return False
    earlier, later = in_time(*step.operands[:2])
    rose = number_of(later) > number_of(earlier)
    return rose != rises


def _fitting(value: Value, target: Fraction, steps: Iterable[Step]) -> list[Step]:
    """Steps whose result is exact, or equal once rounded to the precision the answer writes.

    A result is rounded only where it has more digits than the answer writes. "About" allows half the place of the last
    digit but zeros, or two percent.
    """
    size = whole(abs(target))
    step = value.readings[0].written_step or step_of(target, value)
    if value.dimension == "ratio" and value.readings[0].written_step is None:  # "a third": to within a point
        return [
            one
            for one in steps
            if abs(Fraction(one.over, one.under)) - 1 < size < abs(Fraction(one.over, one.under)) + 1
        ]
    reach = whole(max(step, step_of(target, value), abs(target) / 25)) if value.approximate else whole(step)
    found = []  # `reach` is twice the distance that rounding allows
    for one in steps:
        off = (one.over if one.over >= 0 else -one.over) - size * one.under
        if not off or (
            -reach * one.under <= 2 * off <= reach * one.under
            and (value.approximate or (Fraction(one.over, one.under) / step).denominator != 1)
        ):
            found.append(one)
    return found


def _formula(step: Step, value: Value) -> str:
    texts = [" ".join(p.value.text.split()) for p in step.operands]
    shown = plain(step.result, value)
    if step.sign == "mean":
        return f"({' + '.join(texts)}) / {len(texts)} = {shown}"
    if step.sign == "share":
        return f"{texts[0]} / {texts[1]} = {shown}"
    if step.sign == "change":
        return f"({texts[0]} - {texts[1]}) / {texts[1]} = {shown}"
    return f" {step.sign} ".join(texts) + f" = {shown}"
