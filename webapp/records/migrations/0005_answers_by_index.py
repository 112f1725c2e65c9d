"""What the answers page can be narrowed to and sorted by, each by an index; built beside the site's writes."""


from django.db import migrations, models
from django.db.models import OuterRef, Subquery

from webapp.migrating import AddIndexOnline, add_trigram_index

TEXTS = {'records_answer': 'answers_by_words', 'records_question': 'questions_by_words'}


BATCH = 2000


def fill(apps, schema_editor):
    """Write each answer's newest finding on it, some at a time, while there are no indexes of it to keep."""
    Answer, Inspection = apps.get_model('records', 'Answer'), apps.get_model('records', 'Inspection')
    newest = Inspection.objects.filter(answer=OuterRef('pk')).order_by('-version')
    answers = Answer.objects.order_by('pk').values_list('pk', flat=True)
    last = None
    while batch := list((answers if last is None else answers.filter(pk__gt=last))[:BATCH]):
        Answer.objects.filter(pk__in=batch).update(
            risk=Subquery(newest.values('risk')[:1]),
            route=Subquery(newest.values('route')[:1]),
            probability=Subquery(newest.values('unsupported_probability')[:1]),
        )
        last = batch[-1]


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
        migrations.RunPython(fill, migrations.RunPython.noop),
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
