#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError) as error:
        if os.environ.get("PROOFMARK_TRACE"):
            raise
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        sys.exit(
            f"The database is not ready ({said}). `make run` makes it; give this command the DATA_DIR or DATABASE_URL "
            "that the site runs with, or run `manage.py migrate` first. PROOFMARK_TRACE=1 shows where."
        )


if __name__ == "__main__":
    main()
