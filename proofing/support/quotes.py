"""The quotation channel: what stands in quotation marks must stand in a source, word for word.

Case, white space and signs may differ, and an ellipsis may leave words out. A quotation that stands nowhere is
compared with the nearest wording, and only the words that differ are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from proofing.support.base import Judgement
from proofing.support.cited import sources_misnumbered
from proofing.support.code_names import code_names_unknown
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.sayings import is_a_saying, quotes_it_too
from proofing.support.wordset import word_set

#: Opening and closing marks. Straight single quotes are apostrophes too often to be trusted.
_QUOTED = re.compile(r'"([^"\n]{3,1000})"|“([^”“\n]{3,1000})”|„([^“”„\n]{3,1000})[“”]|«\s?([^»«\n]{3,1000}?)\s?»')
_GAP = re.compile(r"\.\.\.|…|\[[^\]]{0,40}\]")
#: Fewer words in quotation marks are a title, a term or irony, not a quotation.
QUOTE_WORDS = 4
#: What somebody is said to say is a quotation with so many words already.
SPOKEN_WORDS = 3
#: Of so many words, a quotation is held against one of a source that has all of them but one.
SHORT_WORDS = 3
#: Within so many code points of the quotation marks a verb of saying stands.
SAID_NEAR = 16
SAYING = word_set("said says say wrote writes told tells stated states added adds replied declared announced asked")
#: Support of the question's own words: no evidence, but quoted rightly.
ASKED = 0.5
#: From this share of common words on, a wording counts as what the quotation was made from.
NEAR_WORDING = 0.5


class QuoteChannel:
    """Looks up every quotation of the answer in the sources."""

    name = "quotes"

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """A supporting judgement per verbatim quotation, ``altered_quote`` on the words that differ otherwise."""
        out: list[Judgement] = []
        for start, end in quotations_in(proof.answer.text):
            for part_start, part_end in _parts(proof.answer.text, start, end):
                tokens = _words_between(proof.answer, part_start, part_end)
                if len(tokens) >= (SPOKEN_WORDS if _is_spoken(proof.answer, start, end) else QUOTE_WORDS):
                    out += _judged(proof, tokens)
                elif len(tokens) == SHORT_WORDS:
                    out += _short_judged(proof, tokens)
        return [*out, *sources_misnumbered(proof), *code_names_unknown(proof)]


def quotations_in(text: str) -> Iterator[tuple[int, int]]:
    """Spans between quotation marks, the marks left out."""
    for found in _QUOTED.finditer(text):
        group = found.lastindex or 1
        yield found.start(group), found.end(group)


def _is_spoken(view: TextView, start: int, end: int) -> bool:
    """Whether somebody is said to say it: "Lowe said: “…”", "“…,” said Lowe"."""
    around = (*view.tokens_between(max(0, start - SAID_NEAR), start), *view.tokens_between(end, end + SAID_NEAR))
    return any(view.folds[i] in SAYING for i in around)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of a quotation between its ellipses and bracketed insertions."""
    begin = start
    for gap in _GAP.finditer(text, start, end):
        yield begin, gap.start()
        begin = gap.end()
    yield begin, end


def _words_between(view: TextView, start: int, end: int) -> list[int]:
    return [i for i in view.tokens_between(start, end) if view.tokens[i].kind != "sign"]


def _judged(proof: Proof, tokens: Sequence[int]) -> list[Judgement]:
    answer = proof.answer
    words = [answer.folds[i] for i in tokens]
    start, end = answer.tokens[tokens[0]].start, answer.tokens[tokens[-1]].end
    asks = answer.folds[tokens[-1] + 1 : tokens[-1] + 2] == ("?",)
    if asks or _is_asked(proof, words):
        return [Judgement(start, end, answer.text[start:end], "quote", ASKED, channel="quotes")]
    place = find_words(proof, words, answer.stems[tokens[0]])
    if place is not None:
        view, first, last = place
        receipt = receipt_on(view, view.tokens[first].start, view.tokens[last].end)
        return [Judgement(start, end, answer.text[start:end], "quote", 1.0, None, receipt, channel="quotes")]
    nearest = _nearest_wording(proof, words)
    if nearest is None or (
        is_a_saying(answer, start, end) and not quotes_it_too(nearest[0], nearest[0].spoken_tokens[nearest[1]])
    ):
        return []
    return _differences(proof, tokens, *nearest)


def _short_judged(proof: Proof, tokens: Sequence[int]) -> list[Judgement]:
    """A quotation of three words where a source quotes the same with one other word: that word is not the source's."""
    answer = proof.answer
    words = [answer.folds[i] for i in tokens]
    if _is_asked(proof, words) or find_words(proof, words, answer.stems[tokens[0]]) is not None:
        return []
    for view in proof.sources:
        for first, count in _quoted_words(view):
            spoken = view.spoken[first : first + count]
            opcodes = SequenceMatcher(None, words, spoken, autojunk=False).get_opcodes()
            changes = [op for op in opcodes if op[0] != "equal"]
            one = len(changes) == 1 and len(opcodes) > 1 and changes[0][0] == "replace"
            if one and _says_otherwise(view, first, tokens, changes[0], answer):
                return _differences(proof, tokens, view, first, first + count)
    return []


