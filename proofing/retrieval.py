"""What a search of a corpus found for one answer, as it goes through an inspection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from proofing.documents import Source


@dataclass(frozen=True, slots=True)
class Found:
    """One passage and how near it is: a cosine 0-1, or the sum of reciprocal ranks for the hybrid way."""

    source: Source
    score: float


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The passages that stand in for the sources an answer did not bring.

    Attributes:
        version: SHA-256 of the corpus they come from.
        method: the way they were searched, ``tfidf``, ``dense`` or ``hybrid``.
        k: how many were asked for; fewer are found where fewer are near.
        found: the passages, nearest first.
        weights: inverse document frequency in the whole corpus of the words that matter here.
    """

    version: str
    method: str
    k: int
    found: tuple[Found, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(one.source for one in self.found)

    @property
    def warning(self) -> str:
        """The sentence that says in a report where its sources come from."""
        corpus = f"corpus {self.version[:12]}"
        if not self.found:
            return (
                f"no sources came with this answer, and nothing in {corpus} is near it: nothing in it can be supported"
            )
        passages = "1 passage" if len(self.found) == 1 else f"{len(self.found)} passages"
        return f"no sources came with this answer: it was read against {passages} of {corpus}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; a passage is ``source_id``, ``title`` and ``score``."""
        passages = [{"source_id": f.source.id, "title": f.source.title, "score": f.score} for f in self.found]
        return {"version": self.version, "method": self.method, "k": self.k, "passages": passages}
