"""Candidate marks on values that the sources do not back, each with the receipt a reviewer can judge from."""

from __future__ import annotations

from collections.abc import Sequence

from proofing.documents import Span
from proofing.report import Receipt
from proofing.support.asking import FALLING, RISING, asked_operation
from proofing.support.base import Judgement
from proofing.support.beside import is_aged
from proofing.support.binding import built_alike
from proofing.support.derivation import Derivation, expected
from proofing.support.figures import unit_scale, written_like
from proofing.support.headings import head_of
from proofing.support.kinship import closest_of, kinship, kinships
from proofing.support.ledger import CANDIDATES, Entry, Ledger, figure_of
from proofing.support.name_opening import opens_with_another_name
from proofing.support.places import Place, evidence_at, places_by_reading
from proofing.support.reading import receipt_on
from proofing.support.replacing import Swap, result_like, swap
from proofing.support.statements import family_of
from proofing.support.stems import stem_of
from proofing.support.totals import expected_total
from proofing.support.wordset import word_set
from proofing.values import Value, distance, same

#: So many of the best bound source values are looked at for the same figure in another unit.
LOOKED_AT = 8
#: How many texts a mark offers at most when several source values are bound alike.
CHOICES = 4
#: Stems that make the first day of a range the one on which something closes.
CLOSED = frozenset(
    stem_of(word, language)
    for language, words in {
        "en": "closed closure shut suspended cancelled", "de": "geschlossen gesperrt Sperrung",
        "fr": "fermé fermée fermeture", "es": "cerrado cerrada cierre", "it": "chiuso chiusa chiusura",
        "pt": "fechado fechada", "ru": "закрыт закрыта закрыто",
    }.items()
    for word in words.casefold().split()
)  # fmt: skip
#: Up to so many words a sentence speaks of one thing, and up to so many a figure is named by what stands before it.
SHORT, NAMING = 4, 2
#: Words that ask for a value of whatever the sources speak of ("How long?").
ASKS_HOW_MUCH = word_set("long much many far old big high tall often time price cost amount date number duration")
#: Kinds that are a figure with or without a unit, so that the same figure may stand in another unit.
FIGURED = frozenset({"number", "money", "percent", "points", "quantity", "duration"})
#: Kinds whose unit a table may leave to its headers.
MEASURED = frozenset({"money", "percent", "quantity", "duration"})


def same_period(ours: Value, entry: Entry) -> bool:
    """Whether an equal source value is for the same period, as far as both say one."""
    theirs = entry.value.period or entry.place.value.period
    return ours.period is None or theirs is None or ours.period == theirs


def same_qualifier(ours: Value, theirs: Value) -> bool:
    """Whether both count the same days: "30 business days" is not "30 days"."""
    return _days_of(ours) == _days_of(theirs)


def _days_of(value: Value) -> str:
    """Consecutive days are days of the calendar."""
    return "calendar" if value.qualifier in (None, "consecutive") else value.qualifier


def closest(ours: Place, entries: Sequence[Entry]) -> Entry:
    """The best bound of several equal source values, whole ones before ends of ranges; the first of equals."""
    whole = [entry for entry in entries if entry.end is None] or entries
    return whole[closest_of(ours, [entry.place for entry in whole])[0]] if len(whole) > 1 else whole[0]


def judge_claim_about_value(ours: Place, entries: Sequence[Entry], ledger: Ledger) -> Judgement:
    """The amount is right, but for another period, or counted in other days."""
    best = closest(ours, entries)
    value, theirs = ours.value, best.value
    if same_period(value, best) and value.qualifier and value.qualifier_span is not None:
        span = value.qualifier_span
        note = f"the source says {_line(theirs.text)}, with no word on {value.qualifier} days"
        return _mark(ours, Swap(span.start, span.end, ""), best.place, "unit", note)
    if same_period(value, best):
        note = f"the source counts {theirs.qualifier} days: {_line(theirs.text)}"
        return _mark(ours, Swap(value.start, value.end, _line(theirs.text)), best.place, "unit", note)
    note = f"the source gives this price per {best.place.value.period}"
    if value.period_span is not None and value.period_span.end <= value.start:  # "the daily rate is $18"
        return _mark(ours, Swap(value.period_span.start, value.period_span.end, None), best.place, "unit", note)
    change = swap(ours.view.text, value, best.place.view.text, best.place.value)
    return _mark(ours, change, best.place, "unit", note)


