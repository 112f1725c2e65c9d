"""A corpus: documents of a project cut into passages and searched, for answers that come without sources.

    corpus = Corpus.of([Source("policy.md", text)])
    report = inspect_with(corpus, "How long may I return goods?", "You may return goods within 41 days.")

Search by words is TF-IDF (sublinear term frequency, smoothed inverse document frequency, cosine: the numbers of
scikit-learn's ``TfidfVectorizer(sublinear_tf=True)`` over the engine's own stems, without needing it); by meaning
it is the sentence encoder of the [deep] extra; ``hybrid`` joins both rankings by reciprocal rank. A corpus is worked
out once and kept as one JSON file: nothing in it can be executed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from proofing.documents import Source, check_text
from proofing.errors import BadInput
from proofing.inspection import inspect
from proofing.learning.model import SupportModel
from proofing.report import Report
from proofing.settings import Settings
from proofing.support.reading import TextView

SCHEMA = "corpus/1"
WAYS = ("tfidf", "dense", "hybrid")
#: Words of a passage: sentences are gathered until there are so many.
PASSAGE_WORDS = 90
#: How fast a rank loses weight in the hybrid way: ``1 / (RANK_WEIGHT + rank)``.
RANK_WEIGHT = 60
#: Of so many best by each ranking the hybrid way chooses.
HYBRID_FROM = 50


@dataclass(frozen=True, slots=True)
class Found:
    """One passage and how near it is: a cosine 0-1, or the sum of reciprocal ranks for the hybrid way."""

    source: Source
    score: float


@dataclass(frozen=True)
class Corpus:
    """Passages with their words' weights; make one with `Corpus.of`.

    Attributes:
        passages: in the order of the documents.
        version: SHA-256 of the passages.
        weights: per stem its inverse document frequency.
        postings: per stem the passages that hold it, each with its weight there (rows have length 1).
    """

    passages: tuple[Source, ...]
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
        passages = tuple(passage for document in documents for passage in _passages(document, words))
        counts = [Counter(_stems(passage.text)) for passage in passages]
        held = Counter(stem for count in counts for stem in count)
        weights = {s: math.log((1 + len(counts)) / (1 + n)) + 1.0 for s, n in sorted(held.items())}
        postings: dict[str, list[tuple[int, float]]] = {stem: [] for stem in weights}
        for index, count in enumerate(counts):
            for stem, weight in sorted(_row(count, weights).items()):
                postings[stem].append((index, weight))
        content = json.dumps([[p.id, p.text] for p in passages], ensure_ascii=False)
        return cls(passages, hashlib.sha256(content.encode()).hexdigest(), weights, postings)

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
            ranked = [self._by_words(query)[:HYBRID_FROM], self._by_meaning(query, encoder)[:HYBRID_FROM]]
            joined: dict[int, float] = {}
            for ranking in ranked:
                for rank, (index, _) in enumerate(ranking, start=1):
                    joined[index] = joined.get(index, 0.0) + 1.0 / (RANK_WEIGHT + rank)
            best = sorted(joined.items(), key=lambda item: (-item[1], item[0]))
        else:
            best = self._by_words(query) if how == "tfidf" else self._by_meaning(query, encoder)
        return tuple(Found(self.passages[index], round(score, 6)) for index, score in best[:k])

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

    def _by_words(self, query: str) -> list[tuple[int, float]]:
        own = _row(Counter(_stems(query)), self.weights)
        scores: dict[int, float] = {}
        for stem, weight in sorted(own.items()):
            for index, there in self.postings.get(stem, ()):
                scores[index] = scores.get(index, 0.0) + weight * there
        return sorted(scores.items(), key=lambda item: (-round(item[1], 9), item[0]))

    def _by_meaning(self, query: str, encoder: str) -> list[tuple[int, float]]:
        from proofing.encoder import Encoder

        loaded = Encoder.load(encoder)
        if not self._vectors:
            self._vectors.extend(code.mean for code in loaded.encode([p.text for p in self.passages]))
        asked = loaded.encode([query])[0].mean
        alike = [(i, float(vector @ asked) if vector.shape == asked.shape else 0.0) for i, vector in
                 enumerate(self._vectors)]  # fmt: skip
        return sorted(((i, s) for i, s in alike if s > 0.0), key=lambda item: (-round(item[1], 6), item[0]))


def inspect_with(
    corpus: Corpus, question: str, answer: str, *, k: int = 4, how: str = "tfidf", settings: Settings | None = None,
    model: SupportModel | None = None, id: str | None = None,
) -> Report:  # fmt: skip
    """`proofing.inspect` of an answer that came without sources, against the passages nearest to question and answer.

    The report says so among its warnings. `proofing.heal` then corrects the answer by these passages.
    """
    chosen = settings or Settings()
    found = corpus.retrieve(f"{question}\n{answer}", k, how, chosen.encoder)
    report = inspect(question, [one.source for one in found], answer, settings=chosen, model=model, id=id)
    said = (
        f"no sources came with this answer: it was read against {len(found)} passages of corpus {corpus.version[:12]}"
    )
    return replace(report, warnings=(said, *report.warnings))


def _passages(document: Source, words: int) -> list[Source]:
    check_text(document.text, f"document {document.id!r}")
    view = TextView(None, document.text)
    out: list[Source] = []
    start, count = 0, 0
    for place, sentence in enumerate(view.sentences):
        count += len(sentence.text.split())
        if count >= words or place == len(view.sentences) - 1:
            text = document.text[start : sentence.end].strip()
            if text:
                out.append(Source(f"{document.id}#{len(out) + 1}", text, document.title, document.url))
            start, count = sentence.end, 0
    return out


def _stems(text: str) -> list[str]:
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
