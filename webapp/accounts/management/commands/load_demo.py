from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from webapp.accounts.demo import load_demo


class Command(BaseCommand):
    help = "Load the demo: a project with a queue, two people and answers. Loading it again adds nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = load_demo(now=timezone.now())
        for name, password in loaded.passwords.items():
            self.stdout.write(f"Log in as {name} with the password {password}")
        if loaded.answers:
            self.stdout.write(f"{loaded.answers} demo answers are being proofread.")
