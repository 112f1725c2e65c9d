"""A corpus as a file that is read where it lies: any number of processes share it, and none holds it in memory.

    built = write_index("corpus.index", documents)
    with open_index("corpus.index") as corpus:
        corpus.search("How long may I return goods?", "Within 41 days.")

The file is an SQLite database of three tables: what it is, the passages, and per stem its weight with the passages that
hold it as two plain arrays. Sentence vectors, when they are wanted, lie beside it as one float32 matrix that is mapped
into memory. Nothing in either can be executed. `retrieve` gives what `Corpus.of` over the same documents gives.
"""

from __future__ import annotations

import math
import os
import sqlite3
import sys
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from proofing.corpus import Corpus, inverse_frequency, passages_of_document, stacked, stems_of, version_of
from proofing.documents import Source
from proofing.encoder import NoEncoder
from proofing.errors import BadInput

SCHEMA = "corpus-index/1"
#: Passages whose vectors are worked out and kept in one go.
BATCH = 64
#: Passages between two calls of `tick`.
TICK = 200

#: Called with the phase (``words``, ``meaning``) and how many passages are through; what it raises ends the work.
Tick = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What an index holds. ``encoder`` is empty where it holds no vectors."""

    version: str
    documents: int
    passages: int
    stems: int
    encoder: str = ""


# Writing --------------------------------------------------------------------------------------------------------


def write_index(
    path: str | Path, documents: Iterable[Source], *, encoder: str | None = None, tick: Tick | None = None
) -> Built:
    """Cut documents into passages, count them, and put the index at `path`, in the place of an older one.

    Args:
        documents: read once, one after the other; their ids must differ.
        encoder: as `Settings.encoder`: keep sentence vectors, too. Vectors that were worked out before lie in the
            folder's ``vectors.cache`` and are not worked out again, so that work that was cut short goes on.

    Raises:
        BadInput: a document holds NUL or a lone surrogate, or two have one id.
        NoEncoder: `encoder` cannot be loaded; nothing is written.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix="index-", suffix=".part", dir=target.parent)
    os.close(handle)
    part, matrix = Path(name), Path(f"{name}.vectors")
    try:
        with closing(sqlite3.connect(part)) as base:
            base.execute("PRAGMA journal_mode=OFF")
            base.execute("PRAGMA synchronous=OFF")
            built = _write_words(base, documents, tick or (lambda phase, done: None))
            used = _write_vectors(base, matrix, encoder, tick) if encoder is not None else ""
            built = Built(built.version, built.documents, built.passages, built.stems, used)
            facts = {"schema": SCHEMA, "byteorder": sys.byteorder, **{k: str(getattr(built, k)) for k in _FACTS}}
            base.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            base.commit()
        if used:
            os.replace(matrix, vectors_of(target))
        else:
            vectors_of(target).unlink(missing_ok=True)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
        matrix.unlink(missing_ok=True)
    return built


_FACTS = ("version", "documents", "passages", "stems", "encoder")


def vectors_of(path: Path) -> Path:
    """Where the vectors of an index lie."""
    return path.with_name(f"{path.name}.vectors")


def _write_words(base: sqlite3.Connection, documents: Iterable[Source], tick: Tick) -> Built:
    base.execute("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT)")
    base.execute("CREATE TABLE passages (n INTEGER PRIMARY KEY, id TEXT, text TEXT, title TEXT, url TEXT)")
    base.execute("CREATE TABLE stems (stem TEXT PRIMARY KEY, weight REAL, held BLOB, there BLOB) WITHOUT ROWID")
    held: dict[str, tuple[array[int], array[int]]] = {}  # stem → passages that hold it, and how often each
    ids: set[str] = set()

    def read() -> Iterator[Source]:
        number = 0
        for document in documents:
            if document.id in ids:
                raise BadInput(f"document id {document.id!r} stands twice: give every document an id of its own")
            ids.add(document.id)
            for passage in passages_of_document(document):
                base.execute(
                    "INSERT INTO passages VALUES (?, ?, ?, ?, ?)",
                    (number, passage.id, passage.text, passage.title, passage.url),
                )
                for stem, count in Counter(stems_of(passage.text)).items():
                    places, counts = held.setdefault(stem, (array("I"), array("I")))
                    places.append(number)
                    counts.append(count)
                number += 1
                if number % TICK == 0:
                    tick("words", number)
                yield passage

    version = version_of(read())
    passages = int(base.execute("SELECT count(*) FROM passages").fetchone()[0])
    tick("words", passages)
    weights = {stem: inverse_frequency(len(places), passages) for stem, (places, _) in held.items()}
    base.executemany("INSERT INTO stems VALUES (?, ?, ?, ?)", _rows(held, weights, passages))
    return Built(version, len(ids), passages, len(held))


def _rows(
    held: Mapping[str, tuple[array[int], array[int]]], weights: Mapping[str, float], passages: int
) -> Iterator[tuple[str, float, bytes, bytes]]:
    """The table of stems; in each passage the weights have length 1."""
    squares = array("d", bytes(8 * passages))
    for stem in held:
        for place, count in zip(*held[stem], strict=True):
            squares[place] += ((1.0 + math.log(count)) * weights[stem]) ** 2
    lengths = array("d", map(math.sqrt, squares))
    for stem in sorted(held):
        places, counts = held[stem]
        there = array(
            "d", ((1.0 + math.log(n)) * weights[stem] / lengths[p] for p, n in zip(places, counts, strict=True))
        )
        yield stem, weights[stem], places.tobytes(), there.tobytes()


