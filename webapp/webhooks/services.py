"""Writes of the webhooks: made, changed, and each delivery sent until it is taken or given up."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from proofing.errors import BadInput
from webapp.intake.outbox import enqueue_delivery
from webapp.records.models import Project
from webapp.review.models import Event
from webapp.webhooks import sending
from webapp.webhooks.addresses import BadAddress, checked_url, refuse_private_now
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.signing import secret_of

logger = logging.getLogger(__name__)

EVENTS = ("answer.proofread", "answer.decided", "answer.undone", "export.ready")
#: How long after each failed try the next one follows; after the last one the delivery has failed.
WAITS = tuple(timedelta(seconds=seconds) for seconds in (30, 120, 600, 3600, 6 * 3600, 24 * 3600))
#: How long one try may take before another worker may take it for dead.
LEASE = timedelta(minutes=2)
#: How many webhooks one sweep has looked at.
SWEEP = 200
#: A delivery's own message is still on its way; what is due for longer found its webhook busy.
OWN_MESSAGE = timedelta(seconds=5)
#: After so long without success a delivery is given up, however rarely it could be tried.
GIVEN_UP = timedelta(days=3)
#: How long deliveries stay in the log.
KEPT = timedelta(days=30)
#: How many webhooks a project may have.
MOST = 20


class CannotHook(BadInput):
    """The webhook as asked for is not possible; `field` says which part."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


@transaction.atomic
def create_webhook(
    *, project: Project, url: str, events: Collection[str] = EVENTS, user: Any = None, now: datetime
) -> tuple[Webhook, str]:
    """Have a project's events sent to an address; returns the webhook and its secret, to be shown this once.

    Raises:
        CannotHook: an address that may not be called or is known, an unknown event, or too many webhooks.
    """
    try:
        url = checked_url(url.strip())
        refuse_private_now(url)
    except BadAddress as error:
        raise CannotHook(str(error), field="url") from error
    if len(url) > 500:
        raise CannotHook("longer than 500 characters", field="url")
    Project.objects.select_for_update().get(pk=project.pk)
    if Webhook.objects.filter(project=project).count() >= MOST:
        raise CannotHook(f"a project may have {MOST} webhooks; delete one first", field="url")
    try:
        with transaction.atomic():
            webhook = Webhook.objects.create(
                project=project, url=url, events=_checked_events(events), salt=secrets.token_hex(16), created_by=user,
                created_at=now,
            )  # fmt: skip
    except IntegrityError:
        raise CannotHook("there is a webhook with this address already", field="url") from None
    Event.record("webhook.created", webhook, project=project, actor=user, at=now, events=webhook.events)
    return webhook, secret_of(webhook)


def _checked_events(events: Collection[str]) -> list[str]:
    unknown = sorted(set(events) - set(EVENTS))
    if unknown:
        raise CannotHook(f"unknown event {unknown[0]!r}: use {', '.join(EVENTS)}", field="events")
    if not events:
        raise CannotHook("choose at least one event", field="events")
    return [name for name in EVENTS if name in events]


@transaction.atomic
def change_webhook(
    *,
    webhook: Webhook,
    events: Collection[str] | None = None,
    active: bool | None = None,
    user: Any,
    now: datetime,
) -> Webhook:
    """Change which events are sent, or switch the webhook off and on.

    Raises:
        CannotHook: an unknown event.
    """
    if events is not None:
        webhook.events = _checked_events(events)
    if active is not None:
        webhook.active = active
    webhook.save(update_fields=["events", "active"])
    Event.record("webhook.changed", webhook, project=webhook.project_id, actor=user, at=now, events=webhook.events,
                 active=webhook.active)  # fmt: skip
    return webhook


@transaction.atomic
def renew_secret(*, webhook: Webhook, user: Any, now: datetime) -> str:
    """A new secret, to be shown this once; the old one is good for nothing from now on."""
    webhook.salt = secrets.token_hex(16)
    webhook.save(update_fields=["salt"])
    Event.record("webhook.secret_renewed", webhook, project=webhook.project_id, actor=user, at=now)
    return secret_of(webhook)


@transaction.atomic
def delete_webhook(*, webhook: Webhook, user: Any, now: datetime) -> None:
    """Forget a webhook with its log."""
    Event.record("webhook.deleted", webhook, project=webhook.project_id, actor=user, at=now)
    webhook.delete()


@transaction.atomic
def redeliver(*, delivery: Delivery, user: Any, now: datetime) -> Delivery:
    """Send an event once more, as a delivery of its own with the same body; an address that was silent is asked now."""
    again = Delivery.objects.create(
        webhook=delivery.webhook, event=delivery.event, body=delivery.body, next_at=now, created_at=now,
        redelivery_of=delivery,
    )  # fmt: skip
    Webhook.objects.filter(pk=delivery.webhook_id).update(quiet_until=None)
    Event.record("webhook.redelivered", again, project=delivery.webhook.project_id, actor=user, at=now)
    enqueue_delivery(again.pk)
    return again


