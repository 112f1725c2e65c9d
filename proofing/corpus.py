"""A corpus: documents of a project cut into passages and searched, for answers that come without sources.

    corpus = Corpus.of([Source("policy.md", text)])
    report = inspect_with(corpus, "How long may I return goods?", "You may return goods within 41 days.")

Search by words is TF-IDF (sublinear term frequency, smoothed inverse document frequency, cosine: the numbers of
scikit-learn's ``TfidfVectorizer(sublinear_tf=True)`` over the engine's own stems, without needing it); by meaning
it is the sentence encoder of the [deep] extra; ``hybrid`` joins both rankings by reciprocal rank. A corpus is worked
out once and kept: as one JSON file (`Corpus.save`), or, where it is large, as an index that is read where it lies
(`proofing.corpus_index`). Nothing in either can be executed.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofing.documents import Source, check_text
from proofing.errors import BadInput
from proofing.inspection import inspect
from proofing.learning.model import SupportModel
from proofing.report import Report
from proofing.retrieval import Found, Retrieval
from proofing.settings import Settings
from proofing.support.reading import TextView

__all__ = ["Corpus", "Found", "Retrieval", "inspect_with", "passages_of_document"]

SCHEMA = "corpus/1"
WAYS = ("tfidf", "dense", "hybrid")
#: Words of a passage: sentences are gathered until there are so many.
PASSAGE_WORDS = 90
#: A sentence of more code points is cut (a table without a full stop is one sentence), and a longer document is read
#: piece by piece.
LONGEST_SENTENCE, PIECE = 3_000, 50_000
#: Code points of a word in scripts that are written without spaces between them.
UNSPACED_WORD = 12
#: How fast a rank loses weight in the hybrid way: ``1 / (RANK_WEIGHT + rank)``.
RANK_WEIGHT = 60
#: Of so many best by each ranking the hybrid way chooses.
HYBRID_FROM = 50


@dataclass(frozen=True)
class Corpus:
    """Passages with their words' weights; make one with `Corpus.of`.

    Attributes:
        passages: in the order of the documents.
        version: SHA-256 of the passages.
        weights: per stem its inverse document frequency.
        postings: per stem the passages that hold it, each with its weight there (rows have length 1).
    """

    passages: Sequence[Source]
    version: str
    weights: Mapping[str, float]
    postings: Mapping[str, Sequence[tuple[int, float]]]
    _vectors: list[Any] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(cls, documents: Sequence[Source], words: int = PASSAGE_WORDS) -> Corpus:
        """Cut the documents into passages of about `words` words, whole sentences, and count them.

        Raises:
            BadInput: a document holds NUL or a lone surrogate, or two have one id.
        """
        ids = [document.id for document in documents]
        if len(set(ids)) < len(ids):
            twice = next(name for name, n in Counter(ids).items() if n > 1)
            raise BadInput(f"document id {twice!r} stands twice: give every document an id of its own")
        passages = tuple(passage for document in documents for passage in passages_of_document(document, words))
        counts = [Counter(stems_of(passage.text)) for passage in passages]
        held = Counter(stem for count in counts for stem in count)
        weights = {s: inverse_frequency(n, len(counts)) for s, n in sorted(held.items())}
        postings: dict[str, list[tuple[int, float]]] = {stem: [] for stem in weights}
        for index, count in enumerate(counts):
            for stem, weight in sorted(_row(count, weights).items()):
                postings[stem].append((index, weight))
        return cls(passages, version_of(passages), weights, postings)

    def retrieve(self, query: str, k: int = 4, how: str = "tfidf", encoder: str = "auto") -> tuple[Found, ...]:
        """The `k` passages nearest to `query`, best first; passages that share nothing with it are not returned.

        Args:
            how: one of `WAYS`.
            encoder: for the dense and hybrid ways, as `Settings.encoder`.

        Raises:
            BadInput: an unknown way.
            NoEncoder: the dense or hybrid way without an encoder.
        """
        if how not in WAYS:
            raise BadInput(f"unknown way {how!r}: use one of {', '.join(WAYS)}")
        if how == "hybrid":
            joined: dict[int, float] = {}
            for ranking in (self._by_words(query, HYBRID_FROM), self._by_meaning(query, encoder, HYBRID_FROM)):
                for rank, (index, _) in enumerate(ranking, start=1):
                    joined[index] = joined.get(index, 0.0) + 1.0 / (RANK_WEIGHT + rank)
            best = sorted(joined.items(), key=lambda item: (-item[1], item[0]))[:k]
        else:
            best = self._by_words(query, k) if how == "tfidf" else self._by_meaning(query, encoder, k)
        return tuple(Found(self.passages[index], round(score, 6)) for index, score in best)

    def search(self, question: str, answer: str, *, k: int = 4, how: str = "tfidf", encoder: str = "auto") -> Retrieval:
        """What is nearest to an answer and its question, ready to be handed to `inspect`.

        Raises:
            BadInput, NoEncoder: as `retrieve`.
        """
        found = self.retrieve(f"{question}\n{answer}", k, how, encoder)
        held = {s for text in (question, answer, *(one.source.text for one in found)) for s in stems_of(text)}
        return Retrieval(self.version, how, k, found, self._weights_of(sorted(held)))

    def save(self, path: str | Path) -> None:
        """Write it as JSON; `load` gives an equal corpus."""
        passages = [[p.id, p.text, p.title, p.url] for p in self.passages]
        data = {"schema": SCHEMA, "version": self.version, "passages": passages, "weights": self.weights,
                "postings": self.postings}  # fmt: skip
        Path(path).write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Corpus:
        """The corpus of a file.

        Raises:
            BadInput: it cannot be read or is no corpus.
        """
        try:
            data = json.loads(Path(path).read_text("utf-8"))
            if data["schema"] != SCHEMA:
                raise ValueError("schema")
            return cls(
                tuple(Source(*(str(part) for part in passage)) for passage in data["passages"]),
                str(data["version"]),
                {str(stem): float(weight) for stem, weight in data["weights"].items()},
                {str(s): tuple((int(i), float(w)) for i, w in held) for s, held in data["postings"].items()},
            )
        except OSError as error:
            raise BadInput(f"cannot read the corpus {path}: {error.strerror or error}") from error
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{path} is no {SCHEMA} file") from error

    def _weights_of(self, stems: Iterable[str]) -> dict[str, float]:
        found = ((stem, self.weights.get(stem)) for stem in stems)
        return {stem: weight for stem, weight in found if weight is not None}

    def _by_words(self, query: str, most: int) -> list[tuple[int, float]]:
        counts = Counter(stems_of(query))
        own = _row(counts, self._weights_of(counts))
        scores: dict[int, float] = {}
        for stem, weight in sorted(own.items()):
            for index, there in self.postings.get(stem, ()):
                scores[index] = scores.get(index, 0.0) + weight * there
        return heapq.nsmallest(most, scores.items(), key=lambda item: (-round(item[1], 9), item[0]))

    def _by_meaning(self, query: str, encoder: str, most: int) -> list[tuple[int, float]]:
        import numpy as np

        from proofing.encoder import Encoder

        loaded = Encoder.load(encoder)
        vectors, asked = self._matrix(loaded), loaded.encode([query])[0].mean
        if vectors is None or vectors.shape[1] != asked.shape[0]:
            return []
        alike = np.round(vectors @ asked, 6)
        order = np.lexsort((np.arange(len(alike)), -alike))[:most]
        return [(int(i), float(alike[i])) for i in order if alike[i] > 0.0]

    def _matrix(self, encoder: Any) -> Any:
        """One row per passage; None without passages. Worked out when first asked for, then kept."""
        if not self._vectors and self.passages:
            self._vectors.append(stacked([code.mean for code in encoder.encode([p.text for p in self.passages])]))
        return self._vectors[0] if self._vectors else None


def inspect_with(
    corpus: Corpus, question: str, answer: str, *, k: int = 4, how: str = "tfidf", settings: Settings | None = None,
    model: SupportModel | None = None, id: str | None = None,
) -> Report:  # fmt: skip
    """`proofing.inspect` of an answer that came without sources, against the passages nearest to question and answer.

    The report says so among its warnings. `proofing.heal` then corrects the answer by these passages.
    """
    chosen = settings or Settings()
    found = corpus.search(question, answer, k=k, how=how, encoder=chosen.encoder)
    return inspect(question, found.sources, answer, settings=chosen, model=model, id=id, retrieval=found)


def stacked(rows: Sequence[Any]) -> Any:
    """One float32 matrix of sentence vectors; a text without a single piece has zeros."""
    import numpy as np

    matrix = np.zeros((len(rows), max(row.shape[0] for row in rows)), dtype=np.float32)
    for place, row in enumerate(rows):
        matrix[place, : row.shape[0]] = row
    return matrix


def version_of(passages: Iterable[Source]) -> str:
    """SHA-256 of passages: ids, texts, titles and addresses, in their order."""
    digest = hashlib.sha256()
    for passage in passages:
        digest.update(json.dumps([passage.id, passage.text, passage.title, passage.url]).encode())
    return digest.hexdigest()


def inverse_frequency(held: int, passages: int) -> float:
    """The smoothed inverse document frequency of a stem that `held` of `passages` passages hold."""
    return math.log((1 + passages) / (1 + held)) + 1.0


# Cutting --------------------------------------------------------------------------------------------------------


def passages_of_document(document: Source, words: int = PASSAGE_WORDS) -> Iterator[Source]:
    """Passages of about `words` words, in order, whole sentences each where no sentence is overlong.

    Their ids are the document's with ``#1``, ``#2``, …; title and url are its own.

    Raises:
        BadInput: the text holds NUL or a lone surrogate.
    """
    check_text(document.text, f"document {document.id!r}")
    number = 0
    for piece in _pieces(document.text):
        for text in _gathered(piece, words):
            number += 1
            yield Source(f"{document.id}#{number}", text, document.title, document.url)


def _pieces(text: str) -> Iterator[str]:
    """A long text in pieces that end at a blank line, else at a line or a space."""
    start = 0
    while len(text) - start > PIECE:
        end = next((at for sign in ("\n\n", "\n", " ") if (at := text.rfind(sign, start, start + PIECE)) > start), None)
        end = start + PIECE if end is None else end
        yield text[start:end]
        start = end
    yield text[start:]


def _gathered(text: str, words: int) -> Iterator[str]:
    sentences = TextView(None, text).sentences
    start, count = 0, 0
    for place, sentence in enumerate(sentences):
        count += max(len(sentence.text.split()), len(sentence.text) // UNSPACED_WORD)
        if count >= words or place == len(sentences) - 1:
            yield from _cut(text[start : sentence.end].strip())
            start, count = sentence.end, 0


def _cut(text: str) -> Iterator[str]:
    """`text`, in parts where it is overlong."""
    while len(text) > LONGEST_SENTENCE:
        at = text.rfind(" ", LONGEST_SENTENCE // 2, LONGEST_SENTENCE)
        at = at if at > 0 else LONGEST_SENTENCE
        yield text[:at].strip()
        text = text[at:].strip()
    if text:
        yield text


def stems_of(text: str) -> list[str]:
    """The stems that count: of content words, and digits."""
    view = TextView(None, text)
    return [
        stem
        for stem, content, token in zip(view.stems, view.content, view.tokens, strict=True)
        if stem and (content or token.kind == "digits")
    ]


def _row(counts: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    """Weighted counts of length 1."""
    raw = {s: (1.0 + math.log(n)) * weights[s] for s, n in counts.items() if s in weights}
    length = math.sqrt(math.fsum(x * x for x in raw.values()))
    return {s: x / length for s, x in raw.items()} if length else {}
