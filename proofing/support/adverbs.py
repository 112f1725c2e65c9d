"""Adverbs that say how often, against "never" and "no longer": "always contains" is no "never contains"."""

from __future__ import annotations

from proofing.support.denying import BEFORE_NO_VERB, Change, Group, verb_group
from proofing.support.polarity_words import signs_of
from proofing.support.reading import TextView
from proofing.support.wordset import word_set

#: Adverbs that say how often, and so whether at all.
OFTEN = word_set("always often usually sometimes frequently regularly occasionally generally commonly still ever")


def adverb_swapped(group: Group) -> Change | None:
    """ "Always contains" where the source says "never contains", "still sells" where it says "no longer sells"."""
    view, source, negator = group.view, group.source, group.negator
    beside = [i for i in (group.head - 1, group.head + 1) if i in group.clause and view.folds[i] in OFTEN]
    if view.language != "en" or not beside:
        return None
    longer = source.folds[negator : negator + 2] in (("no", "longer"), ("no", "more"))
    if source.folds[negator] != "never" and not longer:
        return None
    text = source.text[source.tokens[negator].start : source.tokens[negator + longer].end]
    text = text[:1].lower() + text[1:]
    at = beside[0]
    return Change(at, at + 1, text[:1].upper() + text[1:] if _opens(view, at) else text)


def never_before(group: Group) -> Change | None:
    """ "Contains" where the source says "never contains" of the same form of the verb."""
    view, head, source = group.view, group.head, group.source
    if view.language != "en" or source.folds[group.negator] != "never" or group.negator != group.token - 1:
        return None
    if view.folds[head] != source.folds[group.token] or head == group.clause.start or _opens(view, head):
        return None
    if verb_group(view, group.before, signs_of(view)) is not None or view.folds[head - 1] in BEFORE_NO_VERB:
        return None
    return Change(head, head + 1, f"never {view.tokens[head].text}")


def _opens(view: TextView, token: int) -> bool:
    sentence = view.sentence_at(view.tokens[token].start)
    return sentence is not None and not any(view.tokens[i].kind == "word" for i in range(sentence.first_token, token))
