"""The reader: a small cross-encoder that reads neighbouring sentences of an answer against their nearest evidence.

It sees what no count shows: words that all stand in the sources and are joined wrongly. Per window of sentences it
gives one number, and one for every word piece. It was trained by `bench.train.cross_encoder` from all-MiniLM-L6-v2 and
ships as an 8-bit ONNX file of 23 MB, served by onnxruntime on one thread; both packages are imported when first
needed. Each window is read on its own, without padding: what is said of it never depends on the rest of the answer.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from proofing.learning.evidence import EVIDENCE_WORDS, Evidence, windows_of
from proofing.onnx_session import session_of
from proofing.support.reading import Proof

#: The two files, beside the support model.
MODEL, TOKENIZER = "reader.onnx", "reader_tokenizer.json"
#: Word pieces of question, evidence and window together, and letters of the question: as it was trained.
MOST_PIECES, QUESTION_LETTERS = 288, 120
#: Pairs of evidence and window whose numbers are kept: a healed answer is read again and is mostly the same.
REMEMBERED = 512
#: A window of fewer words says nothing to read.
LEAST_WORDS = 2


class NoReader(Exception):
    """The reader cannot be served here; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """What the reader makes of one sentence of an answer.

    Attributes:
        start: first code point in the answer; `end` is one past the last.
        score: log odds that its window holds something unsupported.
        pieces: per word piece its code points in the answer and the log odds that it is unsupported.
    """

    start: int
    end: int
    score: float
    pieces: tuple[tuple[int, int, float], ...]


class Reader:
    """The loaded model. Use `Reader.load`; it is kept for the life of the process.

    Attributes:
        name: ``reader@`` and the first 12 digits of the file's SHA-256, for reports.
    """

    def __init__(self, session: Any, tokenizer: Any, name: str) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self.name = name
        self._odds = lru_cache(maxsize=REMEMBERED)(self._read)

    @staticmethod
    def load() -> Reader:
        """The reader that ships with the package, loaded at most once per process.

        Raises:
            NoReader: a package or a file is missing.
        """
        return _load()

    def read(
        self, proof: Proof, spans: Sequence[tuple[int, int]], *, words: int = EVIDENCE_WORDS
    ) -> tuple[ReadSentence, ...]:
        """Read these sentences of the answer by windows (`windows_of`), each against the evidence nearest to it.

        Args:
            proof: the texts.
            spans: sentences of the answer in text order, whole windows of them.
            words: of evidence beside each window; windows of fewer than `LEAST_WORDS` words are left out.

        Returns:
            One `ReadSentence` per sentence read, in text order; none when there are no sources.
        """
        if not proof.sources:
            return ()
        evidence = Evidence.beside(proof.sources)
        question = proof.question.text[:QUESTION_LETTERS]
        found: list[ReadSentence] = []
        for window in windows_of(spans):
            inside = spans[window.start : window.stop]
            text = proof.answer.text[inside[0][0] : inside[-1][1]]
            if len(text.split()) >= LEAST_WORDS:
                found += self._placed(f"{question} {evidence.nearest(text, words)}".strip(), text, inside)
        return tuple(found)

    def _placed(self, evidence: str, text: str, inside: Sequence[tuple[int, int]]) -> Iterator[ReadSentence]:
        """What is said of a window, by the sentences `inside` it."""
        score, pieces = self._odds(evidence, text)
        first = inside[0][0]
        placed = [(first + start, first + end, odds) for start, end, odds in pieces]
        for start, end in inside:
            own = tuple(piece for piece in placed if start <= piece[0] < end)
            yield ReadSentence(start, end, score, own)

    def _read(self, evidence: str, text: str) -> tuple[float, tuple[tuple[int, int, float], ...]]:
        import numpy as np

        coded = self._tokenizer.encode(evidence, text)
        ids = np.asarray([coded.ids], dtype=np.int64)
        kinds = np.asarray([coded.type_ids], dtype=np.int64)
        score, words = self._session.run(["sentence", "words"], {"ids": ids, "kinds": kinds})
        places = zip(coded.type_ids, coded.sequence_ids, coded.offsets, strict=True)
        asked = [(part, place) for kind, part, place in places if kind]  # the model answers for these, and for place 0
        pieces = tuple(
            (*place, round(odds, 4))
            for (part, place), odds in zip(asked, words[0, 1:].tolist(), strict=True)
            if part == 1
        )
        return round(float(score[0]), 4), pieces


@lru_cache(maxsize=1)
def _load() -> Reader:
    folder = resources.files("proofing.learning").joinpath("data")
    model, vocabulary = folder.joinpath(MODEL), folder.joinpath(TOKENIZER)
    if not (model.is_file() and vocabulary.is_file()):
        raise NoReader("no reader ships with this build")
    return reader_of(model.read_bytes(), vocabulary.read_text("utf-8"))


def reader_of(model: bytes, vocabulary: str) -> Reader:
    """A reader from the bytes of its ONNX file and its tokenizer's JSON.

    Raises:
        NoReader: onnxruntime or tokenizers is not installed.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import numpy  # noqa: F401
        from tokenizers import Tokenizer

        session = session_of(model)
    except ImportError as error:
        raise NoReader(f"{error.name} is not installed") from error
    tokenizer = Tokenizer.from_str(vocabulary)
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=MOST_PIECES, strategy="longest_first")
    return Reader(session, tokenizer, f"reader@{hashlib.sha256(model).hexdigest()[:12]}")
