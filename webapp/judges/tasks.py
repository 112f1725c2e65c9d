"""Doors for the workers: ids come in, nothing is decided here. Which queue a task waits in is said by the outbox."""

from __future__ import annotations

from celery import shared_task

from webapp.judges import services


@shared_task(name="judges.run_judges", acks_late=True, ignore_result=True)
def run_judges(run_id: str) -> None:
    services.run_judges(run_id=run_id)
