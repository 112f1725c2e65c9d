"""A count of what a source says there was none of: "three people were hurt" for "nobody was hurt"."""

from __future__ import annotations

from collections.abc import Iterator

from proofing.documents import Sentence
from proofing.support.alignment import ANYBODY, Aligned, aligned_clauses, near_sentences
from proofing.support.clauses import content_of
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.turns import EXCEPTING, Turned
from proofing.support.wordset import word_set

#: Words that say that there was nobody or nothing, and those that need the thing itself behind them.
NOBODY = word_set("nobody none niemand personne nadie nessuno ninguém никто")
NO = word_set("no kein keine keinen aucun aucune ningún ninguna nessun nessuna nenhum nenhuma")


def counted_where_none(proof: Proof, sentence: Sentence, clause: range) -> Iterator[Turned]:
    """The figures of a clause that count what a source clause with all its other words says there was none of."""
    answer = proof.answer
    values = answer.values_between(answer.tokens[clause.start].start, answer.tokens[clause.stop - 1].end)
    counts = [v for v in values if v.kind == "number" and v.dimension == "count" and v.noun and not v.implicit]
    if len(counts) != 1 or signs_of(answer).denies_between(clause.start, clause.stop):
        return
    near = [proof.located(index) for index in near_sentences(proof, sentence)]
    if not any(signs_of(view).denies_between(theirs.first_token, theirs.last_token) for view, theirs in near):
        return
    inside = answer.tokens_between(counts[0].start, counts[0].end)
    noun = inside.stop if inside.stop < clause.stop else -1
    for aligned in aligned_clauses(proof, sentence, clause):
        at = _none_in(answer, clause, inside, noun, aligned)
        if at is not None:
            said = aligned.view.text[aligned.view.tokens[at].start : aligned.view.tokens[at].end]
            yield Turned(inside.start, inside.stop, "comparator", aligned, at, at + 1, (), f"the source says {said!r}")
            return


def _none_in(answer: TextView, clause: range, figure: range, noun: int, aligned: Aligned) -> int | None:
    """The word of a source clause that says there was none, where it says all else that the answer says."""
    view, there = aligned.view, aligned.clause
    rest = [i for i in content_of(answer, clause) if i not in figure and i != noun]
    if len(rest) < 2 - (noun in aligned.here) or any(i not in aligned.here for i in rest):
        return None
    if any(view.folds[i] in EXCEPTING or view.tokens[i].kind == "digits" for i in there):
        return None
    for i in there:
        if view.folds[i] in NOBODY and answer.folds[noun] in ANYBODY:
            return i
        if view.folds[i] in NO and noun in aligned.here and i + 1 in aligned.here[noun]:
            return i
    return None
