"""The embedded site: one command brings everything up, survives the death of each part, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.services.conftest import free_port
from tests.services.stage import Stage, nothing_lost_nothing_doubled, write_answers

pytestmark = pytest.mark.slow

COUNT = 1000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path, PORT=str(free_port()))
    try:
        yield stage
    finally:
        for process in stage.processes:
            process.terminate()
            process.wait(timeout=60)
        stage.close()


def serve(site: Stage) -> subprocess.Popen[bytes]:
    """Start the site and wait for the line that says it is ready."""
    process = site.start("serve", sys.executable, "manage.py", "serve")
    wait_for(lambda: said(site).count(ready_line(site)) == 1 or process.poll() is not None, 120, site)
    assert process.poll() is None, site.last_words()
    return process


def ready_line(site: Stage) -> str:
    return f"Proofmark is ready at http://127.0.0.1:{site.environment['PORT']}/\n"


def said(site: Stage) -> str:
    log = site.folder / "serve.log"
    return log.read_text() if log.exists() else ""


def wait_for(condition: Callable[[], bool], seconds: float, site: Stage) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, said(site) + site.last_words()
        time.sleep(0.1)


def child_of(process: subprocess.Popen[bytes], word: str) -> int:
    """The child of ``process`` whose command line holds ``word``."""
    for entry in Path("/proc").iterdir():
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
        except (OSError, IndexError, ValueError):
            continue
        if parent == process.pid and word in command:
            return int(entry.name)
    raise AssertionError(f"{word} does not run")


def status(site: Stage, path: str) -> int:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{site.environment['PORT']}{path}", timeout=5) as answer:
            return int(answer.status)
    except OSError as error:
        return int(getattr(error, "code", 0))


def test_it_starts_answers_and_stops_cleanly(site):
    process = serve(site)
    assert status(site, "/readyz") == 200
    assert status(site, "/healthz") == 200
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0
    assert said(site).endswith("Stopped.\n")
    assert status(site, "/healthz") == 0

    again = serve_again(site)
    assert "Stopped." in site.manage("stop")
    assert again.wait(timeout=5) == 0
    assert "Nothing runs" in site.manage("stop")


def serve_again(site: Stage) -> subprocess.Popen[bytes]:
    (site.folder / "serve.log").unlink()
    return serve(site)


def test_a_second_start_on_the_same_data_or_port_says_so(site, tmp_path):
    serve(site)
    same_data = Stage(site.folder, PORT=str(free_port()))
    ended = run_to_end(same_data)
    assert ended.returncode == 1
    assert "already runs" in ended.stderr
    assert "make stop" in ended.stderr
    (tmp_path / "other").mkdir()
    same_port = Stage(tmp_path / "other", PORT=site.environment["PORT"])
    ended = run_to_end(same_port)
    assert ended.returncode == 1
    assert f"Port {site.environment['PORT']} is taken" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert status(site, "/readyz") == 200


def run_to_end(stage: Stage) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "serve"]
    root = Path(__file__).parents[2]
    return subprocess.run(command, cwd=root, env=stage.environment, capture_output=True, text=True, timeout=60)


def test_every_part_killed_while_a_file_is_read_loses_and_doubles_nothing(site, tmp_path):
    process = serve(site)
    site.import_file(write_answers(tmp_path / "answers.jsonl", COUNT))
    for share, part in ((8, "celery"), (4, "valkey-server"), (3, "gunicorn"), (2, "valkey-server")):
        site.wait_for(lambda seen, share=share: seen["proofread"] >= COUNT // share, seconds=240)
        os.kill(child_of(process, part), signal.SIGKILL)
    assert site.numbers()["proofread"] < COUNT, "everything was over before the killing was"
    site.wait_for(lambda seen: seen["proofread"] == COUNT and seen["imports done"] == 1, seconds=600)
    assert site.numbers() == nothing_lost_nothing_doubled(COUNT)
    wait_for(lambda: status(site, "/readyz") == 200, 30, site)
    assert said(site).count("starting it again") == 4
    assert said(site).count(ready_line(site)) == 1


def test_the_supervisor_itself_killed_leaves_a_site_that_starts_again(site, tmp_path):
    process = serve(site)
    site.import_file(write_answers(tmp_path / "answers.jsonl", 200))
    site.wait_for(lambda seen: seen["proofread"] >= 20, seconds=60)
    process.kill()
    process.wait()
    serve_again(site)
    site.wait_for(lambda seen: seen["proofread"] == 200 and seen["imports done"] == 1, seconds=240)
    assert site.numbers() == nothing_lost_nothing_doubled(200)
