"""A drift history in one SQLite file, for those who run without the web.

Safe with several processes writing at once and across restarts: the file is in write-ahead mode, every
comparison and its record are one immediate transaction, and a busy file is waited for.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from proofing.checks.drift import DriftHistory, DriftResult, Fingerprint, judge_drift
from proofing.errors import BadInput
from proofing.settings import Settings

__all__ = ["DriftHistory", "History"]

#: Seconds a writer waits for another one.
BUSY_SECONDS = 60.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS fingerprint (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    question TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS fingerprint_of_question ON fingerprint (project, question, id);
"""


class History:
    """The earlier answers of each question, as fingerprints in a SQLite file.

    Args:
        path: the file; made when it does not exist.
        project: histories of several projects in one file do not see each other.

    Raises:
        BadInput: the file cannot be opened or is no SQLite database.

    One object may be shared by threads; each thread gets a connection of its own.
    """

    def __init__(self, path: str | Path, project: str = "default") -> None:
        self.path = Path(path)
        self.project = project
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        with self._transaction() as connection:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                connection.execute(statement)

    def compare_and_record(self, question_key: str, fingerprint: Fingerprint, settings: Settings) -> DriftResult:
        """Compare with the newest earlier answers and keep this one; see `proofing.checks.drift.DriftHistory`."""
        with self._transaction() as connection:
            earlier = _newest(connection, self.project, question_key, settings.drift_window)
            connection.execute(
                "INSERT INTO fingerprint (project, question, body) VALUES (?, ?, ?)",
                (self.project, question_key, json.dumps(fingerprint.to_dict(), ensure_ascii=False, sort_keys=True)),
            )
            connection.execute(
                "DELETE FROM fingerprint WHERE project = ? AND question = ? AND id NOT IN "
                "(SELECT id FROM fingerprint WHERE project = ? AND question = ? ORDER BY id DESC LIMIT ?)",
                (self.project, question_key, self.project, question_key, settings.drift_window),
            )
        return judge_drift(fingerprint, earlier, settings)

    def earlier(self, question_key: str, limit: int = 50) -> list[Fingerprint]:
        """Up to `limit` kept fingerprints of a question, newest first."""
        with self._transaction() as connection:
            return _newest(connection, self.project, question_key, limit)

    def close(self) -> None:
        """Close all connections; the object can be used again afterwards."""
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()

    def __enter__(self) -> History:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise BadInput(f"{self.path}: cannot be used as a drift history ({error}); give another file") from error
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            # Transactions are opened by hand, and `close` may run in another thread than the one that opened.
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                _set_write_ahead(connection)
            except sqlite3.Error:
                connection.close()
                raise
            self._local.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection


def _set_write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead mode. SQLite does not wait for a busy file here, so we do."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous=NORMAL")


def _newest(connection: sqlite3.Connection, project: str, question: str, limit: int) -> list[Fingerprint]:
    rows = connection.execute(
        "SELECT body FROM fingerprint WHERE project = ? AND question = ? ORDER BY id DESC LIMIT ?",
        (project, question, limit),
    )
    return [Fingerprint.from_dict(json.loads(body)) for (body,) in rows]
