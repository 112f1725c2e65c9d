"""A backup is whole or not there, and a restore overwrites nothing. The commands on real sites: tests/services."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from webapp import backup
from webapp.backup import BackupError, check_backup, make_backup, restore_backup

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def site(tmp_path):
    """A data folder with a database that is being written to, an upload and a key."""
    folder = tmp_path / "site"
    (folder / "uploads" / "a").mkdir(parents=True)
    (folder / "uploads" / "a" / "answers.jsonl").write_text("{}\n")
    (folder / "secret_key").write_text("s" * 50)
    (folder / "logs").mkdir()
    (folder / "logs" / "web.log").write_text("not of interest")
    with closing(sqlite3.connect(folder / "proofmark.sqlite3")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE answers (text)")
        connection.execute("INSERT INTO answers VALUES ('first')")
        connection.commit()
    return folder


def database_in(folder):
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "proofmark.sqlite3")}


def back_up(site, into):
    return make_backup(into=into, database=database_in(site), data_dir=site, now=NOW)


def texts(folder):
    with closing(sqlite3.connect(folder / "proofmark.sqlite3")) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM answers")]


def test_what_was_backed_up_comes_back(site, tmp_path):
    manifest = back_up(site, tmp_path / "copy")
    assert set(manifest["files"]) == {"database.sqlite3", "uploads/a/answers.jsonl", "secret_key"}
    new = tmp_path / "new"
    restore_backup(tmp_path / "copy", database=database_in(new), data_dir=new)
    assert texts(new) == ["first"]
    assert (new / "uploads/a/answers.jsonl").read_text() == "{}\n"
    assert (new / "secret_key").read_text() == "s" * 50
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0


def test_only_its_owner_reads_a_backup(site, tmp_path):
    back_up(site, tmp_path / "copy")
    files = [path for path in (tmp_path / "copy").rglob("*") if path.is_file()]
    assert files
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_a_running_writer_is_copied_as_of_one_moment(site, tmp_path):
    with closing(sqlite3.connect(site / "proofmark.sqlite3")) as writer:
        writer.execute("INSERT INTO answers VALUES ('committed')")
        writer.commit()
        writer.execute("INSERT INTO answers VALUES ('not committed')")
        back_up(site, tmp_path / "copy")
        writer.commit()
    new = tmp_path / "new"
    restore_backup(tmp_path / "copy", database=database_in(new), data_dir=new)
    assert texts(new) == ["first", "committed"]


def damage(folder):
    path = folder / "uploads/a/answers.jsonl"
    path.write_text("{ }\n")


def lose(folder):
    (folder / "database.sqlite3").unlink()


def add(folder):
    (folder / "uploads/more.jsonl").write_text("")


def cut(folder):
    path = folder / "manifest.json"
    path.write_text(path.read_text()[:40])


def other_format(folder):
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": "proofmark-backup/9"}))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (damage, "changed or is damaged"),
        (lose, "database.sqlite3 is missing"),
        (add, "does not belong"),
        (cut, "no readable manifest"),
        (other_format, "no backup that this version reads"),
    ],
)
def test_a_damaged_backup_is_refused_before_anything_is_written(harm, said, site, tmp_path):
    back_up(site, tmp_path / "copy")
    harm(tmp_path / "copy")
    new = tmp_path / "new"
    with pytest.raises(BackupError, match=said):
        restore_backup(tmp_path / "copy", database=database_in(new), data_dir=new)
    assert not new.exists()


def test_nothing_is_overwritten(site, tmp_path):
    back_up(site, tmp_path / "copy")
    with pytest.raises(BackupError, match="exists already"):
        back_up(site, tmp_path / "copy")
    with pytest.raises(BackupError, match="not empty"):
        restore_backup(tmp_path / "copy", database=database_in(site), data_dir=site)
    (site / "uploads/a/answers.jsonl").unlink()
    (site / "uploads/a").rmdir()
    with pytest.raises(BackupError, match="exists already"):
        restore_backup(tmp_path / "copy", database=database_in(site), data_dir=site)
    assert texts(site) == ["first"]


def test_a_full_disk_leaves_no_half_backup(site, tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_copy", full)
    with pytest.raises(BackupError, match="No space left on device"):
        back_up(site, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


def test_it_is_said_why_there_is_nothing_to_back_up(tmp_path):
    with pytest.raises(BackupError, match="nothing was stored yet"):
        back_up(tmp_path, tmp_path / "copy")
    with pytest.raises(BackupError, match="is no folder"):
        back_up(tmp_path, tmp_path / "nowhere" / "copy")


def test_the_kinds_of_database_are_not_mixed(site, tmp_path):
    back_up(site, tmp_path / "copy")
    postgres = {"ENGINE": "django.db.backends.postgresql", "NAME": "x"}
    with pytest.raises(BackupError, match="holds a sqlite database"):
        restore_backup(tmp_path / "copy", database=postgres, data_dir=tmp_path / "new")


def test_a_checked_backup_says_when_it_was_made(site, tmp_path):
    back_up(site, tmp_path / "copy")
    assert check_backup(tmp_path / "copy")["made_at"] == "2026-03-02T09:00:00+00:00"
