"""A share told as a count of a round number: "9 of 10 patients" for "90% of patients"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from proofing.support.backing import FOLLOWS, backed
from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place

_OF = re.compile(r"\s(?:(?:out )?of(?: every)?|in|von|sur|de cada|su|em cada|из)\s", re.IGNORECASE)
#: Wholes that nobody counted: shares are told of them.
ROUND = frozenset(map(Fraction, (*range(2, 11), 20, 100)))


def judge_told_shares(places: Sequence[Place], ledger: Ledger) -> list[Judgement]:
    """Judgements that back both figures of a share which a source gives in percent."""
    found: list[Judgement] = []
    for part, whole in pairwise(places):
        if part.value.dimension != "count" or whole.value.dimension != "count" or whole.number not in ROUND:
            continue
        if part.number is None or whole.number is None or part.number >= whole.number:
            continue
        if not _OF.fullmatch(part.view.text, part.value.end, whole.value.start):
            continue
        for entry in ledger.by_key.get(("percent", part.number * 100 / whole.number), ()):
            if entry.place.wide & part.wide:
                note = f"{entry.value.text} is {part.value.text} of {whole.value.text}"
                found += [backed(place, FOLLOWS, entry.place, note=note) for place in (part, whole)]
                break
    return found
