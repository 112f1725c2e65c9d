"""What a project sets about reading, reviewing and keeping."""


from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0002_drift_of_observations'),
    ]

    operations = [
        migrations.AddField(
            model_name='project',
            name='archived_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='audit_share',
            field=models.FloatField(default=0.05),
        ),
        migrations.AddField(
            model_name='project',
            name='blind',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='project',
            name='retention_days',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='slots',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='project',
            name='thresholds',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('slots__gte', 1), ('slots__lte', 5)), name='project_slots_from_1_to_5'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('audit_share__gte', 0), ('audit_share__lte', 1)), name='project_audit_share_is_a_share'),
        ),
    ]