def judge_unbound(ours: Place, held: Sequence[Entry], rival: Place, others: Sequence[Place]) -> Judgement:
    """A right number of the wrong thing: the receipt shows where it stands, the note what it belongs to there."""
    entry = closest(ours, held)
    theirs = entry.place
    top = kinship(ours, rival)
    alike = [p for p, fit in zip(others, kinships(ours, others), strict=True) if fit == top]
    alike = [p for p in alike if built_alike(p, rival)] or [rival]
    swaps = _distinct([_change_to_rival(ours, entry, p) for p in alike])
    note = f"in the source this belongs to: {theirs.belongs_to}; for this one it says {_line(rival.value.text)}"
    receipt = evidence_at(theirs, note)
    return _judgement(ours, swaps, receipt, "unbound", note)


def is_other_end(entry: Entry, named: str) -> bool:
    """Whether a source value is the last of a range where the answer names the first ("start"), or the reverse."""
    ends = entry.place.value.ends
    if named and entry.place.structure == "prose" and not entry.place.near.isdisjoint(CLOSED):
        return False  # what is closed from the 4th to the 11th closes on the 4th
    return bool(named) and entry.end is not None and len(ends) == 2 and entry.end is ends[1 if named == "start" else 0]


def judge_other_end(ours: Place, entry: Entry, named: str) -> Judgement:
    """ "Starts on 31 March" where the source's range ends then."""
    ends = entry.place.value.ends
    right = ends[0 if named == "start" else 1]
    note = f"in the source this is the other end: {_line(entry.place.value.text)}"
    change = swap(ours.view.text, ours.value, entry.place.view.text, right)
    return _mark(ours, change, entry.place, "unbound", note)


def _change_to_rival(ours: Place, held: Entry, rival: Place) -> Swap:
    if (
        rival.scale != 1
        or rival.raw is not None
        or (rival.value.dimension == "count" and ours.value.dimension != "count")
    ):
        return change_to(ours, rival)
    return swap(ours.view.text, ours.value, rival.view.text, _part_like(ours, held, rival))


def _part_like(ours: Place, held: Entry, rival: Place) -> Value:
    """The end of a rival range that answers an end ("opens at" the start of "8-18"), else the rival itself."""
    if held.end is None or len(rival.value.ends) != 2 or ours.value.ends:
        return rival.value
    ends = held.place.value.ends
    return rival.value.ends[0 if ends and held.end is ends[0] else 1]


def judge_other(ours: Place, theirs: Place) -> Judgement:
    """The source has another number for the very same name: a release, a house in a street."""
    change = swap(ours.view.text, ours.value, theirs.view.text, theirs.value)
    return _mark(ours, change, theirs, "contradicted", f"the source says {_line(theirs.value.text)}")


def judge_restated(ours: Place, place: Place, formula: str) -> Judgement:
    """A price restated for another billing period: the mark covers the period, the arithmetic is the note."""
    change = change_to(ours, place)
    note = f"the source bills per {place.value.period}: {formula}"
    return _mark(ours, change, place, "unit", note, formula)


def judge_wrong_way(ours: Place, derivation: Derivation) -> Judgement:
    """The amount of a change is right and its direction is not."""
    earlier, later = sorted(derivation.operands[:2], key=lambda p: (p.value.start, id(p.view) != id(ours.view)))
    note = f"the change went the other way: {derivation.formula}"
    verb = _moving_verb(ours)
    span = Span(verb.start, ours.value.end) if verb else ours.value.span
    receipt = receipt_on(earlier.view, earlier.value.start, later.value.end, note, derivation.formula,
                         tuple(p.value.text for p in derivation.operands))  # fmt: skip
    text = ours.view.text[span.start : span.end]
    return Judgement(
        span.start, span.end, text, ours.value.kind, 0.0, "derived_wrong", receipt, (), "arithmetic", note,
        derivation.formula, receipt.operands, "values",
    )  # fmt: skip


def _moving_verb(ours: Place) -> Span | None:
    for i in reversed(ours.view.tokens_between(ours.zone[0], ours.value.start)):
        token = ours.view.tokens[i]
        if {ours.view.stems[i], ours.view.folds[i]} & (RISING | FALLING) and token.end <= ours.value.start:
            return Span(token.start, token.end)
    return None


def judge_wrong(ours: Place, ledger: Ledger) -> Judgement:
    """No source backs it: a wrong calculation, another value for the same thing, or nothing of the kind at all."""
    asked = asked_operation(ours)
    right = expected_total(ours, ledger) or expected(ours, ledger.operands(ours), asked)
    if right is not None:
        return _judge_miscalculated(ours, right)
    fits = ranked_candidates(ours, ledger)
    if not fits:
        return _judge_unlike(ours, ledger)
    ranked = [place for place, _ in fits]
    best = ranked[0]
    bound = is_bound(ours, best) and not opens_with_another_name(ours, best)
    other_unit = _other_unit(ours, ranked)
    if other_unit is not None and (bound or not is_bound(ours, best)):
        best, bound = other_unit, True
    alike = [best]
    if other_unit is None:
        alike = [place for place, fit in fits if fit == fits[0][1]]
    swaps = _distinct([change_to(ours, p) for p in alike])
    reason = "unit" if other_unit is not None else "contradicted" if bound else "absent"
    note = _note_on(ours, best, reason)
    receipt = evidence_at(best, note)
    return _judgement(ours, swaps if bound else swaps[:1], receipt, reason, note, offered=bound)


