"""From what happened to deliveries: written down in the same transaction as the event itself."""

from __future__ import annotations

import json
from typing import Any

from django.db.models.signals import post_save

from webapp.intake.outbox import enqueue_delivery
from webapp.records.models import Answer
from webapp.review.models import Decision, Event
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.services import EVENTS


def listen() -> None:
    """Look at every event that is recorded from now on."""
    post_save.connect(_recorded, sender=Event, dispatch_uid="webhooks")


def _recorded(instance: Event, created: bool, **more: Any) -> None:
    if not created or instance.kind not in EVENTS:
        return
    hooks = [
        hook
        for hook in Webhook.objects.filter(project=instance.project_id, active=True)
        if instance.kind in hook.events
    ]
    if not hooks:
        return
    body = json.dumps(body_of(instance), ensure_ascii=False, separators=(",", ":"))
    for hook in hooks:
        delivery = Delivery.objects.create(
            webhook=hook, event=instance.kind, body=body, next_at=instance.at, created_at=instance.at
        )
        enqueue_delivery(delivery.pk)


def body_of(event: Event) -> dict[str, Any]:
    """What is sent: which thing, and how it stands; the texts are fetched through the API by whoever may.

    ``id`` is the event's: a receiver that has seen it before has been told before.
    """
    out: dict[str, Any] = {
        "id": f"evt_{event.pk}",
        "event": event.kind,
        "at": event.at.isoformat(),
        "project": event.project.slug,
    }
    if event.kind == "export.ready":
        return out | {
            "export": {"id": event.object_id, "rows": event.data.get("rows"), "sha256": event.data.get("sha256")}
        }
    if event.kind == "answer.proofread":
        return out | {
            "answer": _answer(event.object_id),
            "risk": event.data.get("risk"),
            "marks": event.data.get("marks"),
        }
    decision = Decision.objects.filter(pk=event.object_id).first()
    kind = decision.kind if decision else None
    answer = event.data.get("answer") or (str(decision.item.answer_id) if decision else None)
    return out | {"answer": _answer(answer), "decision": {"id": event.object_id, "kind": kind}}


def _answer(key: Any) -> dict[str, Any]:
    external_id = Answer.objects.filter(pk=key).values_list("external_id", flat=True).first() if key else None
    return {"id": str(key) if key else None, "external_id": external_id or None}
