"""Counts that cost the same at ten thousand answers and at a million, kept right by the database itself.

Each change of an answer, an item, a decision or a healing adds rows of +1 and -1 to `Tally`, by trigger and in the same
transaction, so no path around a service can miss them; a count is the sum of its rows. `fold` joins rows that have
settled, so sums stay short. Rows are only added, never updated, by writers: two of them never wait for each other.
What counts is said once, in `WATCHED`: the triggers and `recount` are made from the same text. A trigger also keeps
`Answer.risk`, `route` and `probability` equal to those of the newest inspection, and others what `review.comparing`
says of items and `records.repeated` of decisions and answers. See docs/decisions/0015.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connections, transaction
from django.db.models import Sum

from webapp.records import repeated
from webapp.records.models import Project, Tally
from webapp.review import comparing

#: Days are counted by quarters of an hour since 1970: no time zone's day begins within one.
QUARTER = 900
#: How many rows one `fold` takes, and how many folds one sweep makes: a large import leaves some rows an answer.
FOLD, FOLDS = 20_000, 50

_COLUMNS = "project_id, subject, owner, quarter, code"


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of count: what a row `r` of a table adds to it, as SQL that both databases read.

    `derived`: `recount` leaves it out, since the same is counted from the rows of another table.
    """

    columns: str
    where: str
    tables: str = ""
    derived: bool = False


_STANDING = "{d}.undone_at IS NULL AND {d}.kind NOT IN ('skip', 'flag')"
_AS_HEALED = "{d}.kind = 'accept_healed' AND {d}.switched_off = '[]'"
_QUEUE_OF_ITEM = "review_item i JOIN review_queue q ON q.id = i.queue_id"
_COUNTED = "r.route IS NOT NULL AND r.superseded_by_id IS NULL"


def _healed(code: str, more: str) -> tuple[Part, Part]:
    """Decisions on answers with an applied healing, seen from the decision and from the healing."""
    columns = f"q.project_id, 'healed', 0, 0, '{code}'"
    from_decision = Part(
        columns,
        f"i.id = r.item_id AND h.inspection_id = r.inspection_id AND h.applied AND {_STANDING} AND {more}".format(
            d="r"
        ),
        f"{_QUEUE_OF_ITEM}, records_healing h",
    )
    from_healing = Part(
        columns,
        f"i.id = d.item_id AND d.inspection_id = r.inspection_id AND r.applied AND {_STANDING} AND {more}".format(
            d="d"
        ),
        f"{_QUEUE_OF_ITEM}, review_decision d",
        derived=True,
    )
    return from_decision, from_healing


_OFFERED, _AS_OFFERED = _healed("offered", "TRUE"), _healed("as_healed", _AS_HEALED)
#: What each person decided in each queue, seen from the decision and from its item, which may move to another queue.
_MINE = (
    Part(
        "q.project_id, 'mine', r.reviewer_id, 0, CAST(i.queue_id AS TEXT)",
        f"i.id = r.item_id AND {_STANDING.format(d='r')}",
        _QUEUE_OF_ITEM,
    ),
    Part(
        "q.project_id, 'mine', d.reviewer_id, 0, CAST(r.queue_id AS TEXT)",
        f"q.id = r.queue_id AND d.item_id = r.id AND {_STANDING.format(d='d')}",
        "review_queue q, review_decision d",
        derived=True,
    ),
)

#: Table → columns whose change counts, and what its rows add.
WATCHED: dict[str, tuple[str, tuple[Part, ...]]] = {
    "records_answer": (
        "project_id, route, risk, superseded_by_id, received_at",
        (
            Part("r.project_id, 'route', 0, 0, r.route", _COUNTED),
            Part("r.project_id, 'risk', 0, 0, r.risk", _COUNTED),
            Part("r.project_id, 'route_then', 0, {quarter}, r.route", _COUNTED),
        ),
    ),
    "review_item": (
        "queue_id, state",
        (Part("q.project_id, 'item', r.queue_id, 0, r.state", "q.id = r.queue_id", "review_queue q"), _MINE[1]),
    ),
    "review_decision": (
        "item_id, inspection_id, reviewer_id, kind, switched_off, undone_at",
        (
            Part("q.project_id, 'decision', 0, 0, r.kind", "i.id = r.item_id AND r.undone_at IS NULL", _QUEUE_OF_ITEM),
            _OFFERED[0],
            _AS_OFFERED[0],
            _MINE[0],
        ),
    ),
    "records_healing": ("inspection_id, applied", (_OFFERED[1], _AS_OFFERED[1])),
}

