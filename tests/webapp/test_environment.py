"""Settings come from the environment, and a wrong one stops the start with a line that helps."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from webapp.environment import SOCKET_PATH_LIMIT, VARIABLES, SettingError, read_environment, secret_key

ROOT = Path(__file__).parents[2]
PRODUCTION = {
    "PROOFMARK_MODE": "production",
    "SECRET_KEY": "k" * 40,
    "ALLOWED_HOSTS": "desk.example.org",
    "DATABASE_URL": "postgres://someone@db/proofmark",
    "REDIS_URL": "redis://broker:6379/0",
}


def test_nothing_set_is_the_embedded_default(tmp_path):
    environment = read_environment({}, base_dir=tmp_path)
    assert environment.data_dir == tmp_path / "var"
    assert environment.port == 8000
    assert environment.embedded_broker
    assert environment.broker_url == f"redis+socket://{tmp_path}/var/broker/broker.sock"
    assert not environment.production


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"PORT": "80a"}, "PORT=80a: not a whole number"),
        ({"PORT": "70000"}, "not between 1 and 65535"),
        ({"DEMO": "maybe"}, "DEMO=maybe: not a switch"),
        ({"DATABASE_URL": "mysql://x"}, "its scheme is not one of sqlite, postgres, postgresql"),
        ({"REDIS_URL": "amqp://x"}, "its scheme is not one of redis"),
        ({"PROOFMARK_TIME_ZONE": "Mars/Olympus"}, "no such time zone"),
        ({"PROOFMARK_TRUSTED_ORIGINS": "desk.example.org"}, "write https://host"),
        ({"DATABASE_URL": "postgres://u:p@h:abc/d"}, "no usable address"),
        ({"DATABASE_URL": "postgres://h:99999/d"}, "no usable address"),
        ({"DATABASE_URL": "postgres://[::1/d"}, "no usable address"),
        ({"DATABASE_URL": "postgres://"}, "it names no database"),
        ({"DATABASE_URL": "postgresql://host"}, "it names no database"),
        ({"DATABASE_URL": "sqlite://"}, "it names no file"),
        ({"REDIS_URL": "redis://h:abc/0"}, "no usable address"),
        ({"REDIS_URL": "redis://"}, "it names no host"),
        ({"REDIS_URL": "rediss:///0"}, "it names no host"),
        ({"REDIS_URL": "redis+socket://"}, "it names no file"),
        ({"DATA_DIR": "~nobody-of-this-name/x"}, "no such user"),
        ({"DEMO_API_TOKEN": "short"}, "shorter than 16 characters"),
        ({"ALLOWED_HOSTS": ","}, "it names no host"),
        ({"PROOFMARK_BIND": "foo"}, "write 127.0.0.1"),
        ({"PROOFMARK_ENTITY_MODEL": "nosuch_model"}, "no such model is installed"),
        ({"PROOFMARK_ENTITY_MODEL": "../x"}, "no such model is installed"),
        ({"PROOFMARK_MODE": "staging"}, "not one of embedded, production"),
        ({"PROOFMARK_WROKERS": "2"}, "Did you mean PROOFMARK_WORKERS?"),
        ({"PROOFMARK_STRIPES_OF_ZEBRAS": "2"}, "docs/settings.md"),
    ],
)
def test_a_wrong_setting_is_named_with_its_reason(values, said, tmp_path):
    with pytest.raises(SettingError) as caught:
        read_environment(values, base_dir=tmp_path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"DATABASE_URL": "postgres://someone:hidden-word@h:abc/d"},
        {"REDIS_URL": "amqp://:hidden-word@h/0"},
        {"DEMO_API_TOKEN": "hidden-word"},
    ],
)
def test_what_is_said_of_a_wrong_setting_tells_no_secret(values, tmp_path):
    with pytest.raises(SettingError) as caught:
        read_environment(values, base_dir=tmp_path)
    assert "hidden-word" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"DATABASE_URL": "sqlite:////srv/proofmark.sqlite3"},
        {"DATABASE_URL": "postgres:///proofmark"},
        {"DATABASE_URL": "postgres://u:p@[::1]:5432/proofmark?sslmode=require"},
        {"REDIS_URL": "rediss://:word@broker:6380/1"},
        {"REDIS_URL": "redis+socket:///run/redis.sock"},
        {"PROOFMARK_BIND": "0.0.0.0"},
        {"PROOFMARK_BIND": "::"},
        {"PROOFMARK_ENTITY_MODEL": "rules"},
        {"DEMO_API_TOKEN": "a-token-of-our-own"},
        {"ALLOWED_HOSTS": "*"},
    ],
)
def test_usual_settings_are_taken(values, tmp_path):
    read_environment(values, base_dir=tmp_path)


@pytest.mark.parametrize("absent", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"])
def test_production_names_what_it_lacks(absent, tmp_path):
    values = {name: value for name, value in PRODUCTION.items() if name != absent}
    with pytest.raises(SettingError, match=absent):
        read_environment(values, base_dir=tmp_path)


def test_production_refuses_debug_pages_and_short_keys(tmp_path):
    assert read_environment(PRODUCTION, base_dir=tmp_path).production
    with pytest.raises(SettingError, match="PROOFMARK_DEBUG"):
        read_environment(PRODUCTION | {"PROOFMARK_DEBUG": "1"}, base_dir=tmp_path)
    with pytest.raises(SettingError, match="32 characters"):
        read_environment(PRODUCTION | {"SECRET_KEY": "short"}, base_dir=tmp_path)


def test_a_deep_data_folder_still_gets_a_socket_that_fits(tmp_path):
    deep = tmp_path / ("a" * 60) / ("b" * 60)
    one = read_environment({"DATA_DIR": str(deep)}, base_dir=tmp_path).broker_socket
    other = read_environment({"DATA_DIR": f"{deep}2"}, base_dir=tmp_path).broker_socket
    assert len(os.fsencode(one)) <= SOCKET_PATH_LIMIT
    assert one != other


def test_the_signing_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    environment = read_environment({}, base_dir=tmp_path)
    key = secret_key(environment)
    assert len(key) >= 50
    assert secret_key(environment) == key
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret_key"]


def test_the_start_stops_with_one_line_and_no_traceback(tmp_path):
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "PROOFMARK_WROKERS": "2"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        "Proofmark cannot start. PROOFMARK_WROKERS: no such setting. Did you mean PROOFMARK_WORKERS?"
    ]


def test_every_setting_stands_in_the_documentation():
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    documented = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert documented == [variable.name for variable in VARIABLES]
    for variable in VARIABLES:
        assert variable.about in page
