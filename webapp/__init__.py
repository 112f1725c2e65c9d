"""The Django half of Proofmark: keeps records, runs the engine in workers, serves reviewers."""

from webapp.celery import app as celery_app

__all__ = ["celery_app"]
