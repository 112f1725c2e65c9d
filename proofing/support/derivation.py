"""Values that no source states but that follow from values it states, with the arithmetic shown.

Sums, differences, means, products, shares, percent change, ratios, multiples ("tripled"), durations between
dates and prices for another period. Each is exact; a result may be rounded only to the precision that the
answer writes.

With enough operands almost any figure can be derived. So each derivation carries its chance: the share
of all figures of that size and precision that the same operations on the same operands would also have reached
(`chance_of`). A derivation with a chance over `COINCIDENCE` is no support.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations

from proofing.support.backing import around, is_aged
from proofing.support.binding import kinship
from proofing.support.figures import months_between, plain, seconds_between
from proofing.support.places import Place, family_of
from proofing.support.subjects import one_of_two
from proofing.support.words import word_set
from proofing.values import Reading, Value
from proofing.values import same as same_value

#: Largest share of random figures that may also be derivable; above it a derivation says nothing.
COINCIDENCE = Fraction(1, 10)
#: Operands looked at for one value: the best bound ones, so that cost does not grow with the sources.
OPERANDS = 10
#: How many operands a sum of all or a mean of all may have.
GROUP = 8

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


@dataclass(frozen=True, slots=True)
class _Step:
    operation: str
    result: Fraction
    operands: tuple[Place, ...]
    sign: str = ""


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


def derive(ours: Place, places: Sequence[Place], asked: str | None) -> Derivation | None:
    """The best accepted derivation of a value of the answer from values of the sources, or None.

    Args:
        ours: the place of the value in the answer.
        places: every value of the sources with its place.
        asked: the operation the answer's words ask for, from `asked_operation`.
    """
    target = _amount(ours.value)
    if target is None:
        return None
    if ours.value.dimension == "ratio":
        target *= 100  # shares are worked out in percent
    steps = list(_steps(ours, places, asked))
    hits = [step for step in steps if _fits(ours.value, target, step.result)]
    if asked is None:
        hits = [step for step in hits if not (_one_is_meant(ours, step.operands) or _mixes_things(ours, step))]
    if not hits:
        return None
    chance = chance_of(target, ours.value, (step.result for step in steps))
    if chance > COINCIDENCE:
        return None
    best = min(hits, key=lambda step: (len(step.operands), -sum(kinship(ours, p) for p in step.operands)))
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
    steps = _percent_steps(ours, operands, asked) if asked == CHANGE else _same_family_steps(ours, operands, asked)
    results = [s for s in steps if len(s.operands) == len(operands)]
    results = [s for s in results if s.operation == asked]
    if not results:
        return None
    step = results[0]
    return Derivation(asked, _formula(step, ours.value), step.operands, step.result)


def operands_for(ours: Place, places: Sequence[Place]) -> list[Place]:
    """Source values that a calculation for this place may use: same dimension, best bound first kept, in text order."""
    value = ours.value
    wanted = value.readings[0].dimension if value.readings else ""
    if wanted == "points":
        same = [p for p in places if p.value.readings and p.value.readings[0].dimension in ("percent", "range:percent")]
    elif wanted in ("percent", "ratio") or not value.readings:
        same = [p for p in places if p.value.readings and family_of(p.value) in ("count", "money")]
    else:
        same = [p for p in places if p.value.readings and _measures(p, wanted)]
    same = [end for p in same for end in _moved_between(p)]
    same = [p for p in same if _amount(p.value) is not None and not p.value.ends and not p.value.implicit]
    same = _in_the_row_spoken_of(ours, same)
    if len(same) > 2:
        ranked = sorted(same, key=lambda p: -_closeness(ours, p))
        top = _closeness(ours, ranked[0])
        if top > 0:
            ranked = [p for p in ranked if _closeness(ours, p) * 2 >= top]
        keep = {id(p) for p in ranked[:OPERANDS]}
        same = [p for p in same if id(p) in keep]
    return same


def _in_the_row_spoken_of(ours: Place, places: list[Place]) -> list[Place]:
    """ "834 million, 37 million more than in 2024" compares figures of the row that holds the 834 million."""
    if asked_operation(ours) not in (DIFFERENCE, CHANGE):
        return places
    said = [p for p in around(ours) if p.value is not ours.value]
    told = [p for p in places if p.structure == "cell" and any(same_value(p.value, other.value) for other in said)]
    rows = {(id(p.view), p.belongs_to.partition(" / ")[0]) for p in told}
    narrowed = [p for p in places if p.structure == "cell" and (id(p.view), p.belongs_to.partition(" / ")[0]) in rows]
    return narrowed if len(narrowed) > 1 else places


def _measures(place: Place, wanted: str) -> bool:
    """Whether a value is of a dimension; a figure of a table "in millions of euros" also counts plain millions."""
    readings = place.value.readings if place.raw is not None else place.value.readings[:1]
    return any(r.dimension.removeprefix("range:") == wanted for r in readings)


def _moved_between(place: Place) -> Iterator[Place]:
    """A place; for "rose from 41 % to 47 %", where a range tells a change, its two ends."""
    if len(place.value.ends) != 2 or not place.value.dimension.startswith("range:"):
        yield place
        return
    zone = place.view.tokens_between(*place.zone)
    if any({place.view.stems[i], place.view.folds[i]} & (RISING | FALLING) for i in zone):
        for end in place.value.ends:
            yield replace(place, value=end)


def _one_is_meant(ours: Place, operands: Sequence[Place]) -> bool:
    """Whether the answer names the thing of one operand and not of another: "children pay 11 euros" is no sum."""
    return any(one_of_two(ours, one, other) for one, other in permutations(operands, 2))


def _mixes_things(ours: Place, step: _Step) -> bool:
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


def _closeness(ours: Place, theirs: Place) -> int:
    shared = len(ours.wide & theirs.wide)
    return shared + (2 if ours.noun and ours.noun == theirs.noun else 0)


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


def _amount(value: Value) -> Fraction | None:
    amount = value.readings[0].amount if value.readings else None
    return amount if isinstance(amount, Fraction) else None


def _reading(place: Place) -> Reading:
    return place.value.readings[0]


def _of(place: Place) -> Fraction:
    return place.number or Fraction(0)


def _steps(ours: Place, places: Sequence[Place], asked: str | None) -> Iterator[_Step]:
    family = family_of(ours.value)
    if ours.value.dimension == "points":
        yield from _same_family_steps(ours, operands_for(ours, places), DIFFERENCE)
    elif family == "percent":
        yield from _percent_steps(ours, operands_for(ours, places), asked)
    elif family == "time":
        yield from _span_steps(ours, places)
        yield from _same_family_steps(ours, operands_for(ours, places), asked)
    else:
        operands = operands_for(ours, places)
        yield from _same_family_steps(ours, operands, asked)
        if asked in (None, SUM):
            yield from _product_steps(ours, places)
        if family == "count" and is_aged(ours):
            yield from _age_steps(places)
        if family == "count" and asked in (None, RATIO):
            yield from _ratio_steps(places, ours, asked)


def _same_family_steps(ours: Place, operands: Sequence[Place], asked: str | None) -> Iterator[_Step]:
    if asked in (None, SUM):
        for size in (2, 3):
            if len(operands) <= (OPERANDS if size == 2 else 6):
                for group in combinations(operands, size):
                    yield _Step(SUM, sum((_of(p) for p in group), Fraction(0)), group, "+")
        if 3 < len(operands) <= GROUP:
            yield _Step(SUM, sum((_of(p) for p in operands), Fraction(0)), tuple(operands), "+")
    if asked in (None, DIFFERENCE):
        for one, other in combinations(operands, 2):
            big, small = (one, other) if _of(one) >= _of(other) else (other, one)
            if _of(big) != _of(small):
                yield _Step(DIFFERENCE, _of(big) - _of(small), (big, small), "-")
    if asked == MEAN or (asked is None and len(operands) <= 4 and _may_be_mean(ours)):
        for size in range(2, min(len(operands), GROUP) + 1):
            if size == len(operands) or size == 2:
                for group in combinations(operands, size):
                    total = sum((_of(p) for p in group), Fraction(0))
                    yield _Step(MEAN, total / size, group, "mean")


def _may_be_mean(ours: Place) -> bool:
    """Whether a figure nobody calls an average may be one: "about 14", "the usual price is 14"."""
    if ours.value.approximate:
        return True
    zone = ours.view.tokens_between(*ours.zone)
    return any({ours.view.stems[i], ours.view.folds[i]} & MIDDLING for i in zone)


def _percent_steps(ours: Place, operands: Sequence[Place], asked: str | None) -> Iterator[_Step]:
    for part, whole in permutations(operands, 2):
        if _reading(part).dimension != _reading(whole).dimension or not _of(whole):
            continue
        if asked in (None, SHARE) and 0 < _of(part) <= _of(whole):
            yield _Step(SHARE, Fraction(100) * _of(part) / _of(whole), (part, whole), "share")
        if asked in (None, CHANGE) and _of(part) != _of(whole) and _of(whole) > 0:
            later, earlier = part, whole
            if in_time(earlier, later) == (earlier, later):
                yield _Step(CHANGE, abs(_of(later) - _of(earlier)) * 100 / _of(earlier), (later, earlier), "change")


def _product_steps(ours: Place, places: Sequence[Place]) -> Iterator[_Step]:
    wanted = ours.value.readings[0].dimension
    priced = [p for p in operands_for(ours, places) if _of(p)]
    counts = [p for p in places if family_of(p.value) == "count" and isinstance(p.value.readings[0].amount, Fraction)]
    told = _told_beside(ours) if wanted != "count" else []
    for price in priced[:6]:
        for count in counts:
            near = count.view is price.view and abs(count.sentence - price.sentence) <= 1
            if (
                near
                and count is not price
                and _of(count) > 1
                and (wanted != "count" or count.sentence == price.sentence)
            ):
                yield _Step(PRODUCT, _of(price) * _of(count), (count, price), "×")
        for count in told:
            if count.noun in price.near:
                yield _Step(PRODUCT, _of(price) * _of(count), (count, price), "×")


def _told_beside(ours: Place) -> list[Place]:
    """Counts in the answer's own sentence that a price may be multiplied by: "four tickets cost $72"."""
    return [
        place
        for place in around(ours)
        if place.value.dimension == "count" and place.noun and place.value is not ours.value and (place.number or 0) > 1
    ]


