"""Counts kept by triggers (which `records.tallies` puts on after every migration), and the newest finding on the answer."""


import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0003_leads'),
    ]

    operations = [
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=12)),
                ('owner', models.BigIntegerField()),
                ('quarter', models.BigIntegerField()),
                ('code', models.CharField(max_length=16)),
                ('n', models.BigIntegerField()),
                ('folded', models.BooleanField(default=False)),
                ('project', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='records.project')),
            ],
            options={
                'indexes': [
                    models.Index(fields=['project', 'subject', '-quarter', 'code'], name='tallies_newest_first'),
                    models.Index(condition=models.Q(('folded', False)), fields=['id'], name='tallies_to_fold'),
                ],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('folded', True)), fields=('project', 'subject', 'owner', 'quarter', 'code'), name='one_folded_row_per_count'),
                ],
            },
        ),
        migrations.AddField(
            model_name='answer',
            name='probability',
            field=models.FloatField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='answer',
            name='risk',
            field=models.CharField(blank=True, editable=False, max_length=10, null=True),
        ),
        migrations.AddField(
            model_name='answer',
            name='route',
            field=models.CharField(blank=True, editable=False, max_length=16, null=True),
        ),
    ]
