"""Doors for the workers: ids come in, nothing is decided here."""

from __future__ import annotations

from celery import shared_task

from webapp.celery import Queues
from webapp.intake import imports, services


@shared_task(name="intake.proofread_answer", queue=Queues.INTERACTIVE, acks_late=True, ignore_result=True)
def proofread_answer(answer_id: str) -> None:
    services.proofread_answer(answer_id=answer_id)


@shared_task(name="intake.run_import", queue=Queues.BULK, acks_late=True, ignore_result=True)
def run_import(batch_id: str) -> None:
    imports.run_import(batch_id=batch_id)