def change_to(ours: Place, theirs: Place) -> Swap:
    """What must change in the answer to say what a source place says; table figures are multiplied out."""
    figure = theirs.number is not None and theirs.value.kind in ("number", "money")
    if figure and (
        theirs.scale != 1
        or theirs.raw is not None
        or (theirs.structure in ("cell", "field") and ours.value.kind in MEASURED)
    ):
        unit = unit_scale(ours.value) if ours.value.kind in ("quantity", "duration") else 1
        amount = (theirs.number or 0) * theirs.scale * unit
        return Swap(ours.value.start, ours.value.end, written_like(ours.value, amount))
    return swap(ours.view.text, ours.value, theirs.view.text, theirs.value)


def _judge_miscalculated(ours: Place, right: Derivation) -> Judgement:
    text = result_like(ours.value, right.result)
    operands = tuple(p.value.text for p in right.operands)
    note = f"the sources give {right.formula}"
    first = right.operands[0]
    receipt = evidence_at(first, note, right.formula, operands)
    return Judgement(
        ours.value.start, ours.value.end, ours.value.text, ours.value.kind, 0.0, "derived_wrong", receipt,
        (text,) if text else (), "arithmetic", note, right.formula, operands, "values",
    )  # fmt: skip


def ranked_candidates(ours: Place, ledger: Ledger) -> list[tuple[Place, int]]:
    """Comparable source values with their kinship, best bound first, then nearest in amount, then in source order.

    The first `LOOKED_AT` of them, with all that are bound as well as the first.
    """
    found: list[tuple[tuple[int, int], int, Place]] = []
    places = ledger.candidates(ours)
    for position, (place, fit) in enumerate(zip(places, kinships(ours, places), strict=True)):
        if (place.value.implicit and not _is_just_one(ours, place)) or (
            ours.value.kind == "ordinal" and _said_beside(ours, place)
        ):
            continue
        same_kind = place.value.kind == ours.value.kind
        found.append(((-int(same_kind), -fit), position, place))
    if len(found) > LOOKED_AT:
        ranks = sorted(rank for rank, _, _ in found)
        last, best = ranks[LOOKED_AT - 1], ranks[0][1]
        found = [item for item in found if item[0] <= last or item[0][1] == best]
    apart = [(rank, distance(ours.value, place.value), position, place) for rank, position, place in found]
    told = sorted((item for item in apart if item[1] is not None), key=lambda item: item[:3])
    return [(place, -rank[1]) for rank, _, _, place in told]


def _is_just_one(ours: Place, theirs: Place) -> bool:
    """Whether a source's "one" counts the same thing and is no "one of the …": "each crate holds one jar"."""
    if theirs.value.text.casefold() != "one" or ours.value.kind != "number" or not ours.noun:
        return False
    counted = theirs.view.text[theirs.value.end : theirs.value.end + 1 + len(theirs.value.noun)].casefold()
    return ours.noun == theirs.noun and counted == f" {theirs.value.noun}"


def _said_beside(ours: Place, theirs: Place) -> bool:
    """Whether the answer's own sentence also has the source's value: "the second, stronger than the first"."""
    stated = places_by_reading(ours.view).get((theirs.value.dimension, theirs.value.amount), ())
    return any(place.sentence == ours.sentence for place in stated[:CANDIDATES])


def is_bound(ours: Place, theirs: Place) -> bool:
    """Whether a source value says something about the very thing the answer speaks of."""
    if family_of(ours.value) in ("count", "ordinal", "times") and ours.noun:
        if theirs.structure == "field" and theirs.path:
            return ours.noun == head_of(theirs.path[-1], theirs.view.language)
        if theirs.noun and ours.noun != theirs.noun and not _counts_one_of_it(ours, theirs):
            return False
    elif _says_nothing_else(ours):
        return _is_asked_for(ours, theirs)
    elif (
        family_of(ours.value) == "count" and theirs.noun and theirs.structure == "prose" and not _is_named(ours, theirs)
    ):
        return False
    if is_aged(ours) != is_aged(theirs):
        return False
    if ours.noun and ours.noun == theirs.noun:
        return True
    if theirs.structure != "prose":
        return bool(theirs.labels & ours.wide)
    words = sum("=" not in word for word in ours.wide)  # less the other values, which may be wrong as well
    own = ours.near or ours.wide  # an item that is nothing but a value speaks of the item above it
    return len(ours.wide & theirs.wide) >= 2 or bool(own & theirs.near and words <= SHORT)


