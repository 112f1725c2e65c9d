"""Webhooks through the API. What happens in a project leaves it by them, so they need the scope of exports."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Router

from webapp.intake.api_access import EXPORT, TokenRequest
from webapp.intake.api_answers import PROBLEMS, respond
from webapp.intake.api_schemas import DeliveryOut, ProblemOut, WebhookIn, WebhookMadeOut, WebhookOut
from webapp.intake.idempotency import once
from webapp.intake.problems import Problem
from webapp.webhooks import selectors, services
from webapp.webhooks.models import Delivery, Webhook

router = Router()
SHOWN = 100


@router.get("/webhooks", auth=EXPORT, operation_id="list_webhooks", response={200: list[WebhookOut], **PROBLEMS})
def list_webhooks(request: TokenRequest) -> HttpResponse:
    """The project's webhooks, oldest first; their secrets are not shown again."""
    return respond([_webhook_dict(webhook) for webhook in selectors.webhooks_of(request.auth.project)])


@router.post("/webhooks", auth=EXPORT, operation_id="create_webhook", response={201: WebhookMadeOut, **PROBLEMS})
def create_webhook(request: TokenRequest, payload: WebhookIn) -> HttpResponse:
    """Has events sent to an address. The secret that signs them is in this response and nowhere else."""

    def act() -> HttpResponse:
        try:
            webhook, secret = services.create_webhook(
                project=request.auth.project,
                url=payload.url,
                events=payload.events,
                user=request.auth.acts_as,
                now=timezone.now(),
            )
        except services.CannotHook as error:
            fault = {"field": error.field, "reason": str(error)}
            raise Problem(422, "unusable-webhook", f"{error}.", errors=[fault]) from error
        return respond(_webhook_dict(webhook) | {"secret": secret}, 201)

    return once(request, request.auth.project, request.body, act)


@router.delete(
    "/webhooks/{webhook_id}", auth=EXPORT, operation_id="delete_webhook",
    response={204: None, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def delete_webhook(request: TokenRequest, webhook_id: UUID) -> HttpResponse:
    """Deletes the webhook with its log of deliveries."""
    services.delete_webhook(webhook=_own(request, webhook_id), user=request.auth.acts_as, now=timezone.now())
    return respond(None, 204)


@router.get(
    "/webhooks/{webhook_id}/deliveries", auth=EXPORT, operation_id="list_deliveries",
    response={200: list[DeliveryOut], 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def list_deliveries(request: TokenRequest, webhook_id: UUID) -> HttpResponse:
    """The hundred newest deliveries, newest first."""
    found = selectors.deliveries_of(_own(request, webhook_id))[:SHOWN]
    return respond([_delivery_dict(delivery) for delivery in found])


@router.post(
    "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", auth=EXPORT, operation_id="redeliver",
    response={202: DeliveryOut, 404: ProblemOut, **PROBLEMS},
)  # fmt: skip
def redeliver(request: TokenRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    """Sends the same event once more, as a delivery of its own."""
    delivery = get_object_or_404(Delivery, pk=delivery_id, webhook=_own(request, webhook_id))
    again = services.redeliver(delivery=delivery, user=request.auth.acts_as, now=timezone.now())
    return respond(_delivery_dict(again), 202)


def _own(request: TokenRequest, webhook_id: UUID) -> Webhook:
    """The one way from an id to a webhook: within the token's project."""
    return get_object_or_404(Webhook, pk=webhook_id, project=request.auth.project)


def _webhook_dict(webhook: Webhook) -> dict[str, Any]:
    return {name: getattr(webhook, name) for name in ("id", "url", "events", "active", "created_at")}


def _delivery_dict(delivery: Delivery) -> dict[str, Any]:
    names = ("id", "event", "state", "attempts", "status", "next_at", "created_at", "delivered_at")
    return {name: getattr(delivery, name) for name in names} | {"error": delivery.error or None}
