"""Tables of yes and no: which cells say that a row has what its column names.

"| Pro | yes | no |" under "| Plan | API access | SSO |" says that Pro has API access and no SSO. In a table with one
such column ("| Feature | Included |") the row is what is there or not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from proofing.documents import Passage, Sentence
from proofing.support.reading import TextView
from proofing.support.stems import stem_of
from proofing.support.words import function_words
from proofing.support.wordset import word_set

#: What a cell's text means; a dash or an empty cell is no matter of yes and no.
YES = frozenset("yes true ✓ ✔ ✔️ ☑ ✅ ja oui sí sì sim да y".split())
NO = frozenset("no false ✗ ✘ ✕ ❌ nein non não нет n".split())
#: Words that claim something to be there, in the seven languages; a header that has no other names no feature.
CLAIMING = word_set(
    "available availability included includes include including offered offers offer provided provides provide allowed "
    "allow allows permitted accepted accepts has have had features feature supports supported support comes come "
    "exists possible status yes can may get gets "
    "verfügbar vorhanden inklusive inbegriffen enthalten enthält erlaubt gestattet möglich hat haben gibt bietet "
    "bieten dabei verfügt "
    "compris comprise inclus incluse disponible disponibles autorisé autorisée autorisés permis possible offre propose "
    "dispose "
    "incluido incluida incluidos disponible permitido permitida permitidos tiene hay ofrece incluye admite cuenta "
    "disponibile disponibili incluso inclusa compreso compresa permesso ammesso ammessi offre include dispone "
    "disponível disponíveis incluído incluída permitido permitida tem há oferece inclui "
    "доступен доступна доступно доступны есть включён включена включено включен включены предлагает имеется имеет "
    "разрешён разрешено разрешены разрешен"
)
_WORDS = re.compile(r"[A-Z]+(?![a-zà-ÿ])|[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Tick:
    """One yes or no of a table: what it is about, whose it is ("" stems where the row itself is what is there)."""

    view: TextView
    passage: Passage
    feature: tuple[str, ...]
    owner: tuple[str, ...]
    holds: bool


def ticks_of(view: TextView) -> tuple[Tick, ...]:
    """The yes and no cells of all tables of a text; worked out once."""
    known: tuple[Tick, ...] | None = view.memo.get("ticks")
    if known is None:
        known = view.memo["ticks"] = tuple(tick for p in view.passages if (tick := _tick(view, p)) is not None)
    return known


def is_checklist_row(view: TextView, sentence: Sentence) -> bool:
    """Whether a sentence is the row of a table with a yes or no in it, or of the headers above it.

    The "no" of such a row denies the column, and nothing else.
    """
    spans: list[tuple[int, int]] | None = view.memo.get("checklist rows")
    if spans is None:
        spans = view.memo["checklist rows"] = _rows_of(view)
    return any(start < sentence.end and sentence.start < end for start, end in spans)


def stems_of_name(name: str, language: str) -> tuple[str, ...]:
    """Stems of the words of a header that name something: no function words, no "included"."""
    idle = function_words(language) - {"no"}
    folds = [word.casefold() for word in _WORDS.findall(name)]
    return tuple(dict.fromkeys(stem_of(f, language) for f in folds if f not in CLAIMING and f not in idle))


def _tick(view: TextView, passage: Passage) -> Tick | None:
    if passage.kind != "cell" or not passage.row or passage.end - passage.start > 6:
        return None
    text = view.text[passage.start : passage.end].strip("*_` ").casefold()
    if text not in YES and text not in NO:
        return None
    row, column = stems_of_name(passage.row, view.language), stems_of_name(passage.column, view.language)
    feature, owner = (column, row) if column else (row, ())
    return Tick(view, passage, feature, owner, text in YES) if feature else None


def _rows_of(view: TextView) -> list[tuple[int, int]]:
    """The lines of the tables that hold a tick, with the lines of the table above them (its headers)."""
    found: dict[int, tuple[int, int]] = {}
    for tick in ticks_of(view):
        end = view.text.find("\n", tick.passage.end)
        end = end if end >= 0 else len(view.text)
        while end > 0:
            start = view.text.rfind("\n", 0, end) + 1
            line = view.text[start:end]
            if start in found or not ("|" in line or "\t" in line):
                break
            found[start] = (start, end)
            end = start - 1
    return list(found.values())
