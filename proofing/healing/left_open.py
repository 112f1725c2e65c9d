"""Contradictions that may be none: one case of several, what is denied of both, and a bound that still holds.

"The play *Ash* was staged here" and "The play *Reed* was staged here" are both true where several plays were; "more
than 90 %" holds where the source says "more than 94 %". Both are marked and the exchange is offered, but not made.
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Sentence
from proofing.healing.overlap import BOUND_AMONG
from proofing.healing.pieces import in_pieces
from proofing.healing.receipts import receipt_sentence, receipt_source
from proofing.report import Mark
from proofing.support.polarity_words import Turn, signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.wordset import word_set
from proofing.values import Value

#: Questions with these ask for one case of several, or for some of them.
FOR_EXAMPLE = word_set(
    "example examples instance instances beispiel beispiele beispiels exemple exemples ejemplo ejemplos esempio esempi "
    "exemplo exemplos пример примеры примером",
    "some other others einige andere quelques autres algunos algunas otros otras alcuni alcune altri altre alguns "
    "algumas outros outras некоторые другие",
)
#: So do "what is a town that …", "which towns …" and the plural of "which" elsewhere. Asked of pieces alone: where a
#: page answers them, it may name the only one. "What does …", "what happens" and "which does …" are no plurals.
_ASKS_FOR_SEVERAL = re.compile(
    r"\b(?:what|who)(?:['’]s| is| was) an? |\bwhat are\b|\bwhich (?:other )?(?!does\b)\w{2,}[^\Ws]s\b"
    r"|\bwhat \w{2,}[^\Ws]s (?:are|were|do|did|have|had|can|could|may|might|will|would|should)\b"
    r"|\bwelche \w+ (?:sind|\w+en)\b|\bqu(?:els|elles)\b|\b(?:qué \w{3,}s|cuáles|quali|quais|какие)\b",
    re.IGNORECASE,
)
#: A source sentence states the same frame from this share of the answer's other content words on.
SAME_FRAME = 0.75
#: Bounds that tell of a value; "at most" and "up to" set a rule, and another figure is another rule.
LOOSE = word_set(
    "more over above greater less under below fewer mehr über weniger unter plus moins más menos più meno mais "
    "более больше менее меньше"
)
#: A bound stands right before its value, or so many words before ("more than about 90 %").
BOUND_REACH = 2


def may_be_another_case(proof: Proof, mark: Mark) -> bool:
    """Whether a name put in another's place may be one more case beside it.

    So it is where the question asks for an example (or for several things, where the sources are pieces), where several
    source sentences say the same of different names, and where answer and source both deny something.
    """
    if mark.reason != "contradicted" or mark.kind not in ("name", "word") or not _is_name(mark):
        return False
    return (
        not FOR_EXAMPLE.isdisjoint(proof.question.folds)
        or (in_pieces(proof) and _ASKS_FOR_SEVERAL.search(proof.question.text) is not None)
        or _said_of_several(proof, mark)
        or _denied_of_both(proof, mark)
    )


def _denied_of_both(proof: Proof, mark: Mark) -> bool:
    """Whether the answer's sentence and the receipt's both hold a denial.

    "The pass does not cover Rye" leaves open whether it covers Ludd. What is denied in each is not compared: the price
    is an exchange that is only offered.
    """
    sentence = proof.answer.sentence_at(mark.start)
    found = receipt_sentence(proof, mark)
    if sentence is None or found is None:
        return False
    return _denies(proof.answer, sentence) and _denies(*found)


def _denies(view: TextView, sentence: Sentence) -> bool:
    denials = signs_of(view).denials
    return any(i in denials for i in range(sentence.first_token, sentence.last_token))


def _is_name(mark: Mark) -> bool:
    return mark.text[:1].isupper() and all(text[:1].isupper() for text in mark.replacements)


def _said_of_several(proof: Proof, mark: Mark) -> bool:
    """Whether a source sentence without the replacement says what the answer's sentence says, but of another name."""
    answer = proof.answer
    sentence = answer.sentence_at(mark.start)
    if sentence is None or not mark.replacements:
        return False
    frame = _frame(proof, sentence, mark)
    pieces = in_pieces(proof)
    for index, _ in proof.nearest(sorted(frame), BOUND_AMONG):
        view, theirs = proof.located(index)
        if mark.replacements[0] in theirs.text:
            continue
        held = frozenset(view.stems_in(theirs))
        if len(frame & held) < SAME_FRAME * len(frame):
            continue
        others = [i for i in range(theirs.first_token, theirs.last_token) if view.content[i]]
        if any((pieces or view.tokens[i].text[:1].isupper()) and view.stems[i] not in frame for i in others):
            return True
    return False


def _frame(proof: Proof, sentence: Sentence, mark: Mark) -> frozenset[str]:
    """The content words around a marked name, less the rest of that name and names that stand in no source."""
    answer = proof.answer
    marked = answer.tokens_between(mark.start, mark.end)
    first, last = marked.start, marked.stop
    while first > sentence.first_token and answer.tokens[first - 1].text[:1].isupper():
        first -= 1
    while last < sentence.last_token and answer.tokens[last].text[:1].isupper():
        last += 1
    rest = [i for i in range(sentence.first_token, sentence.last_token) if answer.content[i] and not first <= i < last]
    stated = [i for i in rest if answer.tokens[i].text[:1].islower() or answer.stems[i] in proof.postings]
    return frozenset(answer.stems[i] for i in stated)


def bound_still_holds(proof: Proof, mark: Mark) -> bool:
    """Whether the answer's value is a bound that the source's value does not break.

    "More than 90" is broken by "70" and by "less than 80", not by "94" or "94-96"; "more than 80" in another piece of
    a page leaves it open.
    """
    ours = proof.answer.value_at(mark.start)
    view = receipt_source(proof, mark)
    theirs = view.value_at(mark.receipt.start) if view else None
    if ours is None or view is None or theirs is None or mark.reason not in ("contradicted", "unbound"):
        return False
    bound = _bound_before(proof.answer, ours)
    if bound is None or proof.answer.folds[bound.first] not in LOOSE:
        return False
    other = _bound_before(view, theirs)
    upward = bound.side == "0"
    if other is not None:  # either may be the looser, but in a page it is the rule ("orders over 50 euros")
        return in_pieces(proof) and view.folds[other.first] in LOOSE and other.side == bound.side
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
