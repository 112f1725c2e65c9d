"""Signatures of deliveries: HMAC-SHA-256 over the time and the body, so that a body cannot be replayed later.

A receiver takes the header ``Proofmark-Signature: t=1767225600,v1=5f2b…``, computes HMAC-SHA-256 with the webhook's
secret over ``1767225600.`` followed by the body's bytes, compares in constant time, and refuses an old time.
`proofing.client.verify_signature` does all of that.
"""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

from webapp.webhooks.models import Webhook

SECRET_START = "whsec_"  # noqa: S105 - how every secret begins, none itself


def secret_of(webhook: Webhook) -> str:
    """The secret shared with the receiver; made anew from the site's key each time, so no database holds it."""
    key = f"proofmark.webhooks.{settings.SECRET_KEY}".encode()
    return SECRET_START + hmac.new(key, f"{webhook.pk}:{webhook.salt}".encode(), hashlib.sha256).hexdigest()


def signature(secret: str, body: bytes, at: int) -> str:
    """The value of the header for a body sent at `at` (seconds since 1970)."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"
