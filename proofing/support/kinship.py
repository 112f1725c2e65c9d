"""How well a source value fits the place of a value in the answer: by the words they share and what else ties them.

Words come first: most source values share too few with the answer's sentence to matter, whatever else speaks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from proofing.support.places import Place
from proofing.support.slices import slice_of
from proofing.support.subjects import end_named, own_words, side_of, tail_of

#: What it counts that the answer speaks of the thing a value is tied to ("24 euros for adults").
TIED = 8
#: What counting the same thing counts, and being for the same weekdays.
SAME_THING, SAME_DAYS = 3, 6
#: What being on the same side of an event counts ("before the fire"), or the same part ("the top 10%").
SIDED = 5


def kinship(ours: Place, theirs: Place) -> int:
    """How well a source place fits a place of the answer: a whole number, larger is closer, ties are ties.

    Labels count most, then the thing counted and the words of the zone, then the rest of the sentence;
    a label of theirs that the answer does not have counts against it when the answer names another one.
    """
    return kinships(ours, (theirs,))[0]


def kinships(ours: Place, places: Sequence[Place]) -> list[int]:
    """The `kinship` of each of some source places."""
    besides = _besides_words(ours)
    return [alike + besides(theirs) for alike, theirs in zip(likenesses(ours, places), places, strict=True)]


def closest_of(ours: Place, places: Sequence[Place]) -> tuple[int, int]:
    """Which of some source places has the largest kinship, the first of equals, and that kinship.

    What words give is counted for all of them, and what else speaks for a place only where that may still decide.
    """
    alike = likenesses(ours, places)
    besides, most = _besides_words(ours), _most_besides(ours)
    best, top = 0, alike[0] + besides(places[0])
    for index in sorted(range(1, len(places)), key=alike.__getitem__, reverse=True):
        if alike[index] + most < top:
            break
        fit = alike[index] + besides(places[index])
        if fit > top or (fit == top and index < best):
            best, top = index, fit
    return best, top


def likenesses(ours: Place, places: Iterable[Place]) -> list[int]:
    """What shared words alone give each of some places: labels most, then words of the zone, then of the sentence."""
    wide, near, labels = ours.wide, ours.near, ours.labels
    found = []
    for theirs in places:
        if wide.isdisjoint(theirs.wide):  # holds the words of the zone, and these the labels
            found.append(0)
            continue
        shared = len(wide & theirs.wide)
        named = 0 if labels.isdisjoint(theirs.labels) else len(labels & theirs.labels)
        whole = near is wide and theirs.near is theirs.wide  # each is the only value of its sentence
        found.append(4 * named + 2 * (shared if whole else len(near & theirs.near)) + shared)
    return found


def _besides_words(ours: Place) -> Callable[[Place], int]:
    """Counts what speaks for a source place, or against it, beside the words that it shares with the answer."""
    own = own_words(ours)
    sides = [(said, mine) for said in (side_of, end_named, _slice) if (mine := said(ours))]

    def besides(theirs: Place) -> int:
        score = TIED if tail_of(theirs) & own else 0
        if ours.noun and ours.noun == theirs.noun:
            score += SAME_THING
        if ours.days and theirs.days:
            score += SAME_DAYS if ours.days & theirs.days else -SAME_DAYS
        for said, mine in sides:
            if other := said(theirs):
                score += SIDED if mine == other else -SIDED
        if not theirs.labels <= ours.wide and not ours.labels <= theirs.wide:
            score -= 2
        return score

    return besides


def _slice(place: Place) -> str:
    return slice_of(place.view, place.value)


def _most_besides(ours: Place) -> int:
    """The most that anything but words can give a source place."""
    sided = SIDED * (bool(side_of(ours)) + bool(end_named(ours)) + bool(_slice(ours)))
    return TIED + sided + (SAME_THING if ours.noun else 0) + (SAME_DAYS if ours.days else 0)


def near_enough(ours: Place, fit: int, others: Sequence[Place], held: Sequence[Place]) -> list[Place]:
    """Those of some source places whose words are near enough to reach a kinship of `fit`, in order.

    Places in the sentence of a `held` one may go on with its list and leave most words out.
    """
    least = fit - _most_besides(ours)
    listed = {(id(place.view), place.sentence) for place in held if place.structure == "prose"}
    alike = zip(likenesses(ours, others), others, strict=True)
    return [p for likeness, p in alike if likeness >= least or (id(p.view), p.sentence) in listed]
