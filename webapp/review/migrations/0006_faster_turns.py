"""Indexes for what a reviewer waits for: the next answer, audits and others apart, and when a queue was last worked on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0005_reason_in_drafts"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                fields=["queue", "audit", "-priority", "created_at", "id"],
                condition=models.Q(state="waiting"),
                name="items_waiting_in_turn",
            ),
        ),
        migrations.RemoveIndex(model_name="item", name="items_waiting_by_priority"),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                fields=["-decided_at"],
                condition=models.Q(undone_at__isnull=True),
                name="decisions_standing_newest",
            ),
        ),
    ]
