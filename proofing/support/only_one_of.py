""" "Only" said of one of several: "by e-mail only" where a source says "by e-mail or by post".

And the other way round: "every member can delete it" where a source says that administrators alone can.
"""

from __future__ import annotations

from collections.abc import Iterator

from proofing.documents import Sentence
from proofing.support.alignment import Aligned, aligned_clauses, near_sentences
from proofing.support.clauses import content_of
from proofing.support.denials import denial_of
from proofing.support.polarity_words import Turn, signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.turns import Turned
from proofing.support.wordset import word_set

_OR = word_set("or oder ou o или and und et y e и")
_ALL = word_set("every all any alle jeder jede jedes tous toutes todo todos toda todas tutti tutte ogni qualsiasi "
                "qualquer все каждый любой")  # fmt: skip
EVERYBODY = word_set("everyone everybody anyone anybody jeder chacun todos cualquiera tutti chiunque каждый любой")
#: Of the rest of the answer's clause a source clause must have so much.
SAID = 0.999


def only_where_several(proof: Proof, sentence: Sentence, clause: range) -> Iterator[Turned]:
    """The words of a clause that limit what a source leaves open, or open what it limits."""
    answer = proof.answer
    signs = signs_of(answer)
    limiter = next((turn for turn in signs.turns_in(clause) if turn.family == "limiter"), None)
    opener = next((i for i in _opening(answer, clause) if answer.folds[i] in _ALL | EVERYBODY), None)
    if (limiter is None) == (opener is None) or signs.denies_between(clause.start, clause.stop):
        return
    near = [proof.evidence[index] for index in near_sentences(proof, sentence)]
    limited = any(place.sentence in signs_of(proof.sources[place.source]).limited for place in near)
    if limiter is None and not limited:
        return
    for aligned in aligned_clauses(proof, sentence, clause):
        found = (
            _one_of_several(answer, clause, limiter, aligned) if limiter is not None
            else _of_some_only(answer, clause, opener or 0, aligned)
        )  # fmt: skip
        if found is not None:
            yield found
            return


def _opening(view: TextView, clause: range) -> list[int]:
    """The first two words of a clause, where its subject begins."""
    return [i for i in clause if view.tokens[i].kind == "word"][:2]


def all_of_the_only_ones(answer: TextView, turned: Turned) -> bool:
    """ "Every administrator can" for "only administrators can": those whom a source limits it to may all be named."""
    view = turned.aligned.view
    reach = range(max(turned.source_first - 2, turned.aligned.sentence.start), turned.source_last + 2)
    limits = any(turn.family == "limiter" for turn in signs_of(view).turns_in(reach))
    return limits and turned.first > 0 and answer.folds[turned.first - 1] in _ALL


def _one_of_several(answer: TextView, clause: range, limiter: Turn, aligned: Aligned) -> Turned | None:
    """ "Only by e-mail" for "by e-mail or by post"."""
    view, there = aligned.view, aligned.clause
    mine = [i for i in content_of(answer, clause) if not limiter.first <= i < limiter.last]
    theirs = content_of(view, there)
    if len(mine) > 2 and mine[0] not in aligned.here and mine[0] < limiter.first:
        mine = mine[1:]  # who does it: "the shop" for "we"
    if len(mine) < 2 or any(i not in aligned.here for i in mine):
        return None
    if any(turn.family == "limiter" for turn in signs_of(view).turns_in(aligned.sentence)):
        return None
    if signs_of(view).denies_between(there.start, there.stop):
        return None
    ends = [i for i in mine if i == limiter.first - 1 or i == mine[-1]] or mine[-1:]
    for end in ends:
        for token in aligned.here[end]:
            other = _joined_to(view, there, token)
            if other is not None and other in theirs and other not in aligned.met_places:
                note = f"the source also says {view.tokens[other].text!r}"
                first, last = sorted((token, other))
                return Turned(limiter.first, limiter.last, "comparator", aligned, first, last + 1, (), note)
    return None


def _joined_to(view: TextView, clause: range, token: int) -> int | None:
    """The word that an "or" sets beside a token, at most a preposition and an article apart."""
    for joined in (token + 1, token + 2):
        if joined in clause and view.folds[joined] in _OR:
            return next((i for i in range(joined + 1, min(joined + 4, clause.stop)) if view.content[i]), None)
    before = [i for i in range(max(clause.start, token - 3), token) if view.folds[i] in _OR]
    if before:
        return next((i for i in range(before[-1] - 1, max(clause.start, before[-1] - 3), -1) if view.content[i]), None)
    return None


def _of_some_only(answer: TextView, clause: range, opener: int, aligned: Aligned) -> Turned | None:
    """ "Every member can delete it" for "can be deleted by administrators only"."""
    view, there = aligned.view, aligned.clause
    limiter = next((turn for turn in signs_of(view).turns_in(there) if turn.family == "limiter"), None)
    if limiter is None or signs_of(view).denies_between(there.start, there.stop):
        return None
    content = content_of(answer, clause)
    subject = next((i for i in content if i > opener), None) if answer.folds[opener] not in EVERYBODY else opener
    rest = [i for i in content if subject is not None and i > subject]
    if subject is None or len(rest) < 2 or any(i not in aligned.here for i in rest):
        return None
    if subject in aligned.meets or denial_of(answer, signs_of(answer), clause, rest[0]).any:
        return None
    limited = [i for i in content_of(view, there) if i not in aligned.met_places and abs(i - limiter.first) <= 2]
    if not limited:
        return None
    said = view.text[
        view.tokens[min(limited[0], limiter.first)].start : view.tokens[max(limited[-1], limiter.last - 1)].end
    ]
    note = f"the source says {said!r}"
    return Turned(opener, subject + 1, "comparator", aligned, min(limited[0], limiter.first),
                  max(limited[-1] + 1, limiter.last), (), note)  # fmt: skip
