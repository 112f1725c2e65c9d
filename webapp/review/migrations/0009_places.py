"""A decision repeats its item's project and answer and when that came, kept so by triggers (records.repeated).

The version before neither reads nor writes these columns; what it decides meanwhile gets them from the triggers, which
`records.tallies` puts on after the migration, setting what is missing by then.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery

from webapp.migrating import AddIndexOnline
from webapp.records import tallies

BATCH = 2000
STANDING = models.Q(undone_at__isnull=True)


def repeated(to):
    return models.ForeignKey(
        to=to, null=True, editable=False, db_index=False, db_constraint=False, related_name="+",
        on_delete=django.db.models.deletion.DO_NOTHING,
    )  # fmt: skip


def fill(apps, schema_editor):
    """Repeat what items say, some decisions at a time, while there are no indexes of it to keep."""
    Decision, Item = apps.get_model("review", "Decision"), apps.get_model("review", "Item")
    item = Item.objects.filter(pk=OuterRef("item"))
    decisions = Decision.objects.order_by("pk").values_list("pk", flat=True)
    last = None
    while batch := list((decisions if last is None else decisions.filter(pk__gt=last))[:BATCH]):
        Decision.objects.filter(pk__in=batch).update(
            project=Subquery(item.values("queue__project")[:1]),
            answer=Subquery(item.values("answer")[:1]),
            received_at=Subquery(item.values("answer__received_at")[:1]),
        )
        last = batch[-1]


def take_triggers_off(apps, schema_editor):
    tallies.remove(schema_editor.connection.alias)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("records", "0007_drifted"),
        ("review", "0008_claims_of_reviewer"),
    ]

    operations = [
        migrations.AddField("decision", "project", repeated("records.project")),
        migrations.AddField("decision", "answer", repeated("records.answer")),
        migrations.AddField("decision", "received_at", models.DateTimeField(null=True, editable=False)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        AddIndexOnline(
            "decision",
            models.Index(
                fields=["project", "-decided_at", "reviewer", "kind", "seconds"],
                condition=STANDING,
                name="decisions_of_project",
            ),
        ),
        AddIndexOnline(
            "decision",
            models.Index(
                fields=["reviewer", "project", "-received_at", "-answer"],
                condition=STANDING,
                name="decisions_by_answer",
            ),
        ),
        # As late as can be: what is written from here on until they are back is set when everything is counted anew.
        migrations.RunPython(take_triggers_off, take_triggers_off),
    ]
