"""A typed client of the HTTP API, synchronous and asynchronous, on httpx (``pip install 'proofmark[client]'``).

    from proofing.client import Client

    with Client("https://proofmark.example.org", token="…") as proofmark:
        report = proofmark.proofread("Return them within 41 days.", ["… within 14 days."], question="How long?")
        if report["risk"] in ("high", "critical"):
            serve(report["healing"]["text"])

Requests that were refused for being too many, or met a server that is away, are repeated a few times; what creates
something carries an Idempotency-Key, so that a repeat never does it twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypedDict

from proofing.errors import ProofingError

if TYPE_CHECKING:
    import httpx

#: A source as the API takes it: its text, ``[id, text]``, or an object with id and text.
SourceLike = str | Sequence[str] | Mapping[str, str]
Report = dict[str, Any]
#: How often a request is sent at most, and how long is waited before the second time, in seconds.
TRIES = 4
FIRST_WAIT = 0.5
#: A delivery older than this, in seconds, is refused by `verify_signature`: somebody may be repeating it.
OLDEST = 300
_REPEATED = frozenset({429, 502, 503, 504})


class Answer(TypedDict):
    """How an answer stands."""

    id: str
    external_id: str | None
    state: str
    decision: str | None
    final_text: str | None
    risk: str | None
    route: str | None
    unsupported_probability: float | None
    error: str | None
    received_at: str
    superseded_by: str | None


class ApiError(ProofingError):
    """The API refused a request. `status` is the HTTP status, `kind` the problem's short name, `errors` its fields."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(str(problem.get("detail") or f"the server answered {status}"))
        self.status = status
        self.kind = str(problem.get("type") or "").removeprefix("urn:proofmark:problem:")
        self.errors: list[dict[str, str]] = list(problem.get("errors") or ())
        self.problem = dict(problem)


class NotThereYet(ProofingError):
    """The answer was not proofread within the time one wanted to wait."""


@dataclass(frozen=True, slots=True)
class _Call:
    """One request, the same for both clients."""

    method: str
    path: str
    json: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    files: Mapping[str, Any] | None = None
    form: Mapping[str, str] | None = None

    def arguments(self) -> dict[str, Any]:
        out: dict[str, Any] = {"params": {name: value for name, value in self.query.items() if value not in (None, "")}}
        if self.json is not None:
            out["json"] = self.json
        if self.files is not None:
            out |= {"files": self.files, "data": dict(self.form or {})}
        if self.key is not None:
            out["headers"] = {"Idempotency-Key": self.key}
        return out