def _quoted_words(view: TextView) -> list[tuple[int, int]]:
    """Where the short quotations of a text begin, among its spoken words, and of how many words they are."""
    known: list[tuple[int, int]] | None = view.memo.get("quotations")
    if known is None:
        found = (_words_between(view, start, end) for start, end in quotations_in(view.text))
        near = (words for words in found if abs(len(words) - SHORT_WORDS) <= 1)
        known = view.memo["quotations"] = [(view.spoken_index(words[0]), len(words)) for words in near]
    return known


def _says_otherwise(
    view: TextView, first: int, tokens: Sequence[int], change: tuple[str, int, int, int, int], answer: TextView
) -> bool:
    """Whether the words that differ say something, and are more than another form of the source's."""
    _, a_first, a_last, b_first, b_last = change
    mine = tokens[a_first:a_last]
    theirs = [view.spoken_tokens[first + k] for k in range(b_first, b_last)]
    denied = any(i in signs_of(v).denials for v, words in ((answer, mine), (view, theirs)) for i in words)
    told = any(answer.content[i] for i in mine)
    return denied or (told and [answer.stems[i] for i in mine] != [view.stems[i] for i in theirs])


def _is_asked(proof: Proof, words: Sequence[str]) -> bool:
    """Whether words of the question itself are quoted."""
    asked, count = proof.question.spoken, len(words)
    return any(asked[k : k + count] == tuple(words) for k in range(len(asked) - count + 1))


def find_words(proof: Proof, words: Sequence[str], stem: str) -> tuple[TextView, int, int] | None:
    """Where a source holds exactly these case-folded words in a row: view, first and last token index.

    `stem` is the stem of the first word; only sentences that hold it are looked at.
    """
    for index in proof.postings.get(stem, ()):
        view, sentence = proof.located(index)
        for first in range(sentence.first_token, sentence.last_token):
            if view.folds[first] == words[0]:
                last = _same_from(view, first, words)
                if last is not None:
                    return view, first, last
    return None


def _same_from(view: TextView, first: int, words: Sequence[str]) -> int | None:
    """Last token of these words read from `first` on, signs passed over; None where they differ."""
    i = first
    for k, word in enumerate(words):
        while k and i < len(view.tokens) and view.tokens[i].kind == "sign":
            i += 1
        if i >= len(view.tokens) or view.folds[i] != word:
            return None
        i += 1
    return i - 1


def _nearest_wording(proof: Proof, words: Sequence[str]) -> tuple[TextView, int, int] | None:
    """The window of a source most like the quotation: view, first and last position among its spoken words."""
    best: tuple[float, TextView, int, int] | None = None
    stems = [proof.answer.stems[i] for i in range(len(proof.answer.stems)) if proof.answer.folds[i] in set(words)]
    for index, _ in proof.nearest(stems, count=3):
        view, sentence = proof.located(index)
        first = view.spoken_index(sentence.first_token)
        last = view.spoken_index(sentence.last_token)
        spoken = view.spoken[first:last]
        matcher = SequenceMatcher(None, spoken, words, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        if not blocks:
            continue
        share = sum(block.size for block in blocks) / len(words)
        if share >= NEAR_WORDING and (best is None or share > best[0]):
            begin = max(first + blocks[0].a - blocks[0].b, first)
            tail = len(words) - (blocks[-1].b + blocks[-1].size)
            stop = min(first + blocks[-1].a + blocks[-1].size + tail, last)
            best = (share, view, begin, stop)
    return best and best[1:]


def _differences(proof: Proof, tokens: Sequence[int], view: TextView, begin: int, stop: int) -> list[Judgement]:
    """One mark from the first to the last word that is not the source's, with the source's words for it."""
    answer = proof.answer
    words = [answer.folds[i] for i in tokens]
    spoken = view.spoken[begin:stop]
    changes = [op for op in SequenceMatcher(None, words, spoken, autojunk=False).get_opcodes() if op[0] != "equal"]
    if not changes:
        return []
    a_first, a_last = changes[0][1], changes[-1][2]
    b_first, b_last = changes[0][3], changes[-1][4]
    if a_first == a_last:  # words were left out: mark the words around the gap
        grow_left, grow_right = a_first > 0, a_last < len(words)
        a_first, b_first = a_first - grow_left, b_first - grow_left
        a_last, b_last = a_last + grow_right, b_last + grow_right
    start, end = answer.tokens[tokens[a_first]].start, answer.tokens[tokens[a_last - 1]].end
    here = view.spoken_tokens
    true_start = view.tokens[here[begin]].start
    true_end = view.tokens[here[stop - 1]].end
    receipt = receipt_on(view, true_start, true_end, "nearest wording in the sources")
    added = b_last == b_first  # words that nobody said, whatever else is wrong with them
    replacement: tuple[str, ...] = ("",) if added else ()
    if not added:
        replacement = (view.text[view.tokens[here[begin + b_first]].start : view.tokens[here[begin + b_last - 1]].end],)
    return [
        Judgement(
            start, end, answer.text[start:end], "quote", 0.2, "altered_quote", receipt, replacement, whole=added,
            channel="quotes",
        )
    ]  # fmt: skip
