"""Who the judges are: a TOML file of the operator. Keys are never in it, only the names of environment variables.

[[judge]]
name = "small"
base_url = "http://127.0.0.1:8080/v1"
model = "qwen2.5-1.5b-instruct"
timeout_s = 120
concurrency = 1

[[judge]]
name = "large"
base_url = "https://models.example.org/v1"
model = "large-2"
key_env = "LARGE_KEY"
price_in = 0.4
price_out = 1.6
budget_cost = 5.0
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from proofing.errors import BadInput

_NAME = re.compile(r"[\w][\w .:/@+-]{0,59}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_SECRETS = frozenset({"api_key", "key", "token", "authorization", "password", "secret"})


@dataclass(frozen=True, slots=True)
class Judge:
    """One OpenAI-compatible chat endpoint with one model.

    Attributes:
        name: how people tell it from the others.
        base_url: the address of the API, up to and with ``/v1``.
        model: the model's name there.
        key_env: the environment variable that holds its key; "" = it needs none.
        timeout_s: seconds a single request may take in all.
        concurrency: requests that may be under way at once.
        retries: repeats after a refused or failed request (429, 5xx, a lost connection), per request.
        longest_wait_s: the longest pause between repeats; a Retry-After beyond it ends the vote.
        budget_requests: requests it may be sent, in all; None = no limit.
        budget_cost: what it may cost, in the currency of the prices; requests under way when it is reached are
            still paid for. None = no limit.
        price_in, price_out: price of a million tokens.
        max_tokens: longest reply.
        max_input_chars: longer cases are not sent.
        omit: names of standard parameters its API does not take (``temperature``, ``max_tokens``).
        extra_body: what is sent besides, as its API wants it.
        advice: a sentence for this judge, put under the common prompt.
        give_up_after: after so many failed votes one after another the rest of the run goes on without it.
    """

    name: str
    base_url: str
    model: str
    key_env: str = ""
    timeout_s: float = 60.0
    concurrency: int = 4
    retries: int = 3
    longest_wait_s: float = 30.0
    budget_requests: int | None = None
    budget_cost: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0
    max_tokens: int = 400
    max_input_chars: int = 60_000
    omit: tuple[str, ...] = ()
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    advice: str = ""
    give_up_after: int = 5

    @property
    def host(self) -> str:
        """Where texts would go, as people read it."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def on_this_machine(self) -> bool:
        """Whether the endpoint is this machine itself, so that nothing leaves it."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    @property
    def encrypted(self) -> bool:
        return urlsplit(self.base_url).scheme == "https"

    def cost_of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1_000_000


def read_judges(path: str | Path) -> tuple[Judge, ...]:
    """The judges of a TOML file, in its order.

    Raises:
        BadInput: the file cannot be read, or an entry is wrong; the message says which and how to mend it.
    """
    try:
        record = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path} is not valid TOML: {error}") from error
    rows = record.get("judge")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or not rows:
        raise BadInput(f"{path} names no judge; give each a [[judge]] part")
    judges = tuple(judge_of(row) for row in rows)
    names = [judge.name for judge in judges]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"two judges are called {name!r}; give each a name of its own")
    return judges


def judge_of(row: Mapping[str, Any]) -> Judge:
    """One judge from its part of the file.

    Raises:
        BadInput: a field is unknown, missing or out of range, or a key stands in the file.
    """
    said = row.get("name")
    where = f"judge {said!r}" if isinstance(said, str) and said else "a judge"
    known = {item.name for item in fields(Judge)}
    for name in row:
        if name.lower() in _SECRETS:
            raise BadInput(f"{where}: {name} does not belong in a file; name its environment variable in key_env")
        if name not in known:
            raise BadInput(f"{where}: unknown field {name!r}; known are {', '.join(sorted(known))}")
    for name in ("name", "base_url", "model"):
        if name not in row:
            raise BadInput(f"{where}: {name} is missing")
    values = {name: _READERS[name](value, f"{where}: {name}") for name, value in row.items()}
    return Judge(**values)


def _text(pattern: re.Pattern[str] | None, what: str) -> Callable[[Any, str], str]:
    def read(value: Any, where: str) -> str:
        if not isinstance(value, str) or (pattern is not None and not pattern.fullmatch(value)):
            raise BadInput(f"{where} must be {what}")
        return value

    return read


def _number(low: float, high: float, *, whole: bool = False) -> Callable[[Any, str], Any]:
    def read(value: Any, where: str) -> Any:
        kinds = (int,) if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
            raise BadInput(f"{where} must be a {'whole ' if whole else ''}number from {low:g} to {high:g}")
        return value if whole else float(value)

    return read


def _address(value: Any, where: str) -> str:
    try:
        parts = urlsplit(value if isinstance(value, str) else "")
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        usable = False
    if not usable:
        raise BadInput(f"{where} must be an http or https address, like https://host/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadInput(f"{where} must hold no user, password, query or fragment; keys come from key_env")
    return str(value)


def _names(value: Any, where: str) -> tuple[str, ...]:
    allowed = ("temperature", "max_tokens")
    if not isinstance(value, list) or any(name not in allowed for name in value):
        raise BadInput(f"{where} must be a list of {', '.join(allowed)}")
    return tuple(value)


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or {"messages", "model", "stream"} & set(value):
        raise BadInput(f"{where} must be a table, without messages, model or stream")
    return value


_READERS: dict[str, Callable[[Any, str], Any]] = {
    "name": _text(_NAME, "1 to 60 letters, digits, spaces or . : / @ + -"),
    "base_url": _address,
    "model": _text(re.compile(r".{1,200}"), "1 to 200 characters"),
    "key_env": _text(_VARIABLE, "the name of an environment variable"),
    "timeout_s": _number(0.01, 3600),
    "concurrency": _number(1, 64, whole=True),
    "retries": _number(0, 10, whole=True),
    "longest_wait_s": _number(0, 3600),
    "budget_requests": _number(0, 10**9, whole=True),
    "budget_cost": _number(0, 10**9),
    "price_in": _number(0, 10**6),
    "price_out": _number(0, 10**6),
    "max_tokens": _number(1, 100_000, whole=True),
    "max_input_chars": _number(1, 10**7, whole=True),
    "omit": _names,
    "extra_body": _table,
    "advice": _text(re.compile(r".{0,2000}", re.DOTALL), "at most 2,000 characters"),
    "give_up_after": _number(1, 10**6, whole=True),
}


def chosen(judges: Sequence[Judge], names: Sequence[str]) -> tuple[Judge, ...]:
    """The judges with these names, in the order of the file.

    Raises:
        BadInput: a name nobody has.
    """
    known = {judge.name for judge in judges}
    for name in names:
        if name not in known:
            raise BadInput(f"there is no judge {name!r}; known are {', '.join(sorted(known)) or 'none'}")
    return tuple(judge for judge in judges if judge.name in names)
