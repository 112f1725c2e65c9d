"""What the answers page can be narrowed to and sorted by, each by an index; built beside the site's writes."""


from django.db import migrations, models

from webapp.migrating import AddIndexOnline, add_trigram_index

TEXTS = {'records_answer': 'answers_by_words', 'records_question': 'questions_by_words'}


def add(apps, schema_editor):
    for table, name in TEXTS.items():
        add_trigram_index(schema_editor, table=table, column='text', name=name)


def remove(apps, schema_editor):
    for name in TEXTS.values():
        schema_editor.execute(f'DROP INDEX IF EXISTS {name}')


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('records', '0004_tallies'),
    ]

    operations = [
        AddIndexOnline(
            model_name='answer',
            index=models.Index(fields=['project', 'risk', '-received_at', '-id'], name='answers_by_risk'),
        ),
        AddIndexOnline(
            model_name='answer',
            index=models.Index(fields=['project', 'route', '-received_at', '-id'], name='answers_by_route'),
        ),
        AddIndexOnline(
            model_name='answer',
            index=models.Index(fields=['project', 'model_name', '-received_at', '-id'], name='answers_by_model'),
        ),
        AddIndexOnline(
            model_name='answer',
            index=models.Index(condition=models.Q(('state__in', ['received', 'proofreading', 'failed'])), fields=['project', 'state', '-received_at', '-id'], name='answers_in_rare_states'),
        ),
        AddIndexOnline(
            model_name='answer',
            index=models.Index(condition=models.Q(('probability__isnull', False)), fields=['project', '-probability', '-id'], name='answers_by_probability'),
        ),
        migrations.RunPython(add, remove),
    ]