_NEWEST = (
    "UPDATE records_answer SET (risk, route, probability) = (SELECT risk, route, unsupported_probability "
    "FROM records_inspection WHERE answer_id = {r}.answer_id ORDER BY version DESC LIMIT 1) WHERE id = {r}.answer_id"
)
#: What else is kept right by trigger, besides counts: table → columns whose change matters, and the statement.
_NOTED = (
    ("records_inspection", ("version, risk, route, unsupported_probability", _NEWEST)),
    *comparing.WATCHED.items(),
    *repeated.WATCHED.items(),
)
_TABLES = sorted({*WATCHED, *(table for table, _ in _NOTED)})
_QUARTERS = {
    "postgresql": f"floor(extract(epoch FROM r.received_at) / {QUARTER})::bigint",
    "sqlite": f"CAST(strftime('%s', r.received_at) AS INTEGER) / {QUARTER}",
}
#: What each kind of change does, for all tables: which row counts, and how much.
_EVENTS = {"INSERT": (("NEW", 1),), "DELETE": (("OLD", -1),), "UPDATE": (("OLD", -1), ("NEW", 1))}


# Triggers ---------------------------------------------------------------------------------------------------------


def _adding(parts: Iterable[Part], row: str, n: int, vendor: str) -> list[str]:
    """Statements that count one changed row."""
    statements = []
    for part in parts:
        source = f" FROM {part.tables}" if part.tables else ""
        text = f"SELECT {part.columns}, {n}, FALSE{source} WHERE {part.where}".replace("{quarter}", _QUARTERS[vendor])
        of_the_row = re.sub(r"\br\.", f"{row}.", text)
        statements.append(f"INSERT INTO records_tally ({_COLUMNS}, n, folded) {of_the_row}")
    return statements


def _bodies(vendor: str) -> dict[tuple[str, str], list[str]]:
    """(table, event) → the statements of its trigger."""
    bodies = {}
    for table in _TABLES:
        _, parts = WATCHED.get(table, ("", ()))
        for event, rows in _EVENTS.items():
            counting = [text for row, n in rows for text in _adding(parts, row, n, vendor)]
            # Of a row that was moved, the one it left is told as well.
            noting = [text.format(r=row) for of, (_, text) in _NOTED if of == table for row, _ in rows]
            bodies[table, event] = [*counting, *noting]
    return bodies


def _columns(table: str) -> str:
    """The columns of a table whose change sets off its trigger."""
    lists = [columns for of, (columns, _) in (*WATCHED.items(), *_NOTED) if of == table]
    return ", ".join(sorted({column for columns in lists for column in columns.split(", ")}))


def _name(table: str, event: str) -> str:
    return f"tally_{table}_{event.lower()}"


def ready(using: str) -> bool:
    """Whether the database has all tables and columns that counts are made of: not half-way through the migrations."""
    models = {model._meta.db_table: model._meta.concrete_fields for model in apps.get_models()}
    with connections[using].cursor() as cursor:
        if not {*_TABLES, "records_tally"} <= set(connections[using].introspection.table_names(cursor)):
            return False
        for table in _TABLES:
            cursor.execute(f"SELECT * FROM {table} LIMIT 0")
            if not {field.column for field in models[table]} <= {column[0] for column in cursor.description}:
                return False
    return True