def _write_vectors(base: sqlite3.Connection, matrix: Path, encoder: str, tick: Tick | None) -> str:
    """Vectors of all passages in their order, as one float32 matrix; the encoder's name, empty without a passage."""
    import hashlib

    import numpy as np

    from proofing.encoder import Encoder

    loaded = Encoder.load(encoder)
    cache = sqlite3.connect(matrix.with_name("vectors.cache"), timeout=60)
    with closing(cache), open(matrix, "wb") as stream:
        cache.execute(
            "CREATE TABLE IF NOT EXISTS vectors (encoder TEXT, text BLOB, vector BLOB, PRIMARY KEY (encoder, text))"
        )
        rows = iter(base.execute("SELECT text FROM passages ORDER BY n"))
        done, width = 0, 0
        used: set[bytes] = set()
        while texts := [text for (text,) in islice(rows, BATCH)]:
            keys = [hashlib.sha256(text.encode()).digest() for text in texts]
            found = {key: _cached(cache, loaded.name, key) for key in keys}
            missing = [(key, text) for key, text in zip(keys, texts, strict=True) if found[key] is None]
            for (key, _), code in zip(missing, loaded.encode([text for _, text in missing]), strict=True):
                found[key] = np.asarray(code.mean, dtype=np.float32)
                cache.execute(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", (loaded.name, key, found[key].tobytes())
                )
            cache.commit()
            batch = stacked([found[key] for key in keys])
            width = max(width, batch.shape[1])
            stream.write(batch.tobytes())
            used.update(keys)
            done += len(texts)
            if tick:
                tick("meaning", done)
        known = [key for (key,) in cache.execute("SELECT text FROM vectors")]
        cache.executemany("DELETE FROM vectors WHERE text = ?", [(key,) for key in known if key not in used])
        cache.commit()
    return loaded.name if width > 1 and matrix.stat().st_size == done * width * 4 else ""


def _cached(cache: sqlite3.Connection, encoder: str, key: bytes) -> Any:
    import numpy as np

    row = cache.execute("SELECT vector FROM vectors WHERE encoder = ? AND text = ?", (encoder, key)).fetchone()
    return None if row is None else np.frombuffer(row[0], dtype=np.float32)


# Reading --------------------------------------------------------------------------------------------------------


class StoredCorpus(Corpus):
    """A `Corpus` whose passages, weights and postings stay in their file until they are asked for.

    Attributes:
        built: what the index holds.
    """

    built: Built

    def __enter__(self) -> StoredCorpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.passages.close()  # type: ignore[attr-defined]

    def _matrix(self, encoder: Any) -> Any:
        import numpy as np

        if not self.passages:
            return None
        if self.built.encoder != encoder.name:
            kept = f"vectors of {self.built.encoder}" if self.built.encoder else "no vectors"
            raise NoEncoder(f"the index holds {kept}, and the encoder here is {encoder.name}: build the index again")
        if not self._vectors:
            file = self.passages.vectors  # type: ignore[attr-defined]
            self._vectors.append(np.memmap(file, dtype=np.float32, mode="r").reshape(len(self.passages), -1))
        return self._vectors[0]


def open_index(path: str | Path) -> StoredCorpus:
    """The corpus of an index.

    Raises:
        BadInput: there is no such file, or it is no index.
    """
    file = Path(path)
    if not file.is_file():
        raise BadInput(f"cannot read the index {file}: no such file")
    # Nobody changes an index that has its name: a new one takes its place. Threads may share the connection.
    base = sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    try:
        facts = dict(base.execute("SELECT name, value FROM facts"))
        if facts.get("schema") != SCHEMA or facts.get("byteorder") != sys.byteorder:
            raise BadInput(f"{file} is no {SCHEMA} index of this machine")
        documents, passages, stems = (int(facts[name]) for name in ("documents", "passages", "stems"))
        built = Built(facts["version"], documents, passages, stems, facts["encoder"])
    except (sqlite3.DatabaseError, KeyError, ValueError) as error:
        base.close()
        raise BadInput(f"{file} is no {SCHEMA} index") from error
    except BadInput:
        base.close()
        raise
    corpus = StoredCorpus(
        _Passages(base, built.passages, vectors_of(file)), built.version, _Weights(base), _Postings(base)
    )
    object.__setattr__(corpus, "built", built)
    return corpus


class _Passages(Sequence[Source]):
    """The passages, each read when it is asked for."""

    def __init__(self, base: sqlite3.Connection, count: int, vectors: Path) -> None:
        self._base, self._count, self.vectors = base, count, vectors

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[n] for n in range(*place.indices(self._count))]
        n = place + self._count if place < 0 else place
        row = self._base.execute("SELECT id, text, title, url FROM passages WHERE n = ?", (n,)).fetchone()
        if row is None:
            raise IndexError(place)
        return Source(*row)

    def close(self) -> None:
        self._base.close()


class _Weights(Mapping[str, float]):
    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def __getitem__(self, stem: str) -> float:
        row = self._base.execute("SELECT weight FROM stems WHERE stem = ?", (stem,)).fetchone()
        if row is None:
            raise KeyError(stem)
        return float(row[0])

    def __iter__(self) -> Iterator[str]:
        return (stem for (stem,) in self._base.execute("SELECT stem FROM stems"))

    def __len__(self) -> int:
        return int(self._base.execute("SELECT count(*) FROM stems").fetchone()[0])


class _Postings(Mapping[str, Sequence[tuple[int, float]]]):
    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def __getitem__(self, stem: str) -> Sequence[tuple[int, float]]:
        row = self._base.execute("SELECT held, there FROM stems WHERE stem = ?", (stem,)).fetchone()
        if row is None:
            raise KeyError(stem)
        places, weights = array("I"), array("d")
        places.frombytes(row[0])
        weights.frombytes(row[1])
        return list(zip(places, weights, strict=True))

    __iter__ = _Weights.__iter__
    __len__ = _Weights.__len__