def _counts_one_of_it(ours: Place, theirs: Place) -> bool:
    """ "1 large bedroom", "1 door opens": one thing has no plural to know it by, but the source's noun beside it."""
    return (ours.number == 1 and theirs.noun in ours.near) or (theirs.number == 1 and ours.noun in theirs.near)


def _says_nothing_else(ours: Place) -> bool:
    """Whether the answer holds no word of content but the value itself ("80 m.", "It has 400.")."""
    return (
        not ours.near
        and ours.alone
        and len(ours.view.values) == 1
        and not any(
            content and not ours.value.start <= token.start < ours.value.end
            for token, content in zip(ours.view.tokens, ours.view.content, strict=True)
        )
    )


def _is_asked_for(ours: Place, theirs: Place) -> bool:
    """Whether a bare value answers what the source states: the question's words, where there are any, say so."""
    asked = {word for word in ours.wide if "=" not in word} - ASKS_HOW_MUCH
    return not asked or bool(asked & theirs.wide) or bool(theirs.noun and theirs.noun in asked)


def _is_named(ours: Place, theirs: Place) -> bool:
    """Whether what a source counts is named before the answer's figure and nothing else is: "Beds: 3"."""
    return theirs.noun in ours.near and len(ours.near) <= NAMING


def _other_unit(ours: Place, ranked: Sequence[Place]) -> Place | None:
    """A bound source value with the same figure in another unit ("500 mg" for "500 g")."""
    figure = figure_of(ours.value) if ours.value.kind not in ("date", "time") else ""
    for place in ranked[:LOOKED_AT]:
        if figure and figure_of(place.value) == figure and not same(ours.value, place.value):
            if place.value.reading.unit != ours.value.reading.unit and ours.value.kind != "money":
                return place
            if ours.value.kind == "money" and place.value.dimension != ours.value.dimension:
                return place
    return None


def _judge_unlike(ours: Place, ledger: Ledger) -> Judgement:
    """No source has a value of this kind; the same figure as another kind of value is the nearest evidence."""
    place = ledger.figure(figure_of(ours.value), FIGURED) if ours.value.kind in FIGURED else None
    if place is not None:
        note = f"the source has {_line(place.value.text)} as a {place.value.kind}, not as a {ours.value.kind}"
        return _mark(ours, change_to(ours, place), place, "unit", note)
    note = f"no source states a {ours.value.kind} like this"
    return _judgement(ours, [], Receipt(None, note=note), "absent", note)


def _note_on(ours: Place, theirs: Place, reason: str) -> str:
    text = _line(theirs.value.text)
    if reason == "unit":
        return f"the figure is the source's, its unit is not: {text}"
    if reason == "contradicted":
        return f"the source says {text}"
    return f"no source states it; the nearest value is {text} ({theirs.belongs_to})"


def _mark(ours: Place, change: Swap, place: Place, reason: str, note: str, formula: str | None = None) -> Judgement:
    operands = (place.value.text,) if formula else ()
    receipt = evidence_at(place, note, formula, operands)
    return _judgement(ours, [change], receipt, reason, note, formula=formula)


def _judgement(
    ours: Place, swaps: Sequence[Swap], receipt: Receipt, reason: str, note: str,
    formula: str | None = None, offered: bool = True,
) -> Judgement:  # fmt: skip
    """A candidate mark over the stretch that the swaps agree on; over the whole value where they do not."""
    value = ours.value
    spans = {(s.start, s.end) for s in swaps}
    if len(spans) == 1:
        start, end = swaps[0].start, swaps[0].end
        texts = tuple(s.text for s in swaps[:CHOICES] if s.text is not None)
    else:
        start, end, texts = value.start, value.end, ()
        if len(spans) > 1:
            start, end = min(s.start for s in swaps), max(s.end for s in swaps)
            head = ours.view.text[start:end]
            texts = tuple(
                head[: s.start - start] + s.text + head[s.end - start :] for s in swaps[:CHOICES] if s.text is not None
            )
    return Judgement(
        start, end, ours.view.text[start:end], value.kind, 0.0, reason, receipt, texts if offered else (),
        "arithmetic", note, formula, receipt.operands, "values",
    )  # fmt: skip


def _distinct(swaps: Sequence[Swap]) -> list[Swap]:
    return list(dict.fromkeys(swaps))


def _line(text: str) -> str:
    return " ".join(text.split())
