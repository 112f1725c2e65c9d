"""What a sentence sets against its own statement: "from the valve, not from the new pipe", "at the desk, not online".

Such a tail denies what stands before it, with other words in one place. A source contradicts it only where it says that
very thing of them: that the leak came from the new pipe, not that the new pipe was fitted in May.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from proofing.documents import Sentence
from proofing.support.alignment import Aligned, aligned_clauses, near_sentences
from proofing.support.claimed import claim_at
from proofing.support.clauses import clause_ranges, content_of
from proofing.support.denials import denials_in
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.turns import HELPING, Turned
from proofing.support.wordset import word_set

#: Denials that set one thing against another, behind a comma or an "and"; the phrases do so alone.
NOT = word_set("not nicht pas no non não не")
PHRASES = word_set("rather instead statt au en invece em вместо")
BEFORE = word_set(", and but und aber et mais y pero e ma mas а и но — –")
#: By language, what joins the two things where both hold.
AND = {"en": "and", "de": "und", "fr": "et", "es": "y", "it": "e", "pt": "e", "ru": "и"}
#: Words that tie a thing to its statement, so that the same one shows what is set against what.
TIES = word_set(
    "from by at in on to for with via through because since during before after under over von vom durch bei beim im "
    "am in an auf mit für aus wegen de du des par à au aux dans sur avec pour en por con para al del a alla allo ai "
    "agli alle da dal dalla dallo nel nella do no na dos nas nos pelo pela pelos pelas ao aos às от из в на с по для"
)
ARTICLES = word_set(
    "the a an der die das den dem ein eine le la les un une el los las il lo i gli uno una o os as um uma"
)
#: A tail is at most so many tokens long, and so much of the statement before it the source must say of it.
TAIL, SAID = 12, 0.75
#: So many contrasts of one clause or sentence are looked at.
CONTRASTS = 4


class Contrast(NamedTuple):
    """A statement, the thing in it, and the thing it denies: token ranges; `negator` is the denial."""

    frame: range
    focus: range
    negator: range
    tail: range


def contrast_turned(proof: Proof, sentence: Sentence, turned: Turned) -> Turned | None:
    """What becomes of a denial that seems to be one too many where it opens such a tail.

    Returns:
        `turned` itself where it opens none; None where no source says of the second thing what the answer says of the
        first; else a mark on both things, or on the denial alone where the source names both.
    """
    answer = proof.answer
    found = contrast_at(answer, sentence, turned.first)
    if found is None or not _stems(answer, found.frame) or not _stems(answer, found.tail):
        return turned
    for index in near_sentences(proof, sentence):
        view, near = proof.located(index)
        inside = range(near.first_token, near.last_token)
        for clause in clause_ranges(view, proof.evidence[index].sentence):
            places = _said_of_the_tail(answer, found, view, clause)
            if places:
                aligned = replace(turned.aligned, index=index, view=view, clause=clause, sentence=inside)
                again = _against(answer, found, aligned, places)
                if again is not None:
                    return again
    return None


def contrasts_swapped(proof: Proof, sentence: Sentence, clause: range) -> Iterator[Turned]:
    """A contrast whose two things a source sets the other way round: "to court, not to arbitration"."""
    answer = proof.answer
    places = denials_in(answer, clause)[:CONTRASTS]
    own = [found for i in places if (found := contrast_at(answer, sentence, i)) is not None]
    for found in own:
        near = aligned_clauses(proof, sentence, clause)
        said = _said_only_of_the_tail(answer, found, near)
        if said is not None:
            yield said
            continue
        for aligned in near:
            other = _swapped_in(answer, found, aligned)
            if other is None:
                continue
            first, second = answer.text[_span(answer, found.focus)], answer.text[_span(answer, found.tail)]
            between = answer.text[_span(answer, found.focus).stop : _span(answer, found.tail).start]
            there = " ".join(aligned.view.text[_span(aligned.view, other)].split())
            yield Turned(
                found.focus.start, found.tail.stop, "negation", aligned, other.start, other.stop,
                (second + between + first,), f"the source says {there!r}",
            )  # fmt: skip
            break


def _said_only_of_the_tail(answer: TextView, found: Contrast, near: Sequence[Aligned]) -> Turned | None:
    """The mark on a contrast of which a source says of the second thing what none says of the first."""
    frame, focus = _stems(answer, found.frame), _stems(answer, found.focus)
    if len(frame) < 2 or not focus:
        return None
    for aligned in near:
        theirs = frozenset(aligned.view.stems[aligned.clause.start : aligned.clause.stop])
        if focus <= theirs and len(frame & theirs) >= SAID * len(frame):
            return None
    for aligned in near:
        if not frame <= frozenset(aligned.view.stems[aligned.clause.start : aligned.clause.stop]):
            continue
        places = _said_of_the_tail(answer, found, aligned.view, aligned.clause)
        again = _against(answer, found, aligned, places) if places else None
        if again is not None:
            return again
    return None


def _swapped_in(answer: TextView, found: Contrast, aligned: Aligned) -> range | None:
    """The contrast of a source sentence that has the two things the other way round."""
    view = aligned.view
    near = view.sentence_at(view.tokens[aligned.sentence.start].start)
    focus, tail = _stems(answer, found.focus), _stems(answer, found.tail)
    for place in denials_in(view, aligned.sentence)[:CONTRASTS]:
        other = contrast_at(view, near, place) if near is not None else None
        if other is not None:
            theirs, denied = _stems(view, other.focus), _stems(view, other.tail)
            if focus & denied and tail & theirs and not (focus & theirs - tail or tail & denied - focus):
                return range(other.focus.start, other.tail.stop)
    return None


def _said_of_the_tail(answer: TextView, found: Contrast, view: TextView, clause: range) -> list[int]:
    """Where a source clause names the second thing, if it says of it what the answer says of the first."""
    theirs = frozenset(view.stems[clause.start : clause.stop])
    frame, tail = _stems(answer, found.frame), _stems(answer, found.tail)
    if not tail <= theirs or len(frame & theirs) < SAID * len(frame):
        return []
    places = [i for i in clause if view.stems[i] in tail]
    if signs_of(view).denies_between(clause.start, clause.stop) or any(claim_at(view, i) for i in places):
        return []
    return places


def _against(answer: TextView, found: Contrast, aligned: Aligned, places: Sequence[int]) -> Turned | None:
    """The mark that a source clause calls for which says it of the second thing; None where that is not clear."""
    view, clause = aligned.view, aligned.clause
    focus = _stems(answer, found.focus)
    if not focus:
        return None
    said = " ".join(view.text[view.tokens[places[0]].start : view.tokens[places[-1]].end].split())
    first, last, text = found.focus.start, found.tail.stop, _as_said(answer, found, view, places)
    if focus <= frozenset(view.stems[clause.start : clause.stop]):
        joined = AND.get(answer.language)
        if joined is None or not _are_joined(view, clause, focus, _stems(answer, found.tail)):
            return None
        first, last, text = found.negator.start, found.negator.stop, joined
    note = f"the source says it of {said!r}"
    return Turned(first, last, "negation", aligned, places[0], places[-1] + 1, (text,), note)


def _as_said(answer: TextView, found: Contrast, view: TextView, places: Sequence[int]) -> str:
    """The second thing as it may stand for the first: with the source's preposition where the answer leaves it out."""
    text = answer.text[_span(answer, found.tail)]
    before = places[0] - 1
    if answer.folds[found.tail.start] in TIES | ARTICLES or answer.folds[found.focus.start] not in TIES:
        return text
    if before > 0 and view.folds[before] in ARTICLES:
        before -= 1
    tied = before > 0 and view.folds[before] in TIES
    return view.text[view.tokens[before].start : view.tokens[places[-1]].end] if tied else text


