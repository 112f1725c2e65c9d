"""The name a sentence opens with, and whether two sentences so speak of two different things.

"The Iron Tower was banned until 1968" and "The Bible was banned until 1954" are built alike and contradict nothing: the
year of the one cannot stand in for the year of the other.
"""

from __future__ import annotations

from proofing.support.places import Place
from proofing.support.reading import TextView
from proofing.support.words import common_words, function_words


def opens_with_another_name(ours: Place, theirs: Place) -> bool:
    """Whether the sentences of two values open with two names that have nothing in common."""
    if ours.structure != "prose" or theirs.structure != "prose":
        return False
    mine, other = opening_name(ours.view, ours.sentence), opening_name(theirs.view, theirs.sentence)
    if not mine or not other or _initials(mine) == "".join(other) or _initials(other) == "".join(mine):
        return False
    said_here, said_there = _stems(ours), _stems(theirs)
    return not any(fold in said_there for fold in mine) and not any(fold in said_here for fold in other)


def opening_name(view: TextView, index: int) -> tuple[str, ...]:
    """Case-folded words of the name that is a sentence's first phrase ("the Iron Tower"); empty where none is.

    One capitalised word counts where it is no common word and not merely the first of its sentence.
    """
    if index < 0:
        return ()
    key = ("opening name", index)
    known: tuple[str, ...] | None = view.memo.get(key)
    if known is None:
        known = view.memo[key] = _read(view, index)
    return known


def _read(view: TextView, index: int) -> tuple[str, ...]:
    sentence = view.sentences[index]
    idle, common = function_words(view.language), common_words(view.language)
    first = sentence.first_token
    if first < sentence.last_token and view.folds[first] in idle:
        first += 1
    name: list[int] = []
    for i in range(first, sentence.last_token):
        if view.tokens[i].kind != "word" or not view.tokens[i].text[:1].isupper() or view.folds[i] in idle:
            break
        name.append(i)
    stands_alone = len(name) == 1 and (name[0] == sentence.first_token or view.stems[name[0]] in common)
    if not name or stands_alone or (view.language == "de" and len(name) == 1):
        return ()
    return tuple(view.folds[i] for i in name)


def _initials(name: tuple[str, ...]) -> str:
    return "".join(word[0] for word in name)


def _stems(place: Place) -> frozenset[str]:
    sentence = place.view.sentences[place.sentence]
    return frozenset(place.view.folds[sentence.first_token : sentence.last_token])
