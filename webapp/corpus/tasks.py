"""Doors for the workers: ids come in, nothing is decided here."""

from __future__ import annotations

from celery import shared_task

from webapp.corpus import building, uploads


@shared_task(name="corpus.run_upload", acks_late=True, ignore_result=True)
def run_upload(upload_id: str) -> None:
    uploads.run_upload(upload_id=upload_id)


@shared_task(name="corpus.run_build", acks_late=True, ignore_result=True)
def run_build(build_id: str) -> None:
    building.run_build(build_id=int(build_id))
