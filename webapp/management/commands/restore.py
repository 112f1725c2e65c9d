"""``manage.py restore FOLDER``: bring a backup back into an empty DATA_DIR and database."""

from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.backup import BackupError, check_backup, restore_backup
from webapp.serve import CannotServe, claimed


class Command(BaseCommand):
    help = "Check a backup and restore it into an empty DATA_DIR and database; the site must be stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a folder that backup made")
        parser.add_argument("--check", action="store_true", help="only say whether the backup is whole")

    def handle(self, *, folder: Path, check: bool, **options: object) -> None:
        try:
            if check:
                manifest = check_backup(folder)
                self.stdout.write(f"The backup of {manifest['made_at']} is whole.")
                return
            with claimed(settings.DATA_DIR):
                manifest = restore_backup(folder, database=settings.DATABASES["default"], data_dir=settings.DATA_DIR)
                call_command("migrate", interactive=False, verbosity=0)
        except (BackupError, CannotServe) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Restored the backup of {manifest['made_at']}.")
