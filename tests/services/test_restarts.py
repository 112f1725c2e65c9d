"""Stopping and restarting in good order: what a worker has in hand is finished, no request of the web is refused."""

from __future__ import annotations

import signal
import sys
import threading
import time
import urllib.request

import pytest

from tests.services.conftest import free_port
from tests.services.stage import nothing_lost_nothing_doubled, write_answers
from tests.services.test_operation import until

pytestmark = pytest.mark.slow

COUNT = 120


def test_a_worker_that_is_asked_to_stop_finishes_what_it_has_and_another_goes_on(stage, tmp_path):
    """No reaper runs and the broker hands nothing on within the test: what was left in hand would stay there."""
    stage.environment |= {"PROOFMARK_VISIBILITY_SECONDS": "3600", "PROOFMARK_STALE_SECONDS": "3600"}
    first = stage.worker("first")
    stage.import_file(write_answers(tmp_path / "answers.jsonl", COUNT))
    stage.wait_for(lambda seen: seen["proofread"] >= COUNT // 4, seconds=240)
    first.send_signal(signal.SIGTERM)
    assert first.wait(timeout=120) == 0
    left = stage.numbers()
    assert left["proofread"] < COUNT, "the worker was stopped too late to show anything"
    assert stage._row("SELECT count(*) FROM records_answer WHERE state = 'proofreading'")[0] == 0
    stage.worker("second")
    stage.wait_for(lambda seen: seen["proofread"] == COUNT and seen["imports done"] == 1, seconds=600)
    assert stage.numbers() == nothing_lost_nothing_doubled(COUNT)


def test_replacing_the_web_workers_refuses_no_request(stage):
    port = free_port()
    gunicorn = ["-m", "gunicorn", "webapp.wsgi:application", "--bind", f"127.0.0.1:{port}", "--no-control-socket"]
    web = stage.start("web", sys.executable, *gunicorn, "--worker-class", "gthread", "--workers", "2", "--threads", "2")
    log = stage.folder / "web.log"

    def booted() -> int:
        return log.read_text().count("Booting worker")

    until(lambda: booted() == 2, stage)
    over, answers = threading.Event(), []

    def ask() -> None:
        while not over.is_set():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/accounts/login/", timeout=60) as answer:
                    answers.append(answer.status)
            except OSError as error:
                answers.append(str(error))
            time.sleep(0.02)

    asking = [threading.Thread(target=ask) for _ in range(3)]
    for thread in asking:
        thread.start()
    try:
        until(lambda: len(answers) > 10, stage)
        web.send_signal(signal.SIGHUP)
        until(lambda: booted() == 4, stage)
        until(lambda: log.read_text().count("Worker exiting") >= 2, stage)
        seen = len(answers)
        until(lambda: len(answers) > seen + 10, stage)
    finally:
        over.set()
        for thread in asking:
            thread.join(timeout=90)
    assert set(answers) == {200}
