"""``manage.py reap``: queue unfinished work again, over and over (production runs one of these)."""

import threading

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from webapp.reaper import reap, reap_until


class Command(BaseCommand):
    help = "Queue work that was begun and never finished again, now and every PROOFMARK_REAPER_SECONDS."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="do it once and end")

    def handle(self, *, once: bool, **options: object) -> None:
        if once:
            self.stdout.write(f"{reap()} queued again")
            return
        reap_until(threading.Event(), seconds=settings.REAPER_SECONDS)
