"""Short word lists in code, written as running text."""

from __future__ import annotations


def word_set(*texts: str) -> frozenset[str]:
    """The words of the texts as a set.

    >>> sorted(word_set("one two", "three"))
    ['one', 'three', 'two']
    """
    return frozenset(word for text in texts for word in text.split())
