"""Cuts that leave a sentence saying what the sources say: an address, a relative clause, who is said to have said it.

A cut is only made where what stays is known from the sources; it takes less away than its sentence would, so it needs
no more certainty than that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from proofing.documents import Sentence, Span
from proofing.report import Mark
from proofing.support.reading import TextView
from proofing.support.wordset import word_set

#: A relative clause between commas, in the languages whose grammar is read.
_RELATIVE = re.compile(
    r",\s+(?:which|who|whose|where"
    r"|der|die|das|den|dem|dessen|deren|welche[rs]?|qui|que|dont|où|quien(?:es)?|cuy[oa]s?|donde|che|cui|dove"
    r"|cuj[oa]s?|onde|котор\w{1,3}|[^\W\d_]+\s+(?:by|von|par|por|da|dal|dalla|pelo|pela))\b",
    re.IGNORECASE,
)
#: "According to X, …", up to the comma behind what is marked.
_SAID_BY = re.compile(
    r"(?:according\s+to|as\s+(?:[^\W\d_]+\s+){0,2}(?:by|in)|per|in\s+the\s+words\s+of|selon|d['’]après|según|secondo"
    r"|segundo|de\s+acordo\s+com|согласно|по\s+(?:словам|данным))\b",
    re.IGNORECASE,
)
#: "A study by X found that …".
_REPORTED = re.compile(
    r"[^;:!?\n]{0,160}?\b(?:f(?:ound|inds?)|show(?:ed|s|n)?|report(?:ed|s)?|conclude[ds]?|state[ds]?|sa(?:id|ys?)|note[ds]?"
    r"|confirm(?:ed|s)?|argue[ds]?|explain(?:ed|s)?|reveal(?:ed|s)?|demonstrate[ds]?|observe[ds]?|suggest(?:ed|s)?)"
    r"\s+that\s+",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:no|not|never|none|neither|nobody|fail(?:ed|s)?|hardly|denie[ds]|without)\b|n['’]t\b", re.IGNORECASE
)
#: "Apply online at https://…": the preposition goes with its address.
_PLACE_BEFORE = re.compile(
    r"[ \u00a0](?:at|via|on|under|from|through|unter|auf|über|en|sur|su|em|на)[ \u00a0][<*_`]{0,3}\Z"
)
_AND_BEFORE = re.compile(r"(?:,?[ \u00a0](?:and|und|y|e|et|и)|,)[ \u00a0]\Z")
_WITH_BEFORE = re.compile(
    r"(?:,[ \u00a0](?:by|under|with|for|led by)|[ \u00a0](?:under|alongside|together with|along with))[ \u00a0]"
    r"(?:[^\W\d_]+\.?[ \u00a0]){0,2}\Z"
)
#: A remark before the subject: "Designed by X, …", "Since the war, …".
_PARTICIPLE = re.compile(
    r"(?:[^\W\d_]{2,}(?:ed|ing|lt|wn)|led|made|held|run|thanks to|due to|because of|in|on|at|by|with|since|after|before"
    r"|during|despite|unlike|as)\b",
    re.IGNORECASE,
)
_DASH_BEFORE = re.compile(r"[ \u00a0][–—-][ \u00a0][^–—,;:]{0,30}\Z")
_DASH_BEHIND = re.compile(r"[^–—,;:.]{0,30}[ \u00a0][–—-][ \u00a0]")
#: "between A and B" needs both.
_PAIRED = re.compile(r"\b(?:between|both|either|zwischen|sowohl|entre|tra|fra|между)\b", re.IGNORECASE)
#: Words that open a clause which says nothing alone: "If you swallow a seed" needs what follows.
_SUBORDINATE = {
    "en": word_set("if when whenever although though because while whereas unless once even"),
    "de": word_set("wenn falls weil obwohl während sobald solange nachdem bevor"),
    "fr": word_set("si quand lorsque"),
    "es": word_set("si cuando aunque porque mientras"),
    "it": word_set("se quando sebbene perché mentre"),
    "pt": word_set("se quando embora porque enquanto"),
    "ru": word_set("если когда хотя пока"),
}
_FIRST_WORD = re.compile(r"[^\W\d_]+")
#: The comma behind such a clause, with a statement of two words or more.
_GOES_ON = re.compile(r",[ \u00a0]+\S+[ \u00a0]+\S")
#: Share of the content words of what stays that the sources must hold.
KNOWN = 0.75
#: What stays must have this many words.
LEAST_LEFT = 3


class Cut(NamedTuple):
    """A stretch to take out and what stays in its place: the words of a link, the capital of the next word."""

    span: Span
    leaves: str = ""


def cut_of(view: TextView, sentence: Sentence, marks: Sequence[Mark], known: Collection[str]) -> Cut | None:
    """The cut that takes all `marks` of a sentence out and leaves a sentence known from the sources; None where there
    is none.

    Args:
        view: the answer.
        sentence: one of its sentences.
        marks: those of it that have to go.
        known: the stems that stand in the sources.
    """
    first, last = min(m.start for m in marks), max(m.end for m in marks)
    end = sentence.start + len(sentence.text.rstrip().rstrip(".!?…\"'”»)"))
    if all(mark.kind == "url" for mark in marks):
        cut = _address(view, sentence, first, last)
    else:
        cut = (
            _said_by(view, sentence, last, end)
            or _opening(view, sentence, marks, first, last, end)
            or _dashes(view, sentence, first, last, end)
            or _relative(view, sentence, first, last, end, known)
            or _end(view, sentence, marks, first, last, end)
        )
    if cut is None or not _stands(view, sentence, cut.span, known) or not leaves_a_statement(view, sentence, cut):
        return None
    return cut


def leaves_a_statement(view: TextView, sentence: Sentence, cut: Cut) -> bool:
    """Whether a cut halves no quotation or bracket, and leaves more than "If you ask at the desk".

    Args:
        view: the answer.
        sentence: one of its sentences.
        cut: what to take out of it.
    """
    text, gone = view.text, cut.span
    before = text[sentence.start : gone.start]
    left = before + cut.leaves + text[gone.end : sentence.end]
    if _open_pairs(left) != _open_pairs(sentence.text):
        return False
    first = _FIRST_WORD.search(left)
    opens = first is not None and first.group().casefold() in _SUBORDINATE.get(view.language, ())
    return not opens or _GOES_ON.search(before + cut.leaves + " " + text[gone.end : sentence.end]) is not None


def _open_pairs(text: str) -> tuple[int, ...]:
    """What brackets and quotation marks are left open in a text; German quotations end where English ones begin."""
    curly = sum(text.count(sign) for sign in "„“”")
    return (
        text.count('"') % 2, curly % 2, text.count("(") - text.count(")"), text.count("[") - text.count("]"),
        text.count("«") - text.count("»"),
    )  # fmt: skip


def _address(view: TextView, sentence: Sentence, first: int, last: int) -> Cut | None:
    """An address: the target of a Markdown link leaves the link's words, a bare one takes its preposition along."""
    text = view.text
    opens = text.rfind("[", sentence.start, first)
    if text[:first].endswith("](") and opens >= 0:
        close = text.find(")", last, sentence.end)
        picture = text[:opens].endswith("!")
        words = "" if picture else text[opens + 1 : first - 2]
        return None if close < 0 else Cut(Span(opens - picture, close + 1), words)
    before = _PLACE_BEFORE.search(text, max(sentence.start, first - 12), first)
    if before is None:
        return None
    while last < len(text) and text[last] in ">*_`":
        last += 1
    return Cut(Span(before.start(), last))


