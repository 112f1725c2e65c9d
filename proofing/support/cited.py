"""Numbers of sources in an answer: "[2]" behind a sentence that stands in source 1, or where there are only three.

A number is looked at only where the answer counts its sources from one, as they were given (or by their ids, where
these are numbers), and where no source numbers parts or references of its own. It is marked when the sentence before it
stands in another source nearly word for word, and hardly a word of it in the one that is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from proofing.documents import Sentence
from proofing.report import Receipt
from proofing.support.base import Judgement
from proofing.support.clauses import content_of
from proofing.support.reading import Proof, TextView, receipt_on

_CITED = re.compile(
    r"\[(?P<list>\d{1,3}(?:\s?[,;]\s?\d{1,3})*)\]"
    r"|[(\[]\s?(?P<word>sources?|documents?|docs?|passages?|quellen?|fuentes?|fontes?|fonti|источники?)[ .]{1,2}"
    r"(?P<named>\d{1,3}(?:\s?(?:[,;&]|and|und|et|y|e|и)\s?\d{1,3})*)\s?[)\]]",
    re.IGNORECASE,
)
#: What follows a bracket that closes something.
_CLOSES = re.compile(r"\s*(?:[.,;:!?)\]\[\n]|$|(?:and|but|und|et|y|e|и|while|which)\b)")
#: Numbers that a source gives to parts or references of its own.
_OWN_NUMBERS = re.compile(r"\[\d{1,3}\]|\b(?:source|document|doc|passage|result|chunk)[ #:]{1,2}\d", re.IGNORECASE)
_DIGITS = re.compile(r"\d{1,3}")
#: A claim of fewer words may stand anywhere.
CLAIM_WORDS = 3
#: So much of a claim (by rarity) stands in one sentence of the source it is taken from, and so little in the one named.
STANDS, HARDLY = 0.8, 0.35
NAMED_WRONGLY = 0.1


class Citation(NamedTuple):
    """One bracket: where it stands, the numbers in it and where these stand."""

    start: int
    end: int
    numbers: tuple[tuple[int, int, int], ...]  # number, start, end


def sources_misnumbered(proof: Proof) -> Iterator[Judgement]:
    """``absent`` on numbers that no source has, ``unbound`` on those of a source that does not say it."""
    numbered = _numbered(proof)
    brackets = _citations(proof.answer) if numbered else []
    if not brackets or any(number == 0 for bracket in brackets for number, _, _ in bracket.numbers):
        return
    answer = proof.answer
    for sentence in answer.sentences:
        start = sentence.start
        for group in _groups([b for b in brackets if sentence.start <= b.start < sentence.end]):
            yield from _judged(proof, numbered, sentence, start, group)
            start = group[-1].end


def _numbered(proof: Proof) -> dict[int, int]:
    """Number -> position of the source it stands for; empty where that is not clear."""
    if len(proof.sources) < 2 or any(_OWN_NUMBERS.search(view.text) for view in proof.sources):
        return {}
    ids = [view.source.id if view.source else "" for view in proof.sources]
    if all(name.isdecimal() for name in ids):
        return {int(name): place for place, name in enumerate(ids)}
    return {place + 1: place for place in range(len(ids))}


def _citations(answer: TextView) -> list[Citation]:
    """The brackets that close words of a sentence: no index of code, link, or interval in the middle of a sentence."""
    text = answer.text
    found = []
    for match in _CITED.finditer(text):
        value = answer.value_at(match.start())
        if (value is not None and value.kind in ("code", "url")) or not _CLOSES.match(text, match.end()):
            continue
        group = "list" if match["list"] else "named"
        inside = _DIGITS.finditer(text, *match.span(group))
        found.append(Citation(*match.span(), tuple((int(n.group()), *n.span()) for n in inside)))
    return found


def _groups(brackets: Sequence[Citation]) -> Iterator[list[Citation]]:
    """Brackets side by side speak for the same words: "[1][3]", "[1], [3]"."""
    group: list[Citation] = []
    for bracket in brackets:
        if group and bracket.start - group[-1].end > 2:
            yield group
            group = []
        group.append(bracket)
    if group:
        yield group


def _judged(
    proof: Proof, numbered: dict[int, int], sentence: Sentence, start: int, group: Sequence[Citation]
) -> Iterator[Judgement]:
    answer = proof.answer
    cited = {numbered[number] for bracket in group for number, _, _ in bracket.numbers if number in numbered}
    for bracket in group:
        for number, first, last in bracket.numbers:
            if number not in numbered and (len(bracket.numbers) == 1 or cited):
                note = f"there are {len(numbered)} sources, and none has the number {number}"
                yield _mark(answer, bracket, first, last, "absent", None, note)
    stop = group[0].start
    tokens = answer.tokens_between(start, stop)
    words = [i for i in content_of(answer, tokens) if start <= answer.tokens[i].start < stop] if tokens else []
    stems = [answer.stems[i] for i in words]
    if len(stems) < CLAIM_WORDS or not cited:
        return
    shares = _shares(proof, stems)
    best = max(range(len(proof.sources)), key=lambda place: (shares[place][0], -place))
    if shares[best][0] < STANDS or max(shares[place][0] for place in cited) > HARDLY:
        return
    right = next(number for number, place in numbered.items() if place == best)
    single = [entry for bracket in group for entry in bracket.numbers]
    note = f"this stands in source {right}"
    for bracket in group:
        for _, first, last in bracket.numbers:
            text = str(right) if len(single) == 1 else None
            yield _mark(answer, bracket, first, last, "unbound", _place(proof, best, shares[best][1]), note, text)


def _shares(proof: Proof, stems: Sequence[str]) -> list[tuple[float, int]]:
    """For each source the largest share (by rarity) of some stems that one of its sentences has, and which one."""
    weights = {stem: proof.rarity(stem) for stem in stems}
    total = sum(weights.values())
    found: list[dict[int, float]] = [{} for _ in proof.sources]
    for stem, weight in weights.items():
        for index in proof.postings.get(stem, ()):
            where = proof.evidence[index]
            held = found[where.source]
            held[where.sentence] = held.get(where.sentence, 0.0) + weight
    best = [max(held.items(), key=lambda item: (item[1], -item[0]), default=(0, 0.0)) for held in found]
    return [(weight / total, sentence) for sentence, weight in best]


def _place(proof: Proof, source: int, sentence: int) -> tuple[TextView, Sentence]:
    view = proof.sources[source]
    return view, view.sentences[sentence]


def _mark(
    answer: TextView, bracket: Citation, first: int, last: int, reason: str,
    place: tuple[TextView, Sentence] | None, note: str, number: str | None = None,
) -> Judgement:  # fmt: skip
    """A bracket with one number is marked whole, a number among others alone."""
    start, end = (bracket.start, bracket.end) if len(bracket.numbers) == 1 else (first, last)
    receipt = Receipt(None, note=note) if place is None else receipt_on(place[0], place[1].start, place[1].end, note)
    swap = () if number is None else (answer.text[start:first] + number + answer.text[last:end],)
    return Judgement(
        start, end, answer.text[start:end], "citation", NAMED_WRONGLY, reason, receipt, swap, note=note, whole=True,
        channel="quotes",
    )  # fmt: skip
