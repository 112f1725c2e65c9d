"""Servers for the tests of this folder: a PostgreSQL database and a Redis of their own, gone afterwards."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.conftest import POSTGRES_URL
from tests.services.stage import Stage, kill


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def postgres() -> Iterator[str]:
    """URL of a new, empty database on the server of ``TEST_DATABASE_URL``."""
    import psycopg

    name = f"proofmark_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield urlsplit(POSTGRES_URL)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    """URL of a Redis server started for this test alone, with its append-only file on."""
    program = shutil.which("redis-server")
    assert program, "tests/conftest.py looks for it before any test of this folder"
    port = free_port()
    folder = tmp_path / "redis"
    folder.mkdir()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes", "--save", ""]
    with (folder / "redis.log").open("wb") as log:
        process = subprocess.Popen([program, *options], stdout=log, stderr=log, start_new_session=True)
    try:
        _wait_for_port(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        kill(process)


def _wait_for_port(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on port {port}")


@pytest.fixture
def stage(tmp_path: Path, postgres: str, redis: str) -> Iterator[Stage]:
    """The production arrangement: PostgreSQL, Redis, migrated, no process started yet."""
    stage = Stage(tmp_path, DATABASE_URL=postgres, REDIS_URL=redis)
    stage.manage("migrate", "--verbosity", "0")
    try:
        yield stage
    finally:
        stage.close()
