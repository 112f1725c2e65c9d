"""What a drift comparison found moves to the observation it is about, where a project's newest are one index range."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Q, Subquery


def fill_in(apps, schema_editor):
    """The project of every observation, and what the newest inspection of its answer had found."""
    observations = apps.get_model("records", "Observation").objects
    answers = apps.get_model("records", "Answer").objects
    observations.update(project=Subquery(answers.filter(pk=OuterRef("answer")).values("project")[:1]))
    inspections = apps.get_model("records", "Inspection").objects.filter(report__checks__drift__compared__gt=0)
    for inspection in inspections.order_by("version").only("answer", "report").iterator(chunk_size=500):
        first = observations.filter(answer=inspection.answer_id).order_by("seen_at", "id").first()
        if first is not None:
            drift = inspection.report["checks"]["drift"]
            observations.filter(pk=first.pk).update(
                drift_compared=drift["compared"], drift_distance=drift["distance"], drifted=drift["drifted"]
            )


class Migration(migrations.Migration):
    # PostgreSQL does not let one transaction fill a table and change it.
    atomic = False

    dependencies = [("records", "0001_initial")]

    operations = [
        migrations.AddField(
            "observation",
            "project",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="observations",
                to="records.project",
            ),
        ),
        migrations.AddField("observation", "drift_compared", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("observation", "drift_distance", models.FloatField(blank=True, null=True)),
        migrations.AddField("observation", "drifted", models.BooleanField(default=False)),
        migrations.AddField("observation", "changed_sources", models.JSONField(blank=True, default=list)),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
        migrations.AlterField(
            "observation",
            "project",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="observations", to="records.project"
            ),
        ),
        migrations.AddConstraint(
            "observation",
            models.CheckConstraint(
                condition=Q(drift_distance__isnull=True) | Q(drift_distance__gte=0, drift_distance__lte=1),
                name="drift_distance_is_a_share",
            ),
        ),
        migrations.AddIndex(
            "observation",
            models.Index(
                fields=["project", "-seen_at", "-id"], condition=Q(drift_compared__gt=0), name="observations_compared"
            ),
        ),
        migrations.AddIndex(
            "observation",
            models.Index(fields=["project", "-seen_at", "-id"], condition=Q(drifted=True), name="observations_drifted"),
        ),
    ]
