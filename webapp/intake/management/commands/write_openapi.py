from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from webapp.intake.api import openapi_text


class Command(BaseCommand):
    help = "Write docs/openapi.json from the code; a test keeps the two alike."

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.BASE_DIR) / "docs" / "openapi.json"
        path.write_text(openapi_text(), encoding="utf-8")
        self.stdout.write(f"{path.relative_to(settings.BASE_DIR)} written")