# Sending ----------------------------------------------------------------------------------------------------------

# Workers are few and an address may be dead, so a try is kept from holding up everything else: one try a webhook at a
# time, some tries at a time in all, and an address where nobody answers is left alone for a growing while.


def deliver(*, delivery_id: UUID | str, now: datetime) -> bool | None:
    """Try one delivery that is due; True when it was taken, None when there was nothing to do or no room to do it.

    Only the call that moves `next_at` on tries it: delivered twice, a message sends once.
    """
    due = Delivery.objects.filter(pk=delivery_id, state=Delivery.State.PENDING, next_at__lte=now)
    webhook_id = due.values_list("webhook", flat=True).first()
    if webhook_id is None or not _hold(webhook_id, now):
        return None
    silent = False
    try:
        if not due.update(next_at=now + LEASE, attempts=F("attempts") + 1):
            return None
        delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
        if not delivery.webhook.active:
            _end(delivery, Delivery.State.FAILED, None, "the webhook is switched off", now)
            return False
        outcome = sending.post(delivery, now=now)
        silent = outcome.status is None
        _keep(delivery, outcome, now)
        return outcome.taken
    finally:
        _release(webhook_id, silent=silent, now=now)
        _enqueue_next(now)


def _free(now: datetime) -> QuerySet[Webhook]:
    """Webhooks with no try under way whose address may be asked."""
    return Webhook.objects.filter(
        Q(held_until__isnull=True) | Q(held_until__lte=now), Q(quiet_until__isnull=True) | Q(quiet_until__lte=now)
    )


def _hold(webhook_id: UUID, now: datetime) -> bool:
    """Take the webhook for one try. Two that look at the same moment may pass the limit by one, which does no harm."""
    if Webhook.objects.filter(held_until__gt=now).count() >= settings.WEBHOOKS_AT_ONCE:
        return False
    return bool(_free(now).filter(pk=webhook_id).update(held_until=now + LEASE))


def _release(webhook_id: UUID, *, silent: bool, now: datetime) -> None:
    rows = Webhook.objects.filter(pk=webhook_id)
    if not silent:
        rows.update(held_until=None, quiet_until=None, silences=0)
        return
    before = rows.values_list("silences", flat=True).first() or 0
    wait = WAITS[min(before, len(WAITS) - 1)]
    rows.update(held_until=None, quiet_until=now + wait, silences=min(before + 1, len(WAITS)))


def _keep(delivery: Delivery, outcome: sending.Outcome, now: datetime) -> None:
    if outcome.taken:
        _end(delivery, Delivery.State.DELIVERED, outcome.status, "", now)
    elif delivery.attempts > len(WAITS):
        _end(delivery, Delivery.State.FAILED, outcome.status, outcome.error, now)
    else:
        Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.PENDING, attempts=delivery.attempts).update(
            next_at=now + WAITS[delivery.attempts - 1], status=outcome.status, error=outcome.error[:300]
        )


def _end(delivery: Delivery, state: str, status: int | None, error: str, now: datetime) -> None:
    delivered = now if state == Delivery.State.DELIVERED else None
    Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.PENDING, attempts=delivery.attempts).update(
        state=state, status=status, error=error[:300], next_at=None, delivered_at=delivered
    )
    if state == Delivery.State.FAILED:
        logger.warning("gave up on delivery %s to webhook %s: %s", delivery.pk, delivery.webhook_id, error)


def _enqueue_next(now: datetime) -> None:
    """Have the delivery sent that waited longest because its webhook, or all of them, were busy."""
    waiting = Delivery.objects.filter(
        state=Delivery.State.PENDING, next_at__lte=now - OWN_MESSAGE, webhook__in=_free(now)
    )
    key = waiting.order_by("next_at").values_list("pk", flat=True).first()
    if key is not None:
        enqueue_delivery(key)


def send_due(*, now: datetime) -> int:
    """Hand the oldest due delivery of each free webhook to the workers; how many. The others follow one by one.

    What is old is given up or forgotten on the way.
    """
    Delivery.objects.filter(created_at__lt=now - KEPT).exclude(state=Delivery.State.PENDING).delete()
    due = Delivery.objects.filter(state=Delivery.State.PENDING, next_at__lte=now)
    due.filter(created_at__lt=now - GIVEN_UP).update(
        state=Delivery.State.FAILED, next_at=None, error=f"not taken within {GIVEN_UP.days} days"
    )
    oldest = due.filter(webhook=OuterRef("pk")).order_by("next_at").values("pk")[:1]
    free = _free(now).annotate(due=Subquery(oldest)).filter(due__isnull=False)
    keys = list(free.order_by("quiet_until", "pk").values_list("due", flat=True)[:SWEEP])
    for key in keys:
        enqueue_delivery(key)
    return len(keys)
