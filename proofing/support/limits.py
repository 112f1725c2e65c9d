"""What "only" rules out: "can be refunded" where the source says that it can only be exchanged.

Held against each other are two clauses that differ in one word: what the source limits ("only … exchanged", "only … at
the counter"), and what the answer has in its place, behind the same preposition. A verb must be known to exclude the
source's (``data/contrasts.json``); a noun must stand in no source.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofing.documents import Sentence
from proofing.support.alignment import Aligned, aligned_clauses
from proofing.support.clauses import content_of
from proofing.support.lexical import are_cognates
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.turns import Turned, limits_in, whose_source_limits
from proofing.support.words import contrasts, synonyms
from proofing.support.wordset import word_set

#: Words between a preposition and its noun.
ARTICLES = word_set(
    "the a an our your my their its his her der die das dem den einem einer le la les un une el los las lo"
)
#: Prepositions that tie a noun to what is limited.
TIES = word_set(
    "at by in on to for with from through via per an am im beim bei mit durch von par à chez en por con a da em com"
)


def ruled_out(proof: Proof, sentence: Sentence, clause: range, content: Sequence[int]) -> Turned | None:
    """The word of a clause that the "only" of the nearest source clause excludes; None where none does."""
    answer = proof.answer
    if len(content) < 2 or not whose_source_limits(proof, sentence) or limits_in(answer, sentence):
        return None
    for aligned in aligned_clauses(proof, sentence, clause):
        limiter = next((t for t in signs_of(aligned.view).turns_in(aligned.clause) if t.family == "limiter"), None)
        if limiter is None:
            continue
        theirs = [i for i in content_of(aligned.view, aligned.clause) if i > limiter.first and i >= limiter.last]
        free = [i for i in theirs if i not in aligned.met_places]
        mine = [i for i in content if i not in aligned.here]
        if len(mine) != 1:
            continue
        token = next((i for i in free if _excludes(proof, mine[0], aligned, i, free)), None)
        if token is not None:
            said = aligned.view.text[slice(*_span(aligned.view, limiter.first, token))]
            note = f"the source allows it only so: {said!r}"
            return Turned(mine[0], mine[0] + 1, "comparator", aligned, limiter.first, token + 1, (), note)
    return None


def _excludes(proof: Proof, i: int, aligned: Aligned, token: int, free: Sequence[int]) -> bool:
    answer, view = proof.answer, aligned.view
    stem, other = answer.stems[i], view.stems[token]
    if other in contrasts(answer.language).get(stem, ()):
        return True
    if stem in proof.postings or len(free) != 1 or are_cognates(stem, other):
        return False
    kin = synonyms(answer.language).get(stem, frozenset())
    if other in kin or any(word in proof.postings for word in kin):
        return False
    tie = _tie(answer, i)
    return bool(tie) and tie == _tie(view, token) and not _goes_on(answer, i) and not _goes_on(view, token)


def _tie(view: TextView, i: int) -> str:
    """The preposition before a noun, articles passed over; "" where there is none."""
    k = i - 1
    while k > 0 and view.folds[k] in ARTICLES:
        k -= 1
    return view.folds[k] if k >= 0 and view.folds[k] in TIES else ""


def _goes_on(view: TextView, i: int) -> bool:
    """Whether another noun follows ("box office")."""
    return i + 1 < len(view.tokens) and view.content[i + 1]


def _span(view: TextView, first: int, last: int) -> tuple[int, int]:
    return view.tokens[first].start, view.tokens[last].end
