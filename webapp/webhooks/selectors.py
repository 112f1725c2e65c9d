"""Reads about webhooks."""

from __future__ import annotations

from django.db.models import QuerySet

from webapp.records.models import Project
from webapp.webhooks.models import Delivery, Webhook


def webhooks_of(project: Project) -> QuerySet[Webhook]:
    """A project's webhooks, oldest first."""
    return Webhook.objects.filter(project=project).select_related("created_by").order_by("created_at", "pk")


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """The delivery log, newest first."""
    return webhook.deliveries.order_by("-created_at", "-pk")
