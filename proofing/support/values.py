"""The value channel: every value of the answer is backed by the sources or it is not; similarity has no vote.

For each value the questions are asked in this order, and the first that answers decides:

1. Does a source state it (equal, whatever the notation)? Then: for the same period and qualifier, and for the
   thing the answer speaks of (`proofing.support.binding`)?
2. Is it an end of a stated range, part of a stated date, or near enough to a stated value to be called "about"?
3. Is it a price for another period, or does it follow from stated values (`proofing.support.derivation`)?
4. Else it is not backed, and the nearest source value of its kind is the receipt.

A value that stands in the question only is not backed: the question is what the reader asked, not evidence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

from proofing.support import wrong
from proofing.support.ages import by_person
from proofing.support.asking import asked_operation, offered_as_equivalent, period_factor
from proofing.support.backing import ASKED, COUNTED, FOLLOWS, STATED, backed, judgement_on
from proofing.support.base import Judgement
from proofing.support.beside import around
from proofing.support.binding import rival_of
from proofing.support.bounds import judge_bounds
from proofing.support.cycles import judge_cycles
from proofing.support.derivation import derive
from proofing.support.directions import judge_directions
from proofing.support.figures import plain
from proofing.support.hours import judge_hours
from proofing.support.house_numbers import by_house_number
from proofing.support.kinship import closest_of
from proofing.support.ledger import Entry, Ledger
from proofing.support.multiples import judge_multiples
from proofing.support.notations import by_code, by_spelling, is_other_release, is_unscaled
from proofing.support.outdated import judge_outdated
from proofing.support.places import Place, evidence_at, places_asked_about
from proofing.support.reading import Proof
from proofing.support.rivals import rivals_of
from proofing.support.small import counted_in, refers
from proofing.support.stated import by_model, by_words
from proofing.support.subjects import end_named
from proofing.support.told import by_magnitude, judge_former, judge_told
from proofing.support.ways import WAYS
from proofing.values import Value, same

#: What stands between a sum and the same sum for another period, behind the first one's period.
_OR = re.compile(
    r"(?:,|\(|—|–)\s?(?:or|i\.e\.|that is|which is|so|oder|also|soit|ou|o|ossia|cioè|ou seja|то есть|или)\s$"
)


class ValueChannel:
    """Judges every typed value of the answer by arithmetic.

    One judgement for each value that `find_values` sees, and one for each multiplying verb ("tripled") and
    each billing cycle ("billed monthly") of the answer.
    """

    name = "values"

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """Judgements in text order; see `Judgement` for their fields. `earlier` is not read."""
        ledger = Ledger.of(proof)
        places = places_asked_about(proof.answer, proof.question)
        found = judge_cycles(proof, ledger)
        found += _beside(judge_hours(proof), found)
        found += _beside(judge_told(places, ledger, proof), found)
        found += [judge_value(place, ledger, proof) for place in _untouched(places, found)]
        found += judge_multiples(proof, ledger)
        right = _untouched(places, [judgement for judgement in found if judgement.reason])
        found += _beside(judge_bounds(right, ledger), found)
        found += _beside(judge_directions(right, ledger), found)
        return sorted(found, key=lambda judgement: (judgement.start, judgement.end))


def _beside(later: Sequence[Judgement], earlier: Sequence[Judgement]) -> list[Judgement]:
    """Those of `later` that touch none of `earlier`."""
    taken = sorted((judgement.start, judgement.end) for judgement in earlier)
    return [judgement for judgement in later if not _touches(judgement.start, judgement.end, taken)]


def _untouched(places: Sequence[Place], found: Sequence[Judgement]) -> list[Place]:
    taken = sorted((judgement.start, judgement.end) for judgement in found)
    return [place for place in places if not _touches(place.value.start, place.value.end, taken)]


def _touches(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether ``[start, end)`` overlaps one of some spans that are sorted and apart."""
    at = bisect_left(taken, (start, end))
    return (at < len(taken) and taken[at][0] < end) or (at > 0 and taken[at - 1][1] > start)


