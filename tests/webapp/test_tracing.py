"""Requests have an id that log lines and tasks carry; spans hold ids and never texts. Across real processes, with a
collector that listens: `tests/services/test_operation.py`."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from webapp import tracing

pytestmark = pytest.mark.django_db
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def spans(monkeypatch):
    """The spans that ended, with the SDK's own provider and an exporter that keeps them."""
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "_provider", lambda: provider)
    return kept.get_finished_spans


def task(name="intake.proofread_answer", **headers):
    return SimpleNamespace(name=name, request=SimpleNamespace(is_eager=False, **headers))


def published(name, key):
    """The headers a task is sent with."""
    headers = {}
    tracing._send_along(sender=name, headers=headers, body=((key,), {}, {}))
    return headers


def test_a_request_keeps_its_plain_id_and_gets_one_otherwise(client):
    assert client.get("/healthz", headers={"X-Request-ID": "order-7.a"})["X-Request-ID"] == "order-7.a"
    own = [client.get("/healthz", headers={"X-Request-ID": sent})["X-Request-ID"] for sent in ("", "a b", "x" * 65)]
    assert len(set(own)) == 3
    assert all(len(one) == 32 for one in own)
    assert tracing.request_id.get() == ""


def test_log_lines_of_a_request_carry_its_id():
    record = logging.makeLogRecord({})
    assert tracing.RequestFilter().filter(record)
    assert not hasattr(record, "request")
    token = tracing.request_id.set("order-7")
    try:
        tracing.RequestFilter().filter(record)
    finally:
        tracing.request_id.reset(token)
    assert record.request == "order-7"


def test_a_line_about_a_request_that_left_carries_its_id_and_not_the_request(client):
    """Django writes of a response of 400 and more when the middleware is done, and hands the request itself along."""
    lines = []
    handler = logging.Handler()
    handler.addFilter(tracing.RequestFilter())
    handler.emit = lambda record: lines.append(record.request)
    logging.getLogger("django.request").addHandler(handler)
    try:
        client.get("/there-is-no-such-page/", headers={"X-Request-ID": "known-7"})
    finally:
        logging.getLogger("django.request").removeHandler(handler)
    assert lines == ["known-7"]


def test_without_a_collector_nothing_is_made(client, settings):
    assert settings.TRACES_ENDPOINT == ""
    assert tracing._provider() is None
    assert client.get("/accounts/login/").status_code == 200
    assert set(published("intake.proofread_answer", "a")) == {"proofmark_request"}


def test_a_request_is_a_span_that_goes_on_the_callers_trace_and_names_no_query(client, spans):
    client.get("/accounts/login/?q=xylograph", headers={"traceparent": PARENT, "X-Request-ID": "order-7"})
    (span,) = spans()
    assert (span.name, span.status.status_code) == ("GET /accounts/login/", StatusCode.UNSET)
    assert f"{span.context.trace_id:032x}" == PARENT.split("-")[1]
    assert span.attributes["proofmark.request.id"] == "order-7"
    assert span.attributes["http.response.status_code"] == 200
    assert "xylograph" not in span.to_json()


def test_an_answers_page_names_the_answer(client_of, lead, receive, spans):
    answer = receive().answer
    client_of(lead).get(f"/answers/{answer.pk}/")
    (span,) = spans()
    assert span.attributes["proofmark.answer.id"] == str(answer.pk)
    assert span.name == "GET /answers/<uuid:answer_id>/"


@pytest.mark.parametrize("probe", ["/healthz", "/readyz", "/metrics"])
def test_probes_are_not_traced(probe, client, spans):
    client.get(probe)
    assert spans() == ()


def test_a_task_belongs_to_the_trace_of_its_request(spans):
    provider = tracing._provider()
    token = tracing.request_id.set("order-7")
    with tracing._tracer(provider).start_as_current_span("POST"):
        headers = published("intake.proofread_answer", "answer-1")
        published("intake.proofread_answer", "answer-2")
    tracing.request_id.reset(token)
    one = task(**headers)
    tracing._begin(task_id="t", task=one, args=("answer-1",))
    assert tracing.request_id.get() == "order-7"
    tracing._end(task_id="t")
    assert tracing.request_id.get() == ""
    request, work = spans()
    assert work.context.trace_id == request.context.trace_id
    assert work.parent.span_id == request.context.span_id
    assert work.attributes["proofmark.answer.id"] == "answer-1"
    assert work.attributes["proofmark.request.id"] == "order-7"
    assert request.attributes["proofmark.answer.id"] == ("answer-1", "answer-2")


def test_answers_of_an_import_are_traces_of_their_own_that_link_to_it(spans):
    tracing._begin(task_id="i", task=task("intake.run_import"), args=("import-1",))
    headers = published("intake.proofread_answer", "answer-1")
    tracing._end(task_id="i")
    tracing._begin(task_id="t", task=task(**headers), args=("answer-1",))
    tracing._end(task_id="t")
    bringing, work = spans()
    assert bringing.attributes["proofmark.import.id"] == "import-1"
    assert work.context.trace_id != bringing.context.trace_id
    assert [link.context.span_id for link in work.links] == [bringing.context.span_id]


def test_a_failure_names_its_kind_and_not_its_message(spans):
    tracing._begin(task_id="t", task=task(), args=("answer-1",))
    tracing._note_failure(exception=ValueError("a xylograph of 30 days"))
    tracing._end(task_id="t")
    (span,) = spans()
    assert span.status.status_code is StatusCode.ERROR
    assert span.attributes["error.type"] == "ValueError"
    assert "xylograph" not in span.to_json()


def test_a_request_that_fails_is_marked_and_its_exception_not_quoted(client, spans, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a xylograph of 30 days")

    monkeypatch.setattr("webapp.health.workers_alive", fail)
    monkeypatch.setattr("webapp.health._broker", lambda: "ok")
    monkeypatch.setattr(tracing, "NOT_TRACED", ("/healthz",))
    client.raise_request_exception = False
    client.get("/readyz")
    (span,) = spans()
    assert span.status.status_code is StatusCode.ERROR
    assert "xylograph" not in span.to_json()
