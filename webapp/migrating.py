"""Steps of migrations that let a running site go on: indexes that are built beside its writes."""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, migrations

logger = logging.getLogger(__name__)


class AddIndexOnline(migrations.AddIndex):
    """Adds an index; PostgreSQL builds it without keeping writers out. Its migration must be ``atomic = False``.

    An index whose building failed stays behind, unusable, under its name: drop it and migrate again.
    """

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.add_index(model, self.index, concurrently=True)


def add_trigram_index(schema_editor: Any, *, table: str, column: str, name: str) -> None:
    """Let PostgreSQL find parts of words by index, as ``icontains`` asks for them; other databases read every row.

    Needs the extension pg_trgm, which the owner of a database may add; where it cannot be had, search stays slower.
    """
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError as error:
        logger.warning("no pg_trgm in this database, so searching texts reads every row: %s", error)
        return
    schema_editor.execute(
        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON {table} USING gin (upper({column}) gin_trgm_ops)"
    )
