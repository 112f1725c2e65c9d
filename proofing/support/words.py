"""Word lists read once from `data/`: function words per language, synonyms, opposites, polarity words.

The lists are the project's own and small on purpose; they are data, so a reader can see and extend them.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

#: Languages whose function words are known; anything else is read as English words without stems.
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "ru")


@cache
def load_list(name: str) -> Any:
    """The parsed content of ``data/<name>.json``; read once per process."""
    return json.loads(resources.files("proofing.support").joinpath("data", f"{name}.json").read_text("utf-8"))


@cache
def function_words(language: str) -> frozenset[str]:
    """Articles, pronouns, prepositions, auxiliaries and the like of one language (English for an unknown one)."""
    lists = load_list("function_words")
    return frozenset(str(lists.get(language, lists["en"])).split())


def language_of(folds: tuple[str, ...], locale: str = "und") -> str:
    """Two-letter code of the language that case-folded words are written in.

    The declared locale decides where it names a language; else the language whose function words
    are most frequent in the first 400 words, English on a tie or when nothing is known.
    """
    declared = locale.replace("_", "-").split("-")[0].lower()
    if declared in LANGUAGES:
        return declared
    head = folds[:400]
    counts = [(sum(1 for word in head if word in function_words(code)), -rank) for rank, code in enumerate(LANGUAGES)]
    best, rank = max(counts)
    return LANGUAGES[-rank] if best else "en"
