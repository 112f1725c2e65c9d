"""Ages without their unit: "children under 12" for "younger than 12 years", "the median age was 54" for "54 years"."""

from __future__ import annotations

import re

from proofing.support.backing import STATED, backed
from proofing.support.base import Judgement
from proofing.support.bounds import bound_of
from proofing.support.ledger import Ledger
from proofing.support.places import Place

#: People of whom a bound on a bare figure is an age.
_PEOPLE = re.compile(
    r"\b(?:child(?:ren)?|kids?|infants?|babies|adolescents?|teenagers?|teens|adults?|people|persons?|patients?|anyone"
    r"|those|women|men|girls|boys|minors|pupils|students|kindern?|jugendlichen?|personen|erwachsene[nr]?|patienten"
    r"|enfants?|adolescents?|adultes?|personnes?|patients?|niñ[oa]s?|menores|mayores|adultos?|personas?|pacientes?"
    r"|bambin[io]|ragazzi|adulti|persone|pazienti|crianças?|adultos?|pessoas?|maiores"
    r"|дет(?:и|ей|ям)|взрослы[емх]+|лиц[ам]*|пациент\w*)\b",
    re.IGNORECASE,
)
_AGE = re.compile(r"\b(?:age|ages|aged|alter|âge|edad|età|idade|возраст\w*)\b", re.IGNORECASE)
#: The bare figure ends its phrase: nothing is counted behind it.
_ENDS = re.compile(
    r"\s?(?:[.,;:)!?]|$|(?:and|or|in|at|with|who|must|may|can|cannot|should|are|is|do|travel|pay|need|have|get|go|ranging"
    r"|und|oder|darf|dürfen|müssen|zahlen|fahren|reisen|sind|et|ou|peuvent|paient|voyagent|doivent|sont|y|o|pueden|pagan"
    r"|viajan|deben|son|e|possono|pagano|viaggiano|devono|sono|podem|pagam|viajam|devem|são|и|или|могут|платят)\b)",
    re.IGNORECASE,
)
OLDEST = 120


def by_bare_age(ours: Place, ledger: Ledger) -> Judgement | None:
    """A bare figure that is an age, where a source gives the same number of years for people or an age."""
    number = ours.number
    if ours.value.dimension != "count" or number is None or not 0 < number <= OLDEST:
        return None
    if not _ENDS.match(ours.view.text, ours.value.end) or not _is_of_people(ours):
        return None
    for entry in ledger.by_key.get(("time.months", number * 12), ()):
        if entry.place.structure == "prose" and _is_of_people(entry.place):
            return backed(ours, STATED, entry.place, note="an age in years")
    return None


def _is_of_people(place: Place) -> bool:
    view, (start, _) = place.view, place.zone
    before = view.text[start : place.value.start]
    if _AGE.search(before):
        return True
    return bound_of(place) is not None and _PEOPLE.search(before) is not None
