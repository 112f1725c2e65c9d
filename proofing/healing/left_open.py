"""Contradictions that may be none: one case of several, and a bound that still holds.

"The play *Ash* was staged here" and "The play *Reed* was staged here" are both true where several plays were; "more
than 90 %" holds where the source says "more than 94 %". Both are marked and the exchange is offered, but not made.
"""

from __future__ import annotations

from fractions import Fraction

from proofing.healing.overlap import BOUND_AMONG
from proofing.report import Mark
from proofing.support.polarity_words import Turn, signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.wordset import word_set
from proofing.values import Value

#: Questions with these ask for one case of several.
FOR_EXAMPLE = word_set(
    "example examples instance instances beispiel beispiele beispiels exemple exemples ejemplo ejemplos esempio esempi "
    "exemplo exemplos пример примеры примером"
)
#: A source sentence states the same frame from this share of the answer's other content words on.
SAME_FRAME = 0.8
#: A bound stands right before its value, or so many words before ("more than about 90 %").
BOUND_REACH = 2


def may_be_another_case(proof: Proof, mark: Mark) -> bool:
    """Whether a name put in another's place may be one more case beside it.

    So it is where the question asks for an example, and where several source sentences say the same of different
    names.
    """
    if mark.reason != "contradicted" or mark.kind not in ("name", "word") or not _is_name(mark):
        return False
    return not FOR_EXAMPLE.isdisjoint(proof.question.folds) or _said_of_several(proof, mark)


def _is_name(mark: Mark) -> bool:
    return mark.text[:1].isupper() and all(text[:1].isupper() for text in mark.replacements)


def _said_of_several(proof: Proof, mark: Mark) -> bool:
    """Whether a source sentence without the replacement says what the answer's sentence says, but of another name."""
    answer = proof.answer
    sentence = answer.sentence_at(mark.start)
    if sentence is None or not mark.replacements:
        return False
    names = [m for m in range(sentence.first_token, sentence.last_token) if answer.tokens[m].text[:1].isupper()]
    frame = {answer.stems[i] for i in range(sentence.first_token, sentence.last_token) if answer.content[i]}
    marked = {answer.stems[i] for i in answer.tokens_between(mark.start, mark.end)}
    frame -= {answer.stems[i] for i in names if answer.stems[i] in marked or answer.stems[i] not in proof.postings}
    if not frame:
        return False
    for index, _ in proof.nearest(sorted(frame), BOUND_AMONG):
        view, theirs = proof.located(index)
        if mark.replacements[0] in theirs.text:
            continue
        held = frozenset(view.stems_in(theirs))
        if len(frame & held) >= SAME_FRAME * len(frame) and _names_another(view, theirs.first_token, theirs.last_token):
            return True
    return False


def _names_another(view: TextView, first: int, last: int) -> bool:
    """Whether a sentence names something of its own: a capital, the first word's apart where it stands alone."""
    return any(view.tokens[i].text[:1].isupper() for i in range(first, last) if view.content[i])


def bound_still_holds(proof: Proof, mark: Mark) -> bool:
    """Whether the answer's value is a bound that the source's value does not break.

    "More than 90" is broken by "70" and by "less than 80", not by "94", "94-96" or "more than 80".
    """
    ours = proof.answer.value_at(mark.start)
    view = next((v for v in proof.sources if v.source and v.source.id == mark.receipt.source_id), None)
    theirs = view.value_at(mark.receipt.start) if view else None
    if ours is None or view is None or theirs is None or mark.reason not in ("contradicted", "unbound"):
        return False
    bound = _bound_before(proof.answer, ours)
    if bound is None:
        return False
    other = _bound_before(view, theirs)
    upward = bound.side == "0"
    if other is not None:
        if (other.side == "0") == upward:
            return True  # both bound it from the same side: either may be the looser
        return False
    limit, ends = _amount(ours), [amount for v in (theirs.ends or (theirs,)) if (amount := _amount(v)) is not None]
    if limit is None or not ends:
        return False
    return max(ends) >= limit if upward else min(ends) <= limit


def _bound_before(view: TextView, value: Value) -> Turn | None:
    first = view.tokens_between(value.start, value.end).start
    turns = signs_of(view).turns_in(range(max(0, first - 2 * BOUND_REACH - 1), first))
    near = [turn for turn in turns if turn.family == "bound" and 0 <= first - turn.last <= BOUND_REACH]
    return near[-1] if near else None


def _amount(value: Value) -> Fraction | None:
    return value.amount if isinstance(value.amount, Fraction) else None