def install(using: str = "default") -> bool:
    """Make the triggers that are missing, and then count anew; whether any was missing. Harmless to repeat.

    Known by their names: whoever changes `WATCHED` or `_NOTED` also adds a migration that calls `remove`, or
    PostgreSQL keeps the old ones.
    """
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        missing = {key: body for key, body in _bodies(connection.vendor).items() if _name(*key) not in _there(using)}
        for (table, event), body in missing.items():
            name, when = _name(table, event), f"UPDATE OF {_columns(table)}" if event == "UPDATE" else event
            text = "; ".join(body)
            if connection.vendor == "postgresql":
                cursor.execute(
                    f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                    f"$$ BEGIN {text}; RETURN NULL; END $$"
                )
                cursor.execute(f"CREATE TRIGGER {name} AFTER {when} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")
            else:
                cursor.execute(f"CREATE TRIGGER {name} AFTER {when} ON {table} FOR EACH ROW BEGIN {text}; END")
        if missing:
            recount(using)
    return bool(missing)


def remove(using: str = "default") -> None:
    """Drop all triggers: SQLite makes a table anew to change it, and would trip over triggers that name it."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for table, event in _bodies(connection.vendor):
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            if _name(table, event) in _there(using):
                cursor.execute(f"DROP TRIGGER {_name(table, event)}{on}")


def _there(using: str) -> set[str]:
    catalogue = {
        "postgresql": "SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n "
        "ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND NOT tgisinternal",
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    }
    with connections[using].cursor() as cursor:
        cursor.execute(catalogue[connections[using].vendor])
        return {str(name) for (name,) in cursor.fetchall()}


# Counting anew ----------------------------------------------------------------------------------------------------


def counted(using: str = "default") -> dict[tuple[Any, ...], int]:
    """Every count from the rows themselves: (project, subject, owner, quarter, code) → n."""
    with connections[using].cursor() as cursor:
        cursor.execute(_count_statement(using))
        return {tuple(row[:5]): int(row[5]) for row in cursor.fetchall()}


def kept(using: str = "default") -> dict[tuple[Any, ...], int]:
    """Every count as it is kept, without those that came back to nothing."""
    rows = Tally.objects.using(using).order_by().values_list("project", "subject", "owner", "quarter", "code")
    return {tuple(row[:5]): row[5] for row in rows.annotate(total=Sum("n")) if row[5]}


def items_wrong(using: str = "default") -> int:
    """How many items' `voices` or `differs` are not what their decisions say."""
    return _value(comparing.WRONG, using)


def repeated_wrong(using: str = "default") -> int:
    """How many decisions and answers have columns that do not repeat what they should (`records.repeated`)."""
    return _value(repeated.WRONG, using)


def _value(query: str, using: str) -> int:
    with connections[using].cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


