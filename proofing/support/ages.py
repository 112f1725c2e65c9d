"""Ages: "27-year-old", "aged 27", "Mira is 27", and "between 18 and 65 years old".

An age is a number of years whether it says so or not, and it belongs to the person named in its clause.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice

from proofing.support.backing import STATED, backed
from proofing.support.base import Judgement
from proofing.support.beside import is_aged
from proofing.support.ledger import Entry, Ledger
from proofing.support.places import Place, places_of
from proofing.support.reading import Proof, TextView
from proofing.support.wrong import judge_unbound

_OLD = re.compile(r"[- ](?:old|aged|of age)\b", re.IGNORECASE)
_AGED = re.compile(r"\b(?:aged?|ages|age of|at)\s$", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|was|are|were|turned|turns|being)\s$", re.IGNORECASE)
#: The bare figure after "is" is an age only where nothing is counted behind it and it could be one.
OLDEST = 120
#: Ages of the sources that one age of the answer is compared with at most.
LOOKED_AT = 500


def by_age(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "A 27-year-old" for ", 27," and the reverse; also ranges of ages."""
    value, text = ours.value, ours.view.text
    amount = _in_years(ours)
    if amount is None:
        return None
    bare, said = ("range:count", "range:time.months") if isinstance(amount, tuple) else ("count", "time.months")
    if value.dimension == said and _OLD.match(text, value.end):
        found = [e for e in ledger.by_key.get((bare, amount), ()) if not e.place.noun]
    elif value.dimension == said and value.text[-1].isalpha():  # "between 4 and 11 years" for "aged 4 to 11"
        found = [e for e in ledger.by_key.get((bare, amount), ()) if is_aged(e.place)]
    elif value.dimension == bare and (not ours.noun or _AGED.search(text, max(0, value.start - 8), value.start)):
        months = tuple(a * 12 for a in amount) if isinstance(amount, tuple) else amount * 12
        found = [e for e in ledger.by_key.get((said, months), ()) if _OLD.match(e.place.view.text, e.value.end)]
    else:
        return None
    if not found:
        return None
    return backed(ours, STATED, found[0].place, note="an age in years")


def by_person(ours: Place, proof: Proof) -> Judgement | None:
    """An age of somebody else: the sources give it to another name, and this name another age."""
    mine = age_of(ours)
    if mine is None or not ours.labels:
        return None
    ages = list(islice((told for view in proof.sources for told in _ages(view)), LOOKED_AT))
    held = [place for place, age in ages if age == mine]
    rivals = [place for place, age in ages if age != mine and ours.labels & place.labels]
    if not all(any("=" not in label for label in place.labels) for place in held):
        return None  # "He was 87": it may well be this one
    if not held or not rivals or any(ours.labels & place.labels for place in held):
        return None
    return judge_unbound(ours, [Entry(place) for place in held], rivals[0], rivals[:1])


def _ages(view: TextView) -> list[tuple[Place, Fraction]]:
    """The ages that a text states, in order; worked out once."""
    known: list[tuple[Place, Fraction]] | None = view.memo.get("ages")
    if known is None:
        known = [(place, age) for place in places_of(view) if (age := age_of(place)) is not None]
        view.memo["ages"] = known
    return known


def age_of(place: Place) -> Fraction | None:
    """The age in years that a value states, None where it states none."""
    value, text = place.value, place.view.text
    years = _in_years(place)
    if not isinstance(years, Fraction) or not 0 < years <= OLDEST:
        return None
    if is_aged(place):
        return years
    stands = value.dimension == "count" and not place.noun and value.text.isdigit()
    return years if stands and _IS.search(text, max(0, value.start - 8), value.start) else None


def _in_years(place: Place) -> Fraction | tuple[Fraction, ...] | None:
    """The amount of a count, or of months as years; both ends of a range."""
    amount, dimension = place.value.amount, place.value.dimension
    scale = 12 if dimension.endswith("time.months") else 1
    if isinstance(amount, Fraction):
        return amount / scale
    if dimension.startswith("range:") and isinstance(amount, tuple):
        ends = tuple(a / scale for a in amount if isinstance(a, Fraction))
        return ends if len(ends) == 2 else None
    return None