def _said_by(view: TextView, sentence: Sentence, last: int, end: int) -> Cut | None:
    """ "According to X," or "X found that" before what was said; its first word gets the capital."""
    text = view.text
    start = sentence.start
    while start < end and text[start] in " \t*_\"'“«":
        start += 1
    if _SAID_BY.match(text, start):
        comma = text.find(",", last, end)
        stop = comma + 1 if comma >= 0 else -1
        while 0 <= stop < end and text[stop].isspace():
            stop += 1
    else:
        said = _REPORTED.match(text, start, end)
        stop = said.end() if said and said.end() >= last and not _TURNS.search(said.group()) else -1
    if not last <= stop < end:
        return None
    return Cut(Span(start, stop + 1), text[stop].upper())


def _opening(view: TextView, sentence: Sentence, marks: Sequence[Mark], first: int, last: int, end: int) -> Cut | None:
    """ "Designed by Bruno Sarti, the Orla …": the marked words before the comma."""
    text = view.text
    alone = len(marks) == 1 and marks[0].kind == "word" and _PARTICIPLE.match(text, first) is not None
    if not alone or text[last : last + 2] != ", " or any(c.isalnum() for c in text[sentence.start : first]):
        return None
    stop = last + 2
    return Cut(Span(first, stop + 1), text[stop].upper()) if stop < end else None


def _dashes(view: TextView, sentence: Sentence, first: int, last: int, end: int) -> Cut | None:
    """A remark between two dashes, with one of the spaces around it."""
    opens = _DASH_BEFORE.search(view.text, max(sentence.start, first - 40), first)
    closes = _DASH_BEHIND.match(view.text, last, end)
    return Cut(Span(opens.start(), closes.end() - 1)) if opens and closes else None


def _relative(
    view: TextView, sentence: Sentence, first: int, last: int, end: int, known: Collection[str]
) -> Cut | None:
    """A relative clause with its commas: "The pass, which Otto Lind designed, covers …"."""
    starts = [m.start() for m in _RELATIVE.finditer(view.text, sentence.start, last)]
    before = [start for start in starts if start <= first]
    if not starts:
        return None
    start = before[-1] if before else starts[0]
    if before and view.text.find(",", start + 1, first) >= 0:
        return None
    if not before and _share_known(view, first, start, known) < 1.0:
        return None  # the mark begins before the clause, with words that are not known either
    comma = view.text.find(",", last, end)
    return Cut(Span(start, end if comma < 0 else comma + 1))


def _end(view: TextView, sentence: Sentence, marks: Sequence[Mark], first: int, last: int, end: int) -> Cut | None:
    """The marked end of a sentence behind an "and" or a comma, or behind a preposition that brings a name along."""
    if last < end or len(marks) != 1:
        return None
    before = _WITH_BEFORE if marks[0].kind == "name" else _AND_BEFORE if marks[0].kind == "word" else None
    joint = before.search(view.text, max(sentence.start, first - 48), first) if before is not None else None
    if joint is None or _PAIRED.search(view.text, sentence.start, joint.start()):
        return None
    return Cut(Span(joint.start(), end))


def _stands(view: TextView, sentence: Sentence, gone: Span, known: Collection[str]) -> bool:
    left = view.text[sentence.start : gone.start].split() + view.text[gone.end : sentence.end].split()
    places = [i for i in range(sentence.first_token, sentence.last_token) if view.content[i]]
    stems = [view.stems[i] for i in places if not gone.start <= view.tokens[i].start < gone.end - 1]
    return len(left) >= LEAST_LEFT and bool(stems) and sum(stem in known for stem in stems) >= KNOWN * len(stems)


def _share_known(view: TextView, start: int, end: int, known: Collection[str]) -> float:
    stems = [view.stems[i] for i in view.tokens_between(start, end) if view.content[i]]
    return sum(stem in known for stem in stems) / len(stems) if stems else 1.0
