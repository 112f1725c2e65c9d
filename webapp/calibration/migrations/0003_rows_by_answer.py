"""Which row of a set speaks for its answer, and an index by which two sets are compared; built beside the site's writes."""

from django.db import migrations, models
from django.db.models import Exists, OuterRef

from webapp.migrating import AddIndexOnline


def mark(apps, schema_editor):
    """An answer that was proofread again in between has two rows in a set; the later one speaks for it."""
    Row = apps.get_model('calibration', 'LabelledRow')
    later = Row.objects.filter(labelled_set=OuterRef('labelled_set'), answer=OuterRef('answer'), pk__gt=OuterRef('pk'))
    keys = list(Row.objects.filter(Exists(later)).values_list('pk', flat=True))
    for at in range(0, len(keys), 500):
        Row.objects.filter(pk__in=keys[at : at + 500]).update(newest=False)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('calibration', '0002_refits'),
    ]

    operations = [
        migrations.RunPython(mark, migrations.RunPython.noop),
        AddIndexOnline(
            model_name='labelledrow',
            index=models.Index(
                condition=models.Q(('newest', True)),
                fields=['labelled_set', 'answer', 'label'],
                name='labelled_rows_by_answer',
            ),
        ),
    ]
