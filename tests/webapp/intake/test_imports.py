"""Files: read once, line by line, with every line accounted for."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.webapp.conftest import NOW, OUTSIDERS, RETURNS, record_of
from webapp.intake import imports
from webapp.intake.models import ImportBatch, ImportFault
from webapp.records.models import Answer, Observation
from webapp.review.models import Item, Queue


def jsonl(*records, broken=()):
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    return "".join(f"{line}\n" for line in lines).encode()


def many(count, start=0):
    return [record_of(f"You have {n} days to return it.") for n in range(start, start + count)]


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch):
    monkeypatch.setattr(imports, "STEP", 5)


@pytest.fixture
def start(project, queue, workers):
    """Uploads bytes and, unless told otherwise, lets the workers finish."""

    def upload(content, *, name="answers.jsonl", format="jsonl", run=True, **options):
        arguments = {"project": project, "chunks": [content], "filename": name, "format": format, "now": NOW, **options}
        if not run:
            return imports.start_import(**arguments)
        with workers():
            batch, fresh = imports.start_import(**arguments)
        batch.refresh_from_db()
        return batch, fresh

    return upload


def counts(batch):
    batch.refresh_from_db()
    return batch.imported, batch.repeated, batch.failed


def test_every_line_becomes_a_proofread_answer_in_the_queue(start):
    batch, _ = start(jsonl(*many(3)))
    assert batch.state == ImportBatch.State.DONE
    assert counts(batch) == (3, 0, 0)
    assert (batch.lines_done, batch.lines_total) == (3, 3)
    assert Item.objects.count() == 3


def test_ragas_names_are_read(start):
    sample = {"user_input": "How long?", "response": "You have 30 days.", "retrieved_contexts": [RETURNS]}
    batch, _ = start(jsonl(sample))
    assert counts(batch) == (1, 0, 0)
    assert Answer.objects.get().question.text == "How long?"


def test_a_broken_line_is_reported_with_its_number_and_the_rest_imported(start):
    records = many(5)
    batch, _ = start(jsonl(records[0], "{not json", records[1], {"question": "no answer", "sources": []}, records[2]))
    assert counts(batch) == (3, 0, 2)
    assert list(batch.faults.values_list("line", "field")) == [(2, ""), (4, "answer")]
    assert "JSON" in batch.faults.get(line=2).reason


def test_a_line_too_long_to_be_read_is_a_fault_and_not_an_answer(start):
    long = [record_of("word " * 20_001), record_of(sources=["word " * 5_001])]
    batch, _ = start(jsonl(*many(2), *long))
    assert counts(batch) == (2, 0, 2)
    assert list(batch.faults.values_list("line", "field")) == [(3, "answer"), (4, "sources")]
    assert "20000" in batch.faults.get(line=3).reason


@pytest.mark.parametrize("bad", ["a\\u0000b", "\\ud800"], ids=["NUL", "half a pair"])
def test_text_no_database_takes_is_a_fault(start, bad):
    batch, _ = start(f'{{"answer": "{bad}", "sources": []}}\n'.encode())
    assert counts(batch) == (0, 0, 1)


def test_the_same_file_again_adds_nothing(start):
    content = jsonl(*many(3))
    batch, _ = start(content)
    again, fresh = start(content, name="renamed.jsonl")
    assert not fresh
    assert again.pk == batch.pk
    assert Observation.objects.count() == 3
    assert counts(batch) == (3, 0, 0)


def test_known_answers_in_another_file_are_seen_again(start):
    start(jsonl(*many(2)))
    batch, _ = start(jsonl(*many(3)))
    assert counts(batch) == (1, 2, 0)
    assert Answer.objects.count() == 3
    assert Observation.objects.count() == 5


def test_an_external_id_that_names_another_answer_is_a_fault(start):
    batch, _ = start(jsonl(record_of("One.", external_id="e"), record_of("Two.", external_id="e")))
    assert counts(batch) == (1, 0, 1)
    assert batch.faults.get().field == "external_id"


def test_a_killed_import_goes_on_where_its_last_step_ended(start, monkeypatch, workers):
    batch, _ = start(jsonl(*many(12), "{broken", *many(3, start=200)), run=False)
    real, steps = imports._store_step, []

    def dies(batch, step):
        if len(steps) == 2:
            raise KeyboardInterrupt  # as good as kill -9: nothing after it runs
        steps.append(step[-1][0])
        return real(batch, step)

    with monkeypatch.context() as patch:
        patch.setattr(imports, "_store_step", dies)
        with pytest.raises(KeyboardInterrupt):
            imports.run_import(batch_id=batch.pk)
    batch.refresh_from_db()
    assert (batch.state, batch.lines_done, batch.imported) == (ImportBatch.State.RUNNING, 10, 10)

    from datetime import timedelta

    from django.utils import timezone

    from webapp.intake.services import requeue_stale

    with workers():
        assert requeue_stale(now=timezone.now() + timedelta(hours=1)) >= 1
    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.DONE
    assert counts(batch) == (15, 0, 1)
    assert Observation.objects.count() == Answer.objects.count() == 15
    assert ImportFault.objects.count() == 1


def test_delivered_twice_it_is_read_once(start):
    batch, _ = start(jsonl(*many(3)), run=False)
    imports.run_import(batch_id=batch.pk)
    imports.run_import(batch_id=str(batch.pk))
    assert counts(batch) == (3, 0, 0)


def test_a_cancelled_import_stops_and_can_go_on(start, lead, monkeypatch, workers):
    batch, _ = start(jsonl(*many(12)), run=False)
    real = imports._store_step

    def cancelled_meanwhile(running, step):
        done = real(running, step)
        imports.cancel_import(batch=batch, user=lead, now=NOW)
        return done

    with monkeypatch.context() as patch:
        patch.setattr(imports, "_store_step", cancelled_meanwhile)
        imports.run_import(batch_id=batch.pk)
    batch.refresh_from_db()
    assert (batch.state, batch.lines_done) == (ImportBatch.State.CANCELLED, 5)
    with workers():
        imports.resume_import(batch=batch, user=lead, now=NOW)
    assert counts(batch) == (12, 0, 0)
    assert batch.state == ImportBatch.State.DONE


def test_a_file_that_is_no_text_fails_with_a_reason(start):
    batch, _ = start(gzip.compress(jsonl(*many(2)))[:-8], name="cut.jsonl.gz")
    assert batch.state == ImportBatch.State.FAILED
    assert batch.error.startswith("cannot read cut.jsonl.gz after line")


def test_a_packed_file_is_unpacked_on_the_way(start):
    batch, _ = start(gzip.compress(jsonl(*many(2))), name="answers.jsonl.gz")
    assert counts(batch) == (2, 0, 0)
    assert batch.lines_total == 2


def test_a_table_is_read_by_the_separators_it_has(start):
    content = f"question,answer,sources\nHow long?,You have 30 days.,{RETURNS}\n".encode()
    batch, _ = start(content, name="answers.tsv", format="tsv")
    assert counts(batch) == (1, 0, 0)


TABLE = f"question,answer,sources\nHow long?,You have 30 days.,{RETURNS}\n".encode()


@pytest.mark.parametrize(
    ("content", "wrong", "right"),
    [
        (TABLE, ("answers.jsonl", "jsonl"), ("answers.csv", "csv")),
        (jsonl(*many(1)), ("answers.csv", "csv"), ("answers.jsonl", "jsonl")),
        (TABLE.replace(b",", b"\t"), ("answers.txt", "jsonl"), ("answers.tsv", "tsv")),
        (jsonl({"text": "no answer"}, *many(0)), ("answers.jsonl", "jsonl"), ("answers.jsonl", "jsonl")),
    ],
    ids=["table as lines", "lines as table", "tabs as lines", "in vain twice"],
)
def test_a_file_read_in_vain_can_be_read_again(start, content, wrong, right):
    batch, _ = start(content, name=wrong[0], format=wrong[1])
    assert batch.imported == 0
    again, fresh = start(content, name=right[0], format=right[1])
    assert (again.pk, fresh) == (batch.pk, False)
    expected = (0, 0, 1) if wrong == right else (1, 0, 0)
    assert counts(batch) == expected
    assert again.state == ImportBatch.State.DONE
    assert again.faults.count() == expected[2]


def test_a_file_that_brought_answers_in_is_not_read_again_as_something_else(start):
    batch, _ = start(jsonl(*many(2)))
    start(jsonl(*many(2)), name="answers.csv", format="csv")
    assert (counts(batch), batch.state) == ((2, 0, 0), ImportBatch.State.DONE)


def test_a_packed_file_is_known_by_its_bytes_and_not_by_its_name(start):
    batch, _ = start(gzip.compress(jsonl(*many(2))), name="answers.jsonl")
    assert counts(batch) == (2, 0, 0)
    plain, _ = start(jsonl(*many(3)), name="answers.jsonl.gz")
    assert counts(plain) == (1, 2, 0)


@pytest.mark.parametrize("field", ["latency_ms", "label", "score", "id", "external_id", "start"])
@pytest.mark.parametrize("number", [10**400, -(10**400), 1e400])
def test_a_number_too_large_to_keep_stops_no_import(start, field, number):
    strange = record_of(labels=[{"start": number, "end": 3}]) if field == "start" else record_of(**{field: number})
    batch, _ = start(jsonl(strange, record_of("You have 31 days.")))
    assert batch.state == ImportBatch.State.DONE
    assert batch.imported + batch.failed == 2
    assert batch.imported >= 1


def test_a_table_is_read_by_its_header(start):
    sources = json.dumps([{"id": "policy.md", "text": RETURNS}]).replace('"', '""')
    content = (
        "\ufeffquestion,answer,sources,external_id,label\n"
        f'How long?,"You have\n30 days.","{sources}",e-1,1\n'
        "How long?,You have 14 days.,Plain source text.,e-2,\n"
        "too,short\n"
        "How long?,x,y,e-3,maybe\n"
    ).encode()
    batch, _ = start(content, name="answers.csv", format="csv")
    assert counts(batch) == (2, 0, 2)
    assert list(batch.faults.values_list("line", "field")) == [(5, ""), (6, "label")]
    first = Answer.objects.get(external_id="e-1")
    assert first.text == "You have\n30 days."
    assert first.given_label == 1
    assert first.sources.get().source_key == "policy.md"


def test_blank_rows_of_a_table_are_counted_apart(start, lead, client_of):
    rows = "answer,sources\nYou have 9 days.,14 days\n,\n\n,\n,\nYou have 8 days.,14 days\n"
    batch, _ = start(rows.encode(), name="a.csv", format="csv")
    assert counts(batch) == (2, 0, 0)
    assert batch.blank == 4
    assert 'data-count="blank">4<' in client_of(lead).get(f"/imports/{batch.pk}/").text


def test_fields_that_nobody_reads_are_taken_and_told(start, lead, client_of, monkeypatch, api):
    records = many(12)
    for record in records[:7]:
        record["extrenal_id"] = "chat"
    records[0]["sources"][0]["titel"] = "Returns"
    records[1]["colour"] = "red"
    batch, _ = start(jsonl(*records, {"answer": "No sources.", "quetsion": "?"}))
    assert counts(batch) == (12, 0, 1)
    assert batch.unread == {"extrenal_id": 7, "sources[].titel": 1, "colour": 1}
    shown = client_of(lead).get(f"/imports/{batch.pk}/").text
    assert "These fields were not read." in shown
    assert "did you mean external_id?" in shown
    assert api.get(f"imports/{batch.pk}").json()["unread_fields"] == [
        {"name": "extrenal_id", "lines": 7, "meant": "external_id"},
        {"name": "colour", "lines": 1, "meant": None},
        {"name": "sources[].titel", "lines": 1, "meant": "sources[].title"},
    ]
    plain, _ = start(jsonl(*many(2, start=50)))
    assert plain.unread is None
    assert "were not read" not in client_of(lead).get(f"/imports/{plain.pk}/").text


def test_an_id_alone_names_a_line_and_its_answer_is_known_by_its_content(start):
    """`id` may repeat from file to file; what an answer should be found by is its `external_id`."""
    start(jsonl(record_of(id="1"), record_of("You have 9 days to return it.", id="2")))
    batch, _ = start(jsonl(record_of(id="7"), record_of("You have 8 days to return it.", id="1")))
    assert counts(batch) == (1, 1, 0)
    assert set(Answer.objects.values_list("external_id", flat=True)) == {""}


def test_answers_wait_in_the_queue_chosen_with_the_file(start, project):
    other = Queue.objects.create(project=project, name="Audit", audit_share=0.0)
    start(jsonl(*many(2)), queue=other)
    assert set(Item.objects.values_list("queue__name", flat=True)) == {"Audit"}


def test_a_file_whose_answers_are_in_is_not_kept(start, settings):
    """An answer that is erased must not live on in the upload it came with."""
    for _ in range(2):  # the same file again is known, and not kept either
        batch, _ = start(jsonl(*many(3, start=70)))
        assert not (Path(settings.DATA_DIR) / batch.file).exists()


def test_a_file_read_in_vain_or_stopped_is_kept_to_go_on(start, settings, lead):
    in_vain, _ = start(jsonl("{not json of this test"))
    stopped, _ = start(jsonl(*many(3, start=80)), run=False)
    imports.cancel_import(batch=stopped, user=lead, now=NOW)
    assert all((Path(settings.DATA_DIR) / batch.file).exists() for batch in (in_vain, stopped))


@pytest.mark.parametrize(("content", "format", "words"), [(b"", "jsonl", "empty"), (b"x", "docx", "unknown format")])
def test_a_file_that_cannot_be_taken_leaves_nothing_behind(start, settings, content, format, words):
    with pytest.raises(imports.Refused, match=words):
        start(content, format=format, run=False)
    assert not ImportBatch.objects.exists()
    assert not list(settings.UPLOADS_DIR.glob("*.part"))


def test_a_file_over_the_limit_is_refused(start, settings):
    settings.UPLOAD_LIMIT = 10
    with pytest.raises(imports.Refused, match="larger than"):
        start(b"x" * 11, run=False)


def test_the_uploader_does_not_choose_where_the_file_lies(start, settings):
    batch, _ = start(jsonl(*many(1)), name="../../etc/passwd.jsonl")
    assert batch.filename == "passwd.jsonl"
    assert (settings.DATA_DIR / batch.file).resolve().parent == settings.UPLOADS_DIR.resolve()


# Pages ---------------------------------------------------------------------------------------------------------


def test_a_reviewer_uploads_and_watches(project, queue, reviewer, client_of, workers):
    page = client_of(reviewer)
    with workers():
        posted = page.post("/imports/", {"file": SimpleUploadedFile("a.jsonl", jsonl(*many(3), "{broken"))})
    assert posted.status_code == 302
    shown = page.get(posted.url)
    assert "3 / 3" in shown.text
    assert "not valid JSON" in shown.text
    assert page.get(posted.url + "faults/").getvalue().decode().count("\n") == 1
    assert "hx-trigger" not in shown.text  # nothing is left to wait for


def test_the_progress_partial_asks_again_while_there_is_work(start, reviewer, client_of):
    batch, _ = start(jsonl(*many(3)), run=False)
    partial = client_of(reviewer).get(f"/imports/{batch.pk}/", headers={"HX-Request": "true"})
    assert 'hx-trigger="every 1s"' in partial.text
    assert "<html" not in partial.text


def test_a_file_nobody_can_read_gets_a_form_that_says_so(project, queue, reviewer, client_of):
    page = client_of(reviewer)
    assert page.post("/imports/", {}).status_code == 422
    strange = page.post("/imports/", {"file": SimpleUploadedFile("notes.docx", b"PK")})
    assert strange.status_code == 422
    assert "choose the format" in strange.text
    empty = page.post("/imports/", {"file": SimpleUploadedFile("a.jsonl", b"")})
    assert empty.status_code == 422
    assert "the file is empty" in empty.text


def test_only_the_uploader_and_leads_stop_an_import(start, reviewer, lead, client_of):
    batch, _ = start(jsonl(*many(3)), run=False, user=lead)
    assert client_of(reviewer).post(f"/imports/{batch.pk}/cancel/").status_code == 403
    assert client_of(lead).post(f"/imports/{batch.pk}/cancel/").status_code == 302
    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.CANCELLED


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_imports_are_closed_to(outsider, outsiders, start, client_of, project):
    batch, _ = start(jsonl(*many(1)), run=False)
    page = client_of(outsiders[outsider])
    for path in ("", "faults/"):
        assert page.get(f"/imports/{batch.pk}/{path}").status_code in {302, 404}
    for path in ("cancel/", "resume/"):
        assert page.post(f"/imports/{batch.pk}/{path}").status_code in {302, 404}
    upload = {"file": SimpleUploadedFile("a.jsonl", b"{}"), "project": project.slug}
    assert page.post("/imports/", upload).status_code in {302, 404}
    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.RECEIVED
    assert ImportBatch.objects.count() == 1


def test_a_file_is_not_called_done_while_its_answers_wait(start, reviewer, client_of):
    batch, _ = start(jsonl(*many(3)))
    Answer.objects.update(state=Answer.State.RECEIVED)
    page = client_of(reviewer).get(f"/imports/{batch.pk}/").text
    assert "0 of 3 proofread" in page
    assert ">done<" not in page
    assert "0 / 3" in client_of(reviewer).get("/imports/").text


def test_a_file_uploaded_again_is_said_to_be_known(start, project, queue, reviewer, client_of):
    content = jsonl(*many(2))
    batch, _ = start(content)
    form = {"file": SimpleUploadedFile("again.jsonl", content), "project": "shop", "format": "", "queue": queue.pk}
    page = client_of(reviewer).post("/imports/", form, follow=True)
    assert page.redirect_chain[-1][0] == f"/imports/{batch.pk}/?again=1"
    assert "uploaded before" in page.text


# Other formats -------------------------------------------------------------------------------------------------


def test_columns_are_named_when_the_header_does_not_say(start, project):
    content = f"Kunde,Bot,Beleg\nWie lange?,30 Tage.,{RETURNS}\n".encode()
    mapping = {"question": "Kunde", "answer": "Bot", "sources": "Beleg"}
    batch, _ = start(content, name="a.csv", format="csv", mapping=mapping)
    assert counts(batch) == (1, 0, 0)
    assert Answer.objects.get().question.text == "Wie lange?"


def test_a_table_read_in_vain_is_read_again_with_named_columns(start):
    content = f"Bot,Beleg\n30 Tage.,{RETURNS}\n".encode()
    batch, _ = start(content, name="a.csv", format="csv")
    assert batch.state == ImportBatch.State.FAILED
    start(content, name="a.csv", format="csv", mapping={"answer": "Bot", "sources": "Beleg"})
    assert counts(batch) == (1, 0, 0)


@pytest.mark.parametrize(
    ("format", "mapping"),
    [("jsonl", {"answer": "Bot"}), ("csv", {"colour": "Bot"}), ("csv", {"answer": "a\x00b"}), ("csv", {"answer": 3})],
)
def test_a_mapping_that_means_nothing_is_refused(start, format, mapping):
    with pytest.raises(imports.Refused):
        start(b"Bot,Beleg\n", format=format, mapping=mapping, run=False)
    assert not ImportBatch.objects.exists()


def test_a_file_that_holds_one_list_is_read(start):
    batch, _ = start(json.dumps(many(7)).encode(), name="answers.json")
    assert counts(batch) == (7, 0, 0)
    assert batch.lines_total is not None


def test_a_killed_import_goes_on_at_its_byte_and_not_from_the_start(start, monkeypatch, workers):
    batch, _ = start(jsonl(*many(12)), run=False)
    real, steps = imports._store_step, []

    def dies(batch, step):
        if len(steps) == 2:
            raise KeyboardInterrupt
        steps.append(step)
        return real(batch, step)

    with monkeypatch.context() as patch:
        patch.setattr(imports, "_store_step", dies)
        with pytest.raises(KeyboardInterrupt):
            imports.run_import(batch_id=batch.pk)
    batch.refresh_from_db()
    content = jsonl(*many(12))
    assert content[: batch.bytes_done].count(b"\n") == batch.lines_done == 10
    ImportBatch.objects.update(state=ImportBatch.State.RECEIVED)
    places = []
    real_read = imports.read_lines
    monkeypatch.setattr(imports, "read_lines", lambda *a: places.append(a[3]) or real_read(*a))
    imports.run_import(batch_id=batch.pk)
    assert places == [(10, batch.bytes_done)]
    assert counts(batch) == (12, 0, 0)


def test_an_export_of_another_tool_brings_its_labels(start):
    answer = "😀 You have 30 days."
    task = {
        "data": {"question": "How long?", "answer": answer, "context": RETURNS},
        "annotations": [{"result": [{"type": "labels", "from_name": "l", "to_name": "answer",
                                     "value": {"start": 12, "end": 19, "text": "30 days", "labels": ["Wrong"]}}]}],
    }  # fmt: skip
    batch, _ = start(json.dumps([task]).encode(), name="tasks.json", format="label-studio")
    assert counts(batch) == (1, 0, 0)
    stored = Answer.objects.get()
    assert stored.given_label == 1
    (label,) = stored.given_labels
    assert answer[label["start"] : label["end"]] == label["text"] == "30 days"
