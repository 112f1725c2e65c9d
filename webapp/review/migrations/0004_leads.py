"""Slots, pauses and guideline versions of queues; gold; changes of many answers at once."""


import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0003_leads'),
        ('review', '0003_chosen_alternatives'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BulkChange',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('queue', 'Queue'), ('priority', 'Priority'), ('flag', 'Flag'), ('archive', 'Archive'), ('return', 'Return'), ('again', 'Again')], max_length=10)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('filters', models.JSONField(blank=True, default=dict)),
                ('before', models.JSONField(blank=True, default=list)),
                ('count', models.PositiveIntegerField(default=0)),
                ('at', models.DateTimeField()),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('undone_count', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Gold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('accept_healed', 'Accept Healed'), ('accept_edited', 'Accept Edited'), ('keep', 'Keep'), ('reject', 'Reject'), ('skip', 'Skip'), ('flag', 'Flag')], max_length=16)),
                ('final_text', models.TextField(blank=True, default='')),
                ('wording_only', models.BooleanField(default=False)),
                ('verdicts', models.JSONField(blank=True, default=dict)),
                ('added_marks', models.JSONField(blank=True, default=list)),
                ('reason', models.TextField(blank=True, default='')),
                ('decided_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='GuidelineVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['-version'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='item',
            name='item_state_known',
        ),
        migrations.AddField(
            model_name='queue',
            name='blind',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='queue',
            name='filters',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='queue',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='queue',
            name='reviewers',
            field=models.ManyToManyField(blank=True, related_name='assigned_queues', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='queue',
            name='slots',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AlterField(
            model_name='item',
            name='state',
            field=models.CharField(choices=[('waiting', 'Waiting'), ('claimed', 'Claimed'), ('decided', 'Decided'), ('flagged', 'Flagged'), ('archived', 'Archived')], default='waiting', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'claimed', 'decided', 'flagged', 'archived'])), name='item_state_known'),
        ),
        migrations.AddConstraint(
            model_name='queue',
            constraint=models.CheckConstraint(condition=models.Q(('slots__gte', 1), ('slots__lte', 5)), name='queue_slots_from_1_to_5'),
        ),
        migrations.AddField(
            model_name='bulkchange',
            name='actor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='bulkchange',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bulk_changes', to='records.project'),
        ),
        migrations.AddField(
            model_name='bulkchange',
            name='undone_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='gold',
            name='decided_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='golds', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='gold',
            name='decision',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='review.decision'),
        ),
        migrations.AddField(
            model_name='gold',
            name='inspection',
            field=models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='golds', to='records.inspection'),
        ),
        migrations.AddField(
            model_name='gold',
            name='item',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='gold', to='review.item'),
        ),
        migrations.AddField(
            model_name='guidelineversion',
            name='author',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='guidelineversion',
            name='queue',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guideline_versions', to='review.queue'),
        ),
        migrations.AddIndex(
            model_name='bulkchange',
            index=models.Index(fields=['project', '-at'], name='bulk_changes_newest_first'),
        ),
        migrations.AddConstraint(
            model_name='bulkchange',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['queue', 'priority', 'flag', 'archive', 'return', 'again'])), name='bulk_kind_known'),
        ),
        migrations.AddIndex(
            model_name='gold',
            index=models.Index(fields=['-decided_at'], name='golds_newest_first'),
        ),
        migrations.AddConstraint(
            model_name='gold',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['accept_healed', 'accept_edited', 'keep', 'reject'])), name='gold_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='guidelineversion',
            constraint=models.UniqueConstraint(fields=('queue', 'version'), name='one_text_per_guideline_version'),
        ),
    ]
