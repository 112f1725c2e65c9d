"""Doors for the workers: ids come in, nothing is decided here."""

from __future__ import annotations

from celery import shared_task

from webapp.review.services import queues


@shared_task(name="review.reorder_queue", acks_late=True, ignore_result=True)
def reorder_queue(queue_id: str) -> None:
    queues.reorder_queue(queue_id=queue_id)
