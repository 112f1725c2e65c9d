"""What a rate is counted by: "600 requests per minute" is not 600 per second.

The value grammar knows the period of a price; a count, a share or a ceiling may be told by anything: by the second, by
the claim, by the person. Here the words behind equal values are held against each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.bounds import same_figures
from proofing.support.ledger import Ledger
from proofing.support.places import Place, evidence_at
from proofing.support.reading import TextView
from proofing.support.wordset import word_set

#: "per minute", "for each week", right behind a value or behind what it counts.
_PER = re.compile(
    r"(?:[ \u00a0][^\W\d_]+){0,3}?[ \u00a0](?:(?:for |in )?(?:per|each|every)|pro|je|par|por|cada|ogni|a cada"
    r"|an?(?=[ \u00a0](?:second|minute|hour|day|week|month|year|night)\b))[ \u00a0]"
    r"(?P<what>[^\W\d_]+(?:[ -][^\W\d_]+){0,2})",
    re.IGNORECASE,
)
#: The same wherever it stands in a sentence.
_BY = re.compile(
    r"\b(?:per|each|every|(?<!for )an?|pro|je|par|por|cada|ogni)[ \u00a0](?P<what>[^\W\d_]+)", re.IGNORECASE
)
#: By what rates are counted, and the words for it: other words may be said in many ways.
_TIMES = {
    name: word_set(words)
    for name, words in {
        "second": "second seconds sekunde seconde segundo secondo секунду",
        "minute": "minute minutes minuto minuta минуту",
        "hour": "hour hours stunde heure hora ora час", "day": "day days tag jour día giorno dia день",
        "week": "week weeks woche semaine semana settimana неделю",
        "month": "month months monat mois mes mese mês месяц",
        "year": "year years annum jahr an année año anno ano год",
        "person": "person persons head guest guests passenger passengers people user users seat seats adult kopf gast "
        "persona pessoa personne человека",
        "night": "night nights nacht nuit noche notte noite ночь",
        "claim": "claim claims incident incidents event events occurrence schadensfall sinistre siniestro",
        "order": "order orders purchase bestellung commande pedido ordine",
        "room": "room rooms zimmer chambre habitación",
    }.items()
}  # fmt: skip
#: How long the periods are, in seconds or in months: two rates by periods of one kind can be reckoned into one another.
_LENGTHS = {
    "second": ("seconds", 1), "minute": ("seconds", 60), "hour": ("seconds", 3_600), "day": ("seconds", 86_400),
    "week": ("seconds", 604_800), "month": ("months", 1), "year": ("months", 12),
}  # fmt: skip
_NAMED = {word: name for name, words in _TIMES.items() for word in words}


class Per(NamedTuple):
    """What a value is counted by, and where its word stands."""

    name: str
    start: int
    end: int
    is_period: bool = False


def judge_per_what(places: Sequence[Place], ledger: Ledger) -> list[Judgement]:
    """``unit`` judgements on the word a rate is counted by, where every equal source value is counted by another."""
    found = []
    for ours in places:
        mine = _per_of(ours)
        if mine is None or ours.value.implicit:
            continue
        theirs = [(place, _per_of(place)) for place in same_figures(ours, ledger)]
        if not theirs or any(per is None or per.name == mine.name for _, per in theirs):
            continue
        alike = [
            (place, per) for place, per in theirs
            if per is not None and ours.noun == place.noun and not (per.is_period and mine.is_period)
        ]  # fmt: skip
        if alike and _all_named(ours).isdisjoint(_all_named(alike[0][0])):
            found.append(_judgement(ours, mine, *alike[0]))
    return found


def by_other_period(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "5 requests per second" where the source says 300 a minute."""
    mine = _per_of(ours) if ours.value.dimension == "count" else None
    if mine is None or mine.name not in _LENGTHS or ours.number is None:
        return None
    kind, length = _LENGTHS[mine.name]
    for place in ledger.candidates(ours):
        theirs = _per_of(place) if place.noun == ours.noun else None
        if theirs is None or place.number is None:
            continue
        other_kind, other_length = _LENGTHS.get(theirs.name, ("", 0))
        if other_kind == kind and ours.number * other_length == place.number * length:
            return backed(ours, FOLLOWS, place, note=f"{place.value.text} by the {theirs.name}")
    return None


def _all_named(place: Place) -> frozenset[str]:
    """All that its sentence counts anything by: "each guest gets two a day" counts by guests and by days."""
    said = place.view.sentences[place.sentence].text if place.sentence >= 0 else ""
    named = (_NAMED.get(found["what"].casefold()) for found in _BY.finditer(said))
    return frozenset(name for name in named if name is not None)


def _per_of(place: Place) -> Per | None:
    """The last word behind a value that says what it is counted by; None where none is known."""
    text: TextView = place.view
    found = _PER.match(text.text, place.value.end)
    period, span = place.value.period, place.value.period_span
    if period is not None:
        return Per(period, span.start, span.end, True) if span is not None and period in _TIMES else None
    if found is None or place.structure != "prose":
        return None
    at = found.start("what")
    for word in re.finditer(r"[^\W\d_]+", found["what"]):
        name = _NAMED.get(word.group().casefold())
        if name is not None:
            return Per(name, at + word.start(), at + word.end())
    return None


def _judgement(ours: Place, mine: Per, place: Place, per: Per) -> Judgement:
    said = place.view.text[per.start : per.end]
    note = f"the source counts it by the {per.name}"
    return Judgement(
        mine.start, mine.end, ours.view.text[mine.start : mine.end], ours.value.kind, 0.0, "unit",
        evidence_at(place, note), (said,), "arithmetic", note, channel="values",
    )  # fmt: skip
