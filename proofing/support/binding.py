"""Whether a value of the answer and a value of a source belong to the same thing.

Two places are compared by what they share (`proofing.support.kinship`), and `rival_of` asks the one question that
makes a right number wrong: does another value of the same kind fit this place of the answer strictly better?

The comparison is careful by design. A value of the answer is only called unbound when the place where it
stands in the source and the rival's place are built alike, and the answer names what the rival belongs to
and does not name what the value belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofing.support.day_words import day_words
from proofing.support.headings import stems_of_phrases
from proofing.support.kinship import kinships
from proofing.support.places import Place
from proofing.support.slices import slice_of
from proofing.support.statements import family_of
from proofing.support.subjects import (
    opening_words,
    parted_by_day,
    parted_by_end,
    parted_by_listed_subject,
    parted_by_side,
    parted_by_subject,
    parted_by_tail,
    parted_by_thing,
    role_of,
    side_of,
)
from proofing.support.variants import parted_by_variant

#: Families whose values mostly say *which* figure is meant, and the beginnings of labels that are such figures.
LABELLING = frozenset({"date", "ordinal", "id", "version", "citation", "clock"})
FIGURES = ("count=", "money:", "percent=", "points=", "length=", "mass=", "times=", "slice=")
#: Up to so many words may three places share for a name, or for plain words, to set two of them apart: where the answer
#: repeats more of both sentences, they are not two things said alike but one thing said at length.
NAMED_ALIKE = 6
WORDED_ALIKE = 2
#: The words of one item of a list: more of them are a statement of their own.
LISTED = 3
#: Families whose values a list sets side by side: prices, shares, counts.
LISTING = frozenset(
    {"money", "percent", "count", "speed", "length", "mass", "area", "volume", "temperature", "time", "power"}
)


def may_have_rivals(ours: Place) -> bool:
    """Whether the answer's words can tell whose value it is at all."""
    if family_of(ours.value) in LABELLING and _labels_a_figure(ours):
        return ours.value.kind in ("time", "date")  # a price may say whose time it is, a table whose year
    return not (ours.value.kind in ("time", "range") and not ours.days and _speaks_loosely_of_days(ours))


def rival_of(
    ours: Place, theirs: Sequence[Place], others: Sequence[Place], held_fit: int | None = None
) -> Place | None:
    """The source place that the answer's words really speak of, when it is none of `theirs`.

    Args:
        ours: the place of the value in the answer.
        theirs: every source place that holds the same value.
        others: source places of comparable values that are not equal to it, in text order.
        held_fit: the largest kinship of `theirs`, where it is known.

    Returns:
        the best-fitting rival when it beats *each* of `theirs`; None when one of them holds its ground.
    """
    if not others or not may_have_rivals(ours):
        return None
    if held_fit is None:
        held_fit = max(kinships(ours, theirs), default=0)
    best: tuple[int, Place] | None = None
    for rival, fit in zip(others, kinships(ours, others), strict=True):
        listed = all(_by_thing_listed(ours, rival, held) for held in theirs)
        told = (
            all(_parted_by_slice(ours, rival, held) for held in theirs)
            or all(parted_by_variant(ours, rival, held) for held in theirs)
            or (listed and _goes_on(rival, theirs))
        )
        if (fit < held_fit and not told) or (
            family_of(ours.value) == "count" and not _counts_alike(ours, rival, theirs)
        ):
            continue
        if (
            (fit > held_fit or listed or told)
            and all(_beats(ours, rival, held) for held in theirs)
            and (best is None or fit > best[0])
        ):
            best = (fit, rival)
    return best[1] if best else None


def _parted_by_slice(ours: Place, rival: Place, held: Place) -> bool:
    """ "The highest 75%" where one sentence has the lowest 75% and the highest 25%."""
    part = slice_of(ours.view, ours.value)
    together = rival.view is held.view and rival.sentence == held.sentence
    return bool(part) and together and part == slice_of(rival.view, rival.value) != slice_of(held.view, held.value)


def _goes_on(rival: Place, theirs: Sequence[Place]) -> bool:
    """Whether a list goes on with the rival and leaves out what was said: "full tickets cost 9 euros, reduced 7"."""
    return all(rival.value.start > held.value.start for held in theirs)


def _speaks_loosely_of_days(ours: Place) -> bool:
    """ "From 11 to 10 on most days, except Fridays": the days named there are not those of the hours."""
    view = ours.view
    sentence = view.sentences[ours.sentence] if ours.sentence >= 0 else None
    return sentence is not None and not day_words(view.language).loose.isdisjoint(
        view.folds[sentence.first_token : sentence.last_token]
    )


def _counts_alike(ours: Place, rival: Place, theirs: Sequence[Place]) -> bool:
    """Whether a count could stand for another one: "16 pages" is no rival of "237 lines"."""
    if ours.noun and rival.noun:
        return ours.noun == rival.noun
    if side_of(ours) and any(parted_by_side(ours, rival, held) and held.sentence == rival.sentence for held in theirs):
        return True  # "after the merger 900 staff; before it, 640"
    return not (ours.noun and any(held.noun == ours.noun for held in theirs))


def _labels_a_figure(ours: Place) -> bool:
    """Whether a date or ordinal only says which figure is meant; then the figure is what can be wrong."""
    return any(label.startswith(FIGURES) for label in ours.labels)


