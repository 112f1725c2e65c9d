"""The Celery application. Queues are served in the order of `Queues.ALL`: a waiting person before a bulk import."""

from __future__ import annotations

import os

from celery import Celery

from webapp import transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")


class Queues:
    """Names of the task queues."""

    INTERACTIVE = "interactive"  # somebody waits: one answer from the API, an export
    BULK = "bulk"  # nobody waits for a single one: imports, re-proofreading
    ALL = (INTERACTIVE, BULK)


transport.install()
app = Celery("proofmark")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
