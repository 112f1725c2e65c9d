"""Who may call the API: Bearer tokens with scopes, at a limited rate."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer
from redis.exceptions import RedisError

from webapp.accounts.models import ApiToken
from webapp.accounts.services import token_of
from webapp.intake.problems import Problem

logger = logging.getLogger(__name__)

#: Requests a token may make in a minute.
RATE = 6000


class TokenRequest(HttpRequest):
    """A request that came with a valid token: its `auth`."""

    auth: ApiToken


class Token(HttpBearer):
    """Lets a request through whose token is valid and carries the scope; `request.auth` is then the token."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Any:
        found = super().__call__(request)
        if found is None:
            raise Problem(
                401,
                "unauthenticated",
                "Send a valid token as 'Authorization: Bearer …'.",
                headers={"WWW-Authenticate": 'Bearer realm="proofmark"'},
            )
        return found

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        found = token_of(token.strip(), now=timezone.now())
        if found is None:
            return None
        if self.scope not in found.scopes:
            raise Problem(403, "scope", f"This token does not have the scope {self.scope!r}.")
        _count(found)
        return found


def _count(token: ApiToken) -> None:
    limit = getattr(settings, "API_RATE_PER_MINUTE", RATE)
    now = time.time()
    key = f"api-rate:{token.pk}:{int(now // 60)}"
    try:
        cache.add(key, 0, timeout=120)
        used = cache.incr(key)
    except ValueError:  # forgotten between the two calls
        return
    except RedisError:  # the limit protects the site; without its counter the site goes on
        logger.warning("requests of token %s are not counted: the cache does not answer", token.pk)
        return
    if used > limit:
        wait = 60 - int(now % 60)
        raise Problem(429, "rate-limit", f"More than {limit} requests in a minute.", headers={"Retry-After": str(wait)})


PROOFREAD, READ, WRITE, REVIEW, EXPORT = (Token(scope) for scope in ("proofread", "read", "write", "review", "export"))