def _ratio_steps(places: Sequence[Place], ours: Place, asked: str | None) -> Iterator[_Step]:
    if asked != RATIO:
        return
    ranked = [p for p in places if _amount(p.value) and p.value.readings[0].dimension != "percent"]
    ranked = sorted(ranked, key=lambda p: -_closeness(ours, p))[:OPERANDS]
    for one, other in combinations(ranked, 2):
        if _reading(one).dimension == _reading(other).dimension and _of(one) > 0 and _of(other) > 0:
            big, small = (one, other) if _of(one) >= _of(other) else (other, one)
            yield _Step(RATIO, _of(big) / _of(small), (big, small), "/")


def _span_steps(ours: Place, places: Sequence[Place]) -> Iterator[_Step]:
    dimension = ours.value.readings[0].dimension
    dates = [p for p in places if p.value.kind == "date"]
    dates += [replace(p, value=end) for p in places if p.value.dimension == "range:date" for end in p.value.ends]
    dates = sorted(dates, key=lambda p: -_closeness(ours, p))[:OPERANDS]
    measure = months_between if dimension == "time.months" else seconds_between
    for one, other in combinations(dates, 2):
        length = measure(one.value, other.value)
        if length:
            later, earlier = (one, other) if length > 0 else (other, one)
            yield _Step(SPAN, abs(length), (later, earlier), "-")


