"""Doors for the workers: ids come in, nothing is decided here."""

from __future__ import annotations

from celery import shared_task

from webapp.calibration import services
from webapp.celery import Queues


@shared_task(name="calibration.run_export", queue=Queues.INTERACTIVE, acks_late=True, ignore_result=True)
def run_export(export_id: str) -> None:
    services.run_export(export_id=export_id)


@shared_task(name="calibration.run_calibration", queue=Queues.INTERACTIVE, acks_late=True, ignore_result=True)
def run_calibration(run_id: str) -> None:
    services.run_calibration(run_id=run_id)
