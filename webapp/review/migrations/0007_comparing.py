"""How many people decided on an item and whether they differ, kept on it by triggers (review.comparing).

`records.tallies` puts its triggers on again after the migration, and counts anew.
"""

from django.db import migrations, models

from webapp.migrating import AddIndexOnline
from webapp.records import tallies


def take_triggers_off(apps, schema_editor):
    tallies.remove(schema_editor.connection.alias)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("review", "0006_faster_turns"),
    ]

    operations = [
        migrations.AddField("item", "voices", models.PositiveSmallIntegerField(db_default=0, editable=False)),
        migrations.AddField("item", "differs", models.BooleanField(db_default=False, editable=False)),
        migrations.RunPython(take_triggers_off, take_triggers_off),
        AddIndexOnline(
            "item", models.Index(fields=["queue"], condition=models.Q(voices__gte=2), name="items_of_several")
        ),
        AddIndexOnline(
            "item", models.Index(fields=["queue"], condition=models.Q(differs=True), name="items_differing")
        ),
        AddIndexOnline(
            "decision",
            models.Index(
                fields=["item"], condition=models.Q(kind="skip", undone_at__isnull=True), name="decisions_skipping"
            ),
        ),
    ]
