"""A large site's rows, made inside PostgreSQL: a few hundred answers go through the real intake, the rest copy them.

The copies differ in key, hash, external id, time, place in the queue and decision, and each has ten marks. Ten answers
share a question and its sources, as where one question is asked again. Foreign keys are not checked row by row while
copying (that would take most of the time); `broken_links` checks all of them afterwards.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inputs import case_inputs

#: Answers that go through intake and engine, and how many answers share one question.
TEMPLATES, SHARED = 100, 10
#: Marks of each copy; every fifth copy is decided, with verdicts on its first marks.
MARKS, DECIDED_EVERY, VERDICTS = 10, 5, 3
REVIEWERS = 50
#: Copies made in one statement.
CHUNK = 20_000
DAYS = 180
#: Where copied rows' integer keys begin, above everything that was made one by one.
BASE = 10_000_000


def template_lines(path: Path | None, most: int = TEMPLATES) -> list[dict[str, Any]]:
    """`answers/1` objects, `most` of them: the first of the file with sources short enough to copy, or the case files.

    Files hold answers about one source beside each other, so a few are taken from far apart.
    """
    if path is None:
        cases = [case for case in case_inputs() if case.answer.strip() and case.sources]
        return [
            {
                "question": c.question,
                "answer": c.answer,
                "sources": [[f"d{i}-s{j}", s] for j, s in enumerate(c.sources)],
            }
            for i, c in enumerate(cases[:most])
        ]
    lines: list[dict[str, Any]] = []
    stride = 7 if most <= 1000 else 1
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as stream:
        for number, row in enumerate(stream):
            line = json.loads(row)
            if number % stride == 0 and len(json.dumps(line["sources"])) < 6000:
                lines.append(
                    {"question": line.get("question", ""), "answer": line["answer"], "sources": line["sources"]}
                )
            if len(lines) == most:
                break
    return lines


def prepare(lines: list[dict[str, Any]]) -> Any:
    """A project with people, a queue and the templates, each received, proofread and queued as usual."""
    from django.utils import timezone

    from proofing.exchange.answers import answer_of_record
    from webapp.accounts.models import Membership, User
    from webapp.intake import services as intake
    from webapp.records.models import Project
    from webapp.records.services import receive_answer
    from webapp.review.models import Queue

    project = Project.objects.create(name="Load", slug="load", tier="fast")
    Queue.objects.create(project=project, name="Everything")
    for name, role in [("lead", "lead"), *((f"reviewer{n:02}", "reviewer") for n in range(REVIEWERS))]:
        Membership.objects.create(project=project, user=User.objects.create_user(name), role=role)
    for line in lines:
        received = receive_answer(project=project, line=answer_of_record(line), now=timezone.now())
        if received.fresh:
            intake.proofread_answer(answer_id=received.answer.pk)
    _number_templates()
    return project


def _number_templates() -> None:
    """Number templates, their sources and reviewers, so that a copy's row can be computed from its number."""
    _run(
        "CREATE UNLOGGED TABLE load_template AS SELECT row_number() OVER (ORDER BY i.id) - 1 AS t, a.id AS answer_id, "
        "i.id AS inspection_id, a.question_id FROM records_answer a JOIN records_inspection i ON i.answer_id = a.id"
    )
    _run("CREATE UNLOGGED TABLE load_source AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM records_source")
    _run(
        "CREATE UNLOGGED TABLE load_reviewer AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id "
        "FROM accounts_user WHERE username LIKE 'reviewer%'"
    )


def fill(first: int, last: int) -> float:
    """Make copies number `first` up to `last`; seconds it took."""
    from webapp.records import tallies

    begun = time.perf_counter()
    words = _taken_away("answers_by_words", "questions_by_words")  # built in one go afterwards, as for any bulk load
    for start in range(first, last, CHUNK):
        _fill_chunk(start, min(start + CHUNK, last))
    for table in ("question", "source", "inspection"):
        _run(f"SELECT setval(pg_get_serial_sequence('records_{table}', 'id'), (SELECT max(id) FROM records_{table}))")
    for statement in words:
        _run(statement)
    tallies.recount()  # copying leaves triggers out, too
    _run("VACUUM ANALYZE")
    return time.perf_counter() - begun


