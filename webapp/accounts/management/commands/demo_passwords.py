from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.accounts.demo import reset_passwords


class Command(BaseCommand):
    help = "Give the demo's people new passwords and print them."

    def handle(self, *args: Any, **options: Any) -> None:
        passwords = reset_passwords()
        if not passwords:
            raise CommandError("The demo is not loaded; run `python manage.py load_demo` first.")
        for name, password in passwords.items():
            self.stdout.write(f"Log in as {name} with the password {password}")
