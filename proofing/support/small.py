"""Small counts that a writer makes while reading: "three steps", "both reviewers", "the first option".

They are right when the things can be counted: items of a list in the answer or a source, records of one kind,
names set side by side. Where the sources count the same thing themselves, that figure is the evidence and
nothing is counted here.
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.support.day_words import day_words
from proofing.support.headings import passage_at
from proofing.support.ledger import Ledger
from proofing.support.places import Place
from proofing.support.reading import Proof, TextView
from proofing.support.words import word_set

#: The largest count that a writer is taken to have counted by eye.
BY_EYE = 12
#: Words for the parts of an answer or of the sources themselves; counting them claims nothing about the world.
PARTS = word_set(
    "passage step way type reason factor option thing point category part method stage phase source document paragraph "
    "section key main item bullet example kind aspect tip piece element component group approach question answer "
    "sentence word form theme topic issue area benefit advantage disadvantage difference similarity"
)
#: What one record of a review list is called.
REVIEWS = word_set("review reviewer customer rating guest patron visitor user comment diner client")
#: Headers of a column that numbers rows.
NUMBERING = word_set("# no nr № step row item schritt paso étape passo шаг")
_REFERENCE = re.compile(
    r"\b(?:passages?|sources?|documents?|contexts?|texts?|excerpts?|paragraphs?|snippets?|references?|reviews?|steps?)"
    r"\s?#?(?:\d+(?:,|\s?&|\sand|\sor|\sto)*\s?(?:passage\s)?)*$",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\b(?:steps?|points?|items?|schritte?n?|pasos?|étapes?|passi|passos?)[ ]"
    r"(?:\d{1,2}(?:,[ ]|[ ](?:and|to|or)[ ]|[-–]))*$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]", re.MULTILINE)
_HEADING = re.compile(r"(?:^|\n)(?:[^\S\n]|[*#_\-•])*[A-Z][a-z]+\s$")
_SCALE = re.compile(r"\bout of (?:a )?(?:possible )?$")
_ITEM = re.compile(r"^[ \t]*(?:[-*•–]|\d{1,3}[.)]|[a-z][.)])[ \t]+\S", re.MULTILINE)


def counted_in(ours: Place, ledger: Ledger, proof: Proof) -> str:
    """Why a small count may stand although no source writes it; empty when nothing backs it."""
    value = ours.value
    amount = value.amount
    if value.dimension in ("frequency", "times") and _said_how_often(ours, ledger):
        return ""
    if value.dimension == "frequency":
        return "how often, where no source says otherwise"
    if value.dimension == "text length" or ours.noun == "word":
        return "speaks of the text itself"
    if value.kind == "number" and _tops_a_scale(ours):
        return "the top of a rating scale"
    if value.text == "24/7":
        return "at all hours"
    if value.dimension == "times" and not value.text[:1].isdigit():
        return "" if _counted_by_sources(ours, ledger) else "counted while reading"
    if value.kind == "duration" and _per_week(ours):
        return _open_days(int(amount / 86400) if isinstance(amount, Fraction) else 0, proof)
    if value.kind not in ("number", "ordinal") or not isinstance(amount, Fraction) or amount.denominator != 1:
        return ""
    roman = value.kind == "ordinal" and value.text.isupper()
    told = value.kind == "ordinal" and not value.text[:1].isdigit() and not roman
    if told and amount <= BY_EYE and not _counted_by_sources(ours, ledger):
        return "an ordinal of the answer's own telling"
    if (
        roman
        or not 0 < amount <= BY_EYE
        or (value.text[:1].isdigit() and value.kind == "number" and len(value.text) > 2)
    ):
        return ""
    if _counted_by_sources(ours, ledger):
        return ""
    count = int(amount)
    if ours.noun in PARTS:
        return f"counts the {value.noun} of the text itself"
    if ours.noun in REVIEWS and count <= _records(proof):
        return f"the record holds {_records(proof)} reviews"
    if count > 1 and _items_after(ours) == count:
        return f"the list that follows has {count} items"
    if count > 1 and _last_number_before(ours) == count:
        return f"the list before it has {count} items"
    if count > 1 and _side_by_side(ours) == count:
        return f"{count} things are named beside it"
    if count <= 10 and not value.text[:1].isdigit() and ours.noun:
        return f"counts {value.noun}, which no source counts"
    return ""


def _tops_a_scale(ours: Place) -> bool:
    """Whether the value is the 5, 10 or 100 of "3.5 stars out of 5"."""
    if ours.value.amount not in (5, 10, 100):
        return False
    return _SCALE.search(ours.view.text, max(0, ours.value.start - 20), ours.value.start) is not None


def refers(ours: Place, proof: Proof) -> str:
    """Why a number only points at a source or a part of the answer ("passage 2", "Step 1", "Method 3:"); else ""."""
    text = ours.view.text
    if ours.value.kind == "citation":
        pointing = ours.value.text.casefold().startswith(("step ", "passage ", "source ", "document "))
        return "a step of the text" if pointing else ""
    if _STEPS.search(text, max(0, ours.value.start - 24), ours.value.start):
        numbered = _last_number(ours.view)
        ends = [end.amount for end in ours.value.ends] or [ours.value.amount]
        if all(isinstance(end, Fraction) and 0 < end <= numbered for end in ends):
            return "points at a step of the answer"
    amount = ours.value.amount
    if ours.value.kind != "number" or not isinstance(amount, Fraction) or not 0 < amount <= BY_EYE:
        return ""
    before = text[max(0, ours.value.start - 40) : ours.value.start]
    if amount <= max(len(proof.sources), 3) and _REFERENCE.search(before):
        return "refers to a source"
    if _numbers_a_row(ours):
        return "numbers a row of the answer's table"
    behind = text[ours.value.end : ours.value.end + 2]
    if _HEADING.search(before) and (behind == " (" or behind[:1] in (":", ".", ")", "-", "")):
        return "numbers a part of the answer"
    return ""


def _last_number(view: TextView) -> int:
    """The largest number that opens a line of a text ("7. Rinse"); 0 without any."""
    known: int | None = view.memo.get("last number")
    if known is None:
        known = view.memo["last number"] = max((int(n) for n in _NUMBERED.findall(view.text)), default=0)
    return known


def _numbers_a_row(ours: Place) -> bool:
    """Whether the value stands alone in a column that only numbers the rows of a table ("#", "No.")."""
    passage = passage_at(ours.view, ours.value.start)
    if passage is None or passage.kind != "cell" or passage.column.strip(" .").casefold() not in NUMBERING:
        return False
    return ours.view.text[passage.start : passage.end].strip(" .)") == ours.value.text


def _per_week(ours: Place) -> bool:
    """Whether the value is the number of days in "six days a week"."""
    rest = ours.view.text[ours.value.start : ours.value.end + 12].casefold()
    return re.search(r"days? (?:a|per|each|of the) week\b", rest) is not None


def _open_days(count: int, proof: Proof) -> str:
    """Days of the week that a record lists hours for; "seven days a week" also where no record does."""
    listed = max((len(_hours(view)) for view in proof.sources), default=0)
    if listed and count == listed:
        return f"the record lists hours for {listed} days"
    return "every day" if count == 7 and not listed else ""


def _hours(view: TextView) -> set[int]:
    names = day_words(view.language).days
    return {
        names[passage.key_path[-1].casefold()]
        for passage in view.passages
        if passage.key_path and passage.key_path[-1].casefold() in names
        and view.text[passage.start : passage.end].strip("'\" ").casefold() not in ("none", "null", "closed", "")
    }  # fmt: skip


def _counted_by_sources(ours: Place, ledger: Ledger) -> bool:
    return bool(ours.noun) and any(
        place.noun == ours.noun and place.value.kind == ours.value.kind for place in ledger.candidates(ours)
    )


def _said_how_often(ours: Place, ledger: Ledger) -> bool:
    """Whether a source counts the occasions of the same thing, over the same time."""
    mine = ours.value.amount if ours.value.dimension == "frequency" else ours.value.period
    for place in ledger.places:
        theirs = place.value
        if theirs.dimension == "times":
            period: object = theirs.period
        elif theirs.dimension == "frequency" and ours.value.dimension == "times":
            period = theirs.amount
        elif theirs.dimension == "frequency":  # another period of the same thing
            if len(place.near & ours.near) >= max(1, min(2, len(ours.near))):
                return True
            continue
        else:
            continue
        if period == mine and len(place.wide & ours.wide) >= (1 if mine else 2):
            return True
    return False


def _records(proof: Proof) -> int:
    """How many entries the longest list of a record source has, by the index in its key paths."""
    most = 0
    for view in proof.sources:
        most = max(most, _entries(view))
    return most


def _entries(view: TextView) -> int:
    known: int | None = view.memo.get("entries")
    if known is None:
        firsts = (next((part for part in passage.key_path if part.isdigit()), None) for passage in view.passages)
        known = view.memo["entries"] = len({first for first in firsts if first is not None})
    return known


def _last_number_before(ours: Place) -> int:
    """The number of the last item of a numbered list that ends before the value."""
    lead = ours.view.text[max(0, ours.value.start - 4000) : ours.value.start]
    numbers = [int(n) for n in _NUMBERED.findall(lead)]
    return numbers[-1] if numbers else 0


def _items_after(ours: Place) -> int:
    rest = ours.view.text[ours.value.end : ours.value.end + 6000]
    return len(_ITEM.findall(rest))


def _side_by_side(ours: Place) -> int:
    """Things listed in the value's own sentence after it: "three towns: A, B and C" gives three."""
    if ours.sentence < 0:
        return 0
    sentence = ours.view.sentences[ours.sentence]
    rest = ours.view.text[ours.value.end : sentence.end]
    colon = rest.find(":")
    if colon >= 0:
        rest = rest[colon + 1 :]
    return len([part for part in re.split(r",(?:\s*(?:and|or))?\s|\s(?:and|or)\s", rest) if part.strip()])
