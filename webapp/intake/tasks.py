"""Doors for the workers: ids come in, nothing is decided here. Which queue a task waits in is said by the outbox."""

from __future__ import annotations

from celery import shared_task

from webapp.intake import again, imports, services


@shared_task(name="intake.proofread_answer", acks_late=True, ignore_result=True)
def proofread_answer(answer_id: str) -> None:
    services.proofread_answer(answer_id=answer_id)


@shared_task(name="intake.run_import", acks_late=True, ignore_result=True)
def run_import(batch_id: str) -> None:
    imports.run_import(batch_id=batch_id)


@shared_task(name="intake.read_again", acks_late=True, ignore_result=True)
def read_again(answer_id: str) -> None:
    again.read_again(answer_id=answer_id)
