"""`manage.py backup` and `restore` on both databases: what stood in the old site stands in the new one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from tests.conftest import POSTGRES_URL

ROOT = Path(__file__).parents[2]
PLAIN = {"DJANGO_SETTINGS_MODULE": "webapp.settings", "PYTHONIOENCODING": "utf-8"}
WRITE = """
from webapp.records.models import Project
from webapp.accounts.services import create_token
print(create_token(project=Project.objects.create(name="Shop \N{RIGHTWARDS ARROW}", slug="shop"), name="robot")[1])
"""
READ = """
import sys
from webapp.accounts.models import ApiToken
print(ApiToken.objects.select_related("project").get().project.name)
"""


def manage(*arguments, data_dir, database_url="", fails=False):
    run = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(data_dir), "DATABASE_URL": database_url, **PLAIN},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert bool(run.returncode) == fails, run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    return run.stderr if fails else run.stdout


@pytest.fixture
def second_postgres():
    import psycopg

    name = f"proofmark_test_{uuid4().hex[:12]}"
    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield urlsplit(POSTGRES_URL)._replace(path=f"/{name}").geturl()
    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request, postgres, second_postgres):
    return ("", "") if request.param == "sqlite" else (postgres, second_postgres)


def test_a_site_stands_up_again(databases, tmp_path):
    old, new = databases
    manage("migrate", "-v0", data_dir=tmp_path / "old", database_url=old)
    manage("shell", "-v0", "-c", WRITE, data_dir=tmp_path / "old", database_url=old)
    assert "Backed up" in manage("backup", str(tmp_path / "copy"), data_dir=tmp_path / "old", database_url=old)
    assert "is whole" in manage("restore", "--check", str(tmp_path / "copy"), data_dir=tmp_path / "new")

    restored = manage("restore", str(tmp_path / "copy"), data_dir=tmp_path / "new", database_url=new)
    assert restored.startswith("Restored the backup of")
    shown = manage("shell", "-v0", "-c", READ, data_dir=tmp_path / "new", database_url=new)
    assert "Shop \N{RIGHTWARDS ARROW}" in shown

    again = manage("restore", str(tmp_path / "copy"), data_dir=tmp_path / "new", database_url=new, fails=True)
    assert "exists already" in again or "is not empty" in again
