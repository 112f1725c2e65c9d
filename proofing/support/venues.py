"""Places put in one another's stead: "in the gym" where the source says "in the library".

Only kinds of places that exclude each other are read (``data/venues.json``; those of one group do not), only behind a
preposition, and only where the sentence is else the source's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from proofing.documents import Sentence
from proofing.support.alignment import near_sentences
from proofing.support.base import Judgement
from proofing.support.clauses import clause_ranges, content_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.stems import stem_of
from proofing.support.words import load_list, synonyms
from proofing.support.wordset import word_set

#: Words that put something at a place, with the articles that some languages join to them.
AT = word_set(
    "in at to from inside outside near behind beside opposite into "
    "im am zum zur vom in an auf hinter vor neben bei beim nahe gegenüber ins ans aus "
    "à au aux dans chez devant derrière en près "
    "en al del a de desde junto frente detrás "
    "in nel nella nello al alla allo dal dalla dietro davanti presso "
    "no na em ao à do da atrás perto "
    "в во на у около возле за перед из"
)
#: Articles and other small words between preposition and place; so many words may stand there.
BETWEEN = 2
#: Share of the clause's other words that the source sentence must have.
SAME_OTHERWISE = 0.6
#: Compounds that end in a place of so many letters are that place ("Hauptbahnhof").
COMPOUND = 5
ELSEWHERE = 0.05


def places_swapped(proof: Proof) -> Iterator[Judgement]:
    """``contradicted`` on each place of the answer where the source has another one."""
    answer = proof.answer
    if not _venues(answer.language):
        return
    for number, sentence in enumerate(answer.sentences):
        if sentence.text.rstrip().endswith(("?", "？")):
            continue
        for clause in clause_ranges(answer, number):
            for i in _places_in(answer, clause):
                if not _is_known(proof, i):
                    found = _place_instead(proof, sentence, clause, i)
                    if found is not None:
                        yield _judgement(proof, i, *found)


@cache
def _venues(language: str) -> dict[str, int]:
    """Stem -> the group of places it belongs to."""
    groups = load_list("venues").get(language, [])
    return {stem_of(word.casefold(), language): n for n, group in enumerate(groups) for word in group.split()}


def _places_in(view: TextView, tokens: range) -> list[int]:
    """The tokens of a stretch that are places behind a preposition."""
    venues = _venues(view.language)
    return [i for i in tokens if view.stems[i] in venues and _is_at(view, i, tokens.start)]


def _is_at(view: TextView, i: int, first: int) -> bool:
    """Whether a preposition stands before a word, with nothing but small words or one adjective between."""
    if view.folds[i - 1 : i] == ("-",) or (view.tokens[i + 1 : i + 2] and view.tokens[i + 1].text == "-"):
        return False
    for k in range(i - 1, max(i - 2 - BETWEEN, first - 1), -1):
        if view.folds[k] in AT:
            return not (view.tokens[i].text[:1].isupper() and view.language != "de")
        if view.tokens[k].kind == "sign" and view.tokens[k].text not in "'’":
            return False
    return False


def _is_known(proof: Proof, i: int) -> bool:
    """Whether a source names the place, another of its group or a compound that ends in it."""
    answer = proof.answer
    venues = _venues(answer.language)
    group = venues[answer.stems[i]]
    alike = {stem for stem, other in venues.items() if other == group} | synonyms(answer.language).get(
        answer.stems[i], frozenset()
    )
    if any(stem in proof.postings for stem in alike):
        return True
    longer = tuple(stem for stem in alike if len(stem) >= COMPOUND)
    return answer.language == "de" and bool(longer) and any(stem.endswith(longer) for stem in proof.postings)


def _place_instead(proof: Proof, sentence: Sentence, clause: range, i: int) -> tuple[TextView, int] | None:
    """The one place that the nearest source sentence has and the answer has not."""
    answer = proof.answer
    others = [k for k in content_of(answer, clause) if k != i and answer.content[k]]
    for index in near_sentences(proof, sentence):
        view, near = proof.located(index)
        held = frozenset(view.stems_in(near))
        shared = sum(answer.stems[k] in held for k in others)
        if not shared or shared < SAME_OTHERWISE * len(others):
            continue
        stands = [
            k for k in _places_in(view, range(near.first_token, near.last_token))
            if view.stems[k] not in answer.stem_set
        ]  # fmt: skip
        if len(stands) == 1:
            return view, stands[0]
        return None
    return None


def _judgement(proof: Proof, i: int, view: TextView, token: int) -> Judgement:
    here, there = proof.answer.tokens[i], view.tokens[token]
    receipt = receipt_on(view, there.start, there.end, f"the source has {there.text!r} in this place")
    return Judgement(
        here.start, here.end, here.text, "word", ELSEWHERE, "contradicted", receipt, (there.text,), channel="invention"
    )
