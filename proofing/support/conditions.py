"""Conditions turned round: "refunded if the room is damaged" for "refunded unless the room is damaged".

"Unless" says "if not". A sentence with one condition is held against a source sentence with one condition of the same
words on both sides of it; counted are "unless", denials and opposites of the two. When they differ by an odd number,
the two say contrary things: "not charged if you cancel" and "charged unless you cancel" agree, "charged if you cancel"
does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from proofing.documents import Sentence
from proofing.support.alignment import near_sentences
from proofing.support.base import Judgement
from proofing.support.clauses import content_of
from proofing.support.polarity_words import Signs, axes_of, signs_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.standing import places_between, places_of
from proofing.support.words import synonyms

#: Words that open a condition, and those that open one that must not come about, as words in a row, by language.
IF: dict[str, tuple[tuple[str, ...], ...]] = {
    "en": (("if",), ("provided",), ("when",), ("as", "long", "as")),
    "de": (("wenn",), ("falls",), ("sofern",)),
    "fr": (("si",),), "es": (("si",),), "it": (("se",),), "pt": (("se",),), "ru": (("если",),),
}  # fmt: skip
UNLESS: dict[str, tuple[tuple[str, ...], ...]] = {
    "en": (("unless",), ("except", "if"), ("except", "when")),
    "de": (("es", "sei", "denn"), ("ausser", "wenn"), ("außer", "wenn")),
    "fr": (("sauf", "si"), ("à", "moins", "que")),
    "es": (("salvo", "que"), ("a", "menos", "que"), ("excepto", "si"), ("salvo", "si")),
    "it": (("a", "meno", "che"), ("salvo", "che"), ("tranne", "se")),
    "pt": (("a", "menos", "que"), ("salvo", "se"), ("exceto", "se")),
    "ru": (("кроме", "случаев"),),
}  # fmt: skip
#: The first words of both.
_OPENINGS = {language: frozenset(words[0] for words in (*IF[language], *UNLESS[language])) for language in IF}
#: Share of the words under the answer's condition that the source has under its own; all others must be the source's.
SAME_UNDER = 0.5
#: Words that turn to the case in which a condition does not come about.
OTHERWISE = frozenset(
    "otherwise else sonst ansonsten andernfalls sinon altrimenti senão contrário contrario иначе".split()
)
#: A sentence of more words says more than one thing with its condition.
WORDS = 40
TURNED = 0.05


class Condition(NamedTuple):
    """One sentence with one condition: the words that open it, and the tokens under it and outside it."""

    first: int
    last: int
    unless: bool
    under: Sequence[int]
    outside: Sequence[int]


def conditions_turned(proof: Proof, marked: Sequence[Judgement]) -> list[Judgement]:
    """``negated`` over the words that open a condition, where the nearest source sentence has the contrary one.

    Args:
        proof: the texts.
        marked: turned words found before; a sentence that holds one is only looked at for "unless" against "if".
    """
    out: list[Judgement] = []
    for sentence in proof.answer.sentences:
        ours = _condition_in(proof.answer, sentence)
        if ours is not None and not sentence.text.rstrip().endswith(("?", "？")):
            told = any(sentence.start <= judgement.start < sentence.end for judgement in marked)
            out += _against(proof, sentence, ours, told)
    return out


def says_unless(view: TextView, token: int) -> bool:
    """Whether the sentence around a token has a condition that must not come about."""
    sentence = view.sentence_at(view.tokens[token].start)
    condition = None if sentence is None else _condition_in(view, sentence)
    return condition is not None and condition.unless


def _against(proof: Proof, sentence: Sentence, ours: Condition, told: bool) -> Iterator[Judgement]:
    answer = proof.answer
    found: tuple[TextView, Condition] | None = None
    for index in near_sentences(proof, sentence):
        view, near = proof.located(index)
        theirs = None if view.is_record else _condition_in(view, near)
        if theirs is None or not _same_words(answer, ours, view, theirs):
            continue
        if _is_contrary(answer, ours, view, theirs):
            found = found or (view, theirs)
        else:
            return
    if found is None or (told and found[1].unless == ours.unless):
        return
    view, theirs = found
    start, end = answer.tokens[ours.first].start, answer.tokens[ours.last - 1].end
    there = view.tokens[theirs.first].start, view.tokens[theirs.last - 1].end
    said = view.text[slice(*there)]
    note = f"the source says {said!r}" if ours.unless != theirs.unless else "the source has the contrary condition"
    receipt = receipt_on(view, *there, note)
    swap = (said.lower(),) if ours.unless != theirs.unless and answer.tokens[ours.first].text.islower() else ()
    yield Judgement(
        start,
        end,
        answer.text[start:end],
        "comparator",
        TURNED,
        "negated",
        receipt,
        swap,
        note=note,
        channel="polarity",
    )


def _condition_in(view: TextView, sentence: Sentence) -> Condition | None:
    """The one condition of a sentence; None where it has none, or several. Worked out once."""
    key = ("condition", sentence.first_token)
    if key not in view.memo:
        view.memo[key] = _find_condition(view, sentence)
    known: Condition | None = view.memo[key]
    return known


def _find_condition(view: TextView, sentence: Sentence) -> Condition | None:
    whole = range(sentence.first_token, sentence.last_token)
    if len(whole) > WORDS:
        return None
    openers: list[tuple[int, int, bool]] = []
    for i in places_between(places_of(view, _OPENINGS.get(view.language, frozenset())), whole.start, whole.stop):
        if openers and i < openers[-1][1]:
            continue
        for unless, phrases in ((True, UNLESS), (False, IF)):
            words = next((w for w in phrases.get(view.language, ()) if view.folds[i : i + len(w)] == w), None)
            if words is not None:
                openers.append((i, i + len(words), unless))
                break
    if len(openers) != 1:
        return None
    first, last, unless = openers[0]
    stop = sentence.last_token
    if first == sentence.first_token or view.folds[first - 1] in (",", "that"):  # what stands first ends at its comma
        stop = next((i for i in range(last + 1, stop) if view.tokens[i].text == ","), stop)
    under = content_of(view, range(last, min(stop, _end_of_case(view, sentence, last))))
    outside = [
        *content_of(view, range(sentence.first_token, first)),
        *content_of(view, range(stop, _end_of_case(view, sentence, stop))),
    ]
    return Condition(first, last, unless, under, outside) if under and outside else None


def _end_of_case(view: TextView, sentence: Sentence, first: int) -> int:
    """Where the sentence turns to the other case ("otherwise it is allowed"); its end where it does not."""
    otherwise = (i for i in range(first, sentence.last_token) if view.folds[i] in OTHERWISE)
    return next(otherwise, sentence.last_token)


def _same_words(answer: TextView, ours: Condition, view: TextView, theirs: Condition) -> bool:
    if ours.unless == theirs.unless:
        mine, yours = [*ours.under, *ours.outside], [*theirs.under, *theirs.outside]
        if _met(view, yours, answer, mine) < len(yours) or _met(answer, mine, view, yours) < len(mine):
            return False  # a denial of one word among others that differ turns nothing round
    if _met(answer, ours.outside, view, theirs.outside) < len(ours.outside):
        return False  # "the fee is waived if" and "the fee is charged unless" agree
    return _met(answer, ours.under, view, theirs.under) >= SAME_UNDER * len(ours.under)


def _met(answer: TextView, mine: Sequence[int], view: TextView, theirs: Sequence[int]) -> int:
    """How many words of one side stand on the source's, as they are, as synonyms or as opposites."""
    there = {view.stems[i] for i in theirs}
    return sum(1 for i in mine if not there.isdisjoint(_kin(answer, i)))


