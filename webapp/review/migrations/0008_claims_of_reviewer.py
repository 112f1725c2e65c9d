"""An index for whether an audit is due: the newest claims of a reviewer."""

from django.db import models

from django.db import migrations
from webapp.migrating import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("review", "0007_comparing"),
    ]

    operations = [
        AddIndexOnline("claim", models.Index(fields=["reviewer", "-issued_at"], name="claims_of_reviewer")),
    ]
