"""What an answer stands on: enough of its sources to tell whether two answers were given about the same thing.

"Write an overview of this business" asked about a hundred businesses is a hundred questions, and the id `s0` names
no document. So answers to one question are compared with each other only where their sources have something in
common: a text, a document with a name of its own, or most of their wording. What is kept are hashes; no text can
be rebuilt from them.

>>> from proofing.documents import Source
>>> old = ground_of([Source("s1", "The tour costs 24 euros for adults and is free for children.")])
>>> old.shares(ground_of([Source("s1", "The tour costs 31 euros for adults and is free for children.")]))
True
>>> old.shares(ground_of([Source("s1", "Loans may be extended twice unless somebody waits.")]))
False
"""

from __future__ import annotations

import hashlib
import heapq
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from proofing.documents import Source

#: How many hashes of pairs of words are kept: the smallest ones, which are a fair sample of all (Broder 1997, "On
#: the resemblance and containment of documents").
SKETCH_SIZE = 48
#: Share of pairs of words that two sets of sources have in common from which they count as versions of one text.
ALIKE_FROM = 0.5

_WORD = re.compile(r"\d[\d.,]*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]+")
#: Ids that say which place a source had in a list and not which document it is.
_PLACE = re.compile(
    r"(?:s|src|sources?|d|docs?|documents?|c|ctx|contexts?|retrieved[-_ ]?contexts?|p|passages?|chunks?|texts?|refs?"
    r"|results?|hits?|items?|ids?|n|no|k|e|evidence|references?|inputs?|files?|data)?[\W_]*\d*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ground:
    """Hashes of an answer's sources.

    Attributes:
        documents: of each text, and of each address or name that tells one document from another.
        sketch: of pairs of words that follow each other, figures taken as equal; the smallest `SKETCH_SIZE`.
    """

    documents: tuple[str, ...] = ()
    sketch: tuple[str, ...] = ()

    def shares(self, other: Ground) -> bool:
        """Whether both stand on the same document, on versions of one, or both on none at all."""
        if not self.documents or not other.documents:
            return not self.documents and not other.documents
        return not set(self.documents).isdisjoint(other.documents) or self.resemblance(other) >= ALIKE_FROM

    def resemblance(self, other: Ground) -> float:
        """Estimated share of pairs of words in common, 0-1."""
        smallest = heapq.nsmallest(SKETCH_SIZE, {*self.sketch, *other.sketch})
        both = set(self.sketch) & set(other.sketch)
        return sum(pair in both for pair in smallest) / len(smallest) if smallest else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {"documents": list(self.documents), "sketch": list(self.sketch)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Ground:
        """The ground that `to_dict` wrote."""
        return cls(tuple(data["documents"]), tuple(data["sketch"]))


def ground_of(sources: Iterable[Source]) -> Ground:
    """The ground of an answer that was given these sources; sources without text or name stand for nothing."""
    documents: set[str] = set()
    pairs: set[str] = set()
    for source in sources:
        words = _WORD.findall(unicodedata.normalize("NFKC", source.text).casefold())
        if words:
            documents.add(_hash(f"text {' '.join(words)}"))
        documents.update(_hash(name) for name in _names(source))
        plain = ["0" if word[0].isdigit() else word for word in words]
        pairs.update(f"{one} {other}" for one, other in pairwise(plain))
    sketch = heapq.nsmallest(SKETCH_SIZE, {_hash(pair)[:8] for pair in pairs})
    return Ground(tuple(sorted(documents)), tuple(sketch))


def _names(source: Source) -> list[str]:
    """What names the document: its address, its id where that is no mere place in a list, else its title."""
    if source.url.strip():
        return [f"url {source.url.strip()}"]
    if not is_place(source.id):
        return [f"id {source.id}"]
    return [f"title {' '.join(source.title.split())}"] if source.title.strip() else []


def is_place(source_id: str) -> bool:
    """Whether an id says only where a source stood.

    >>> [is_place(name) for name in ("s0", "7", "context_12", "doc-3", "policy.pdf#p3", "returns.md")]
    [True, True, True, True, False, False]
    """
    return _PLACE.fullmatch(source_id.strip()) is not None


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
