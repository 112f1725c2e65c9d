"""The words of content that stand around a value, and those among them that name something.

Which words these are is told by their spelling, so a text is read once, word by word, and the words of any stretch are
then cut out of what was found.
"""

from __future__ import annotations

from functools import cache
from itertools import compress
from typing import NamedTuple

from proofing.stretches import Stretches
from proofing.support.lexicon import lexicon
from proofing.support.reading import TextView
from proofing.support.words import function_words, word_set

#: Words that say how a value is meant and never what it belongs to.
IDLE = word_set(
    "be have do about around approximately roughly nearly almost over under least most more less than per each every "
    "total only just up also as within after before during between from until exact exactly average rate "
    "respectively respective however while which one two three first second new other same such number amount "
    "remain rest"
)


class Naming(NamedTuple):
    """What one word says about the values beside it: its stem, and whether it names something."""

    stem: str
    names: bool


#: A lone capital, which names something only behind another word ("invoice B").
_LETTER = Naming("", True)


@cache
def _namings(language: str) -> Stretches[Naming | None]:
    """Token text -> what it says in one language; None for signs, figures and idle words."""
    words = lexicon(language)

    def read(text: str) -> Naming | None:
        word = words[text]
        if word.content and word.stem not in IDLE:
            return Naming(word.stem, text[0].isupper())
        return _LETTER if len(text) == 1 and text.isupper() and text.isalnum() else None

    return Stretches(read)


def words_within(view: TextView, start: int, end: int) -> tuple[frozenset[str], frozenset[str]]:
    """Content stems of a stretch outside its values, and those among them that name something."""
    stretch = view.tokens_between(start, end)
    found = list(filter(None, _named(view)[stretch.start : stretch.stop]))
    stems = [naming.stem for naming in found]
    return frozenset(stems), frozenset(compress(stems, [naming.names for naming in found]))


def words_of_sentence(view: TextView, index: int) -> tuple[frozenset[str], frozenset[str]]:
    """The same for a whole sentence; worked out once."""
    known: tuple[frozenset[str], frozenset[str]] | None = view.memo.get(("words", index))
    if known is None:
        sentence = view.sentences[index]
        known = view.memo["words", index] = words_within(view, sentence.start, sentence.end)
    return known


def _named(view: TextView) -> list[Naming | None]:
    """What each token of a text says about the values beside it; None for those that a value holds."""
    known: list[Naming | None] | None = view.memo.get("naming")
    if known is None:
        namings = _namings(view.language)
        known = [namings[token.text] for token in view.tokens]
        for i in [i for i, naming in enumerate(known) if naming is _LETTER]:
            known[i] = Naming(view.stems[i], True) if _is_letter_label(view, i) else None
        for value in view.values:
            held = view.tokens_between(value.start, value.end)
            known[held.start : held.stop] = [None] * len(held)
        view.memo["naming"] = known  # not before it is whole: other threads read it
    return known


def _is_letter_label(view: TextView, i: int) -> bool:
    """Whether a lone capital names something ("invoice B"), and is no article or pronoun at the start."""
    before = view.tokens[i - 1] if i else None
    return before is not None and before.kind == "word" and view.folds[i - 1] not in function_words(view.language)
