"""What operators and leads are told, by real processes: traces from a request to its task, and the page of workers."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.services.conftest import free_port
from tests.services.stage import Stage, kill
from tests.services.test_serve import serve, site  # noqa: F401

pytestmark = pytest.mark.slow

SETUP = """
from webapp.records.models import Project
from webapp.accounts.models import Membership, User
from webapp.accounts.services import create_token
project = Project.objects.create(name="Shop", slug="shop", tier="fast")
Membership.objects.create(project=project, user=User.objects.create_user("lead"), role="lead")
print("TOKEN", create_token(project=project, name="t")[1])
"""
PAGE = """
from django.test import Client
from webapp.accounts.models import User
client = Client(headers={"Host": "127.0.0.1"})
client.force_login(User.objects.get(username="lead"))
print(client.get("/insights/workers/").text)
"""


class Collector:
    """An OTLP receiver: decodes what is posted to ``/v1/traces`` and keeps the spans, and the bytes."""

    def __init__(self) -> None:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        self.spans, self.raw, self.service = [], b"", set()
        outer = self

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/v1/traces"
                outer.raw += body
                for one in ExportTraceServiceRequest.FromString(body).resource_spans:
                    about = {pair.key: pair.value.string_value for pair in one.resource.attributes}
                    outer.service.add(about["service.name"])
                    outer.spans += [span for scope in one.scope_spans for span in scope.spans]
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def named(self, name: str) -> list:
        return [span for span in self.spans if span.name == name]


def attributes(span) -> dict[str, str]:
    said = {}
    for pair in span.attributes:
        many = [value.string_value for value in pair.value.array_value.values]
        said[pair.key] = many or pair.value.string_value or pair.value.int_value
    return said


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.server.shutdown()
    collector.server.server_close()


def made_project(stage: Stage) -> str:
    """Makes the project and its lead; the token of its programs."""
    return stage.manage("shell", "--no-imports", "-c", SETUP).split("TOKEN", 1)[1].strip()


def post(port: int, path: str, body: dict, token: str, **headers: str) -> dict:
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), sent)
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.headers["X-Request-ID"] == sent["X-Request-ID"]
        return json.load(answer)


def until(condition, stage: Stage, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, stage.last_words()
        time.sleep(0.1)


def test_a_request_and_the_task_it_sends_are_one_trace(stage, collector):
    stage.environment |= {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "PROOFMARK_LOG_FORMAT": "json"}
    token, port = made_project(stage), free_port()
    web = ["-m", "gunicorn", "webapp.wsgi:application", "--bind", f"127.0.0.1:{port}", "--no-control-socket"]
    server = stage.start("web", sys.executable, *web, "--worker-class", "gthread", "--threads", "2")
    worker = stage.worker("only")
    until(lambda: "Listening at" in (stage.folder / "web.log").read_text(), stage)
    body = {"question": "Kept how long?", "answer": "A xylograph is kept 41 days.", "sources": ["Kept for 14 days."]}
    made = post(port, "/api/v1/answers", body, token, **{"X-Request-ID": "order-7"})
    stage.wait_for(lambda seen: seen["proofread"] == 1, seconds=120)
    for process in (server, worker):  # what was collected is sent before a process ends
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
    until(lambda: collector.named("intake.proofread_answer") and collector.named("POST /api/v1/answers"), stage, 20)
    (request,), (task,) = collector.named("POST /api/v1/answers"), collector.named("intake.proofread_answer")
    assert task.trace_id == request.trace_id
    assert task.parent_span_id == request.span_id
    for span in (request, task):
        assert attributes(span)["proofmark.request.id"] == "order-7"
        assert made["id"] in attributes(span)["proofmark.answer.id"]
    assert attributes(request)["http.response.status_code"] in (201, 202)
    assert collector.service == {"proofmark"}
    for secret in (b"xylograph", b"Kept how long", b"14 days", token.encode()):
        assert secret not in collector.raw
    lines = [json.loads(line) for line in (stage.folder / "only.log").read_text().splitlines() if line[:1] == "{"]
    assert any(line.get("request") == "order-7" for line in lines), "the worker's log lines name the request"


def test_leads_see_a_worker_come_fall_silent_and_stop(stage):
    made_project(stage)

    def shown() -> str:
        return stage.manage("shell", "--no-imports", "-c", PAGE)

    assert "No worker is there" in shown()
    silent, stopped = stage.worker("silent"), stage.worker("stopped")
    until(lambda: shown().count("bulk, interactive") == 2, stage)
    text = shown()
    assert "silent@" in text
    assert "No worker is there" not in text
    stopped.send_signal(signal.SIGTERM)
    stopped.wait(timeout=60)
    assert "was stopped" in shown()
    kill(silent)
    until(lambda: "fell silent" in shown(), stage)
    text = shown()
    assert "No worker is there" in text
    assert "was stopped" in text


def test_the_embedded_site_says_the_same_of_its_own_worker_and_broker(site):  # noqa: F811
    serve(site)
    made_project(site)
    text = site.manage("shell", "--no-imports", "-c", PAGE)
    assert "bulk, interactive" in text
    assert "The broker cannot be reached" not in text
