"""``manage.py backup FOLDER``: write everything the site needs to stand up again into one new folder."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from webapp.backup import BackupError, make_backup


class Command(BaseCommand):
    help = "Back up database, uploads, exports and signing key into a new folder, while the site runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="does not exist yet; holds secrets, so keep it like one")

    def handle(self, *, folder: Path, **options: object) -> None:
        try:
            manifest = make_backup(
                into=folder,
                database=settings.DATABASES["default"],
                data_dir=settings.DATA_DIR,
                now=timezone.now(),
            )
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Backed up {len(manifest['files'])} files to {folder}.")