def _span(view: TextView, tokens: range) -> slice:
    return slice(view.tokens[tokens.start].start, view.tokens[tokens.stop - 1].end)


def contrast_at(view: TextView, sentence: Sentence, negator: int) -> Contrast | None:
    """The contrast that a denial opens; None where a verb follows, or nothing that could be set against."""
    fold, last = view.folds[negator], signs_of(view).denials.get(negator, negator + 1)
    if fold in NOT:
        if negator <= sentence.first_token or view.folds[negator - 1] not in BEFORE or last != negator + 1:
            return None
    elif fold not in PHRASES or last < negator + 2 - (fold in ("statt", "вместо")):
        return None
    stop = _end_of_tail(view, sentence, last)
    if not 0 < stop - last <= TAIL or any(view.folds[i] in HELPING for i in range(last, stop)):
        return None
    start = _start_of(view, sentence, negator)
    before = negator
    while before > start and view.folds[before - 1] in BEFORE:
        before -= 1
    focus = _focus(view, range(start, before), last)
    if focus is None:
        return None
    if view.folds[focus] in ARTICLES and view.folds[focus] not in TIES and view.folds[last] not in ARTICLES:
        focus += 1  # "covers the room, not breakfast"
    return Contrast(range(start, focus), range(focus, before), range(negator, last), range(last, stop))


def _end_of_tail(view: TextView, sentence: Sentence, first: int) -> int:
    for i in range(first, sentence.last_token):
        if view.tokens[i].kind == "sign" and view.folds[i] in ",;:.!?()—–":
            return i
    return sentence.last_token


def _start_of(view: TextView, sentence: Sentence, negator: int) -> int:
    """Where the statement begins before a contrast: behind the last sign or "but" that parts statements."""
    for i in range(negator - 2, sentence.first_token - 1, -1):
        if view.folds[i] in ";:()—–" or view.folds[i] in ("but", "because", "while", "aber", "weil", "mais", "pero"):
            return i + 1
    return sentence.first_token


def _focus(view: TextView, said: range, tail: int) -> int | None:
    """Where the thing begins that the tail is set against: at the same preposition, else at the last words."""
    content = content_of(view, said)
    if not content:
        return None
    tie = view.folds[tail]
    if tie in TIES:
        return next((i for i in reversed(said) if view.folds[i] == tie), None) or _last_phrase(view, said, False)
    return _last_phrase(view, said, tie in ARTICLES)


def _last_phrase(view: TextView, said: range, at_article: bool) -> int | None:
    """Where the last phrase begins: at its article or its preposition, behind the last word of what is said of it."""
    content = content_of(view, said)
    if len(content) < 2:
        return None
    for i in range(content[-1] - 1, max(said.start, content[-1] - 5), -1):
        if view.folds[i] in TIES or (at_article and view.folds[i] in ARTICLES):
            return i
        if view.folds[i] in HELPING:
            return i + 1
        if view.content[i] and view.folds[i + 1] in ARTICLES:
            return i + 1
    return content[-1]


def _stems(view: TextView, tokens: range) -> frozenset[str]:
    names = (i for i in tokens if view.tokens[i].text[:1].isupper() and i and view.tokens[i - 1].kind == "word")
    return frozenset(view.stems[i] for i in (*content_of(view, tokens), *names))  # "May" is a small word too


def _are_joined(view: TextView, clause: range, one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a source names both things side by side: "from the valve and from the new pipe"."""
    firsts = [i for i in clause if view.stems[i] in one]
    seconds = [i for i in clause if view.stems[i] in other]
    first, second = sorted((firsts, seconds), key=lambda places: places[0])
    between = range(first[-1] + 1, second[0])
    return any(view.folds[i] in AND.values() for i in between) and not any(view.content[i] for i in between)
