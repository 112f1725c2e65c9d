"""A real HTTP server on this machine that speaks the chat protocol, with a character for each model it serves."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER = re.compile(r"<<(\S+) ANSWER\n(.*?)\n\1>>", re.DOTALL)


@dataclass
class Asked:
    """One request as it came in."""

    model: str
    body: dict[str, Any]
    headers: dict[str, str]
    at: float

    @property
    def answer(self) -> str:
        return ANSWER.search(self.text)[2]

    @property
    def text(self) -> str:
        return "\n".join(message["content"] for message in self.body["messages"])

    @property
    def plain(self) -> bool:
        return self.text.endswith("yes or no:")


@dataclass
class Said:
    """What is sent back: a status with headers, and the words of a reply or a raw body."""

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    wait: float = 0.0
    drop: bool = False
    usage: dict[str, int] | None = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 10})


def verdict(unsupported: bool, reason: str = "", words: tuple[str, ...] = ()) -> Said:
    return Said(json.dumps({"unsupported": unsupported, "reason": reason, "words": list(words)}))


class Loopback:
    """Models by name; each is a function from what it was asked, and how often before, to what it says."""

    def __init__(self) -> None:
        self.models: dict[str, Callable[[Asked, int], Said]] = {}
        self.asked: list[Asked] = []
        self.under_way: dict[str, int] = defaultdict(int)
        self.most_under_way: dict[str, int] = defaultdict(int)
        self._lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def of(self, model: str) -> list[Asked]:
        return [one for one in self.asked if one.model == model]

    def _handler(outer) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = Asked(body["model"], body, {k.lower(): v for k, v in self.headers.items()}, time.monotonic())
                with outer._lock:
                    before = len(outer.of(asked.model))
                    outer.asked.append(asked)
                    outer.under_way[asked.model] += 1
                    most = max(outer.most_under_way[asked.model], outer.under_way[asked.model])
                    outer.most_under_way[asked.model] = most
                try:
                    self.send(outer.models[asked.model](asked, before))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                finally:
                    with outer._lock:
                        outer.under_way[asked.model] -= 1

            def send(self, said: Said) -> None:
                time.sleep(said.wait)
                if said.drop:
                    self.close_connection = True
                    self.connection.close()
                    return
                raw = said.raw if said.raw is not None else json.dumps(self.completion(said)).encode()
                self.send_response(said.status)
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            @staticmethod
            def completion(said: Said) -> dict[str, Any]:
                if said.status >= 400:
                    return {"error": {"message": "no", "type": "x"}}
                message = {"role": "assistant", "content": said.text}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                made = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
                return made if said.usage is None else {**made, "usage": said.usage}

        return Handler
