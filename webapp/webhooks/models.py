"""Where a project's events are sent, and every try to send one."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Webhook(models.Model):
    """An address that is told of a project's events. Its secret is made from `salt` and the site's key, not stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=500)
    events = models.JSONField(default=list)
    salt = models.CharField(max_length=64)
    active = models.BooleanField(default=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    held_until = models.DateTimeField(null=True, blank=True)  # a try is under way; past this time it is dead
    quiet_until = models.DateTimeField(null=True, blank=True)  # nobody answered there: ask again then
    silences = models.PositiveSmallIntegerField(default=0, db_default=0)  # how often in a row nobody answered

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "url"], name="one_webhook_per_address"),
        ]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One event on its way to one address. The row is the truth; a message to a worker only says "look at it"."""

    class State(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.TextField()  # exactly what is signed and sent
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)  # when to try (again); null: never
    status = models.PositiveSmallIntegerField(null=True, blank=True)  # of the last response
    error = models.CharField(max_length=300, blank=True, default="")
    created_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True, blank=True)
    redelivery_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["pending", "delivered", "failed"]), name="delivery_state_known"
            ),
        ]
        indexes = [
            # Read by webhooks.services.send_due.
            models.Index(fields=["next_at"], condition=Q(state="pending"), name="deliveries_due"),
            # Read by webhooks.selectors.deliveries_of: newest first.
            models.Index(fields=["webhook", "-created_at"], name="deliveries_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.state}"
