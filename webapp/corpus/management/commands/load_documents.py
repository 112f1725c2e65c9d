from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from proofing.errors import BadInput
from webapp.corpus import building, uploads
from webapp.corpus.models import IndexBuild
from webapp.records.models import Project


class Command(BaseCommand):
    help = "Put files into a project's corpus and make its index, here and now; a document of the same id is replaced."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, such as demo")
        parser.add_argument("file", nargs="+", type=Path, help="text, Markdown, JSON Lines, CSV or TSV in UTF-8")

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            known = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no project {options['project']!r} (there is: {known}).")
        for path in options["file"]:
            self._load(project, path)
        for build in IndexBuild.objects.filter(project=project, state=IndexBuild.State.REQUESTED):
            building.run_build(build_id=build.pk)
            build.refresh_from_db()
            if build.state == IndexBuild.State.FAILED:
                raise CommandError(build.error)
            if build.state == IndexBuild.State.DONE:
                self.stdout.write(f"index {build.version[:12]}: {build.passages} passages. {build.note}".strip())

    def _load(self, project: Project, path: Path) -> None:
        try:
            with open(path, "rb") as stream:
                upload = uploads.start_upload(
                    project=project, chunks=iter(lambda: stream.read(2**20), b""), filename=path.name,
                    now=timezone.now(),
                )  # fmt: skip
        except OSError as error:
            raise CommandError(f"cannot read {path}: {error.strerror or error}") from error
        except BadInput as error:
            raise CommandError(f"{path}: {error}") from error
        uploads.run_upload(upload_id=upload.pk)
        upload.refresh_from_db()
        for fault in upload.faults.all():
            self.stderr.write(f"{path}, {fault}")
        for field in upload.unread_fields:
            self.stderr.write(f"{path}, a field that is not read: {field}")
        if upload.state == upload.State.FAILED:
            raise CommandError(f"{path}: {upload.error}")
        said = f"{upload.added} new, {upload.replaced} replaced, {upload.unchanged} as before, {upload.failed} left out"
        self.stdout.write(f"{path}: {said}" if upload.state == upload.State.DONE else f"{path}: read by a worker")
