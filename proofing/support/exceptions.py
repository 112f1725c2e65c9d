"""A denial with an exception or an end, said from its other side.

"Not allowed except on Sundays" and "only allowed on Sundays", "everyone except staff must pay" and "staff do not
have to", "not accepted after Friday" and "accepted until Friday" agree. The same words with the same exception on both
sides, or a plain statement that does not speak of the exception, do not.
"""

from __future__ import annotations

from proofing.documents import Sentence
from proofing.support.reading import TextView
from proofing.support.wordset import word_set

EXCEPTING = word_set("except unless excluding besides save außer sauf salvo excepto eccetto tranne exceto кроме")
#: Two words that except together: "apart from", "other than".
EXCEPTING_PAIRS = frozenset({("apart", "from"), ("aside", "from"), ("other", "than"), ("es", "sei"), ("a", "menos")})
#: Words behind an exception that are looked at.
EXCEPTED_REACH = 6
#: What lies beyond a point in time, and what ends or begins there.
BEYOND = word_set("after past beyond nach après después dopo depois после")
UP_TO = word_set("until till by before bis jusqu hasta finché até до")
AHEAD = word_set("before until till prior vor avant antes prima до")
ONWARD = word_set("from after since once starting ab dès desde da partir с")
BOUNDS = BEYOND | UP_TO | AHEAD | ONWARD


def other_side_of_an_exception(
    plain: TextView, plain_sentence: Sentence, denying: TextView, denying_sentence: Sentence
) -> bool:
    """Whether what one side denies and the other affirms is the rule of the one and the exception of the other.

    Args:
        plain: the text whose sentence affirms it.
        plain_sentence: that sentence.
        denying: the text whose sentence denies it.
        denying_sentence: that sentence.
    """
    return (
        _speaks_of_the_exception(denying, denying_sentence, plain, plain_sentence)
        or _speaks_of_the_exception(plain, plain_sentence, denying, denying_sentence)
        or _ends_where_the_other_begins(plain, plain_sentence, denying, denying_sentence)
    )


def _speaks_of_the_exception(view: TextView, sentence: Sentence, other: TextView, theirs: Sentence) -> bool:
    """Whether `sentence` makes an exception, and the other sentence speaks of it and makes none."""
    at = _exception_in(view, sentence)
    if at is None or _exception_in(other, theirs) is not None:
        return False
    excepted = {
        view.stems[i] for i in range(at + 1, min(at + 1 + EXCEPTED_REACH, sentence.last_token)) if view.content[i]
    }
    return not excepted.isdisjoint(other.places_in(theirs))


def _exception_in(view: TextView, sentence: Sentence) -> int | None:
    """The last word of what opens an exception in a sentence; worked out once."""
    key = ("exception", sentence.first_token)
    if key not in view.memo:
        view.memo[key] = _find_exception(view, sentence)
    known: int | None = view.memo[key]
    return known


def _find_exception(view: TextView, sentence: Sentence) -> int | None:
    for i in range(sentence.first_token, sentence.last_token):
        if view.folds[i] in EXCEPTING:
            return i
        if view.folds[i : i + 2] in EXCEPTING_PAIRS:
            return i + 1
    return None


def _ends_where_the_other_begins(
    plain: TextView, plain_sentence: Sentence, denying: TextView, denying_sentence: Sentence
) -> bool:
    mine = _bounds_in(plain, plain_sentence)
    theirs = _bounds_in(denying, denying_sentence)
    return any(
        not theirs.isdisjoint(denied) and not mine.isdisjoint(affirmed) and mine.isdisjoint(denied & theirs)
        for denied, affirmed in ((BEYOND, UP_TO), (AHEAD, ONWARD))
    )


def _bounds_in(view: TextView, sentence: Sentence) -> frozenset[str]:
    """The words of a sentence that begin or end a time; worked out once."""
    key = ("bounds", sentence.first_token)
    known: frozenset[str] | None = view.memo.get(key)
    if known is None:
        folds = view.folds[sentence.first_token : sentence.last_token]
        known = view.memo[key] = BOUNDS.intersection(folds)
    return known
