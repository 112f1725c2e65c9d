"""What every page may ask about the person who reads it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from webapp.accounts.access import LEADS
from webapp.accounts.models import Membership


def roles(request: HttpRequest) -> dict[str, Any]:
    """``leads_somewhere``: whether the links for leads are of use. One query, and only where a page asks."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"leads_somewhere": False}
    return {"leads_somewhere": SimpleLazyObject(lambda: Membership.objects.filter(user=user, role__in=LEADS).exists())}
