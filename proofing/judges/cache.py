"""Votes kept by what they depend on, so that asking the same again costs nothing."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Protocol

from proofing.errors import BadInput
from proofing.judges.votes import Vote


class VoteCache(Protocol):
    """Where votes are kept; the key is `proofing.judges.prompt.vote_key`."""

    def get(self, key: str) -> Vote | None: ...

    def put(self, key: str, vote: Vote) -> None: ...


class MemoryCache:
    """Votes of this process."""

    def __init__(self) -> None:
        self.votes: dict[str, Vote] = {}

    def get(self, key: str) -> Vote | None:
        return self.votes.get(key)

    def put(self, key: str, vote: Vote) -> None:
        self.votes[key] = vote


class SqliteCache:
    """Votes in one SQLite file, made when missing; only its owner may read it. It holds no answers and no sources,
    but a judge's reason and the words it named are parts of them.

    Raises:
        BadInput: the file is something else, or cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.touch(mode=0o600, exist_ok=True)
            self._connection = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS votes (key TEXT PRIMARY KEY, vote TEXT NOT NULL)")
        except (OSError, sqlite3.Error) as error:
            raise BadInput(f"{path} cannot hold votes: {error}") from error

    def get(self, key: str) -> Vote | None:
        row = self._connection.execute("SELECT vote FROM votes WHERE key = ?", (key,)).fetchone()
        return Vote.from_dict(json.loads(row[0])) if row else None

    def put(self, key: str, vote: Vote) -> None:
        self._connection.execute("INSERT OR REPLACE INTO votes VALUES (?, ?)", (key, json.dumps(vote.to_dict())))

    def close(self) -> None:
        self._connection.close()
