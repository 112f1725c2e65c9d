"""Answers with one thing wrong, made from the sources themselves: what public sets hold too few of.

An answer is a sentence of a source, often in slightly other words; its twin has one edit more: another number, a
negation put in or taken out, another name, weekday or month, an opposite, a word from somewhere else. The pair shares
its wording and its evidence, a few sentences around it, so length and style tell nothing and a changed word alone
does not give the wrong one away. Seeded by the text itself: the same input gives the same pairs.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence

from proofing.documents import Source, sentences_of
from proofing.exchange.answers import AnswerLine, SpanLabel

_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|has|have|had|does|did)\b(?! not\b|n['\u2019]t)"
)
_NOT = re.compile(r"(?<=[a-z]) not(?= [a-z])")
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w,.]*\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_WORD = re.compile(r"(?<=[a-z,] )[a-z]{5,}(?= [a-z])")
_ROUNDS = (
    tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()),
    tuple("January February March April June July August September October November December".split()),
)
_OPPOSITES = (
    "more less", "before after", "above below", "higher lower", "increase decrease", "increased decreased",
    "first last", "always never", "all none", "minimum maximum", "north south", "east west", "early late",
    "open closed", "inside outside", "rose fell", "won lost", "old young", "large small", "largest smallest",
    "most fewest", "male female", "son daughter", "brother sister", "hot cold", "with without", "mother father",
    "best worst", "highest lowest", "include exclude", "allowed forbidden", "safe dangerous", "common rare",
    "start end", "long short", "high low",
)  # fmt: skip
OPPOSITE = {a: b for pair in _OPPOSITES for a, b in (pair.split(), pair.split()[::-1])}
#: Ways to say the same.
_SAME = (
    "said stated", "say state", "however but", "also additionally", "about around", "because since", "began started",
    "help assist", "many numerous", "need require", "show indicate", "shows indicates", "showed indicated",
    "big large", "buy purchase", "get receive", "make create", "use employ", "often frequently", "people persons",
    "children kids", "found discovered", "while whereas", "whole entire", "car vehicle",
    "film movie", "job position", "usually normally", "near close", "quickly rapidly",
)  # fmt: skip
SAME = {a: b for pair in _SAME for a, b in (pair.split(), pair.split()[::-1])}
_LEADS = (
    "According to the text, ", "Yes, ", "Based on the passage, ", "The text says that ", "In short, ", "Note that ",
)  # fmt: skip
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
_BRACKETS = re.compile(r" \([^()]{1,60}\)")
_SMALL = dict(zip("one two three four five six seven eight nine ten".split(), map(str, range(1, 11)), strict=True))
#: Sentences before and after the answer's own that stay as its evidence.
AROUND = 2
SHORTEST, LONGEST = 6, 32


def pairs(lines: Sequence[AnswerLine], most: int) -> list[AnswerLine]:
    """At most `most` pairs of a right and a wrong answer, one pair per source; records are left out."""
    sources = {line.group: line.sources[0].text for line in lines if line.sources}
    prose = sorted((_hash(group), group) for group, text in sources.items() if not text.lstrip().startswith(("{", "[")))
    strange = [word for _, group in prose[-200:] for word in _WORD.findall(sources[group])]
    names = [name for _, group in prose[-200:] for name in _NAME.findall(sources[group])]
    found: list[AnswerLine] = []
    for key, group in prose:
        if len(found) >= 2 * most:
            break
        found += _pair(sources[group], group, random.Random(key), strange, names)
    return found


def _pair(
    text: str, group: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]
) -> Iterator[AnswerLine]:
    sentences = [s.text.strip() for s in sentences_of(text)]
    usable = [i for i, own in enumerate(sentences) if SHORTEST <= len(own.split()) <= LONGEST and own[-1:] == "."]
    if not usable:
        return
    place = chance.choice(usable)
    around = sentences[max(0, place - chance.randint(0, AROUND)) : place + 1 + chance.randint(0, AROUND)]
    right = _reworded(sentences[place], chance)
    edited = _edited(right, chance, strange, names)
    if edited is None:
        return
    wrong, start, end = edited
    evidence = (Source("s1", " ".join(around)),)
    yield _line(right, evidence, group, None)
    yield _line(wrong, evidence, group, SpanLabel(start, end, wrong[start:end]))


def _line(answer: str, sources: tuple[Source, ...], group: str, wrong: SpanLabel | None) -> AnswerLine:
    return AnswerLine(
        question="", sources=sources, answer=answer, label=int(wrong is not None),
        labels=() if wrong is None else (wrong,), group=group,
    )  # fmt: skip


def _reworded(text: str, chance: random.Random) -> str:
    """The sentence in other words of the same meaning, as far as the tables go; often as it is."""
    if chance.random() < 0.25:
        return text
    if chance.random() < 0.5:
        text = _BRACKETS.sub("", text)
    if chance.random() < 0.5:
        text = _GROUPED.sub("", text).replace("%", " percent")
    if chance.random() < 0.6:
        text = re.sub(r"\b[a-z]+\b", lambda m: SAME.get(m.group(), m.group()), text)
    if chance.random() < 0.5:
        text = re.sub(r"\b[a-z]+\b(?= [a-z]{3,}s\b)", lambda m: _SMALL.get(m.group(), m.group()), text)
    if chance.random() < 0.4 and text[:2].istitle() and text.split()[0] in ("The", "A", "It", "There", "This", "In"):
        text = chance.choice(_LEADS) + text[0].lower() + text[1:]
    return text


def _edited(
    text: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]
) -> tuple[str, int, int] | None:
    """The sentence with one edit and where that stands; numbers, negations and names come before words."""
    ways = [_number, _negation, _name, _round, _opposite]
    chance.shuffle(ways)
    for way in (*ways, _word):
        edit = way(text, chance, strange, names)
        if edit is not None:
            start, end, fresh = edit
            return text[:start] + fresh + text[end:], start, start + len(fresh)
    return None


_Edit = tuple[int, int, str] | None


def _number(text: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]) -> _Edit:
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    match = chance.choice(found)
    digits = [i for i, sign in enumerate(match.group()) if sign.isdigit()]
    at = chance.choice(digits)
    old = match.group()
    fresh = chance.choice([d for d in "123456789" if d != old[at]])
    return match.start(), match.end(), old[:at] + fresh + old[at + 1 :]


def _negation(text: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]) -> _Edit:
    there = _NOT.search(text)
    if there:
        before = text.rfind(" ", 0, there.start()) + 1
        return before, there.end(), text[before : there.start()]
    found = list(_AUXILIARY.finditer(text))
    if not found:
        return None
    match = chance.choice(found)
    return match.start(), match.end(), match.group() + " not"


def _name(text: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]) -> _Edit:
    found = [m for m in _NAME.finditer(text) if not any(m.group() in names_ for names_ in _ROUNDS)]
    if not found or not names:
        return None
    match = chance.choice(found)
    fresh = chance.choice(names)
    return None if fresh in text or match.group() in fresh else (match.start(), match.end(), fresh)


def _round(text: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]) -> _Edit:
    for known in _ROUNDS:
        match = re.search(r"\b(?:" + "|".join(known) + r")\b", text)
        if match:
            return match.start(), match.end(), chance.choice([name for name in known if name != match.group()])
    return None


def _opposite(text: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]) -> _Edit:
    found = [m for m in re.finditer(r"\b[a-z]+\b", text) if m.group() in OPPOSITE]
    if not found:
        return None
    match = chance.choice(found)
    return match.start(), match.end(), OPPOSITE[match.group()]


def _word(text: str, chance: random.Random, strange: Sequence[str], names: Sequence[str]) -> _Edit:
    found = list(_WORD.finditer(text))
    if not found or not strange:
        return None
    match = chance.choice(found)
    fresh = chance.choice(strange)
    return None if fresh in text else (match.start(), match.end(), fresh)


def _hash(group: str) -> str:
    return hashlib.sha256(f"edit {group}".encode()).hexdigest()
