"""New lines of a file are stored together: the same rows, in fewer statements, whatever else the file holds."""

from __future__ import annotations

import json

import pytest

from tests.webapp.conftest import NOW, line_of, record_of
from webapp.intake import imports
from webapp.intake.models import ImportBatch
from webapp.records.models import Answer, AnswerSource, Observation, Question, Source
from webapp.review.models import Event


def passage(key, text, **more):
    return {"id": key, "text": text, **more}


def quoting(answer, *passages, **more):
    return record_of(answer, **more) | {"sources": list(passages)}


FILE = [
    record_of("One.", external_id="a", question="Which?", model="m1", latency_ms=3.5, label=1),
    quoting("Two.", passage("x", "First."), passage("y", "Second.", title="Y"), locale="de"),
    record_of("One.", external_id="b", question="Which?", model="m1"),  # the first again, under another name
    record_of("Three.", external_id="a"),  # a name that is taken
    record_of("Known.", external_id="k"),
    record_of("Known, but no longer so.", external_id="k"),
    "{broken",
    quoting("Four.", passage("x", "First.")),
    quoting("Four.", passage("x", "First, rewritten.")),
    record_of("   "),
    record_of("Five.", model="m" * 300),
    quoting("Six."),
    quoting("Six."),
    record_of("Séven 😀 שבע", question="  "),
]


def content(records):
    return "".join(f"{r if isinstance(r, str) else json.dumps(r)}\n" for r in records).encode()


def read(project, records):
    batch, _ = imports.start_import(
        project=project, chunks=[content(records)], filename="a.jsonl", format="jsonl", now=NOW
    )
    imports.run_import(batch_id=batch.pk)
    batch.refresh_from_db()
    return batch


def everything(project, batch):
    """All that a file left in the tables, without keys and clocks."""
    return {
        "counts": (batch.state, batch.imported, batch.repeated, batch.failed, batch.lines_done),
        "faults": list(batch.faults.order_by("line").values_list("line", "field", "reason")),
        "questions": sorted(Question.objects.filter(project=project).values_list("text", "text_hash")),
        "sources": sorted(Source.objects.filter(project=project).values_list("source_key", "text", "title", "url")),
        "answers": sorted(
            Answer.objects.filter(project=project).values_list(
                "text", "content_hash", "external_id", "model_name", "locale", "latency_ms", "given_label",
                "question__text", "state", "superseded_by",
            ),
            key=str,
        ),
        "links": sorted(
            AnswerSource.objects.filter(answer__project=project).values_list(
                "answer__content_hash", "position", "source__source_key", "source__text"
            )
        ),
        "seen": [
            (h, line, name, key.partition(":")[2])
            for h, line, name, key in Observation.objects.filter(project=project)
            .order_by("id")
            .values_list("answer__content_hash", "line", "external_id", "history_key")
        ],
        "events": [
            (kind, thing)
            for kind, thing in Event.objects.filter(project=project, kind__startswith="answer.")
            .order_by("id")
            .values_list("kind", "object_type")
        ],
    }  # fmt: skip


def one_by_one(monkeypatch):
    monkeypatch.setattr(imports.Known, "claim", lambda self, number, line: False)


@pytest.mark.parametrize("step", [1, 3, 50])
def test_stored_together_is_as_stored_one_by_one(project, other_project, monkeypatch, step):
    monkeypatch.setattr(imports, "STEP", step)
    found = []
    for shop, alone in ((project, False), (other_project, True)):
        with monkeypatch.context() as patch:
            if alone:
                one_by_one(patch)
            read(shop, [record_of("Known.", external_id="k")])
            found.append(everything(shop, read(shop, FILE)))
    assert found[0] == found[1]
    # Six new, three seen again, five that could not be used.
    assert found[0]["counts"] == (ImportBatch.State.DONE, 6, 3, 5, len(FILE))


def test_statements_do_not_grow_with_the_lines_of_a_step(project, django_assert_max_num_queries):
    lines = [record_of(f"Answer {n}.", question=f"Question {n}?", external_id=f"e{n}") for n in range(50)]
    batch, _ = imports.start_import(
        project=project, chunks=[content(lines)], filename="a.jsonl", format="jsonl", now=NOW
    )
    with django_assert_max_num_queries(40):
        imports.run_import(batch_id=batch.pk)
    assert Answer.objects.count() == 50


def test_what_somebody_else_stores_meanwhile_is_found_and_the_others_are_kept(project, receive, monkeypatch):
    """Between our look and our writing, a request brings one of the file's answers, and its source."""
    real = imports.receive_new

    def late(**arguments):
        receive(line_of("You have 3 days."))
        return real(**arguments)

    monkeypatch.setattr(imports, "receive_new", late)
    lines = [line_of(f"You have {n} days.") for n in range(6)]
    batch = read(project, [line.to_dict() for line in lines])
    assert (batch.imported, batch.repeated, batch.failed) == (5, 1, 0)
    assert Answer.objects.count() == 6
    assert Observation.objects.count() == 7


def test_one_line_the_database_refuses_costs_no_other(project, monkeypatch):
    from webapp.records import arrivals

    lines = [record_of(f"Answer {n}.") for n in range(4)]
    lines[2]["latency_ms"] = 1e308
    real = arrivals.line_fields

    def refuses(line, shop):
        if line.latency_ms:
            raise OverflowError("out of range")
        return real(line, shop)

    monkeypatch.setattr(arrivals, "line_fields", refuses)
    batch = read(project, lines)
    assert batch.imported == 4
