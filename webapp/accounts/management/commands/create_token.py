from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from proofing.errors import BadInput
from webapp.accounts.services import ALL_SCOPES, create_token
from webapp.records.models import Project


class Command(BaseCommand):
    help = "Make an API token for a project and print it. It is shown this once; only its hash is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, such as demo")
        parser.add_argument("--name", default="made on the command line", help="what the token is for")
        parser.add_argument(
            "--scope", action="append", choices=ALL_SCOPES, help="may be given several times; all scopes when left out"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            known = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no project {options['project']!r} (there is: {known}).")
        try:
            _, token = create_token(project=project, name=options["name"], scopes=options["scope"] or ALL_SCOPES)
        except BadInput as error:
            raise CommandError(str(error)) from error
        self.stdout.write(token)
