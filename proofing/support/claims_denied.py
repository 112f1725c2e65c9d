"""A claim that one text names only to deny it, against what the other says.

"Bats are blind" contradicts "It is a myth that bats are blind", "bats are not blind" agrees with it; and "it is a myth
that the road is closed" contradicts "the road is closed".
"""

from __future__ import annotations

import math

from proofing.support.alignment import Aligned
from proofing.support.claimed import Claim, claim_at
from proofing.support.denials import SUPPOSING, SUPPOSING_IN
from proofing.support.polarity_words import Signs, signs_of
from proofing.support.reading import TextView
from proofing.support.turns import Turned
from proofing.support.wordset import word_set

#: How much of a clause a denied claim must meet before it contradicts it.
SAME_CLAIM = 0.7
#: Share of the source's words that the answer must speak of.
SAME_BACK = 0.8
_HELPERS = word_set(
    "is are was were am can could may might must shall should will would has have had do does did",
    "ist sind war waren kann können darf dürfen muss müssen wird werden hat haben est sont peut peuvent a ont es son "
    "está están puede pueden ha han è sono può possono hanno é são pode podem tem têm",
)


def claim_coverage(aligned: Aligned, claim: Claim | None, without: int | None = None) -> float:
    """Share (by rarity) that a source clause meets of what the answer claims, its frame ("it is a myth that") apart.

    Args:
        aligned: the source clause.
        claim: the answer's denied claim; None where it states what it says.
        without: a token that does not count.
    """
    if claim is None:
        return aligned.coverage(without)
    inside = [t for t in aligned.weights if t in claim.tokens and t not in claim.verdict and t != without]
    total = math.fsum(aligned.weights[t] for t in inside)
    return math.fsum(aligned.met.get(t, 0.0) for t in inside) / total if total > 1e-9 else 0.0


def against_claim(
    answer: TextView, signs: Signs, clause: range, head: int, aligned: Aligned, token: int
) -> Turned | str | None:
    """What `polarity` does with two words of which one at least stands in a named claim.

    None: both texts say the same of it; "unclear": not comparable; else what the answer turns round.
    """
    view = aligned.view
    mine, theirs = claim_at(answer, head), claim_at(view, token)
    if any(claim is not None and not claim.denied for claim in (mine, theirs)):
        return "unclear"
    if answer.stems[head] != view.stems[token] or claim_coverage(aligned, mine) < SAME_CLAIM:
        return "unclear"
    here = _denials_in(answer, mine, clause, head)
    there = _denials_in(view, theirs, aligned.clause, token)
    if here is None or there is None or (mine is None and not here and _denied_before(answer, clause)):
        return "unclear"
    turns = len(here) + len(there) + (mine is not None) + (theirs is not None)
    if turns % 2 == 0:
        return None
    if not _same_otherwise(answer, mine, clause, aligned, theirs):
        return "unclear"
    source = theirs.verdict if theirs is not None else range(token, token + 1)
    if mine is not None:
        first, last, text = mine.verdict.start, mine.verdict.stop, None
    elif here:
        first, last, text = here[0], signs.denials[here[0]], None
    else:
        first, last, text = _predicate(answer, clause)
    note = "the source denies this claim" if theirs is not None else "the source says it, this denies it"
    source_last = max(source.stop, source.start + 1)
    replacement = (text,) if text else ()
    return Turned(first, last, "negation", aligned, source.start, source_last, replacement, note)


def _same_otherwise(
    answer: TextView, mine: Claim | None, clause: range, aligned: Aligned, theirs: Claim | None
) -> bool:
    """Whether the answer speaks of all that the source speaks of, and neither of "only" or "all" alone."""
    here, there = _said(mine, clause), _said(theirs, aligned.clause)
    frame = theirs.verdict if theirs is not None else range(0)
    words = [i for i in there if aligned.view.content[i] and i not in frame]
    met = sum(i in aligned.met_places for i in words)
    return met >= SAME_BACK * len(words) and _limits_in(answer, here) == _limits_in(aligned.view, there)


def _said(claim: Claim | None, clause: range) -> range:
    """The part of a clause that says something, without the frame of a claim."""
    if claim is None:
        return clause
    return range(max(clause.start, claim.tokens.start), min(clause.stop, claim.tokens.stop))


def _limits_in(view: TextView, tokens: range) -> set[str]:
    return {turn.family for turn in signs_of(view).turns_in(tokens) if turn.family in ("limiter", "quantifier")}


def _denials_in(view: TextView, claim: Claim | None, clause: range, token: int) -> list[int] | None:
    """The denials in what a clause says, up to an "if"; None where the token stands behind it, or there are several."""
    said = _said(claim, clause)
    start, stop = said.start, said.stop
    words = SUPPOSING_IN.get(view.language, SUPPOSING)
    supposed = next((i for i in range(start, stop) if view.folds[i] in words), stop)
    if supposed <= token:
        return None
    signs = signs_of(view)
    found = [i for i in signs.denial_places if start <= i < supposed and view.folds[i + 1 : i + 2] != (",",)]
    return found if len(found) <= 1 else None


def _denied_before(answer: TextView, clause: range) -> bool:
    """Whether a denial stands in the sentence before a clause: "did not fail Latin or Greek in school"."""
    sentence = answer.sentence_at(answer.tokens[clause.start].start)
    first = sentence.first_token + 1 if sentence else clause.start  # past the "No" of "No, …"
    return first < clause.start and signs_of(answer).denies_between(first, clause.start)


def _predicate(answer: TextView, clause: range) -> tuple[int, int, str | None]:
    """The answer's verb, to be marked, and how it would be denied where that is plain."""
    content = [i for i in clause if answer.content[i]]
    helper = next((i for i in clause if answer.folds[i] in _HELPERS and (not content or i > content[0])), None)
    if helper is None:
        verb = content[min(1, len(content) - 1)]
        return verb, verb + 1, None
    word = answer.tokens[helper].text
    if answer.language != "en" or answer.folds[helper] in ("has", "have", "had", "do", "does", "did"):
        return helper, helper + 1, None
    return helper, helper + 1, "cannot" if word == "can" else f"{word} not"
