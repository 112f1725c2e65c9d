"""Where a text has one of some words, as ascending lists of tokens that are asked for a stretch at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from proofing.support.reading import TextView


def holds_between(places: Sequence[int], first: int, last: int) -> bool:
    """Whether an ascending list of places has one in ``[first, last)``."""
    at = bisect_left(places, first)
    return at < len(places) and places[at] < last


def places_between(places: Sequence[int], first: int, last: int) -> Sequence[int]:
    """Those of an ascending list of places that lie in ``[first, last)``."""
    return places[bisect_left(places, first) : bisect_left(places, last)]


def places_of(view: TextView, words: frozenset[str]) -> tuple[int, ...]:
    """Where a text has one of some words (case-folded), ascending; worked out once.

    Args:
        view: the text.
        words: one of the constant sets of a module; what was found is kept under it.
    """
    known: tuple[int, ...] | None = view.memo.get(words)
    if known is None:
        stand = not words.isdisjoint(view.fold_set)
        known = view.memo[words] = tuple([i for i, fold in enumerate(view.folds) if fold in words]) if stand else ()
    return known
