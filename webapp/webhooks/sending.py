"""One try to send one delivery."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webapp.webhooks.addresses import BadAddress, resolved
from webapp.webhooks.models import Delivery
from webapp.webhooks.signing import secret_of, signature

#: Seconds to connect, and between two signs of life after that.
TIMEOUT = 5.0


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
        with httpx.Client(timeout=TIMEOUT, follow_redirects=False, trust_env=False) as client:
            request = client.build_request(
                "POST", target.url, content=body, headers=headers, extensions={"sni_hostname": target.host}
            )
            response = client.send(request, stream=True)
            response.close()
    except BadAddress as error:
        return Outcome(None, str(error))
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        return Outcome(None, f"{type(error).__name__}: {error}")
    if response.is_redirect:
        return Outcome(response.status_code, "redirects are not followed; give the address it leads to")
    if not response.is_success:
        return Outcome(response.status_code, f"answered {response.status_code}")
    return Outcome(response.status_code)
