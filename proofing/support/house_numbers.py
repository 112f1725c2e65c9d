"""House numbers: "Lindenstrasse 14" where the source has Lindenstrasse 41, also when 14 stands at another street."""

from __future__ import annotations

import re

from proofing.support import wrong
from proofing.support.backing import STATED, backed
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.support.reading import Proof, TextView

_NAME = r"(?:d['’]|l['’])?[A-ZÀ-ÞА-Я][\w'’-]{1,30}"
_SMALL = r"(?:(?:de|del|della|delle|dei|des|du|la|las|los|le|da|do|dos|das|di|y|e)[ ])"
_NUMBER = r"\d{1,4})(?![\w.,:%]*\d)"
_ADDRESS = re.compile(
    # Lindenstrasse 41, Hauptstr. 23
    r"(?P<german>\b[A-ZÄÖÜ][\w-]{1,30}(?:stra(?:ß|ss)e|str\.?|gasse|weg|allee|platz|damm|ufer))[ ]"
    rf"(?P<g>{_NUMBER}"
    # Calle Mayor 12, via Garibaldi 36, Rua das Flores, 8, ул. Ленина, 5
    r"|\b(?:[Cc]alle|[Aa]venida|[Aa]vda\.|[Pp]aseo|[Vv]ia|[Vv]iale|[Cc]orso|[Rr]ua|[Tt]ravessa|[Уу]лиц\w+|[Уу]л\.)"
    rf"[ ](?P<roman>{_SMALL}{{0,2}}{_NAME}(?:[ ]{_SMALL}{{0,2}}{_NAME}){{0,2}}),?[ ](?:n[.ºo°]{{1,2}}[ ]?|д\.[ ]?)?"
    rf"(?P<r>{_NUMBER}"
    # 18, rue des Tilleuls
    r"|(?<![\w.,])(?P<f>\d{1,4}),?[ ](?:rue|avenue|boulevard|chemin|quai|impasse)[ ]"
    rf"(?P<french>{_SMALL}{{0,2}}{_NAME}(?:[ -]{_NAME}){{0,2}})"
    # 27 Mill Lane
    rf"|(?<![\w.,])(?P<e>\d{{1,4}})[ ](?P<english>(?:{_NAME}[ ]){{1,3}}"
    r"(?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Close|Terrace|Row|Square))\b"
)
_ABBREVIATED = ((re.compile(r"stra(?:ß|ss)e$|str\.?$"), "str"), (re.compile(r" st$"), " street"),
                (re.compile(r" rd$"), " road"), (re.compile(r" ave$"), " avenue"))  # fmt: skip


def by_house_number(ours: Place, ledger: Ledger, proof: Proof) -> Judgement | None:
    """What the sources say of the number of a house in a street they name; None where they do not name the street."""
    if ours.value.dimension != "count":
        return None
    street = next((street for street, start, _ in _addresses(ours.view) if start == ours.value.start), None)
    if street is None:
        return None
    houses = [(view, start, no) for view in proof.sources for name, start, no in _addresses(view) if name == street]
    places = {(id(place.view), place.value.start): place for place in ledger.places} if houses else {}
    known = [(places[id(view), start], no) for view, start, no in houses if (id(view), start) in places]
    for place, number in known:
        if number == ours.value.text:
            return backed(ours, STATED, place)
    return wrong.judge_other(ours, known[0][0]) if known else None


def _addresses(view: TextView) -> list[tuple[str, int, str]]:
    """Street, place of the number and number of each address of a text; worked out once."""
    known: list[tuple[str, int, str]] | None = view.memo.get("addresses")
    if known is None:
        known = []
        for found in _ADDRESS.finditer(view.text):
            group = next(name for name in "grfe" if found[name])
            street = found["german"] or found["roman"] or found["french"] or found["english"]
            known.append((_street(street), found.start(group), found[group]))
        view.memo["addresses"] = known
    return known


def _street(written: str) -> str:
    name = " ".join(written.casefold().split())
    for ending, whole in _ABBREVIATED:
        name = ending.sub(whole, name)
    return name
