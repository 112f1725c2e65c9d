"""One try to send one delivery."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from webapp.webhooks.addresses import BadAddress, Target, resolved
from webapp.webhooks.models import Delivery
from webapp.webhooks.signing import secret_of, signature

if TYPE_CHECKING:
    import httpx

#: Seconds to connect, and between two signs of life after that.
TIMEOUT = 5.0
#: Seconds for the whole request: whoever answers a byte at a time holds no worker.
WHOLE_REQUEST = 15.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a try: `status` of the response, if there was one, and why it does not count."""

    status: int | None
    error: str = ""

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def post(delivery: Delivery, *, now: datetime) -> Outcome:
    """Send the body, signed. A redirect is not followed, and of the response only the status is read."""
    import httpx

    body = delivery.body.encode("utf-8")
    webhook = delivery.webhook
    try:
        target = resolved(webhook.url)
        headers = {
            "Host": target.host_header,
            "Content-Type": "application/json",
            "User-Agent": "Proofmark",
            "Proofmark-Event": delivery.event,
            "Proofmark-Delivery": str(delivery.pk),
            "Proofmark-Signature": signature(secret_of(webhook), body, int(now.timestamp())),
        }
        response = _answer_to(target, body, headers)
    except BadAddress as error:
        return Outcome(None, str(error))
    except TimeoutError:
        return Outcome(None, f"no answer within {WHOLE_REQUEST:g} seconds")
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        return Outcome(None, f"{type(error).__name__}: {error}")
    if response.is_redirect:
        return Outcome(response.status_code, "redirects are not followed; give the address it leads to")
    if not response.is_success:
        return Outcome(response.status_code, f"answered {response.status_code}")
    return Outcome(response.status_code)


def _answer_to(target: Target, body: bytes, headers: dict[str, str]) -> httpx.Response:
    """The head of the response. Only an event loop can end a request as a whole; it gets a thread of its own, since the
    caller's may run one already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _post(target, body, headers)).result()


async def _post(target: Target, body: bytes, headers: dict[str, str]) -> httpx.Response:
    import httpx

    async with (
        asyncio.timeout(WHOLE_REQUEST),
        httpx.AsyncClient(timeout=TIMEOUT, follow_redirects=False, trust_env=False) as client,
    ):
        request = client.build_request(
            "POST", target.url, content=body, headers=headers, extensions={"sni_hostname": target.host}
        )
        response = await client.send(request, stream=True)
        await response.aclose()
        return response
