"""One judge's endpoint, through the `openai` client: a single request, its time limit, and when to try again.

The client sends; this module decides about repeats, because each one counts towards the judge's budget and a pause
holds for everything that is asked of this judge. Redirects are not followed: texts go to the address the operator
wrote down and to no other. The client is imported when the first judge is asked.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from proofing.errors import BadInput
from proofing.judges.configuration import Judge

if TYPE_CHECKING:
    from openai import AsyncOpenAI

#: Statuses after which the same request may well succeed.
WORTH_REPEATING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Pause before the first repeat and the longest one that is not asked for, in seconds; it doubles in between.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
#: Libraries below that may log requests when asked for every detail.
TALKATIVE = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")


class Unanswered(Exception):
    """No reply came; `fault` says why, as a code of `proofing.judges.votes.Vote`."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply's text and what it took. `latency_ms` is the time from sending to the whole reply."""

    text: str
    tokens_in: int
    tokens_out: int
    latency_ms: float


def check_installed() -> None:
    """Raises BadInput when the client library is missing."""
    if find_spec("openai") is None:
        raise BadInput("judges need the openai client; install it with: pip install 'proofmark[judges]'")


class Endpoint:
    """Sends one judge's requests."""

    def __init__(self, judge: Judge, environ: Mapping[str, str], sleep: Callable[[float], Awaitable[None]]) -> None:
        self.judge = judge
        self._environ = environ
        self._sleep = sleep
        self._client: AsyncOpenAI | None = None
        self._rests_until = 0.0

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def reply(self, messages: list[dict[str, str]], sending: Callable[[], None]) -> Reply:
        """The reply to some messages, tried again where that is worth it.

        Args:
            sending: called before each request; may raise `Unanswered` to stop.

        Raises:
            Unanswered: none came.
        """
        client = self._opened()
        for attempt in range(self.judge.retries + 1):
            await self._rest()
            sending()
            try:
                return await self._once(client, messages)
            except _TryAgain as trouble:
                pause = trouble.asked if trouble.asked is not None else _back_off(attempt)
                if attempt == self.judge.retries or pause > self.judge.longest_wait_s:
                    raise Unanswered(trouble.fault) from None
                self._rests_until = max(self._rests_until, time.monotonic() + pause)
        raise AssertionError("unreachable")

    async def _rest(self) -> None:
        """Wait until the endpoint may be asked again: a pause it asked for holds for all that is under way."""
        pause = self._rests_until - time.monotonic()
        if pause > 0:
            await self._sleep(pause)

    def _opened(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI, DefaultAsyncHttpxClient

            for name in TALKATIVE:  # they are told to keep texts to themselves, whatever the root logger says
                logger = logging.getLogger(name)
                logger.setLevel(max(logger.level, logging.WARNING))
            key = self._environ.get(self.judge.key_env, "") if self.judge.key_env else "none"
            if not key.strip():
                raise Unanswered("no_key")
            # Organisation and project would otherwise be taken from variables meant for another endpoint.
            self._client = AsyncOpenAI(
                api_key=key.strip(),
                base_url=self.judge.base_url,
                organization="",
                project="",
                timeout=self.judge.timeout_s,
                max_retries=0,
                http_client=DefaultAsyncHttpxClient(follow_redirects=False),
            )
        return self._client

    async def _once(self, client: AsyncOpenAI, messages: list[dict[str, str]]) -> Reply:
        from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

        began = time.monotonic()
        try:
            async with asyncio.timeout(self.judge.timeout_s):
                found: Any = await client.chat.completions.create(**self._body(messages))
        except (TimeoutError, APITimeoutError):
            raise Unanswered("timeout") from None
        except APIStatusError as error:
            fault = "rate_limited" if error.status_code == 429 else f"http_{error.status_code}"
            if error.status_code in WORTH_REPEATING:
                raise _TryAgain(fault, _retry_after(error.response.headers)) from None
            raise Unanswered(fault) from None
        except APIConnectionError:
            raise _TryAgain("connection") from None
        except (OpenAIError, ValueError, TypeError):
            raise Unanswered("unreadable") from None
        text = _text_of(found)
        tokens_in, tokens_out = _tokens(found, messages, text)
        return Reply(text, tokens_in, tokens_out, (time.monotonic() - began) * 1000)

    def _body(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        standard = {"temperature": 0, "max_tokens": self.judge.max_tokens}
        kept = {name: value for name, value in standard.items() if name not in self.judge.omit}
        return {
            "model": self.judge.model,
            "messages": messages,
            **kept,
            "extra_body": dict(self.judge.extra_body) or None,
        }


class _TryAgain(Exception):
    """A request that may be repeated; `asked` is the pause the endpoint asked for, in seconds."""

    def __init__(self, fault: str, asked: float | None = None) -> None:
        super().__init__(fault)
        self.fault = fault
        self.asked = asked


def _back_off(attempt: int) -> float:
    """Half a second, doubled each time, a random quarter less so that several callers do not come back together."""
    return min(FIRST_PAUSE * 2.0**attempt, LONGEST_PAUSE) * (1 - 0.25 * random.random())  # noqa: S311 - no secret


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for, written as a number or as a date; None when there is none."""
    raw = (headers.get("retry-after") or "").strip()
    try:
        seconds = float(raw)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(raw).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(seconds, 0.0) if seconds == seconds else None


def _text_of(found: Any) -> str:
    """The reply's words; a refusal is one too.

    Raises:
        Unanswered: there is no message in it.
    """
    try:
        message = found.choices[0].message
        text = message.content if isinstance(message.content, str) else getattr(message, "refusal", None)
    except (AttributeError, IndexError, TypeError):
        raise Unanswered("unreadable") from None
    return text if isinstance(text, str) else ""


def _tokens(found: Any, messages: list[dict[str, str]], text: str) -> tuple[int, int]:
    """Tokens as counted by the endpoint; where it counts none, a quarter of the characters."""
    usage = getattr(found, "usage", None)
    counted = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
    estimated = (sum(len(message["content"]) for message in messages) // 4, len(text) // 4)
    tokens_in, tokens_out = (
        n if isinstance(n, int) and n >= 0 else guess for n, guess in zip(counted, estimated, strict=True)
    )
    return tokens_in, tokens_out
