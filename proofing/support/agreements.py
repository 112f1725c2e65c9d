"""Ways in which a word that seems to turn a clause round leaves two texts agreeing all the same, one function each."""

from __future__ import annotations

from collections.abc import Sequence

from proofing.documents import Sentence
from proofing.support.only_one_of import all_of_the_only_ones
from proofing.support.only_with import not_without_is_only_with
from proofing.support.polarity_words import Turn, signs_of
from proofing.support.quotes import quotations_in
from proofing.support.reading import TextView
from proofing.support.round_the_clock import denies_always
from proofing.support.sayings import is_a_saying
from proofing.support.turns import Turned
from proofing.support.wordset import word_set

#: A bound of several words begins at most so many tokens before its figure.
REACH = 6
#: Words that say of how many something holds: none of them.
NONE = word_set(
    "no none nobody neither kein keine keiner keines niemand aucun aucune personne ningún ninguna ninguno nadie nessun "
    "nessuna nessuno nenhum nenhuma ninguém ни никто",
)


def agree_otherwise(answer: TextView, sentence: Sentence, clause: range, turned: Turned) -> bool:
    """Whether one of the ways below makes the two agree, as "not without" and "only with" do."""
    view, there = turned.aligned.view, turned.aligned.clause
    theirs = view.sentence_at(view.tokens[turned.aligned.sentence.start].start)
    if theirs is not None and not_without_is_only_with(answer, sentence, view, theirs):
        return True
    if theirs is not None and denies_always(answer, sentence, view, theirs):
        return True
    if all_of_the_only_ones(answer, turned) or _is_not_yet_so_old(answer, turned):
        return True
    if _all_but_a_few(answer, clause, turned) or _only_so_much(answer, turned):
        return True
    if turned.kind != "comparator":
        return False
    mine, other = answer.folds[turned.first] in NONE, view.folds[turned.source_first] in NONE
    if mine and not other:
        return signs_of(view).denies_between(turned.source_last, there.stop)
    return other and not mine and signs_of(answer).denies_between(turned.last, clause.stop)


def _all_but_a_few(answer: TextView, clause: range, turned: Turned) -> bool:
    """ "All but two have a view" where a source says that two have none."""
    theirs = turned.aligned
    return turned.kind == "negation" and _excepts_some(answer, clause) and not _excepts_some(theirs.view, theirs.clause)


def _excepts_some(view: TextView, clause: range) -> bool:
    folds = view.folds
    return any(folds[i] in ("all", "every", "everyone") and "but" in folds[i + 1 : i + 3] for i in clause)


def _only_so_much(answer: TextView, turned: Turned) -> bool:
    """ "Only 3 of the 12", "only 41%": the word judges a share and limits nothing."""
    if turned.kind != "comparator" or not any(
        turn.family == "limiter" and turn.first == turned.first for turn in _turns_near(answer, turned)
    ):
        return False
    if turned.last >= len(answer.tokens):
        return False
    value = answer.value_at(answer.tokens[turned.last].start)
    if value is None or value.kind not in ("number", "percent", "range"):
        return False
    return value.dimension != "count" or answer.text.startswith((" of ", " out of "), value.end)


def _turns_near(answer: TextView, turned: Turned) -> Sequence[Turn]:
    return signs_of(answer).turns_in(range(max(turned.first - REACH, 0), turned.last))


def _is_not_yet_so_old(answer: TextView, turned: Turned) -> bool:
    """ "Under 18" for "not yet 18": a figure that the answer bounds is not denied."""
    if turned.kind != "negation" or answer.tokens[turned.first].kind != "digits":
        return False
    return any(turn.family == "bound" and turn.last == turned.first for turn in _turns_near(answer, turned))


def in_a_saying(answer: TextView, token: int) -> bool:
    """Whether a token stands in a proverb or the like that is quoted: its words are not what the answer says."""
    spans: list[tuple[int, int]] | None = answer.memo.get("sayings")
    if spans is None:
        spans = [span for span in quotations_in(answer.text) if is_a_saying(answer, *span)]
        answer.memo["sayings"] = spans
    return any(start <= answer.tokens[token].start < end for start, end in spans)
