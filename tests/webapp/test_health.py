"""What operators watch says the truth, and no more than it should."""

from __future__ import annotations

import json
import logging

import pytest
from django.conf import settings
from django.utils import timezone

from webapp import health, workers
from webapp.logs import JsonFormatter, RefusalFilter

pytestmark = pytest.mark.django_db


@pytest.fixture
def all_up(monkeypatch):
    monkeypatch.setattr(health, "_broker", lambda: "ok")
    monkeypatch.setattr(health, "workers_alive", lambda: 1)


def test_alive_says_nothing_else(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_ready_when_database_broker_and_a_worker_are_there(client, all_up):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "broker": "ok", "worker": "ok"}


@pytest.mark.parametrize(
    ("part", "what", "said"),
    [
        ("_broker", lambda: "unreachable", {"broker": "unreachable", "worker": "missing"}),
        ("workers_alive", lambda: 0, {"broker": "ok", "worker": "missing"}),
        ("_database", lambda: "not migrated", {"database": "not migrated"}),
    ],
)
def test_not_ready_names_what_is_missing(client, all_up, monkeypatch, part, what, said):
    monkeypatch.setattr(health, part, what)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert said.items() <= answer.json().items()


def test_a_broker_that_is_down_is_not_an_error_page(client):
    assert client.get("/readyz").status_code == 503


def test_metrics_count_what_is_there(client):
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert "# TYPE proofmark_answers gauge" in answer.text


def test_metrics_are_closed_to_others(client, settings):
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 403
    assert client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 403
    settings.METRICS_TOKEN = "a-token-for-the-test"
    assert client.get("/metrics").status_code == 403
    assert client.get("/metrics", headers={"Authorization": "Bearer a-token-for-the-test"}).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_nothing_is_changed_by_looking(client, path):
    assert client.post(path).status_code == 405


def test_every_page_carries_the_security_headers(client):
    headers = client.get("/healthz").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_log_lines_are_json_with_what_the_caller_added():
    record = logging.makeLogRecord({"name": "proofing", "levelname": "INFO", "msg": "read %s", "args": ("a-1",)})
    record.answer = "a-1"
    line = json.loads(JsonFormatter().format(record))
    assert line["message"] == "read a-1"
    assert line["answer"] == "a-1"
    assert line["level"] == "INFO"
    assert set(line) == {"time", "level", "logger", "message", "answer"}


@pytest.mark.parametrize(("code", "traced"), [(403, False), (404, False), (500, True)])
def test_a_refused_request_is_one_line_and_a_fault_has_its_traceback(code, traced):
    record = logging.makeLogRecord({"name": "django.request", "msg": "no", "exc_info": (KeyError, KeyError("x"), None)})
    record.status_code = code
    assert RefusalFilter().filter(record)
    assert ("KeyError" in logging.Formatter().format(record)) is traced
    assert "refusal" in settings.LOGGING["handlers"]["stderr"]["filters"]


def test_metrics_say_how_old_the_oldest_answer_is_and_what_workers_did(client, receive, monkeypatch):
    answer = receive().answer
    monkeypatch.setattr(workers, "task_counters", lambda: {("t", "done"): 3.0, ("t", "seconds"): 1.5})
    monkeypatch.setattr(workers, "workers", lambda: [workers.Worker("w1@host", 0.0, 3, 0, "t", 7 * 10**6)])
    said = client.get("/metrics").text.splitlines()
    assert 'proofmark_answers{state="received"} 1' in said
    assert 'proofmark_tasks_total{task="t",ended="done"} 3' in said
    assert 'proofmark_task_seconds_total{task="t"} 1.5' in said
    assert 'proofmark_worker_memory_bytes{worker="w1@host"} 7e+06' in said
    age = next(float(line.split()[1]) for line in said if line.startswith("proofmark_oldest_answer_seconds "))
    assert age == pytest.approx((timezone.now() - answer.received_at).total_seconds(), abs=60)