def judge_value(ours: Place, ledger: Ledger, proof: Proof) -> Judgement:
    """What the sources say about one value of the answer."""
    number, entries = ours.number, ledger.equal(ours.value)
    if number is not None:
        entries = [entry for entry in entries if not is_unscaled(ours, entry, number)]
    if entries and all(is_other_release(ours, entry) for entry in entries):
        return wrong.judge_other(ours, entries[0].place)
    if ours.value.implicit and not entries and _one_of_many(ours, ledger):
        return wrong.judge_wrong(ours, ledger)
    if ours.value.implicit:
        return backed(ours, STATED if entries else COUNTED, entries[0].place if entries else None)
    reference = refers(ours, proof)
    if reference:
        return judgement_on(ours, COUNTED, note=reference)
    model = by_house_number(ours, ledger, proof) or by_model(ours, proof)
    if model is not None:
        return model
    return (
        by_person(ours, proof)
        or _stated(ours, entries, ledger)
        or _otherwise_backed(ours, ledger, proof)
        or _other_period(ours, ledger)
        or _derived(ours, ledger)
        or _counted(ours, ledger, proof)
        or _only_asked(ours, ledger, proof)
        or judge_former(ours, ledger)
        or wrong.judge_wrong(ours, ledger)
    )


def _one_of_many(ours: Place, ledger: Ledger) -> bool:
    """ "There is one exit" where the sources count four exits of the same, and nothing else of that name; "one week"
    where they say two weeks."""
    value = ours.value
    if value.kind == "duration":
        if not value.text.casefold().startswith("one") or _opens_its_sentence(ours):
            return False
        alike = [p for p in ledger.candidates(ours) if p.value.kind == "duration"]
        counted = [p for p in alike if p.value.reading.unit == value.reading.unit]
    else:
        owned = ours.view.text[max(0, value.start - 4) : value.start].casefold() in ("its ", "his ", "her ")
        if not ours.noun or not (value.text.casefold() == "one" or owned):
            return False
        counted = [p for p in ledger.candidates(ours) if p.noun == ours.noun and p.value.kind == value.kind]
    return bool(counted) and all(
        not p.value.implicit and p.number != ours.number and len(p.wide & ours.wide) >= min(2, len(ours.wide))
        for p in counted
    )


def _opens_its_sentence(ours: Place) -> bool:
    """ "One day she left": no length of time is meant."""
    sentence = ours.view.sentences[ours.sentence] if ours.sentence >= 0 else None
    return sentence is not None and not any(c.isalnum() for c in ours.view.text[sentence.start : ours.value.start])


def _otherwise_backed(ours: Place, ledger: Ledger, proof: Proof) -> Judgement | None:
    found = by_words(ours, proof) or by_spelling(ours, proof) or by_code(ours, proof) or by_magnitude(ours, proof)
    for way in WAYS:
        if found is not None:
            return found
        found = way(ours, ledger)
    return found


def _stated(ours: Place, entries: Sequence[Entry], ledger: Ledger) -> Judgement | None:
    """Equal in a source: backed, unless period, qualifier or binding is another one there."""
    if not entries:
        return None
    fitting = [e for e in entries if wrong.same_period(ours.value, e) and wrong.same_qualifier(ours.value, e.value)]
    if not fitting:
        return wrong.judge_claim_about_value(ours, entries, ledger)
    outdated = judge_outdated(ours, fitting)
    if outdated is not None:
        return outdated
    named = end_named(ours)
    if named and all(wrong.is_other_end(entry, named) for entry in fitting):
        return wrong.judge_other_end(ours, fitting[0], named)
    held = [entry.place for entry in fitting]
    nearest, fit = closest_of(ours, held)
    others = rivals_of(ours, held, fit, ledger)
    if others:
        rival = rival_of(ours, held, others, fit)
        if rival is not None:
            return wrong.judge_unbound(ours, fitting, rival, others)
    best = fitting[nearest] if fitting[nearest].end is None else wrong.closest(ours, fitting)
    note = f"an end of {best.place.value.text}" if best.end is not None else _conversion(ours.value, best.value)
    return backed(ours, STATED, best.place, note=note)


