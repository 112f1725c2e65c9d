"""A door for the workers."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from webapp.webhooks import services


@shared_task(name="webhooks.deliver", acks_late=True, ignore_result=True)
def deliver(delivery_id: str) -> None:
    services.deliver(delivery_id=delivery_id, now=timezone.now())
