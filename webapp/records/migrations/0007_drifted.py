"""Whether an answer drifted, kept on it by triggers (records.repeated), an index of those that did, and one of counts.

`records.tallies` puts its triggers on again after `review.0009_places`, and sets what changed meanwhile.
"""

from django.db import migrations, models

from webapp.migrating import AddIndexOnline

BATCH = 2000


def fill(apps, schema_editor):
    """Note it on the answers that drifted, some at a time."""
    Answer, Observation = apps.get_model("records", "Answer"), apps.get_model("records", "Observation")
    drifted = Observation.objects.filter(drifted=True).order_by("pk").values_list("pk", "answer")
    last = 0
    while batch := list(drifted.filter(pk__gt=last)[:BATCH]):
        Answer.objects.filter(pk__in={answer for _, answer in batch}).update(drifted=True)
        last = batch[-1][0]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("records", "0006_retrieved_sources"),
    ]

    operations = [
        migrations.AddField("answer", "drifted", models.BooleanField(db_default=False, editable=False)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        AddIndexOnline(
            "answer",
            models.Index(
                fields=["project", "-received_at", "-id"], condition=models.Q(drifted=True), name="answers_drifted"
            ),
        ),
        AddIndexOnline(
            "tally",
            models.Index(fields=["project", "subject", "-quarter", "code", "n"], name="tallies_with_counts"),
        ),
        migrations.RemoveIndex("tally", "tallies_newest_first"),
    ]
