"""The empty task that `bench/throughput.py` compares real ones with."""

from celery import shared_task


@shared_task(name="bench.nothing", acks_late=True, ignore_result=True)
def nothing() -> None:
    """Do nothing."""