def _answer(answer: str, sources: Sequence[SourceLike], question: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    given = [source if isinstance(source, str) else dict(source) if isinstance(source, Mapping) else list(source)
             for source in sources]  # fmt: skip
    return {"question": question, "answer": answer, "sources": given, **fields}


def _wait(response: httpx.Response | None, tried: int) -> float:
    said = response.headers.get("Retry-After", "") if response is not None else ""
    return min(float(said), 60.0) if said.isascii() and said.isdigit() else FIRST_WAIT * 2**tried


def _content(response: httpx.Response) -> Any:
    if response.status_code >= 400:
        try:
            problem = response.json()
        except ValueError:
            problem = {}
        raise ApiError(response.status_code, problem if isinstance(problem, dict) else {})
    return response.json() if response.content else None


def _settings(url: str, token: str, timeout: float) -> dict[str, Any]:
    return {
        "base_url": f"{url.rstrip('/')}/api/v1/",
        "headers": {"Authorization": f"Bearer {token}", "Accept": "application/json"},
        "timeout": timeout,
    }


class _Calls:
    """The requests by what they do; each client sends them its own way."""

    @staticmethod
    def proofread(answer: str, sources: Sequence[SourceLike], question: str, fields: Mapping[str, Any]) -> _Call:
        return _Call("POST", "proofread", json=_answer(answer, sources, question, fields))

    @staticmethod
    def send(
        answer: str,
        sources: Sequence[SourceLike],
        question: str,
        supersede: bool,
        key: str | None,
        fields: Mapping[str, Any],
    ) -> _Call:
        body = _answer(answer, sources, question, fields)
        query = {"supersede": "true"} if supersede else {}
        return _Call("POST", "answers", json=body, query=query, key=key or uuid.uuid4().hex)

    @staticmethod
    def send_many(answers: Sequence[Mapping[str, Any]], key: str | None) -> _Call:
        return _Call("POST", "answers", json={"answers": [dict(a) for a in answers]}, key=key or uuid.uuid4().hex)

    @staticmethod
    def upload(path: str | Path, content: bytes, format: str, queue: str, mapping: Mapping[str, str] | None) -> _Call:
        form = {"format": format, "queue": queue, "mapping": json.dumps(dict(mapping)) if mapping else ""}
        return _Call("POST", "imports", files={"file": (Path(path).name, content)}, form=form)

    @staticmethod
    def export(format: str, filters: Mapping[str, str] | None, labelled_set: int | None, key: str | None) -> _Call:
        body = {"format": format, "filters": dict(filters or {}), "labelled_set": labelled_set}
        return _Call("POST", "exports", json=body, key=key or uuid.uuid4().hex)

    @staticmethod
    def page(cursor: str, state: str, external_id: str) -> _Call:
        query = {"cursor": cursor, "state": state, "external_id": external_id, "limit": 100}
        return _Call("GET", "answers", query=query)


class Client:
    """Talks to one Proofmark site with one token; safe to share among threads.

    Args:
        url: of the site, without ``/api/v1``.
        token: an API token with the scopes the calls need.
        timeout: seconds to wait for a response.
        transport: an httpx transport, for tests and proxies.

    Every call raises ApiError when the API refuses it, and httpx.TransportError when the site is not reached.
    """

    def __init__(
        self, url: str, token: str, *, timeout: float = 30.0, transport: httpx.BaseTransport | None = None
    ) -> None:
        import httpx

        self._http = httpx.Client(transport=transport, **_settings(url, token, timeout))

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _send(self, call: _Call) -> httpx.Response:
        import httpx

        for tried in range(TRIES):
            response = None
            try:
                response = self._http.request(call.method, call.path, **call.arguments())
                if response.status_code not in _REPEATED:
                    return response
            except httpx.ConnectError:
                if tried + 1 == TRIES:
                    raise
            if tried + 1 < TRIES:
                time.sleep(_wait(response, tried))
        if response is None:
            raise RuntimeError("unreachable")
        return response

    def _json(self, call: _Call) -> Any:
        return _content(self._send(call))

    def proofread(self, answer: str, sources: Sequence[SourceLike], *, question: str = "", **fields: Any) -> Report:
        """The report of one answer, at once; nothing is stored. `fields`: model, task, locale, latency_ms."""
        return dict(self._json(_Calls.proofread(answer, sources, question, fields)))

    def send(
        self,
        answer: str,
        sources: Sequence[SourceLike],
        *,
        question: str = "",
        supersede: bool = False,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Answer:
        """Store an answer and have it proofread soon. `fields`: external_id, model, task, locale, latency_ms, label."""
        made: Answer = self._json(_Calls.send(answer, sources, question, supersede, idempotency_key, fields))
        return made

    def send_many(self, answers: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None) -> dict[str, Any]:
        """Store up to 500 answers (`answers/1` objects); one result each, in their order."""
        return dict(self._json(_Calls.send_many(answers, idempotency_key)))

    def answer(self, answer_id: str) -> Answer:
        """How an answer stands, with the text to serve once somebody decided."""
        found: Answer = self._json(_Call("GET", f"answers/{answer_id}"))
        return found

    def answers(self, *, state: str = "", external_id: str = "") -> Iterator[Answer]:
        """All answers, newest first, fetched a page at a time."""
        cursor = ""
        while True:
            page = self._json(_Calls.page(cursor, state, external_id))
            yield from page["answers"]
            cursor = page["next"] or ""
            if not cursor:
                return

    def report(self, answer_id: str, *, wait: float = 30.0) -> Report:
        """The stored report; waits up to `wait` seconds for it.

        Raises:
            NotThereYet: it was not there in time.
        """
        until = time.monotonic() + wait
        while True:
            response = self._send(_Call("GET", f"answers/{answer_id}/report"))
            if response.status_code != 202:
                return dict(_content(response))
            pause = _wait(response, 0)
            if time.monotonic() + pause > until:
                raise NotThereYet(f"answer {answer_id} is not proofread yet")
            time.sleep(pause)

    def delete(self, answer_id: str) -> None:
        """Delete an answer with its inspections and decisions."""
        self._json(_Call("DELETE", f"answers/{answer_id}"))

    def upload(
        self, path: str | Path, *, format: str = "", queue: str = "", mapping: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Upload a file of answers; the same file again is the same import."""
        return dict(self._json(_Calls.upload(path, Path(path).read_bytes(), format, queue, mapping)))

    def get_import(self, import_id: str) -> dict[str, Any]:
        """How far an import is."""
        return dict(self._json(_Call("GET", f"imports/{import_id}")))

    def export(
        self,
        format: str = "reviews/1",
        *,
        filters: Mapping[str, str] | None = None,
        labelled_set: int | None = None,
        idempotency_key: str | None = None,
    ) -> dict[str, Any]:
        """Have decisions written to a file."""
        return dict(self._json(_Calls.export(format, filters, labelled_set, idempotency_key)))

    def get_export(self, export_id: str) -> dict[str, Any]:
        """How far an export is."""
        return dict(self._json(_Call("GET", f"exports/{export_id}")))

    def download(self, export_id: str, path: str | Path) -> Path:
        """Fetch an export's file, streamed.

        Raises:
            ApiError: it has none (yet).
        """
        with self._http.stream("GET", f"exports/{export_id}/file") as response, open(path, "wb") as target:
            if response.status_code >= 400:
                response.read()
                _content(response)
            target.writelines(response.iter_bytes())
        return Path(path)


class AsyncClient:
    """`Client` for async code: the same calls, awaited. A slow server blocks nothing but the call."""

    def __init__(
        self, url: str, token: str, *, timeout: float = 30.0, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        import httpx

        self._http = httpx.AsyncClient(transport=transport, **_settings(url, token, timeout))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _send(self, call: _Call) -> httpx.Response:
        import httpx

        for tried in range(TRIES):
            response = None
            try:
                response = await self._http.request(call.method, call.path, **call.arguments())
                if response.status_code not in _REPEATED:
                    return response
            except httpx.ConnectError:
                if tried + 1 == TRIES:
                    raise
            if tried + 1 < TRIES:
                await asyncio.sleep(_wait(response, tried))
        if response is None:
            raise RuntimeError("unreachable")
        return response

    async def _json(self, call: _Call) -> Any:
        return _content(await self._send(call))

    async def proofread(
        self, answer: str, sources: Sequence[SourceLike], *, question: str = "", **fields: Any
    ) -> Report:
        """As `Client.proofread`."""
        return dict(await self._json(_Calls.proofread(answer, sources, question, fields)))

    async def send(
        self,
        answer: str,
        sources: Sequence[SourceLike],
        *,
        question: str = "",
        supersede: bool = False,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Answer:
        """As `Client.send`."""
        made: Answer = await self._json(_Calls.send(answer, sources, question, supersede, idempotency_key, fields))
        return made

    async def send_many(
        self, answers: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> dict[str, Any]:
        """As `Client.send_many`."""
        return dict(await self._json(_Calls.send_many(answers, idempotency_key)))

    async def answer(self, answer_id: str) -> Answer:
        """As `Client.answer`."""
        found: Answer = await self._json(_Call("GET", f"answers/{answer_id}"))
        return found

    async def answers(self, *, state: str = "", external_id: str = "") -> AsyncIterator[Answer]:
        """As `Client.answers`."""
        cursor = ""
        while True:
            page = await self._json(_Calls.page(cursor, state, external_id))
            for found in page["answers"]:
                yield found
            cursor = page["next"] or ""
            if not cursor:
                return

    async def report(self, answer_id: str, *, wait: float = 30.0) -> Report:
        """As `Client.report`."""
        until = time.monotonic() + wait
        while True:
            response = await self._send(_Call("GET", f"answers/{answer_id}/report"))
            if response.status_code != 202:
                return dict(_content(response))
            pause = _wait(response, 0)
            if time.monotonic() + pause > until:
                raise NotThereYet(f"answer {answer_id} is not proofread yet")
            await asyncio.sleep(pause)

    async def delete(self, answer_id: str) -> None:
        """As `Client.delete`."""
        await self._json(_Call("DELETE", f"answers/{answer_id}"))


def verify_signature(body: bytes, header: str, secret: str, *, now: float | None = None) -> bool:
    """Whether a webhook's body came from the site that shares `secret`, not long ago.

    Args:
        body: as received, before anything parsed it.
        header: ``Proofmark-Signature``.
        now: seconds since 1970; None takes the clock.

    >>> verify_signature(b"{}", "t=0,v1=00", "whsec_x", now=10)
    False
    """
    parts = dict(part.strip().partition("=")[::2] for part in header.split(","))
    at = parts.get("t", "")
    if not (at.isascii() and at.isdigit()) or abs((time.time() if now is None else now) - int(at)) > OLDEST:
        return False
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(digest.encode(), parts.get("v1", "").encode())
