"""``manage.py serve``: the whole site on this machine, until Ctrl+C."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from webapp.environment import SettingError
from webapp.serve import CannotServe, serve


class Command(BaseCommand):
    help = "Run web server, worker and (unless REDIS_URL is set) broker until Ctrl+C."
    requires_system_checks = ()

    def handle(self, **options: object) -> None:
        try:
            serve(settings.ENVIRONMENT, say=self._say)
        except (CannotServe, SettingError) as error:
            raise CommandError(str(error)) from None

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
