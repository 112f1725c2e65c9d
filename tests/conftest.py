"""What every test may rely on, and what is said loudly when a machine lacks something.

PostgreSQL, Redis and Chromium may be missing on a developer's machine: tests that need them are then left out, and the
run ends with one line for each. ``REQUIRE_SERVICES=1`` and ``REQUIRE_BROWSER=1`` turn that line into failures.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.utils import translation

TESTS = Path(__file__).parent
POSTGRES_URL = os.environ.get("TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")

#: Chromium's own traffic is switched off: a test run talks to this machine only.
CHROMIUM_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@cache
def chromium() -> str | None:
    """Path of the Chromium to drive: ``CHROMIUM``, or the first one on PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


@cache
def _listens(url: str, port: int) -> bool:
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname or "127.0.0.1", address.port or port), timeout=2).close()
    except OSError:
        return False
    return True


@cache
def missing(marker: str) -> str | None:
    """What this machine lacks for the tests marked ``marker``, as one sentence; None when nothing."""
    if marker == "browser" and not chromium():
        return "no Chromium on PATH and none named by CHROMIUM"
    if marker == "services":
        if not shutil.which("redis-server"):
            return "no redis-server on PATH"
        if not _listens(POSTGRES_URL, 5432):
            return f"no PostgreSQL answers at {POSTGRES_URL}"
    return None


def required(marker: str) -> bool:
    return os.environ.get({"browser": "REQUIRE_BROWSER", "services": "REQUIRE_SERVICES"}[marker]) == "1"


#: Folders whose tests are marked by where they stand, and when they come. Those of `services` come first: they are the
#: longest, and mostly wait, so that another process has all the others to run meanwhile. Those of `browser` come last:
#: Playwright's event loop runs in the main thread from its first test to the end of the session, and nothing after it
#: could start one of its own.
WHEN = {"services": -1, "browser": 1}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not os.environ.get("TEST_WEB_DATABASE_URL"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("postgres")])
        items[:] = [item for item in items if not item.get_closest_marker("postgres")]
    for item in items:
        for marker in WHEN:
            if TESTS / marker in item.path.parents:
                item.add_marker(marker)
    items.sort(key=_when)  # stable: the random order stays within each part


def _when(item: pytest.Item) -> int:
    return next((place for marker, place in WHEN.items() if item.get_closest_marker(marker)), 0)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in WHEN:
        if item.get_closest_marker(marker) and (lack := missing(marker)):
            if required(marker):
                pytest.fail(f"{lack}, and this run requires the {marker} tests", pytrace=False)
            _not_tried.setdefault(marker, lack)
            pytest.skip(lack)


_not_tried: dict[str, str] = {}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for marker, lack in sorted(_not_tried.items()):
        terminalreporter.write_line(f"NOT TRIED: the {marker} tests ({lack})", red=True, bold=True)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Drive the system's Chromium; nothing is downloaded."""
    return {**browser_type_launch_args, "executable_path": chromium(), "args": CHROMIUM_ARGUMENTS}


@pytest.fixture(autouse=True)
def _no_language_left() -> Iterator[None]:
    """A request leaves its reader's language active in the thread: no test is given that of the one before."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test sees the machine's settings as unset, whatever the developer exported."""
    for name in [name for name in os.environ if name.startswith("PROOFMARK_")]:
        monkeypatch.delenv(name)
