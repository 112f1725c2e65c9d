"""A figure that a source gives only as what was changed: "the fee is 20 euros" where it was raised from 20 to 25."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proofing.support.base import Judgement
from proofing.support.former import statement_of, tells_of_earlier
from proofing.support.ledger import Entry
from proofing.support.places import Place, evidence_at
from proofing.support.reading import TextView
from proofing.support.wordset import word_set
from proofing.values import Value

#: What the answer says of today.
_IS = re.compile(
    r"\b(?:is|are|costs?|amounts? to|stands? at|lasts?|takes?|has|have|ist|sind|beträgt|betragen|kostet|kosten"
    r"|dauert|gilt|est|sont|coûte|dure|es|son|cuesta|cuestan|dura|è|sono|costa|costano|é|são|custa|custam)\b",
    re.IGNORECASE,
)
#: A change that has been made.
_CHANGED = re.compile(
    r"\b(?:raised|increased|lowered|cut|reduced|changed|extended|shortened|expanded|rose|fell|dropped|grew"
    r"|went (?:up|down)|erhöht|gesenkt|angehoben|verlängert|verkürzt|geändert|gestiegen|gesunken|stieg|sank|fiel"
    r"|augmenté\w*|relevé\w*|réduit\w*|baissé\w*|passé\w*|prolongé\w*|porté\w*"
    r"|aumentó|subió|bajó|redujo|amplió|pasó|aumentad[ao]|reducid[ao]|ampliad[ao]"
    r"|aumentat[ao]|ridott[ao]|salit[ao]|sces[ao]|passat[ao]|prolungat[ao]"
    r"|aumentou|subiu|baixou|reduziu|passou|reduzid[ao]|alargad[ao])\b",
    re.IGNORECASE,
)
#: One that is still to come: until then the old figure holds.
_TO_COME = re.compile(
    r"\b(?:will|shall|would|(?-i:may)|might|could|going to|is to|are to|to be|plans? to|planned|proposed|if|wird|werden"
    r"|soll|sollen|ser[aá]|seront|va|doit|vai|deve|verrà|será)\b",
    re.IGNORECASE,
)
#: A change for some, or under some circumstances, is no change of the figure itself.
_FOR_SOME = re.compile(
    r"\b(?:can|cannot|on request|upon|for|with|without|after|under|when|where|while|unless|among|during|who|patients"
    r"|members"
    r"|für|bei|nach|wenn|während|auf anfrage|kann|können|pour|chez|après|si|peut|pendant|para|con|después|cuando|puede"
    r"|dopo|se|quando|può|durante|com|depois|pode|avec|mit|unter|sous|bajo|sob)\b"
    r"|\bin (?:the |all |some |most )?(?!(?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|spring|summer|autumn|winter)\b)[^\W\d]"
    r"|\b(?:is|are|be|wird|werden|ist|sind|est|sont|es|son|è|sono|é|são)\s+(?:now\s+)?(?:raised|increased|lowered|cut|reduced"
    r"|extended|shortened|expanded|erhöht|gesenkt|augmenté|réduit|aumentad|reducid|aumentat|ridott|reduzid)",
    re.IGNORECASE,
)
#: What an answer says of some, too.
_OF_SOME = re.compile(
    r"\b(?:standard|baseline|default|outset|first|new|initial\w*|non-\w+|without|for|with|if|when|after|before|under)\b",
    re.IGNORECASE,
)
_FROM = word_set("from von de da desde dal dalla")
_TO = word_set("to auf à a al para")
#: Another time than today: a year, the beginning of something.
_OTHER_TIME = re.compile(
    r"\b(?:(?:19|20)\d\d|start|starts|begin\w*|anfang|beginn|début|inicio|início|inizio)\b", re.IGNORECASE
)


def judge_outdated(ours: Place, entries: Sequence[Entry]) -> Judgement | None:
    """``contradicted`` on a figure told of today where every source has it as what something was changed from."""
    if ours.structure != "prose" or ours.value.kind in ("date", "time"):
        return None
    said = statement_of(ours)
    if not _IS.search(said) or _OTHER_TIME.search(said) or _CHANGED.search(said) or tells_of_earlier(ours):
        return None
    if _OF_SOME.search(said):
        return None
    newer = [_changed_to(entry) for entry in entries]
    if newer[0] is None or any(value is None for value in newer):
        return None
    place, value = entries[0].place, ours.value
    note = f"the source says it was changed to {' '.join(newer[0].text.split())}"
    return Judgement(
        value.start, value.end, value.text, value.kind, 0.0, "contradicted", evidence_at(place, note),
        (), "arithmetic", note, channel="values",
    )  # fmt: skip


def _changed_to(entry: Entry) -> Value | None:
    """What a source's figure was changed to; None where the source tells of no change that has been made."""
    place, view = entry.place, entry.place.view
    if place.sentence < 0:
        return None
    sentence = view.sentences[place.sentence]
    if not _CHANGED.search(sentence.text) or _TO_COME.search(sentence.text):
        return None
    if _FOR_SOME.search(sentence.text):
        return None
    old = entry.value
    before = view.tokens_between(sentence.start, old.start)
    if len(before) == 0 or view.folds[before[-1]] not in _FROM:
        return None
    if entry.end is not None:
        one, other = place.value.ends
        return other if old.start == one.start and _ends_with_to(view, one.end, other.start) else None
    for value in view.values_between(sentence.start, sentence.end):
        if value.start > old.end:  # "from 20 euros, later 22, to 25 euros" is left alone
            return value if _ends_with_to(view, old.end, value.start) else None
        is_beside = len(view.tokens_between(value.end, old.start)) == 1  # "to 25 euros from 20 euros"
        if is_beside and value.dimension == old.dimension and _ends_with_to(view, sentence.start, value.start):
            return value
    return None


def _ends_with_to(view: TextView, start: int, end: int) -> bool:
    """Whether the last word of a stretch is a "to"."""
    inside = view.tokens_between(start, end)
    return len(inside) > 0 and view.folds[inside[-1]] in _TO
