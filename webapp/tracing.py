"""Which request and which task belong together: an id in log lines, and spans where a collector of traces is named.

A request gets an id (its own ``X-Request-ID`` where that is a plain one), answers with it, and gives it to the tasks it
sends. With ``OTEL_EXPORTER_OTLP_ENDPOINT`` set, request and task also become spans of one trace; the other ``OTEL_…``
variables are read by the SDK itself. Spans hold ids, names of routes and tasks, and statuses: never a text, an address
with its query, a person or the message of an exception. Answers of one import are traces of their own that link to the
import, since a trace of a million spans serves nobody.
"""

from __future__ import annotations

import logging
import os
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import cache
from typing import TYPE_CHECKING, Any

from celery.signals import before_task_publish, task_failure, task_postrun, task_prerun, worker_process_shutdown
from django.conf import settings
from django.http import HttpRequest, HttpResponse

import proofing

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

logger = logging.getLogger(__name__)

#: The id of the request that is being answered, or that sent the task at work; "" outside of both.
request_id: ContextVar[str] = ContextVar("request_id", default="")
#: Name of the task at work; "" outside of one.
_task: ContextVar[str] = ContextVar("task", default="")

PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
#: Probes: many, and of no use to anybody.
NOT_TRACED = ("/healthz", "/readyz", "/metrics", "/static/")
#: What the one argument of a task is the id of.
SUBJECTS = {
    "intake.proofread_answer": "answer",
    "intake.read_again": "answer",
    "intake.run_import": "import",
    "calibration.run_export": "export",
    "calibration.run_calibration": "run",
    "review.reorder_queue": "queue",
    "judges.run_judges": "round",
    "webhooks.deliver": "delivery",
}
#: Of a request that brings many answers, so many ids stand in its span.
IDS_SHOWN = 20
FLUSH_MS = 2000

_open: dict[str, tuple[Any, Token[str], Token[str]]] = {}


class RequestFilter(logging.Filter):
    """Puts the id of the request into every log record made for it.

    Django hands the request itself to some records, and writes those after the request has left the middleware.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        given = getattr(record, "request", None)
        known = request_id.get() or getattr(given, "proofmark_id", "")
        if known or given is not None:
            record.request = known
        return True


class TracingMiddleware:
    """Gives each request its id, and a span where traces are made; stands first."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        known = given if PLAIN_ID.fullmatch(given) else uuid.uuid4().hex
        token = request_id.set(known)
        request.proofmark_id = known  # type: ignore[attr-defined]
        try:
            with _request_span(request, known) as span:
                response = self.get_response(request)
                if span is not None:
                    _describe(span, request, response)
            response["X-Request-ID"] = known
            return response
        finally:
            request_id.reset(token)


@contextmanager
def _request_span(request: HttpRequest, known: str) -> Iterator[Span | None]:
    provider = None if request.path.startswith(NOT_TRACED) else _provider()
    if provider is None:
        yield None
        return
    from opentelemetry.propagate import extract
    from opentelemetry.trace import SpanKind

    with _tracer(provider).start_as_current_span(
        str(request.method),
        context=extract({name.lower(): value for name, value in request.headers.items()}),
        kind=SpanKind.SERVER,
        attributes={"http.request.method": str(request.method), "proofmark.request.id": known},
        record_exception=False,
    ) as span:
        yield span


def _describe(span: Span, request: HttpRequest, response: HttpResponse) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attribute("http.response.status_code", response.status_code)
    if response.status_code >= 500:
        span.set_status(StatusCode.ERROR)
    if (match := request.resolver_match) is None:
        return
    span.update_name(f"{request.method} /{match.route}")
    span.set_attribute("http.route", f"/{match.route}")
    if "answer_id" in match.kwargs:
        span.set_attribute("proofmark.answer.id", str(match.kwargs["answer_id"]))


# Tasks --------------------------------------------------------------------------------------------------------------


