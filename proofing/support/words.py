"""Word lists read once from `data/`: function words per language, synonyms, opposites, polarity words.

The lists are the project's own and small on purpose; they are data, so a reader can see and extend them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import chain
from typing import Any

from proofing.stretches import Stretches
from proofing.support.stems import stem_of

#: Languages whose function words are known; anything else is read as English words without stems.
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "ru")
#: So many function words of one language, and more than of any other, settle the language of a text.
CLEAR = 2
#: With up to so many function words of another language, everyday English words of a text may outweigh them.
SCANT = 4


@cache
def load_list(name: str) -> Any:
    """The parsed content of ``data/<name>.json``; read once per process."""
    return json.loads(resources.files("proofing.support").joinpath("data", f"{name}.json").read_text("utf-8"))


@cache
def function_words(language: str) -> frozenset[str]:
    """Articles, pronouns, prepositions, auxiliaries and the like of one language (English for an unknown one)."""
    lists = load_list("function_words")
    return frozenset(str(lists.get(language, lists["en"])).split())


def language_of(folds: Sequence[str], locale: str = "und", likely: str = "en") -> str:
    """Two-letter code of the language that case-folded words are written in.

    Args:
        folds: the words, in order; the first 200 decide.
        locale: BCP 47 tag; where it names a known language it decides alone.
        likely: what to answer when the words do not say clearly (short texts).

    >>> language_of("der zug ist nicht da".split())
    'de'
    """
    declared = locale.replace("_", "-").split("-")[0].lower()
    if declared in LANGUAGES:
        return declared
    head = folds[:200]
    told = Counter(chain.from_iterable(map(_VOTES.__getitem__, head)))
    counts = sorted(((told[code], -rank) for rank, code in enumerate(LANGUAGES)), reverse=True)
    (best, rank), (second, _) = counts[0], counts[1]
    found = LANGUAGES[-rank] if best >= CLEAR and best > second else likely
    if best == second >= CLEAR:
        found = _by_letters(head, [LANGUAGES[-place] for votes, place in counts if votes == best]) or likely
    if found != likely == "en" and best <= SCANT and len(_everyday_english(head, found)) > best:
        return "en"
    if best < CLEAR and 2 * sum("а" <= fold[:1] <= "ё" for fold in head) > len(head):
        return "ru"
    return found


#: Letters of one language that the others it is mistaken for do without.
_LETTERS = {
    "es": frozenset("ñáíóú"), "pt": frozenset("ãõçâêô"), "fr": frozenset("èêîûùœçàë"), "it": frozenset("ìòàèù"),
    "de": frozenset("äöüß"),
}  # fmt: skip


def _by_letters(folds: Sequence[str], languages: Sequence[str]) -> str | None:
    """The one of some languages whose own letters the words have most of; None where that decides nothing."""
    text = "".join(folds)
    counts = sorted(((sum(map(text.count, _LETTERS.get(code, ()))), code) for code in languages), reverse=True)
    return counts[0][1] if counts[0][0] > counts[1][0] else None


def _told(fold: str) -> tuple[str, ...]:
    """The languages that have a word among their function words."""
    return tuple([code for code in LANGUAGES if fold in function_words(code)])


_VOTES = Stretches(_told)


def _everyday_english(folds: Sequence[str], other: str) -> set[str]:
    """Everyday English words among `folds`, less the function words of another language ("per", "solo", "die")."""
    everyday = _everyday_words()
    return {fold for fold in folds if fold in everyday} - function_words(other)


@cache
def _everyday_words() -> frozenset[str]:
    return frozenset(str(load_list("common_words_en")).split())


@cache
def synonyms(language: str) -> dict[str, frozenset[str]]:
    """Stem -> stems that may stand for it, from ``data/synonyms.json``."""
    return _groups("synonyms", language)


@cache
def contrasts(language: str) -> dict[str, frozenset[str]]:
    """Stem -> stems that exclude it ("left" and "right", "Monday" and "Tuesday"), from ``data/contrasts.json``."""
    return _groups("contrasts", language)


def _groups(name: str, language: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in load_list(name).get(language, []):
        stems = {stem_of(word.casefold(), language) for word in group}
        for stem in stems:
            found.setdefault(stem, set()).update(stems - {stem})
    return {stem: frozenset(others) for stem, others in found.items()}


@cache
def common_words(language: str) -> frozenset[str]:
    """Stems of everyday words; empty for languages without a list, so nothing counts as rare there."""
    if language != "en":
        return frozenset()
    return frozenset(stem_of(word, language) for word in str(load_list("common_words_en")).split())


@cache
def vague_words(language: str) -> frozenset[str]:
    """Stems of words that judge, hedge, link or are polite ("a pleasant experience overall"): they state no fact."""
    return frozenset(stem_of(word, language) for word in str(load_list("vague_words").get(language, "")).split())


def word_set(words: str) -> frozenset[str]:
    """A set of words written as one line of text."""
    return frozenset(words.split())
