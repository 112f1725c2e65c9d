"""Messages to the workers about uploads and indexes. Nobody waits for a single one of them."""

from __future__ import annotations

from uuid import UUID

from webapp.celery import Queues
from webapp.intake.outbox import after_commit


def enqueue_upload(upload_id: UUID) -> None:
    """Tell a worker about a file of documents."""
    after_commit("corpus.run_upload", upload_id, queue=Queues.BULK)


def enqueue_build(build_id: int) -> None:
    """Tell a worker about an index that is wanted."""
    after_commit("corpus.run_build", build_id, queue=Queues.BULK)
