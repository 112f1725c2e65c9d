"""The same figure in another notation: a share as a ratio, a release without "version", a code with other hyphens,
a figure whose unit stands in the header or nowhere.
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.structure import scale_in
from proofing.support.backing import STATED, UNITLESS, backed, judgement_on
from proofing.support.base import Judgement
from proofing.support.binding import rival_of
from proofing.support.figures import unit_scale
from proofing.support.headings import split_key, stems_of_phrases
from proofing.support.ledger import Entry, Ledger, figure_of
from proofing.support.places import Place
from proofing.support.reading import Proof, receipt_on
from proofing.support.replacing import digits_of
from proofing.support.words import word_set
from proofing.support.wrong import judge_unbound
from proofing.values.unit_table import UNITS

#: Words that may stand behind a figure without being the thing it counts.
NO_THINGS = word_set("each apiece percentage percent degree degrees deg now f c fahrenheit celsius")
#: Words that say that a number between 0 and 1 is a share.
_SHARES = word_set("ratio proportion fraction share probability likelihood rate accuracy quota coverage")
#: Rows of a table "in millions" whose figures are not: earnings per share, ratios, head counts.
_UNSCALED_ROWS = word_set("per share ratio rate margin percent number count average")
_MEASURED = frozenset({"quantity", "duration"})
_WORD_BEFORE = re.compile(r"([^\W\d_]{2,20})[ \u00a0](?:(?:no|number|nr|n°)\.?[ ])?$", re.IGNORECASE)
#: A number with a point that may be a release, a name right before it, and names whose numbers measure something.
_RELEASE = re.compile(r"\d{1,3}\.\d{1,2}")
_NAME_BEFORE = re.compile(r"\b([A-Z][a-zà-ÿ]+(?:[A-Z][a-z]+)*)[ \u00a0]$")
MEASURING = word_set(
    "score rating rate price total average mean median index grade mark points level value ratio magnitude factor note "
    "wert preis schnitt cost fee sum about only just roughly over under the a is was at"
)
#: What the figures of a report may be in ("USD million: revenue 412.6").
SCALES = (1_000, 10**6, 10**9)
#: Identifiers with so many digits may be written in groups ("DE 136 695 976").
GROUPED_DIGITS = 6
_CODE_WORD = re.compile(r"[\w.$]{1,80}(?:\(\))?")
_EDGE = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|[\s\-–]+")


def by_ratio(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "85 %" where the source gives 0.85 as a ratio, and the reverse."""
    value = ours.value
    if not isinstance(value.amount, Fraction) or value.dimension not in ("percent", "count"):
        return None
    if value.dimension == "count" and not (0 < value.amount < 1 and ours.wide & _SHARES):
        return None
    other = ("count", value.amount / 100) if value.dimension == "percent" else ("percent", value.amount * 100)
    for entry in ledger.by_key.get(other, ()):
        if value.dimension == "count" or (0 < other[1] <= 1 and entry.place.wide & _SHARES):
            return backed(ours, STATED, entry.place, note=f"{entry.value.text} is {value.text}")
    return None


