"""Files of documents: read in steps, resumed, repeated, and what is wrong with a line said with its number."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.webapp.corpus.conftest import RETURNS, jsonl, newest
from webapp.corpus import uploads
from webapp.corpus.models import Document, IndexBuild, Upload
from webapp.intake.imports import Refused


def figures(upload):
    return upload.state, upload.added, upload.replaced, upload.unchanged, upload.failed


def test_lines_that_cannot_be_used_are_named_and_the_rest_comes_in(upload):
    done = upload(
        jsonl({"id": "a", "text": "Good.", "title": "A", "url": "https://x.example/a"}, {"text": "No id."}, {"id": "b"})
        + "nonsense\n"
        + jsonl({"id": "a", "text": "Twice."}, {"id": 7, "text": "A number is a name."}, {"id": "c", "text": "x\0y"})
        + jsonl({"id": "d", "text": ["list"]}, {"id": "e\u0007", "text": "x"}, {"id": "f" * 301, "text": "x"})
        + '{"id": "g", "text": "half \\ud800"}\n'
    )
    assert figures(done) == ("done", 2, 0, 0, 9)
    reasons = {fault.line: f"{fault.field}: {fault.reason}" for fault in done.faults.all()}
    assert reasons[2].startswith("id: missing")
    assert reasons[3].startswith("text: is empty")
    assert reasons[4].startswith(": not valid JSON")
    assert reasons[5] == "id: 'a' stands in line 1 already; only that one was taken"
    assert reasons[7] == "text: holds a NUL character at offset 1"
    assert reasons[8] == "text: must be text, not a list"
    assert reasons[9] == "id: holds signs that cannot be shown"
    assert reasons[10] == "id: longer than 300 characters"
    assert "surrogate" in reasons[11]
    assert set(Document.objects.values_list("key", "title")) == {("a", "A"), ("7", "")}


def test_fields_that_nobody_reads_are_taken_and_told(upload, lead, client_of):
    done = upload(jsonl({"id": "a", "text": "One.", "tilte": "A"}, {"id": "b", "text": "Two.", "tilte": "B", "tag": 1}))
    assert figures(done) == ("done", 2, 0, 0, 0)
    assert done.unread == {"tilte": 2, "tag": 1}
    page = client_of(lead).get(f"/projects/shop/corpus/uploads/{done.pk}/").text
    assert "did you mean title?" in page
    again = upload(jsonl({"id": "a", "text": "One.", "title": "A"}))
    assert again.unread is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", 'Id;Text;Title\na;One text.;A\n;;\nb;"Two\nlines.";B\n'),
        ("x.tsv", "title\tid\tcontent\nA\ta\tOne text.\nB\tb\tTwo lines.\n"),
        ("x.ndjson", "\ufeff" + jsonl({"key": "a", "body": "One text.", "name": "A"}, {"id": "b", "text": "Two."})),
    ],
)
def test_tables_and_other_names_are_read(upload, name, content):
    assert figures(upload(content, name)) == ("done", 2, 0, 0, 0)
    assert Document.objects.get(key="a").text == "One text."


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.csv", b"name,words\na,b\n", "no column is called id or key"),
        ("x.csv", b'id,text\na,"never closed', "not a readable table row"),
        (
            "x.csv",
            "id,text\na,Straße\n".encode("cp1252"),
            "the file is not UTF-8 (near line 2; it reads as ISO 8859-1)",
        ),
        ("x.md", "One\nStraße\n".encode("latin-1"), "the file is not UTF-8 (near line 2;"),
        ("x.txt", b"  \n \n", "text: is empty"),
        ("x.txt", b"long " * 500_000, "longer than 2,000,000 characters"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_in_its_own_name(upload, name, content, said):
    failed = upload(content, name)
    assert failed.state == "failed"
    assert said in failed.error
    assert "documents-" not in failed.error
    assert not failed.error.startswith("line 1")
    assert not uploads.resume_upload(upload=failed, user=None, now=timezone.now())
    assert (failed.file, failed.may_go_on) == ("", False)
    assert upload(content, name).error == failed.error
    assert not IndexBuild.objects.exists()


def test_the_same_file_again_changes_nothing_and_makes_no_index(project, upload):
    content = jsonl({"id": "a", "text": "One."}, {"id": "b", "text": "Two."})
    first = upload(content)
    again = upload(content)
    assert again == first
    assert figures(again) == ("done", 0, 0, 2, 0)
    assert IndexBuild.objects.count() == 1


def test_an_older_file_can_be_uploaded_again_and_takes_its_place_back(upload):
    old = jsonl({"id": "a", "text": "Old."})
    upload(old)
    assert figures(upload(jsonl({"id": "a", "text": "New, longer."}))) == ("done", 0, 1, 0, 0)
    assert figures(upload(old)) == ("done", 0, 1, 0, 0)
    assert Document.objects.get().text == "Old."


def test_the_file_goes_when_it_has_been_read(upload, settings):
    done = upload("Text.", "x.txt")
    assert done.state == "done"
    assert not (Path(settings.DATA_DIR) / done.file).exists()


def test_a_killed_upload_goes_on_where_its_last_step_ended(upload, workers, monkeypatch):
    monkeypatch.setattr(uploads, "STEP", 2)
    content = jsonl(*({"id": f"d{n}", "text": f"Text {n}."} for n in range(7)), {"id": "x"})
    kept = upload(content, work=False)
    store = uploads._store_step
    calls = []

    def killed(*args):
        calls.append(args)
        if len(calls) == 3:
            raise SystemExit
        return store(*args)

    monkeypatch.setattr(uploads, "_store_step", killed)
    with pytest.raises(SystemExit):
        uploads.run_upload(upload_id=kept.pk)
    kept.refresh_from_db()
    assert (kept.state, kept.lines_done, kept.added) == ("running", 4, 4)
    uploads.run_upload(upload_id=kept.pk)  # told twice: nothing, since it counts as running
    assert Document.objects.count() == 4
    monkeypatch.setattr(uploads, "_store_step", store)
    with workers():
        assert uploads.sweep(now=timezone.now() + timedelta(hours=1)) == 1
    kept.refresh_from_db()
    assert figures(kept) == ("done", 7, 0, 0, 1)


def test_a_cancelled_upload_stops_and_can_go_on(project, upload, workers):
    kept = upload(jsonl({"id": "a", "text": "One."}), work=False)
    assert uploads.cancel_upload(upload=kept, user=None, now=timezone.now())
    uploads.run_upload(upload_id=kept.pk)
    assert not Document.objects.exists()
    assert not uploads.cancel_upload(upload=kept, user=None, now=timezone.now())
    with workers():
        assert uploads.resume_upload(upload=kept, user=None, now=timezone.now())
    assert Document.objects.count() == 1
    assert newest(project).documents == 1


def test_one_document_too_many_ends_the_upload_and_room_lets_it_go_on(upload, settings, workers, monkeypatch):
    monkeypatch.setattr(uploads, "STEP", 1)
    settings.CORPUS_LIMIT = 10
    stopped = upload(jsonl({"id": "a", "text": "12345."}, {"id": "b", "text": "12345."}))
    assert figures(stopped) == ("failed", 1, 0, 0, 0)
    assert "2 too many" in stopped.error
    assert stopped.may_go_on
    settings.CORPUS_LIMIT = 100
    with workers():
        uploads.resume_upload(upload=stopped, user=None, now=timezone.now())
    stopped.refresh_from_db()
    assert figures(stopped) == ("done", 2, 0, 0, 0)


def test_names_lose_their_folders_and_what_cannot_be_shown(upload):
    done = upload("Text.", "..\\..\\etc/pass\u202ewd\n.txt")
    assert (done.filename, done.state) == ("pass_wd_.txt", "done")
    assert Document.objects.get().key == "pass_wd_.txt"


def test_one_that_is_too_large_or_of_no_known_kind_is_refused(upload, settings):
    with pytest.raises(Refused, match="choose the format"):
        upload("x", "README")
    with pytest.raises(Refused, match="unknown format"):
        upload("x", "x.txt", format="pdf")
    settings.UPLOAD_LIMIT = 10
    with pytest.raises(Refused, match="larger than"):
        upload("x" * 11, "x.txt")
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.pdf", "PDF is not read; save its text as .txt or .md"),
        ("B.XLSX", "Excel is not read; save it as CSV"),
        ("c.zip", "zip is not read; unpack it first"),
        ("d.json", "JSON is not read; write one object a line"),
    ],
)
def test_kinds_that_are_not_read_are_named_with_what_to_do(upload, name, said):
    with pytest.raises(Refused, match=said):
        upload("x", name)


def test_files_are_loaded_from_the_command_line(project, tmp_path, capsys):
    (tmp_path / "returns.md").write_text(RETURNS)
    (tmp_path / "more.jsonl").write_text(jsonl({"id": "a", "text": "One."}, {"id": "b"}))
    call_command("load_documents", project.slug, tmp_path / "returns.md", tmp_path / "more.jsonl")
    said = capsys.readouterr()
    assert "returns.md: 1 new, 0 replaced, 0 as before, 0 left out" in said.out
    assert f"index {newest(project).version[:12]}: 2 passages." in said.out
    assert "more.jsonl, line 2: is empty" in said.err
    for wrong, words in ((["nowhere", "x.md"], "There is no project"), ([project.slug, "/no/x.md"], "cannot read")):
        with pytest.raises(CommandError, match=words):
            call_command("load_documents", *wrong)
