"""Support models fitted on a project's labels, what answers were like, and what a frozen set holds, kept with it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ID = ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID'))


def project(name):
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name=name, to='records.project')


class Migration(migrations.Migration):

    dependencies = [
        ('calibration', '0001_initial'),
        ('records', '0005_answers_by_index'),
        ('review', '0006_faster_turns'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='labelledset',
            name='attempts',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='labelledset',
            name='contents',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='labelledset',
            name='error',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='labelledset',
            name='heartbeat_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='labelledset',
            name='inputs',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='labelledset',
            name='state',
            field=models.CharField(choices=[('requested', 'Requested'), ('running', 'Running'), ('frozen', 'Frozen'), ('failed', 'Failed')], db_default='frozen', default='frozen', max_length=12),
        ),
        migrations.CreateModel(
            name='AnswerInput',
            fields=[
                ('answer', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='input', serialize=False, to='records.answer')),
                ('at', models.DateTimeField()),
                ('answer_words', models.PositiveIntegerField()),
                ('source_count', models.PositiveIntegerField()),
                ('source_words', models.PositiveIntegerField()),
                ('language', models.CharField(max_length=35)),
                ('marked', models.BooleanField()),
                ('route', models.CharField(max_length=16)),
                ('probability', models.FloatField()),
                ('project', project('+')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-at', '-answer'], name='answer_inputs_newest_first')],
            },
        ),
        migrations.CreateModel(
            name='Refit',
            fields=[
                ID,
                ('state', models.CharField(choices=[('requested', 'Requested'), ('running', 'Running'), ('done', 'Done'), ('refused', 'Refused'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='requested', max_length=12)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('result', models.JSONField(blank=True, null=True)),
                ('refusal', models.TextField(blank=True, default='')),
                ('created_at', models.DateTimeField()),
                ('heartbeat_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('labelled_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refits', to='calibration.labelledset')),
                ('project', project('refits')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('state__in', ['requested', 'running'])), fields=('project',), name='one_unfinished_refit'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['requested', 'running', 'done', 'refused', 'failed', 'cancelled'])), name='refit_state_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='FittedModel',
            fields=[
                ID,
                ('version', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=80)),
                ('sha256', models.CharField(max_length=64)),
                ('content', models.BinaryField()),
                ('columns_sha256', models.CharField(max_length=64)),
                ('card', models.JSONField(default=dict)),
                ('scores', models.JSONField(default=list)),
                ('created_at', models.DateTimeField()),
                ('project', project('fitted_models')),
                ('refit', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='model', to='calibration.refit')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('project', 'version'), name='one_fitted_model_per_version'),
                    models.CheckConstraint(condition=models.Q(('sha256', ''), _negated=True), name='fitted_models_carry_their_hash'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ModelChoice',
            fields=[
                ID,
                ('reason', models.TextField()),
                ('at', models.DateTimeField()),
                ('chosen_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('model', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='choices', to='calibration.fittedmodel')),
                ('project', project('model_choices')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-id'], name='model_choices_newest_first')],
            },
        ),
        migrations.AddField(
            model_name='calibrationrun',
            name='model',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='calibration.fittedmodel'),
        ),
        migrations.AddField(
            model_name='labelledrow',
            name='newest',
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
