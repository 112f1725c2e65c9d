"""Doors for the workers: ids come in, nothing is decided here. Which queue a task waits in is said by the outbox."""

from __future__ import annotations

from celery import shared_task

from webapp.calibration import freezing, refits, services


@shared_task(name="calibration.run_export", acks_late=True, ignore_result=True)
def run_export(export_id: str) -> None:
    services.run_export(export_id=export_id)


@shared_task(name="calibration.run_calibration", acks_late=True, ignore_result=True)
def run_calibration(run_id: str) -> None:
    services.run_calibration(run_id=run_id)


@shared_task(name="calibration.run_refit", acks_late=True, ignore_result=True)
def run_refit(refit_id: str) -> None:
    refits.run_refit(refit_id=refit_id)


@shared_task(name="calibration.run_freeze", acks_late=True, ignore_result=True)
def run_freeze(set_id: str) -> None:
    freezing.run_freeze(set_id=set_id)