def by_release(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "4.2" for "version 4.2": the number of a release without the word."""
    value = ours.value
    if value.dimension != "count" or ours.noun or "." not in value.text:
        return None
    for entry in ledger.by_key.get(("version", tuple(value.text.split("."))), ()):
        return backed(ours, STATED, entry.place, note=f"read as version {entry.value.text}")
    return None


def is_other_release(ours: Place, entry: Entry) -> bool:
    """Whether two equal numbers are two releases of one thing: "Tallow 4.1" is not Tallow 4.10."""
    mine, theirs = _release_of(ours), _release_of(entry.place)
    return mine is not None and theirs is not None and mine[0] == theirs[0] and mine[1] != theirs[1]


def _release_of(place: Place) -> tuple[str, str] | None:
    """The name before a number like 4.10, with the number; None where the number measures something."""
    value, text = place.value, place.view.text
    if value.dimension != "count" or value.period or not _RELEASE.fullmatch(value.text):
        return None
    led = _NAME_BEFORE.search(text, max(0, value.start - 30), value.start)
    if led is None or led.group(1).casefold() in MEASURING:
        return None
    return led.group(1).casefold(), value.text


def by_spelling(ours: Place, proof: Proof) -> Judgement | None:
    """An identifier written with other spaces or hyphens: "LX1438" for "LX 1438"."""
    value = ours.value
    if value.kind != "identifier" or len(value.text) > 40:
        return None
    parts = [re.escape(part) for part in _EDGE.split(value.text) if part]
    if sum(c.isdigit() for c in value.text) >= GROUPED_DIGITS:
        parts = [re.escape(sign) for sign in value.text if sign.isalnum()]
    if len(parts) < 2:
        return None
    pattern = re.compile(r"(?<!\w)" + r"[\s\-–]?".join(parts) + r"(?![\w-])", re.IGNORECASE)
    for view in proof.sources:
        match = pattern.search(view.text)
        if match is not None:
            return judgement_on(ours, STATED, receipt=receipt_on(view, *match.span()))
    return None


def by_code(ours: Place, proof: Proof) -> Judgement | None:
    """A name or a figure of a source's code: "`max_conns`" and "40" for "`max_conns = 40`"."""
    value = ours.value
    written = value.text.strip("`") if value.kind == "code" else value.text
    if value.kind == "code" and len(written.split()) > 1:
        return _by_longer_command(ours, written.split(), proof)
    if value.kind not in ("code", "number") or not _CODE_WORD.fullmatch(written):
        return None
    for view in proof.sources:
        for theirs in view.values:
            if theirs.kind == "code" and (at := _inside(theirs.text, written)) >= 0:
                start = theirs.start + at
                return judgement_on(ours, STATED, receipt=receipt_on(view, start, start + len(written)))
    return None


def _by_longer_command(ours: Place, words: list[str], proof: Proof) -> Judgement | None:
    """A command with some of the words a source gives it, in order: "`sift --dry-run`" for "`sift --dry-run in`"."""
    for view in proof.sources:
        for theirs in view.values:
            if theirs.kind == "code" and "\n" not in theirs.text:
                rest = iter(theirs.text.strip("`").split())
                if next(rest, None) == words[0] and all(word in rest for word in words[1:]):
                    return judgement_on(ours, STATED, receipt=receipt_on(view, theirs.start, theirs.end))
    return None


def _inside(code: str, word: str) -> int:
    """Where a word stands in a code as a word of it; -1 where it does not."""
    at = code.find(word)
    while at >= 0:
        around = code[at - 1 : at] + code[at + len(word) : at + len(word) + 1]
        if not any(c.isalnum() or c in "_.-" for c in around):
            return at
        at = code.find(word, at + 1)
    return -1


def by_bare_figure(ours: Place, ledger: Ledger) -> Judgement | None:
    """A figure that the source writes without its unit, where its sentence or headers share words with the answer's."""
    value = ours.value
    if value.kind not in ("quantity", "percent", "money", "duration") or not isinstance(value.amount, Fraction):
        return None
    figure = value.amount / unit_scale(value) if value.kind in ("quantity", "duration") else value.amount
    scaled = [
        entry
        for scale in (SCALES if value.kind == "money" else ())
        for entry in ledger.by_key.get(("count", figure / scale), ())
        if entry.place.structure == "prose" and not entry.place.noun and scale_in(_sentence_of(entry.place))[0] == scale
    ]
    if scaled and _speaks_of(ours, scaled[0].place, figure):
        return backed(ours, STATED, scaled[0].place, note=f"{scaled[0].value.text}, in the scale of its sentence")
    fitting = [
        entry
        for entry in ledger.by_key.get(("count", figure), ())
        if not (entry.place.value.noun and entry.place.value.noun not in NO_THINGS)
        and not entry.place.value.implicit
        and not (value.kind == entry.place.value.kind == "money")  # its table names another currency
        and not is_unscaled(ours, entry, figure)
        and _speaks_of(ours, entry.place, figure)
    ]
    if not fitting:
        return None
    places = [entry.place for entry in fitting]
    others = [
        p for p in ledger.by_family.get("count", ())
        if p.structure in ("cell", "field") and p.number is not None and not p.value.implicit
        and figure not in (p.number, p.number * p.scale, p.raw) and p.wide & ours.wide
        and p.path[-1:] == places[0].path[-1:]
    ]  # fmt: skip
    rival = rival_of(ours, places, others) if all(p.structure in ("cell", "field") for p in places) else None
    if rival is not None:
        return judge_unbound(ours, fitting, rival, others)
    entry = fitting[0]
    return backed(ours, UNITLESS, entry.place, note=f"the source writes {entry.value.text} without a unit")


def _sentence_of(place: Place) -> str:
    return place.view.sentences[place.sentence].text if place.sentence >= 0 else ""


def by_label(ours: Place, ledger: Ledger) -> Judgement | None:
    """ "Building 7" for "building 7", "2106.09685" for "arXiv:2106.09685": the number of a thing named before it."""
    value = ours.value
    if value.dimension != "count" or not value.text[:1].isdigit():
        return None
    led = _WORD_BEFORE.search(ours.view.text, max(0, value.start - 24), value.start)
    keys = [f"{led.group(1).casefold()} {value.text}"] if led is not None else []
    if "." in value.text:
        keys.append(f"arxiv {value.text}")
    for key in keys:
        for entry in ledger.by_key.get(("id", key), ()):
            return backed(ours, STATED, entry.place, note=f"read as {entry.value.text}")
    return None


def by_parted_unit(ours: Place, ledger: Ledger) -> Judgement | None:
    """A figure parted from its unit by other words: "10,190 career rushing yards" for "10,190 yards"."""
    value = ours.value
    if value.dimension != "count" or not isinstance(value.amount, Fraction):
        return None
    place = ledger.figure(figure_of(value), _MEASURED)
    if place is None or not place.value.reading.unit:
        return None
    units = stems_of_phrases((place.value.text[len(digits_of(place.value)) :],), place.view.language)
    if not units & ours.near:
        return None
    return backed(ours, STATED, place, note=f"read as {place.value.text}")


def _speaks_of(ours: Place, theirs: Place, figure: Fraction) -> bool:
    factor = _unit_in_key(theirs, ours.value.dimension)
    if factor is not None:
        return factor == unit_scale(ours.value)
    return bool(theirs.headers & ours.wide) or len(theirs.wide & ours.wide) >= (1 if len(str(figure)) > 2 else 2)


def _unit_in_key(place: Place, dimension: str) -> Fraction | None:
    """What one of the unit stands for that the last key of a field ends in (``size_sqm``)."""
    words = split_key(place.path[-1]) if place.path else []
    unit = UNITS.get(words[-1].casefold()) if len(words) > 1 else None
    scales = unit.scales if unit is not None else ()
    return next((scale.factor for scale in scales if scale.dimension == dimension), None)


def is_unscaled(ours: Place, entry: Entry, figure: Fraction) -> bool:
    """Whether the answer gives a figure of a table "in millions" as if it stood there plainly.

    Only for amounts of money, and not where the answer names the scale itself or the row is no amount.
    """
    place = entry.place
    if (place.scale == 1 and place.raw is None) or ours.value.kind != "money":
        return False
    if figure != (place.number if place.raw is None else place.raw):
        return False
    return ours.scale == 1 and not place.headers & _UNSCALED_ROWS and scale_in(ours.view.text)[0] == 1
