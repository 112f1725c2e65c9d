"""The words of content that stand around a value, and those among them that name something.

Which words these are is told by their spelling, so a text is read once, word by word, and the words of any stretch are
then cut out of what was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

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
#: Words of a stretch, and those among them that name something.
Words = tuple[frozenset[str], frozenset[str]]
#: Stem of a word of content and of a name; "" for what is none.
Stems = tuple[str, str]

_IDLE: Stems = ("", "")
#: A lone capital, which names something only behind another word ("invoice B").
_LETTER: Stems = ("", "?")


@dataclass(frozen=True, slots=True)
class Named:
    """For each token of a text the stem of a word of content, and of a name; "" for all else and inside values."""

    stems: list[str]
    names: list[str]

    def within(self, first: int, last: int) -> Words:
        """The words among some tokens."""
        return frozenset(filter(None, self.stems[first:last])), frozenset(filter(None, self.names[first:last]))


def words_within(view: TextView, start: int, end: int) -> Words:
    """Content stems of a stretch outside its values, and those among them that name something."""
    stretch = view.tokens_between(start, end)
    return named_in(view).within(stretch.start, stretch.stop)


def words_of_sentence(view: TextView, index: int) -> Words:
    """The same for a whole sentence; worked out once."""
    known: Words | None = view.memo.get(("words", index))
    if known is None:
        sentence = view.sentences[index]
        known = view.memo["words", index] = named_in(view).within(sentence.first_token, sentence.last_token)
    return known


def named_in(view: TextView) -> Named:
    """The words of content and the names of a text; read once."""
    known: Named | None = view.memo.get("named")
    if known is None:
        known = view.memo["named"] = _read(view)
    return known


def _read(view: TextView) -> Named:
    table = _words(view.language)
    found = [table[token.text] for token in view.tokens]
    stems, names = [stem for stem, _ in found], [name for _, name in found]
    if _LETTER in found:
        for i in [i for i, word in enumerate(found) if word is _LETTER]:
            stems[i] = names[i] = view.stems[i] if _is_letter_label(view, i) else ""
    for value in view.values:
        held = view.tokens_between(value.start, value.end)
        stems[held.start : held.stop] = names[held.start : held.stop] = [""] * len(held)
    return Named(stems, names)


@cache
def _words(language: str) -> Stretches[Stems]:
    """Token text -> what it says in one language."""
    known = lexicon(language)

    def read(text: str) -> Stems:
        word = known[text]
        if word.content and word.stem not in IDLE:
            return word.stem, word.stem if text[0].isupper() else ""
        return _LETTER if len(text) == 1 and text.isupper() and text.isalnum() else _IDLE

    return Stretches(read)


def _is_letter_label(view: TextView, i: int) -> bool:
    """Whether a lone capital names something ("invoice B"), and is no article or pronoun at the start."""
    before = view.tokens[i - 1] if i else None
    return before is not None and before.kind == "word" and view.folds[i - 1] not in function_words(view.language)