@before_task_publish.connect
def _send_along(sender: str, headers: dict[str, Any], body: Any, **_: object) -> None:
    """Write the request's id, and the place in its trace, into a task's headers."""
    headers["proofmark_request"] = request_id.get()
    if _provider() is None:
        return
    from opentelemetry.propagate import inject
    from opentelemetry.trace import get_current_span

    inject(headers)
    headers["proofmark_linked"] = bool(_task.get())
    if SUBJECTS.get(sender) == "answer" and not _task.get():
        span: Any = get_current_span()
        ids = (getattr(span, "attributes", None) or {}).get("proofmark.answer.id", ())
        ids = (ids,) if isinstance(ids, str) else tuple(ids)
        if span.is_recording() and len(ids) < IDS_SHOWN:
            span.set_attribute("proofmark.answer.id", (*ids, str(body[0][0])))


@task_prerun.connect
def _begin(task_id: str, task: Any, args: Any, **_: object) -> None:
    sent_for = getattr(task.request, "proofmark_request", None) or request_id.get()
    tokens = request_id.set(sent_for), _task.set(task.name)
    _open[task_id] = (_task_span(task_id, task, args), *tokens)


def _task_span(task_id: str, task: Any, args: Any) -> Any:
    """The context manager of a span that has begun; None where no traces are made."""
    provider = _provider()
    if provider is None or task.request.is_eager:
        return None
    from opentelemetry.context import Context
    from opentelemetry.propagate import extract
    from opentelemetry.trace import Link, SpanKind, get_current_span

    carrier = {name: getattr(task.request, name, None) for name in ("traceparent", "tracestate")}
    sent_by = extract({name: str(value) for name, value in carrier.items() if value}, context=Context())
    linked = bool(getattr(task.request, "proofmark_linked", False))
    attributes = {"proofmark.task": task.name, "proofmark.task.id": task_id, "proofmark.request.id": request_id.get()}
    if args and task.name in SUBJECTS:
        attributes[f"proofmark.{SUBJECTS[task.name]}.id"] = str(args[0])
    span = _tracer(provider).start_as_current_span(
        task.name,
        context=Context() if linked else sent_by,
        kind=SpanKind.CONSUMER,
        attributes={name: value for name, value in attributes.items() if value},
        links=[Link(get_current_span(sent_by).get_span_context())] if linked else None,
        record_exception=False,
    )
    span.__enter__()
    return span


@task_failure.connect
def _note_failure(exception: BaseException, **_: object) -> None:
    """The kind of an exception; its message may quote a text."""
    if _provider() is None:
        return
    from opentelemetry.trace import StatusCode, get_current_span

    get_current_span().set_status(StatusCode.ERROR)
    get_current_span().set_attribute("error.type", type(exception).__name__)


@task_postrun.connect
def _end(task_id: str, **_: object) -> None:
    span, known, name = _open.pop(task_id, (None, None, None))
    if span is not None:
        span.__exit__(None, None, None)
    if known is not None and name is not None:
        request_id.reset(known)
        _task.reset(name)


@worker_process_shutdown.connect
def _flush(**_: object) -> None:
    """Send what was collected: a worker's processes end without the interpreter's own farewell."""
    if (provider := _provider()) is not None:
        provider.force_flush(FLUSH_MS)


# The SDK --------------------------------------------------------------------------------------------------------------


def _provider() -> TracerProvider | None:
    """What makes spans; None where no collector is named. One for each process, made at its first span."""
    return _made(os.getpid()) if settings.TRACES_ENDPOINT else None


@cache
def _made(process: int) -> TracerProvider | None:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        logger.warning(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but nothing is traced: pip install 'proofmark[tracing]' is lacking"
        )
        return None
    resource = Resource.create()
    if str(resource.attributes.get("service.name", "")).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "proofmark"}))
    provider = TracerProvider(resource=resource.merge(Resource({"service.version": proofing.__version__})))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _tracer(provider: TracerProvider) -> Any:
    return provider.get_tracer("proofmark", proofing.__version__)