def _kin(view: TextView, i: int) -> set[str]:
    stem = view.stems[i]
    axes = axes_of(view.language)
    mine = {axis for axis, _ in axes.get(stem, ())}
    opposite = {other for other, sides in axes.items() if mine and any(axis in mine for axis, _ in sides)}
    return {stem, *opposite, *synonyms(view.language).get(stem, ())}


def _is_contrary(answer: TextView, ours: Condition, view: TextView, theirs: Condition) -> bool:
    turns = (ours.unless != theirs.unless) + _denials(answer, ours) + _denials(view, theirs)
    return (turns + _opposites(answer, ours, view, theirs)) % 2 == 1


def _denials(view: TextView, condition: Condition) -> int:
    """Denials of a sentence, those apart that belong to the words that open its condition."""
    signs: Signs = signs_of(view)
    tokens = [*condition.under, *condition.outside]
    first, last = min(tokens[0], condition.first, *tokens), max(condition.last, *tokens) + 1
    return sum(1 for i in signs.denial_places if first <= i < last and not condition.first <= i < condition.last)


def _opposites(answer: TextView, ours: Condition, view: TextView, theirs: Condition) -> int:
    """How many words of the answer stand opposite to one of the source that it has not itself."""
    axes = axes_of(answer.language)
    mine = {answer.stems[i] for i in (*ours.under, *ours.outside)}
    yours = {view.stems[i] for i in (*theirs.under, *theirs.outside)}
    there = {pair for stem in yours - mine for pair in axes.get(stem, ())}
    return sum(1 for stem in mine - yours if any((axis, -side) in there for axis, side in axes.get(stem, ())))
