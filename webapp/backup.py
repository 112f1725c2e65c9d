"""One folder that holds everything a site needs to stand up again, and the way back from it.

A backup is the database as of one moment, the uploads and exports, the signing key, and a manifest with the SHA-256 of
each file. The embedded database is copied while it runs, through SQLite's own online backup; PostgreSQL by its
`pg_dump`, in the custom format. The broker's queue is left out: the rows say what is unfinished, and the reaper queues
it again.

The folder appears under its name only when it is whole; a restore reads every hash before it changes anything.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

MANIFEST = "manifest.json"
FORMAT = "proofmark-backup/1"
SQLITE = "database.sqlite3"
POSTGRES = "database.pgdump"
FOLDERS = ("uploads", "exports")
KEY_FILE = "secret_key"


class BackupError(Exception):
    """A backup cannot be made or used; the text is one line that says why and what to do."""


def make_backup(*, into: Path, database: Mapping[str, Any], data_dir: Path, now: datetime) -> dict[str, Any]:
    """Write a backup to the new folder `into`.

    Args:
        into: must not exist yet; its parent must.
        database: Django's description of the database (`settings.DATABASES["default"]`).
        data_dir: the site's DATA_DIR.

    Returns:
        The manifest that was written.

    Raises:
        BackupError: the folder is taken, the disk is full, or `pg_dump` is missing or failed; nothing is left behind.
    """
    into = into.absolute()
    if into.exists():
        raise BackupError(f"{into} exists already; name a folder that does not.")
    if not into.parent.is_dir():
        raise BackupError(f"{into.parent} is no folder.")
    part = into.with_name(f"{into.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(mode=0o700)
        _dump(database, part).chmod(0o600)
        _copy_files(data_dir, part)
        manifest = {
            "format": FORMAT,
            "made_at": now.isoformat(),
            "database": "sqlite" if _is_sqlite(database) else "postgresql",
            "files": {name: _sha256(part / name) for name in _files(part)},
        }
        _write_durably(part / MANIFEST, json.dumps(manifest, indent=1))
        part.rename(into)
    except OSError as error:
        raise BackupError(f"could not write {into}: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def check_backup(folder: Path) -> dict[str, Any]:
    """The manifest of a backup whose files are all there and unchanged.

    Raises:
        BackupError: it is no backup, or a file is missing, damaged or too many.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BackupError(f"{folder} holds no readable {MANIFEST}: {error}.") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BackupError(f"{folder} is no backup that this version reads; its manifest should say {FORMAT}.")
    found = set(_files(folder)) - {MANIFEST}
    for name, sha256 in manifest["files"].items():
        if name not in found:
            raise BackupError(f"{name} is missing from {folder}.")
        if _sha256(folder / name) != sha256:
            raise BackupError(f"{name} in {folder} was changed or is damaged.")
    for name in sorted(found - manifest["files"].keys()):
        raise BackupError(f"{name} in {folder} does not belong to the backup.")
    return manifest


def restore_backup(folder: Path, *, database: Mapping[str, Any], data_dir: Path) -> dict[str, Any]:
    """Put a backup in the place of an empty site: no database file (or an empty PostgreSQL database), no uploads.

    The site must not be running. Run `migrate` afterwards when the backup comes from an older version.

    Raises:
        BackupError: the backup is damaged, of the other kind of database, or would overwrite something.
    """
    manifest = check_backup(folder)
    kind = "sqlite" if _is_sqlite(database) else "postgresql"
    if manifest["database"] != kind:
        raise BackupError(f"the backup holds a {manifest['database']} database and DATABASE_URL names {kind}.")
    for name in FOLDERS:
        if any((data_dir / name).glob("*")):
            raise BackupError(f"{data_dir / name} is not empty; restore into a DATA_DIR of its own.")
    try:
        if kind == "sqlite":
            _restore_sqlite(folder / SQLITE, Path(database["NAME"]))
        else:
            _restore_postgres(folder / POSTGRES, database)
        for name in _files(folder):
            if name.startswith(tuple(f"{known}/" for known in FOLDERS)) or name == KEY_FILE:
                _copy(folder / name, data_dir / name)
    except OSError as error:
        raise BackupError(f"could not write to {data_dir}: {error.strerror or error}.") from error
    return manifest


def _is_sqlite(database: Mapping[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def _dump(database: Mapping[str, Any], folder: Path) -> Path:
    """Write the database into `folder`; the file."""
    if not _is_sqlite(database):
        _run(["pg_dump", "--format=custom", "--no-owner", f"--file={folder / POSTGRES}"], database)
        return folder / POSTGRES
    path = Path(database["NAME"])
    if not path.is_file():
        raise BackupError(f"there is no database at {path}: nothing was stored yet.")
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(folder / SQLITE)) as copy,
        ):
            source.backup(copy)
    except sqlite3.Error as error:
        raise BackupError(f"the database at {path} could not be copied: {error}.") from error
    return folder / SQLITE


def _restore_sqlite(copy: Path, path: Path) -> None:
    if path.exists():
        raise BackupError(f"{path} exists already; restore into a DATA_DIR of its own.")
    _copy(copy, path)


def _restore_postgres(dump: Path, database: Mapping[str, Any]) -> None:
    listed = _run(["psql", "--tuples-only", "--no-align", "--command", _TABLES], database)
    if listed.strip() != "0":
        raise BackupError(f"the database {database['NAME']} is not empty; name an empty one in DATABASE_URL.")
    _run(["pg_restore", "--no-owner", "--single-transaction", "--exit-on-error", "--dbname", "", str(dump)], database)


_TABLES = "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()"


def _run(command: list[str], database: Mapping[str, Any]) -> str:
    """Run a program of PostgreSQL against `database`; what it wrote. The password goes by the environment, unseen."""
    named = {
        "PGHOST": database.get("HOST"),
        "PGPORT": database.get("PORT"),
        "PGUSER": database.get("USER"),
        "PGPASSWORD": database.get("PASSWORD"),
        "PGDATABASE": database["NAME"],
    }
    environment = {**os.environ, **{key: str(value) for key, value in named.items() if value}}
    command = [str(database["NAME"]) if part == "" else part for part in command]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BackupError(f"{command[0]} is not installed: it comes with PostgreSQL's client programs.") from None
    if done.returncode:
        said = (done.stderr.strip() or "no reason given").splitlines()[0]
        raise BackupError(f"{command[0]} failed: {said}")
    return done.stdout


def _copy_files(data_dir: Path, folder: Path) -> None:
    for name in FOLDERS:
        if (data_dir / name).is_dir():
            for file in _files(data_dir / name):
                _copy(data_dir / name / file, folder / name / file)
    if (data_dir / KEY_FILE).is_file():
        _copy(data_dir / KEY_FILE, folder / KEY_FILE)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        shutil.copyfile(source, target)
    except FileNotFoundError:
        return  # an upload that was read to its end, or an export that expired, since it was listed
    target.chmod(0o600)


def _files(folder: Path) -> Iterator[str]:
    """Every file below `folder`, as its path from there, in order; links are not followed."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_durably(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        path.chmod(0o600)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
