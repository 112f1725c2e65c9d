"""Old and new versions run side by side during an upgrade, so migrations may only do what both can live with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

ROOMS = ("accounts", "calibration", "corpus", "intake", "judges", "records", "review", "webhooks")
DOCS = Path(__file__).parents[2] / "docs"

#: Operations that break the version before, or keep writers out while a whole table is read or written, each with what
#: makes it harmless where it stands: (room, migration, operation) → reason.
EXCUSED: dict[tuple[str, str], str] = {}
#: The last migration of each room that nobody can have run on a large site before.
FIRST_RELEASE = {
    "accounts": "0003_leads", "calibration": "0001_initial", "corpus": "0001_documents", "intake": "0004_rereading",
    "judges": "0001_judges",
    "records": "0003_leads", "review": "0006_faster_turns", "webhooks": "0002_holds_and_silences",
}  # fmt: skip


def _dangers(operation) -> str:
    if isinstance(operation, migrations.RemoveField | migrations.DeleteModel):
        return "the version before still reads it: stop using it in one release, remove it in the next"
    if isinstance(operation, migrations.RenameField | migrations.RenameModel):
        return "the version before knows the old name"
    if isinstance(operation, migrations.AlterField):
        return "may rewrite the table under a lock"
    if isinstance(operation, migrations.AddConstraint) and not isinstance(
        operation.constraint, models.UniqueConstraint
    ):
        return "reads the whole table under a lock"
    if isinstance(operation, migrations.AddField):
        field = operation.field
        if not field.null and not field.has_default() and not field.has_db_default():
            return "the version before writes rows without it"
    if type(operation) is migrations.AddIndex:
        return "keeps writers out while it is built: use webapp.migrating.AddIndexOnline"
    return ""


def _operations():
    loader = MigrationLoader(None)
    for (room, name), migration in sorted(loader.disk_migrations.items()):
        if room in ROOMS and name > FIRST_RELEASE[room]:
            yield from ((room, name, operation) for operation in migration.operations)


def test_migrations_hold_up_no_running_site():
    wrong = {
        f"{room}.{name}: {operation.describe()}": danger
        for room, name, operation in _operations()
        if (danger := _dangers(operation)) and (room, name) not in EXCUSED
    }
    assert not wrong


def test_alerts_speak_of_metrics_that_there_are_and_the_runbook_of_every_alert(client, db):
    rules, runbook = (DOCS / "alerts.yml").read_text(), (DOCS / "runbook.md").read_text()
    said = client.get("/metrics").text
    for name in set(re.findall(r"proofmark_\w+", rules)):
        assert f"# TYPE {name} " in said, name
    headings = " ".join(line for line in runbook.splitlines() if line.startswith("## "))
    for alert in re.findall(r"alert: (\w+)", rules):
        assert alert in headings


@pytest.mark.parametrize("operation", [
    migrations.RemoveField("answer", "text"),
    migrations.AlterField("answer", "text", models.TextField()),
    migrations.AddIndex("answer", models.Index(fields=["text"], name="i")),
    migrations.AddField("answer", "more", models.TextField()),
])  # fmt: skip
def test_a_dangerous_operation_is_seen(operation):
    assert _dangers(operation)
