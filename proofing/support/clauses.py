"""Clauses: the parts of a sentence that say one thing each, cut at signs and conjunctions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress

from proofing.documents import Sentence
from proofing.support.reading import TextView
from proofing.support.wordset import word_set

#: Words that open a new statement when a verb can follow them.
OPENERS = word_set(
    "but if when once until provided while whereas although though however because unless except and or so yet",
    "which who aber sondern während weil mais tandis pero mientras aunque sino ma mentre però mas enquanto но а хотя",
)
#: Signs that always part two statements, and those that part them when enough words stand on both sides.
HARD = frozenset(";:()[]|—–")
SOFT = frozenset(",")
#: A clause of its own has at least so many words, and as many content words.
CLAUSE_WORDS = 2


def clauses_of(view: TextView, sentence: Sentence) -> list[range]:
    """Token ranges of the clauses of one sentence, in order, together covering it."""
    starts = [sentence.first_token]
    counts: _Counts | None = None
    for i, fold in enumerate(view.folds[sentence.first_token + 1 : sentence.last_token], sentence.first_token + 1):
        if (
            (fold in SOFT and not _in_a_number(view, i))
            or fold in OPENERS
            or (fold == "as" and view.folds[i : i + 3] == ("as", "long", "as"))
        ):
            counts = counts or _Counts(view, sentence)
            if _parts_here(counts, starts[-1], i):
                starts.append(i)
        elif fold in HARD or (fold == "." and _glued_stop(view, i)):
            starts.append(i)
    stops = [*starts[1:], sentence.last_token]
    return [range(a, b) for a, b in zip(starts, stops, strict=True)]


def _in_a_number(view: TextView, i: int) -> bool:
    """Whether a comma stands between two digits, as in "1,402 millones"."""
    token = view.tokens[i]
    return view.text[token.start - 1 : token.start].isdigit() and view.text[token.end : token.end + 1].isdigit()


def _glued_stop(view: TextView, i: int) -> bool:
    """ "no makeup.Literally use": a full stop that ends a sentence although no space follows it."""
    if i + 1 >= len(view.tokens) or view.tokens[i + 1].start != view.tokens[i].end:
        return False
    before, after = view.tokens[i - 1], view.tokens[i + 1]
    return before.kind == "word" and len(before.text) > 2 and before.text.islower() and after.text[:1].isupper()


class _Counts:
    """Content words and small words of a sentence, summed up once so that a stretch costs the same at any length."""

    def __init__(self, view: TextView, sentence: Sentence) -> None:
        self.first, self.last = sentence.first_token, sentence.last_token
        content = view.content[self.first : self.last]
        words = [token.kind == "word" for token in view.tokens[self.first : self.last]]
        self._content = list(accumulate(content, initial=0))
        self._small = list(accumulate([word and not own for word, own in zip(words, content, strict=True)], initial=0))

    def content(self, begin: int, end: int) -> int:
        return self._content[end - self.first] - self._content[begin - self.first]

    def small(self, begin: int, end: int) -> int:
        return self._small[end - self.first] - self._small[begin - self.first]


def _parts_here(counts: _Counts, begin: int, here: int) -> bool:
    """Whether enough content stands on both sides of a comma or conjunction for two statements."""
    before = counts.content(begin, here)
    if before == CLAUSE_WORDS and not counts.small(begin, here):
        return False  # "red, white and blue": a list, not a statement
    after = counts.content(here, min(here + 12, counts.last))
    return before >= CLAUSE_WORDS and after >= CLAUSE_WORDS


def clause_ranges(view: TextView, index: int) -> list[range]:
    """The clauses of sentence `index` of a view, worked out once."""
    known: list[range] | None = view.memo.get(("clauses", index))
    if known is None:
        known = view.memo["clauses", index] = clauses_of(view, view.sentences[index])
    return known


def clause_around(view: TextView, token: int) -> range:
    """The clause that holds a token."""
    index = view.sentence_index_at(view.tokens[token].start)
    if index is None:
        return range(0)
    for clause in clause_ranges(view, index):
        if token in clause:
            return clause
    return range(token, token + 1)


def content_of(view: TextView, clause: range) -> Sequence[int]:
    """Tokens of a clause that are content words or digits, ascending; worked out once."""
    key = ("content", clause.start, clause.stop)
    known: tuple[int, ...] | None = view.memo.get(key)
    if known is None:
        known = view.memo[key] = tuple(compress(clause, view.stating[clause.start : clause.stop]))
    return known
