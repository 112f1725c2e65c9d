"""The evidence a stretch of an answer is read against: its nearest pieces of the sources, in source order.

A cross-encoder reads ``[question and evidence ; sentences]`` and is given some 85 words of evidence, so
the pieces that share the rarest words with the sentences are chosen. A record (a JSON object or a Python
literal) is no prose: it is read as one short sentence per field, ``hours Friday: 8:00-18:00``, with
``None`` written out as *unknown*, which is neither yes nor no.

>>> pieces_of("{'name': 'Quay', 'hours': {'Friday': '8:0-18:0'}, 'WiFi': None}")
('name: Quay.', 'hours Friday: 8:0-18:0.', 'Wi Fi: unknown.')
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from proofing.documents import Sentence, sentences_of
from proofing.support.reading import TextView

#: Words of evidence beside a window. There is room for 150 in 288 word pieces (a word is about 1.3 pieces), and the
#: reader was trained so; 85 take about half the time and rank RAGTruth's answers about as well (decision 0012).
EVIDENCE_WORDS, TRAINED_WORDS = 85, 150
#: Code points of neighbouring sentences that are read together: some 48 words.
WINDOW = 300
#: A record larger than this is read as plain text: parsing must stay cheap on hostile input.
RECORD_LIMIT = 200_000
_WORD = re.compile(r"\w+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")


def windows_of(spans: Sequence[tuple[int, int]]) -> list[range]:
    """Which sentences are read together: places in `spans`, neighbours of at most `WINDOW` code points.

    A choice of whole windows gives the same windows again.

    >>> windows_of([(0, 120), (121, 250), (251, 400), (401, 900), (901, 920)])
    [range(0, 2), range(2, 3), range(3, 4), range(4, 5)]
    """
    windows: list[range] = []
    for place, (_, end) in enumerate(spans):
        if windows and end - spans[windows[-1].start][0] <= WINDOW:
            windows[-1] = range(windows[-1].start, place + 1)
        else:
            windows.append(range(place, place + 1))
    return windows


def first_windows(spans: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """The first `most` of `spans`, and those after them that belong to the same window.

    >>> first_windows([(0, 120), (121, 250), (251, 400)], 1)
    [(0, 120), (121, 250)]
    """
    return [spans[i] for window in windows_of(spans) if window.start < most for i in window]


def pieces_of(text: str, sentences: Sequence[Sentence] | None = None) -> tuple[str, ...]:
    """The sentences of a prose source, or one sentence per field of a record; `sentences` = where they are known."""
    record = _record(text)
    if record is not None:
        return tuple(_fields(record, ""))
    return tuple(s.text for s in (sentences_of(text) if sentences is None else sentences) if s.text.strip())


def _record(text: str) -> object | None:
    stripped = text.strip()
    if not stripped.startswith(("{", "[")) or len(stripped) > RECORD_LIMIT:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            found: object = read(stripped)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return found
    return None


def _fields(node: object, path: str, depth: int = 0) -> list[str]:
    if depth > 20:
        return []
    if isinstance(node, dict):
        return [f for k, v in node.items() for f in _fields(v, f"{path} {_CAMEL.sub(' ', str(k))}".strip(), depth + 1)]
    if isinstance(node, list | tuple):
        return [f for v in node for f in _fields(v, path, depth + 1)]
    said = {None: "unknown", True: "yes", False: "no"}.get(node, node) if isinstance(node, bool | None) else node
    pieces = [s.text for s in sentences_of(said)] if isinstance(said, str) and len(said) > 200 else [str(said)]
    return [f"{path}: {piece.strip().rstrip('.')}." for piece in pieces if piece.strip()]


@dataclass(frozen=True)
class Evidence:
    """All pieces of an answer's sources with their word weights, ready to choose from.

    Build it once per answer with `of` or `beside`; a choice then looks only at pieces that share a word.
    """

    pieces: tuple[str, ...]
    sizes: tuple[int, ...]
    stems: tuple[int, ...]
    weight: dict[str, float]
    places: dict[str, list[int]]

    @classmethod
    def of(cls, sources: Sequence[str]) -> Evidence:
        return cls._of([_counted(pieces_of(text)) for text in sources])

    @classmethod
    def beside(cls, views: Sequence[TextView]) -> Evidence:
        """As `of`, with what each view knows of its text already; what is worked out here it keeps."""
        counted = []
        for view in views:
            if "evidence" not in view.memo:
                view.memo["evidence"] = _counted(pieces_of(view.text, view.sentences))
            counted.append(view.memo["evidence"])
        return cls._of(counted)

    @classmethod
    def _of(cls, sources: Sequence[Sequence[_Counted]]) -> Evidence:
        counted = [piece for pieces in sources for piece in pieces]
        places: dict[str, list[int]] = {}
        for i, piece in enumerate(counted):
            for word in piece.stems:
                places.setdefault(word, []).append(i)
        total = len(counted) + 1
        weight = {w: math.log(total / len(found)) + 0.1 for w, found in places.items()}
        return cls(
            tuple(piece.text for piece in counted), tuple(piece.size for piece in counted),
            tuple(len(piece.stems) for piece in counted), weight, places,
        )  # fmt: skip

    def nearest(self, sentence: str, budget: int = EVIDENCE_WORDS) -> str:
        """The pieces nearest to `sentence`, joined in source order, at most about `budget` words."""
        scores: dict[int, float] = {}
        for word in sorted(frozenset(_stems(sentence)) & self.weight.keys()):
            for i in self.places[word]:
                scores[i] = scores.get(i, 0.0) + self.weight[word]
        near = sorted(scores, key=lambda i: (-scores[i] / math.sqrt(8 + self.stems[i]), i))
        chosen: list[int] = []
        left = budget
        for i in chain(near, (i for i in range(len(self.pieces)) if i not in scores)):
            if chosen and self.sizes[i] > left:
                continue
            chosen.append(i)
            left -= self.sizes[i]
            if left < 6:
                break
        return " ".join(self.pieces[i] for i in sorted(chosen))


class _Counted(NamedTuple):
    """A piece, how many words it has, and its stems, each once."""

    text: str
    size: int
    stems: tuple[str, ...]


def _counted(pieces: Sequence[str]) -> list[_Counted]:
    return [_Counted(piece, len(piece.split()), tuple(dict.fromkeys(_stems(piece)))) for piece in pieces]


def _stems(text: str) -> list[str]:
    """Lower-case words cut to seven letters: a crude stem, the same for every language."""
    return [w[:7] for w in _WORD.findall(text.lower())]