def recount(using: str = "default") -> None:
    """Throw all counts away and make them from the rows; nobody writes meanwhile."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"LOCK TABLE {', '.join(_TABLES)} IN SHARE MODE")
        newest = "(SELECT risk, route, unsupported_probability FROM records_inspection i WHERE i.answer_id = a.id "
        newest += "ORDER BY version DESC LIMIT 1)"
        cursor.execute(
            f"UPDATE records_answer AS a SET (risk, route, probability) = {newest} WHERE EXISTS (SELECT 1 FROM "
            "records_inspection i WHERE i.answer_id = a.id AND NOT EXISTS (SELECT 1 FROM records_inspection l WHERE "
            "l.answer_id = a.id AND l.version > i.version) AND (a.route IS NULL OR a.route <> i.route OR "
            "a.risk IS NULL OR a.risk <> i.risk OR a.probability IS NULL "
            "OR a.probability <> i.unsupported_probability))"
        )
        for statement in (*comparing.ANEW, *repeated.ANEW):
            cursor.execute(statement)
        cursor.execute("DELETE FROM records_tally")
        cursor.execute(f"INSERT INTO records_tally ({_COLUMNS}, n, folded) {_count_statement(using, ', TRUE')}")
        if connection.vendor == "postgresql":
            # Plans go by how rare a value is in these columns; before the first time, the planner knows of none.
            cursor.execute("ANALYZE review_item, review_decision, records_answer")


def _count_statement(using: str, more: str = "") -> str:
    vendor = connections[using].vendor
    selects = []
    for table, (_, parts) in WATCHED.items():
        for part in (part for part in parts if not part.derived):
            tables = f"{table} r, {part.tables}" if part.tables else f"{table} r"
            selects.append(f"SELECT {part.columns} FROM {tables} WHERE {part.where}")
    rows = " UNION ALL ".join(selects).replace("{quarter}", _QUARTERS[vendor])
    named = f"SELECT 0 AS project_id, '' AS subject, 0 AS owner, 0 AS quarter, '' AS code WHERE FALSE UNION ALL {rows}"
    return f"SELECT {_COLUMNS}, count(*){more} FROM ({named}) AS counts GROUP BY {_COLUMNS}"


# Folding and reading ----------------------------------------------------------------------------------------------


def fold(using: str = "default") -> int:
    """Join settled rows into one for each count; how many were joined. Safe to run in several processes at once."""
    with transaction.atomic(using=using):
        fresh = Tally.objects.using(using).select_for_update(skip_locked=True).filter(folded=False)[:FOLD]
        sums: dict[tuple[Any, ...], int] = {}
        keys = []
        for row in fresh:
            key = (row.project_id, row.subject, row.owner, row.quarter, row.code)
            sums[key] = sums.get(key, 0) + row.n
            keys.append(row.pk)
        there = set(Project.objects.using(using).filter(pk__in={key[0] for key in sums}).values_list("pk", flat=True))
        with connections[using].cursor() as cursor:
            # In one order, so that two who fold at once wait for each other instead of forming a ring.
            cursor.executemany(
                f"INSERT INTO records_tally ({_COLUMNS}, n, folded) VALUES (%s, %s, %s, %s, %s, %s, TRUE) "
                f"ON CONFLICT ({_COLUMNS}) WHERE folded DO UPDATE SET n = records_tally.n + excluded.n",
                [(*key, n) for key, n in sorted(sums.items()) if key[0] in there and n],
            )
        Tally.objects.using(using).filter(pk__in=keys).delete()
        Tally.objects.using(using).filter(project__in={key[0] for key in sums} - there).delete()
    return len(keys)


def settle(using: str = "default") -> None:
    """Fold until little is left: what a count costs to read grows with the rows that are not folded yet."""
    for _ in range(FOLDS):
        if fold(using) < FOLD:
            return


def totals(project: Project, subject: str) -> dict[str, int]:
    """Counts of one subject of a project by code, without those that are nothing."""
    rows = Tally.objects.filter(project=project, subject=subject).order_by()
    return {code: n for code, n in rows.values_list("code").annotate(total=Sum("n")) if n}


def totals_of_all(subject: str) -> dict[str, float]:
    """The same over all projects."""
    rows = Tally.objects.filter(subject=subject).order_by().values_list("code").annotate(total=Sum("n"))
    return {code: float(n) for code, n in rows if n}


def items_by_state(queues: Iterable[Any]) -> dict[int, dict[str, int]]:
    """How many items of each queue are in which state."""
    counts: dict[int, dict[str, int]] = {queue.pk: {} for queue in queues}
    projects = {queue.project_id for queue in queues}
    rows = Tally.objects.filter(project__in=projects, subject="item", owner__in=list(counts)).order_by()
    for owner, code, n in rows.values_list("owner", "code").annotate(total=Sum("n")):
        if n:
            counts[owner][code] = n
    return counts


def decided_by(person: Any, queues: Iterable[Any]) -> dict[int, int]:
    """How many decisions of a person stand in each queue, without skips and flags."""
    projects = {queue.project_id for queue in queues}
    rows = Tally.objects.filter(project__in=projects, subject="mine", owner=person.pk).order_by()
    return {int(code): n for code, n in rows.values_list("code").annotate(total=Sum("n"))}


def items_in(queue: Any) -> int:
    """How many items a queue has, whatever their state."""
    return sum(items_by_state([queue])[queue.pk].values())


# Around migrations ------------------------------------------------------------------------------------------------


def before_migrations(*, using: str, plan: Any = None, **_: Any) -> None:
    """Take the triggers off an SQLite database that is about to change."""
    if plan and connections[using].vendor == "sqlite":
        remove(using)


def after_migrations(*, using: str, **_: Any) -> None:
    """Put them (back) on, once everything they speak of is there."""
    if apps.is_installed("webapp.review") and ready(using):
        install(using)