def _beats(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the answer names what `rival` belongs to and does not name what `held` belongs to."""
    if (
        family_of(ours.value) in LABELLING
        and _labels_a_figure(ours)
        and not rival.structure == held.structure == "cell"
    ):
        return ours.value.kind == "time" and _is_told_by_figure(ours, rival, held)
    part, other_part = slice_of(ours.view, ours.value), slice_of(rival.view, rival.value)
    if part != other_part:
        return False
    if part and part != slice_of(held.view, held.value):
        return True
    if ours.days and rival.days and held.days:
        narrower = rival.days < held.days and ours.days <= rival.days and role_of(ours) == role_of(rival) != ""
        return bool(ours.days & rival.days) and (narrower or not ours.days & held.days)
    if (
        parted_by_side(ours, rival, held)
        or parted_by_tail(ours, rival, held)
        or parted_by_day(ours, rival, held)
        or parted_by_end(ours, rival, held)
        or parted_by_subject(ours, rival, held)
        or parted_by_thing(ours, rival, held)
        or parted_by_listed_subject(ours, rival, held)
        or parted_by_variant(ours, rival, held)
    ):
        return True
    if not built_alike(rival, held):
        return False
    if _by_structure(ours, rival, held):
        return True
    if _by_thing_listed(ours, rival, held):
        return True
    whole = rival.structure == "prose" and not (rival.view is held.view and rival.sentence == held.sentence)
    gained, gained_labels = _beyond(rival, held, whole)
    lost, lost_labels = _beyond(held, rival, whole)
    ground = ours.near if (gained | lost) & ours.near or not ours.alone else ours.wide
    if rival.structure == "cell" and not (gained | lost) & ground:
        ground = opening_words(ours)  # "in winter the day ticket is €58, and a half day costs €39"
    if rival.structure == "field" and (
        not (rival.headers - held.labels) & ground or _is_of_another_record(ours, rival, held)
    ):
        return False
    if lost & ground or lost_labels & ours.near or not lost:
        return False
    if len(held.near & ours.near) > len(rival.near & ours.near):
        return False
    in_common = len(rival.wide & held.wide & ours.wide)
    if {_class_of(label) for label in gained_labels & ground} & {_class_of(label) for label in lost_labels}:
        return in_common <= NAMED_ALIKE
    return len(gained & ground) >= 2 and in_common <= WORDED_ALIKE


def _is_told_by_figure(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the answer's figure stands beside the rival's time in the source, and none beside the held one.

    Where both have a figure, the figure is what may be wrong, and is judged itself.
    """
    figures = {label for label in ours.labels if label.startswith(FIGURES)}
    return bool(figures & rival.labels) and not any(label.startswith(FIGURES) for label in held.labels)


def _by_thing_listed(ours: Place, rival: Place, held: Place) -> bool:
    """Whether a list in one sentence gives the answer's thing another value: "adults 14 euros, children 8 euros".

    The things are the nouns counted where all three have one, else the words of a zone that say no more than the thing.
    """
    if rival.view is not held.view or rival.sentence != held.sentence or rival.structure != "prose":
        return False
    if ours.noun and rival.noun and held.noun and not ours.noun == rival.noun == held.noun:
        return ours.noun == rival.noun != held.noun and family_of(ours.value) == "percent"
    gained, lost = rival.near - held.near, held.near - rival.near
    if (
        family_of(ours.value) not in LISTING
        or not gained
        or not (lost or gained == ours.near)
        or max(len(gained), len(lost), len(ours.near - {ours.noun})) > LISTED
    ):
        return False
    if not lost:
        return family_of(ours.value) == "percent"  # "51% against and 11% undecided"
    return (gained <= ours.near or ours.near <= gained) and bool(lost - ours.wide) and ours.near - gained <= held.near


def _beyond(one: Place, other: Place, whole: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Words and labels of one place that the other does not have, in the whole sentence or in the zone."""
    if whole:
        return one.wide - other.wide, one.wide_labels - other.wide_labels
    return one.near - other.near, one.labels - other.labels


def _is_of_another_record(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the answer's sentence names the held value's entry of a list and not the rival's."""
    mine = held.headers - rival.headers - stems_of_phrases(held.path, held.view.language)
    theirs = rival.headers - held.headers - stems_of_phrases(rival.path, rival.view.language)
    return bool(mine & ours.wide) and bool(theirs) and theirs.isdisjoint(ours.wide)


def _by_structure(ours: Place, rival: Place, held: Place) -> bool:
    """Whether a year, ordinal or identifier beside the value settles it, whatever the other words say."""
    for sort in ("year", "date", "ordinal", "id", "citation", "slice"):
        mine = {label for label in ours.labels if _class_of(label) == sort}
        theirs = {label for label in held.labels if _class_of(label) == sort}
        if mine and theirs and not mine & theirs and mine & rival.labels:
            return True
    return False


def _class_of(label: str) -> str:
    """What sort of label it is, so that a year is set against a year and a name against a name."""
    return label.partition("=")[0] if "=" in label else "name"


def built_alike(one: Place, other: Place) -> bool:
    """Whether two places say the same sort of thing: cells of one table, fields side by side (or `one` above
    `other`) in a record, clauses with the same words."""
    if one.structure != other.structure:
        return False
    if one.structure == "field":
        return one.view is other.view and _fields_alike(one.path, other.path)
    if one.structure == "cell":
        return one.view is other.view
    if one.view is other.view and one.sentence == other.sentence:
        return True
    if one.noun and one.noun == other.noun and one.view is other.view and abs(one.sentence - other.sentence) <= 2:
        return True
    shared = len(one.wide & other.wide)
    shorter = min(len(one.wide), len(other.wide))
    return (shared >= 2 or shorter <= 3) and shared > 0 and 2 * shared >= shorter - 1


def _fields_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Fields side by side, the same field of two things side by side, or a field above the other."""
    if len(one) != len(other):
        return len(one) < len(other)
    return one[:-1] == other[:-1] or sum(a != b for a, b in zip(one, other, strict=True)) <= 1