def _conversion(ours: Value, theirs: Value) -> str:
    """The note on a value written in another unit ("1.5 km" for "1,500 m"); empty when the words agree."""
    a, b = ours.reading, theirs.reading
    if a.unit and b.unit and a.unit != b.unit and ours.kind in ("quantity", "duration", "percent", "range"):
        return f"{' '.join(theirs.text.split())} = {' '.join(ours.text.split())}"
    return ours.note


def _other_period(ours: Place, ledger: Ledger) -> Judgement | None:
    """A price for another period: backed when offered as an equivalent, else marked with the arithmetic."""
    value = ours.value
    if value.period is None or not isinstance(value.amount, Fraction):
        return None
    restated = _restates_its_own(ours)
    if restated is not None:
        return restated
    for place in ledger.candidates(ours):
        theirs = place.value
        if theirs.period is None or theirs.dimension != value.dimension or not isinstance(theirs.amount, Fraction):
            continue
        factor = period_factor(value.period, theirs.period)
        if factor is None or not _rounds_to(theirs.amount * factor[0], value):
            continue
        formula = f"{theirs.text} {factor[1]} = {plain(theirs.amount * factor[0], value)}"
        # a flow for another time is a conversion, a price for another time another offer
        if value.kind == "quantity" or offered_as_equivalent(ours) or _also_states(ours, place):
            return backed(ours, FOLLOWS, place, note="the same price for another period", formula=formula)
        return wrong.judge_restated(ours, place, formula)
    return None


def _restates_its_own(ours: Place) -> Judgement | None:
    """ "You save $255 a month, or $3,060 a year": the sum right before it for another period."""
    at = ours.value
    for place in around(ours):
        theirs = place.value
        if theirs.end > at.start or theirs.dimension != at.dimension or not isinstance(theirs.amount, Fraction):
            continue
        between = ours.view.text[theirs.end : at.start]
        factor = period_factor(at.period or "", theirs.period or "")
        if factor is not None and _OR.search(between) and theirs.amount * factor[0] == at.amount:
            formula = f"{theirs.text} {factor[1]} = {at.text}"
            return judgement_on(ours, FOLLOWS, note="the same for another period", formula=formula)
    return None


def _rounds_to(amount: Fraction, value: Value) -> bool:
    if not isinstance(value.amount, Fraction):
        return False
    step = value.reading.written_step or Fraction(1)
    return abs(amount - value.amount) * 2 <= step


def _also_states(ours: Place, theirs: Place) -> bool:
    """Whether the answer's own sentence also gives the price as the source does."""
    return any(
        place.sentence == ours.sentence and place.value is not ours.value and place.value.period == theirs.value.period
        and place.value.amount == theirs.value.amount
        for place in around(ours)
    )  # fmt: skip


def _derived(ours: Place, ledger: Ledger) -> Judgement | None:
    derivation = derive(ours, ledger.operands(ours), asked_operation(ours))
    if derivation is None:
        return None
    if derivation.wrong_way:
        return wrong.judge_wrong_way(ours, derivation)
    receipt = evidence_at(
        derivation.operands[0],
        note=f"{derivation.operation} of source values", formula=derivation.formula,
        operands=tuple(p.value.text for p in derivation.operands),
    )  # fmt: skip
    chance = float(round(derivation.chance * 100, 1))
    note = f"{derivation.operation}; a random figure would follow as well with a chance of {chance:g} %"
    return judgement_on(
        ours, FOLLOWS, receipt=receipt, note=note, formula=derivation.formula, operands=receipt.operands,
    )  # fmt: skip


def _counted(ours: Place, ledger: Ledger, proof: Proof) -> Judgement | None:
    note = counted_in(ours, ledger, proof)
    return judgement_on(ours, COUNTED, note=note) if note else None


def _only_asked(ours: Place, ledger: Ledger, proof: Proof) -> Judgement | None:
    """A value that the question brought in and no source speaks about: not backed, and nothing to set against it."""
    if not any(same(ours.value, asked) for asked in proof.question.values):
        return None
    if any(2 * len(place.wide & ours.near) >= len(ours.near) for place in ledger.candidates(ours)):
        return None
    return judgement_on(ours, ASKED, note="only the question states it")