def _taken_away(*names: str) -> list[str]:
    """Drop some indexes; the statements that make them again."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = ANY(%s)", [list(names)])
        found = [row[0] for row in cursor.fetchall()]
    for name in names:
        _run(f"DROP INDEX IF EXISTS {name}")
    return found


def _fill_chunk(start: int, end: int) -> None:
    from django.db import transaction

    count = _value("SELECT count(*) FROM load_template")
    sources = _value("SELECT count(*) FROM load_source")
    group = count * SHARED  # copies k and k + count of one group share question and sources
    shared = f"{BASE} + (k / {group}) * {sources}"
    numbers = (
        f"(SELECT k, (k % {count}) AS t FROM generate_series({start}, {end - 1}) k) c JOIN load_template m USING (t)"
    )
    groups = f"generate_series({-(-start // group)}, {(end - 1) // group}) g"
    of_question = "JOIN records_question o ON o.id = m.question_id"
    of_source = "JOIN load_source s ON s.id = o.source_id"
    at = f"now() - interval '1 second' * (k::bigint * 7919 % {DAYS * 86400} + 3600)"
    decided = f"k % {DECIDED_EVERY} = 0"
    with transaction.atomic():
        _run("SET LOCAL session_replication_role = replica")  # keys are checked afterwards, all at once
        _run("SET LOCAL synchronous_commit = off")
        if -(-start // group) <= (end - 1) // group:
            _copy("records.Source", f"load_source m CROSS JOIN {groups} JOIN records_source o ON o.id = m.id", {
                "id": f"{BASE} + g * {sources} + m.n", "source_key": "o.source_key || '#' || g",
            })  # fmt: skip
            _copy("records.Question", f"load_template m CROSS JOIN {groups} {of_question}", {
                "id": f"{BASE} + g * {count} + m.t", "text": "'(' || g || ') ' || o.text",
                "text_hash": "encode(sha256(convert_to(g || '-' || m.t, 'UTF8')), 'hex')",
            })  # fmt: skip
        _copy("records.Answer", f"{numbers} JOIN records_answer o ON o.id = m.answer_id", {
            "id": "md5('answer' || k)::uuid", "question_id": f"{BASE} + (k / {group}) * {count} + m.t",
            "text": "o.text || ' (' || k || ')'",
            "content_hash": "encode(sha256(convert_to('answer' || k, 'UTF8')), 'hex')",
            "external_id": "'load-' || k", "model_name": "'model-' || k % 7", "received_at": at,
            "state": f"CASE WHEN {decided} THEN 'decided' ELSE 'proofread' END",
            "probability": "(o.probability + k % 97 / 1000.0) / 1.1",
        })  # fmt: skip
        _copy("records.AnswerSource",
              f"{numbers} JOIN records_answersource o ON o.answer_id = m.answer_id {of_source}",
              {"answer_id": "md5('answer' || k)::uuid", "source_id": f"{shared} + s.n"})  # fmt: skip
        _copy("records.Observation", f"{numbers} JOIN records_observation o ON o.answer_id = m.answer_id", {
            "answer_id": "md5('answer' || k)::uuid", "external_id": "'load-' || k", "seen_at": at,
            "history_key": f"o.project_id || ':' || md5(((k / {group}) * {count} + m.t)::text)",
            "drift_compared": "4 * (k % 2)", "drift_distance": "0.1", "drifted": "k % 50 = 1",
        })  # fmt: skip
        _copy("records.Inspection", f"{numbers} JOIN records_inspection o ON o.id = m.inspection_id", {
            "id": f"{BASE} + k", "answer_id": "md5('answer' || k)::uuid", "created_at": at,
            "unsupported_probability": "(o.unsupported_probability + k % 97 / 1000.0) / 1.1",
        })  # fmt: skip
        _run(
            f"INSERT INTO records_mark (inspection_id, index, start, {_MARK}) SELECT {BASE} + k, i, 2 * i, 2 * i + 1, "
            f"'word', 'word', o.support, o.probability, o.reason, o.receipt FROM {numbers} "
            f"CROSS JOIN generate_series(0, {MARKS - 1}) i CROSS JOIN (SELECT * FROM records_mark LIMIT 1) o"
        )
        _copy("records.Healing", f"{numbers} JOIN records_healing o ON o.inspection_id = m.inspection_id",
              {"inspection_id": f"{BASE} + k"})  # fmt: skip
        _copy("review.Item", f"{numbers} JOIN review_item o ON o.inspection_id = m.inspection_id", {
            "id": "md5('item' || k)::uuid", "answer_id": "md5('answer' || k)::uuid", "inspection_id": f"{BASE} + k",
            "priority": "(o.priority + k % 97 / 1000.0) / 1.1", "audit": "k % 20 = 7", "created_at": at,
            "state": f"CASE WHEN {decided} THEN 'decided' ELSE 'waiting' END",
        })  # fmt: skip
        _decide(numbers, at, decided)


_MARK = '"end", text, kind, support, probability, reason, receipt'


def _decide(numbers: str, at: str, decided: str) -> None:
    """Claims, decisions, verdicts and the events of all copies."""
    who = f"JOIN load_reviewer r ON r.n = k / {DECIDED_EVERY} % {REVIEWERS}"
    later = f"{at} + interval '30 minutes'"
    _run(
        "INSERT INTO review_claim (id, item_id, reviewer_id, issued_at, until, released_at, how) SELECT "
        f"md5('claim' || k)::uuid, md5('item' || k)::uuid, r.id, {later}, {later}, {later}, 'decided' "
        f"FROM {numbers} {who} WHERE {decided}"
    )
    _run(
        "INSERT INTO review_decision (id, item_id, inspection_id, reviewer_id, kind, final_text, switched_off, "
        "added_marks, wording_only, reason, request_key, seconds, marks_hidden_first, guideline_version, "
        "nothing_else_unsupported, decided_at) SELECT "
        f"md5('decision' || k)::uuid, md5('item' || k)::uuid, {BASE} + k, r.id, "
        "(ARRAY['keep', 'accept_healed', 'reject', 'accept_edited'])[1 + k / 5 % 4], 'text', '[]', '[]', false, '', "
        f"'load-' || k, 5 + k % 60, false, 1, false, {later} FROM {numbers} {who} WHERE {decided}"
    )
    _run(
        f"INSERT INTO review_verdict (decision_id, mark_id, verdict, source) SELECT md5('decision' || k)::uuid, n.id, "
        f"'unsupported', 'implied' FROM {numbers} JOIN records_mark n ON n.inspection_id = {BASE} + k "
        f"AND n.index < {VERDICTS} WHERE {decided}"
    )
    for kind, of, where in (("answer.received", "answer", "true"), ("answer.proofread", "answer", "true"),
                            ("item.queued", "item", "true"), ("answer.decided", "decision", decided)):  # fmt: skip
        _run(
            "INSERT INTO review_event (project_id, kind, object_type, object_id, at, data) SELECT "
            f"(SELECT id FROM records_project), '{kind}', '{of}', md5('{of}' || k)::uuid::text, {at}, "
            f"jsonb_build_object('item', md5('item' || k)::uuid) FROM {numbers} WHERE {where}"
        )


def _copy(label: str, rows: str, changed: Mapping[str, str]) -> None:
    """Insert copies of a model's row `o`, with some columns computed. A serial key that is not named counts on."""
    from django.apps import apps

    model = apps.get_model(label)
    columns = [f.column for f in model._meta.concrete_fields if f.column in changed or not f.primary_key]
    quoted = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(changed.get(column, f'o."{column}"') for column in columns)
    _run(f'INSERT INTO "{model._meta.db_table}" ({quoted}) SELECT {values} FROM {rows}')


def broken_links() -> int:
    """Rows of every copied table whose foreign key points at nothing."""
    from django.apps import apps

    broken = 0
    for room in ("records", "review"):
        for model in apps.get_app_config(room).get_models(include_auto_created=True):
            for field in model._meta.concrete_fields:
                if field.remote_field is not None:
                    other = field.remote_field.model._meta
                    broken += _value(
                        f'SELECT count(*) FROM "{model._meta.db_table}" a WHERE a."{field.column}" IS NOT NULL AND NOT '
                        f'EXISTS (SELECT 1 FROM "{other.db_table}" b WHERE b."{other.pk.column}" = a."{field.column}")'
                    )
    return broken


def row_counts() -> dict[str, int]:
    """Exact rows of the tables that grow."""
    tables = ("records_answer", "records_source", "records_mark", "review_item", "review_decision", "review_event")
    return {table: _value(f"SELECT count(*) FROM {table}") for table in tables}


def _run(query: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)


def _value(query: str) -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])
