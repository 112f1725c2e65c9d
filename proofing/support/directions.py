"""A change in the wrong direction around the same figure: "fell 7.4%" where the source says "up 7.4%".

Verbs of change are set against each other by the polarity channel too, but only between clauses that are built alike,
and it knows no "up" and "down". Here the figure leads, as in `proofing.support.bounds`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from proofing.documents import Span
from proofing.support.base import Judgement
from proofing.support.bounds import same_figures, says_the_same, turned_at
from proofing.support.ledger import Ledger
from proofing.support.places import Place

_UP = (
    "up|rose|rises?|risen|rising|increas(?:ed?|es|ing)|grew|grows?|grown|climbed|climbs|gained|gains|jumped|surged|"
    "stieg(?:en)?|gestiegen|zugenommen|wuchs|gewachsen|aument(?:ó|a|aron|é|er|ée|ato|ano|ou|aram)|augmenté|"
    "augmente|subió|sube|subiu|"
    "crec(?:ió|e)|cresceu|cresciut[oa]|salit[oa]|progressé|вырос(?:ла|ло|ли)?|увеличил(?:ся|ась|ось|ись)|"
    "повысил(?:ся|ась|ось|ись)"
)
_DOWN = (
    "down|fell|falls?|fallen|falling|decreas(?:ed?|es|ing)|dropped|drops?|declin(?:ed?|es)|shrank|shrunk|slipped|"
    "dipped|slumped|"
    "fiel(?:en)?|gefallen|sank(?:en)?|gesunken|abgenommen|zurückgegangen|bajó|baja|cayó|descendió|disminuyó|"
    "baissé|baisse|diminué|reculé|"
    "chuté|calat[oa]|sces[oa]|diminuit[oa]|caiu|diminuiu|desceu|recuou|упал(?:а|о|и)?|снизил(?:ся|ась|ось|ись)|"
    "сократил(?:ся|ась|ось|ись)"
)
_BEFORE = re.compile(
    rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN}))"
    r"(?:[ ](?:by|um|de|del|d['’]un|un|una|um|uma|di|dell['’]|do|em|на|about|nearly|some|another|a|the|to|from|"
    r"around|rund|circa|environ))*[ \u00a0]\Z",
    re.IGNORECASE,
)
#: "Rose to 40" and "fell from 40" say where a figure stands, not how far it moved.
_PLACED = re.compile(r"\b(?:to|from|auf|von|à|a|al|para|до|с)[ ](?:\S+ )?\Z", re.IGNORECASE)
KINDS = frozenset({"percent", "points", "money", "number", "quantity", "duration"})
REACH = 40


class Direction(NamedTuple):
    """Which way a figure says that something moved, and the word that says so."""

    side: str
    start: int
    end: int


def judge_directions(places: Sequence[Place], ledger: Ledger) -> list[Judgement]:
    """``negated`` judgements on words of the answer that move a source's figure the other way."""
    found = []
    for ours in places:
        mine = direction_of(ours)
        turned = _turned(ours, mine, ledger) if mine is not None else None
        if mine is not None and turned is not None:
            found.append(_judgement(ours, mine, turned))
    return found


def direction_of(place: Place) -> Direction | None:
    """The direction right before a figure; None where there is none."""
    value, text = place.value, place.view.text
    if value.kind not in KINDS or value.implicit:
        return None
    first = max(0, value.start - REACH)
    match = _BEFORE.search(text[first : value.start])
    if match is None or _PLACED.search(text[first : value.start]):
        return None
    side = "up" if match["up"] else "down"
    return Direction(side, first + match.start(side), first + match.end(side))


def _turned(ours: Place, mine: Direction, ledger: Ledger) -> tuple[Place, Direction] | None:
    """The source place where the same figure goes the other way; None where any source agrees or says nothing of it."""
    best: tuple[Place, Direction] | None = None
    for place in same_figures(ours, ledger):
        theirs = direction_of(place)
        if theirs is None or theirs.side == mine.side:
            return None
        if best is None and says_the_same(ours, place, idle=_stems(ours, mine)):
            best = (place, theirs)
    return best


def _stems(place: Place, direction: Direction) -> frozenset[str]:
    view = place.view
    return frozenset(view.stems[i] for i in view.tokens_between(direction.start, direction.end))


def _judgement(ours: Place, mine: Direction, turned: tuple[Place, Direction]) -> Judgement:
    place, theirs = turned
    said = place.view.text[theirs.start : theirs.end]
    return turned_at(ours, Span(mine.start, mine.end), place, said, (said,))
