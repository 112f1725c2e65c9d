"""A reviewer may choose among the corrections that a receipt leaves open."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0002_items_by_state")]

    operations = [migrations.AddField("draft", "choices", models.JSONField(blank=True, default=dict))]
