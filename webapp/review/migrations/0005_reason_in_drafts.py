"""A reason typed is kept with the rest of the unfinished work, and is there again after an undo."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("review", "0004_leads")]

    operations = [
        migrations.AddField(
            model_name="draft",
            name="reason",
            field=models.TextField(blank=True, default=""),
        ),
    ]
