"""``manage.py stop``: stop the site that ``serve`` runs on this DATA_DIR."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from webapp.serve import CannotServe, stop_running


class Command(BaseCommand):
    help = "Stop the site that runs on this DATA_DIR and wait until it has stopped."
    requires_system_checks = ()

    def handle(self, **options: object) -> None:
        try:
            stopped = stop_running(settings.DATA_DIR)
        except CannotServe as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Stopped." if stopped else f"Nothing runs on {settings.DATA_DIR}.")