def _age_steps(places: Sequence[Place]) -> Iterator[_Step]:
    """Years between two dates, for "at the age of 71"."""
    dates = [p for p in places if p.value.kind == "date"][:OPERANDS]
    for one, other in combinations(dates, 2):
        months = months_between(one.value, other.value)
        if months:
            later, earlier = (one, other) if months > 0 else (other, one)
            yield _Step(SPAN, Fraction(abs(months) // 12), (later, earlier), "-")


def in_time(one: Place, other: Place) -> tuple[Place, Place]:
    """Two places, earlier first: by the year named in each zone, else by the order of the text."""
    first, second = _year(one), _year(other)
    if first is not None and second is not None and first != second:
        return (one, other) if first < second else (other, one)
    if one.view is not other.view:
        return one, other
    return (one, other) if one.value.start <= other.value.start else (other, one)


def _year(place: Place) -> int | None:
    years = sorted(int(label[5:]) for label in place.labels if label.startswith("year="))
    return years[0] if len(years) == 1 else None


def _goes_other_way(ours: Place, step: _Step) -> bool:
    zone = ours.view.tokens_between(*ours.zone)
    stems = {ours.view.stems[i] for i in zone} | {ours.view.folds[i] for i in zone}
    rises, falls = bool(stems & RISING), bool(stems & FALLING)
    if rises == falls:
        return False
    earlier, later = in_time(*step.operands[:2])
    rose = _of(later) > _of(earlier)
    return rose != rises


def _fits(value: Value, target: Fraction, result: Fraction) -> bool:
    """Exact, or equal once rounded to the precision the answer writes (when the result has more digits)."""
    if abs(result) == abs(target):
        return True
    reading = value.readings[0]
    step = reading.written_step or step_of(target, value)
    if value.approximate:
        step = max(step, step_of(target, value))
        return abs(abs(result) - abs(target)) <= max(step / 2, abs(target) / 50)
    has_more_digits = (result / step).denominator != 1
    return has_more_digits and abs(abs(result) - abs(target)) * 2 <= step


def _formula(step: _Step, value: Value) -> str:
    texts = [" ".join(p.value.text.split()) for p in step.operands]
    shown = plain(step.result, value)
    if step.sign == "mean":
        return f"({' + '.join(texts)}) / {len(texts)} = {shown}"
    if step.sign == "share":
        return f"{texts[0]} / {texts[1]} = {shown}"
    if step.sign == "change":
        return f"({texts[0]} - {texts[1]}) / {texts[1]} = {shown}"
    return f" {step.sign} ".join(texts) + f" = {shown}"


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
