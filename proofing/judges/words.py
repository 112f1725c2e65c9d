"""Where in the answer the words stand that judges name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from proofing.documents import Token, tokens_of
from proofing.judges.votes import Vote

#: A word a judge names may stand in the answer many times; which one it meant, nobody knows. More than this are not
#: all shown.
MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Named:
    """A stretch of the answer that judges named, with what each of them said: (judge, reason)."""

    start: int
    end: int
    text: str
    said: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "said": [list(pair) for pair in self.said]}


def named_spans(answer: str, votes: Sequence[Vote]) -> tuple[list[Named], list[tuple[str, str]]]:
    """The stretches of the answer that valid votes name, in text order, and the words that stand nowhere in it.

    Letters' case, white space and signs do not count. The same stretch named by two judges comes once with both.

    Returns:
        Spans, and (judge, words) pairs that could not be found.

    >>> spans, lost = named_spans("It costs 12 euros.", [Vote("a", "valid", True, "Not 12.", ("12 Euros", "red"))])
    >>> [(s.text, s.said) for s in spans], lost
    ([('12 euros', (('a', 'Not 12.'),))], [('a', 'red')])
    """
    tokens = [token for token in tokens_of(answer) if token.kind != "sign"]
    keys = [token.text.casefold() for token in tokens]
    said: dict[tuple[int, int], list[tuple[str, str]]] = {}
    lost: list[tuple[str, str]] = []
    for vote in votes:
        if not vote.valid or not vote.unsupported:
            continue
        for words in vote.words:
            places = _places(words, tokens, keys)
            if not places:
                lost.append((vote.judge, words))
            for place in places:
                known = said.setdefault(place, [])
                if (vote.judge, vote.reason) not in known:
                    known.append((vote.judge, vote.reason))
    spans = [Named(start, end, answer[start:end], tuple(pairs)) for (start, end), pairs in sorted(said.items())]
    return spans, lost


def _places(words: str, tokens: Sequence[Token], keys: Sequence[str]) -> list[tuple[int, int]]:
    wanted = [token.text.casefold() for token in tokens_of(words) if token.kind != "sign"]
    if not wanted:
        return []
    found = []
    for at in range(len(keys) - len(wanted) + 1):
        if keys[at] == wanted[0] and list(keys[at : at + len(wanted)]) == wanted:
            found.append((tokens[at].start, tokens[at + len(wanted) - 1].end))
            if len(found) == MOST_PLACES:
                break
    return found
