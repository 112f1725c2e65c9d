from __future__ import annotations

import hashlib
import json
import resource
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from proofing.exchange.jsonl import BEGINNING, LineFault
from proofing.exchange.reviews import scan_labelled
from tests.webapp.conftest import NOW, OUTSIDERS, person
from webapp.calibration import exports, services
from webapp.calibration.downloads import path_of
from webapp.calibration.models import Export
from webapp.review.models import Event


@pytest.fixture
def export(project, workers):
    def run(**options):
        with workers():
            asked = services.request_export(project=project, now=NOW, **options)
        asked.refresh_from_db()
        return asked

    return run


@pytest.fixture
def decided(item_of, decide):
    decide(item_of(), "accept_healed")
    decide(item_of("You have 14 days to return it."), "keep")


def test_an_export_reads_back_as_the_labels_it_was_made_from(decided, export):
    done = export()
    assert done.state == Export.State.DONE
    read = list(scan_labelled(path_of(done)))
    assert not any(isinstance(item, LineFault) for item in read)
    assert [item.line.label for item in read] == [1, 0]
    assert read[0].line.answer == "You have 30 days to return it."
    assert 0 <= read[0].line.score <= 1


def test_the_manifest_says_what_the_file_is(decided, export):
    done = export()
    content = path_of(done).read_bytes()
    assert done.sha256 == hashlib.sha256(content).hexdigest()
    assert done.manifest["files"]["reviews.jsonl"] == {"sha256": done.sha256, "rows": 2}
    assert done.manifest["counts"]["label_1"] == 1
    assert done.manifest["reviewer_names_are_pseudonyms"] is True
    assert done.manifest["offset_unit"] == "codepoint"
    assert done.manifest["guideline_versions"] == ["1"]
    assert done.rows == 2


def test_a_frozen_set_exports_byte_for_byte_with_its_hash(decided, export, project, item_of, decide):
    frozen = services.freeze_set(project=project, name="March", now=NOW)
    decide(item_of("You have 99 days to return it."), "keep")
    assert export(labelled_set=frozen).sha256 == frozen.sha256
    assert export().rows == 3


@pytest.mark.parametrize("format", sorted(services.FORMATS))
def test_every_format_is_made_with_its_manifest_and_reads_back(decided, export, format):
    done = export(format=format)
    assert (done.state, done.error) == (Export.State.DONE, "")
    path = path_of(done)
    assert done.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert done.manifest["lines"] == format
    assert done.manifest["counts"]["rows"] == done.rows == 2
    form = services.FORMATS[format]
    if form.scan is not None:
        back = [item for _, item, _ in form.scan(path, None, BEGINNING)]
        assert {line.answer for line in back} == {"You have 30 days to return it.", "You have 14 days to return it."}


def test_rows_a_format_cannot_hold_are_left_out_and_counted(decided, item_of, decide, export):
    decide(item_of("You have 77 days, or so they say."), "reject")  # nobody says which words
    done = export(format="ragtruth")
    assert (done.rows, done.manifest["counts"]["left_out"], done.manifest["counts"]["decisions"]) == (2, 1, 3)
    assert done.manifest["left_out"] == {"nobody said which words are unsupported": 1}


@pytest.mark.parametrize("format", ["ragtruth", "lettucedetect"])
def test_the_page_says_how_many_answers_a_format_could_not_hold_and_why(
    format, decided, item_of, decide, export, lead, client_of
):
    page = client_of(lead)
    assert "left out" not in page.get(f"/exports/{export(format=format).pk}/").text
    decide(item_of("You have 77 days, or so they say."), "reject")
    shown = page.get(f"/exports/{export(format=format).pk}/").text
    assert "1 answer is left out, because this format cannot hold it; 2 are in the file." in shown
    assert "nobody said which words are unsupported (1)" in shown
    assert "1 left out" in page.get("/exports/?project=shop").text


def test_several_decisions_on_an_answer_are_one_row(decided, queue, item_of, decide, export, project):
    queue.slots = 2
    queue.save()
    item = item_of("You have 15 days to return it.")
    for name in ("one", "two"):
        decide(item, "keep", who=person(name, project))
        item.refresh_from_db()
    counts = export(format="ragas").manifest["counts"]
    assert counts == {"rows": 3, "left_out": 0, "decisions": 4}


@pytest.mark.parametrize(("format", "field"), [("ragas", "user_input"), ("answers/1", "label")])
def test_other_formats_are_projections_of_the_same_lines(decided, export, format, field):
    done = export(format=format)
    lines = [json.loads(line) for line in path_of(done).read_text().splitlines()]
    assert len(lines) == 2
    assert all(field in line for line in lines)
    assert done.manifest["lines"] == format


def test_delivered_twice_it_is_written_once(decided, export):
    done = export()
    services.run_export(export_id=done.pk)
    assert Event.objects.filter(kind="export.ready").count() == 1


def test_an_export_whose_worker_died_is_written_anew(decided, project, workers):
    asked = services.request_export(project=project, now=NOW)
    Export.objects.update(state=Export.State.RUNNING, heartbeat_at=NOW)
    with workers():
        assert services.requeue_stale(now=NOW + timedelta(hours=1)) == 1
    asked.refresh_from_db()
    assert (asked.state, asked.rows) == (Export.State.DONE, 2)


def test_an_export_that_fails_says_so(decided, export, settings, monkeypatch):
    def full(*args, **kwargs):
        raise OSError("no space left on device")

    monkeypatch.setattr("webapp.calibration.exports.write_reviews", full)
    done = export()
    assert done.state == Export.State.FAILED
    assert "no space" in done.error


def test_after_a_week_the_file_is_gone(decided, export):
    done = export()
    path = path_of(done)
    assert services.expire_exports(now=timezone.now() + timedelta(days=8)) == 1
    done.refresh_from_db()
    assert done.state == Export.State.EXPIRED
    assert not path.exists()


# Pages ---------------------------------------------------------------------------------------------------------


def test_a_lead_asks_for_an_export_and_downloads_it(decided, lead, client_of, workers):
    page = client_of(lead)
    with workers():
        posted = page.post("/exports/", {"format": "reviews/1"})
    shown = page.get(posted.url)
    assert "Download the file" in shown.text
    assert "hx-trigger" not in shown.text
    file = page.get(posted.url + "file/")
    assert b"".join(file.streaming_content).count(b"\n") == 2
    assert "attachment" in file["Content-Disposition"]
    assert page.get(posted.url + "manifest/").json()["lines"] == "reviews/1"


def test_a_form_that_asks_for_the_impossible_says_so(decided, lead, client_of, project):
    frozen = services.freeze_set(project=project, name="March", now=NOW)
    form = {"format": "reviews/1", "labelled_set": frozen.pk, "task": "qa"}
    page = client_of(lead).post("/exports/", form)
    assert page.status_code == 422
    assert "own filters" in page.text


@pytest.mark.parametrize("outsider", [*OUTSIDERS, "reviewer"])
def test_exports_are_closed_to(outsider, outsiders, reviewer, decided, export, client_of):
    done = export()
    page = client_of({**outsiders, "reviewer": reviewer}[outsider])
    closed = {302, 403, 404}
    assert page.get("/exports/?project=shop").status_code in closed
    assert page.post("/exports/", {"format": "reviews/1", "project": "shop"}).status_code in closed
    for path in ("", "file/", "manifest/"):
        assert page.get(f"/exports/{done.pk}/{path}").status_code in closed
    assert Export.objects.count() == 1


def test_a_full_disk_fails_the_export_and_leaves_nothing_of_it(decided, export, monkeypatch, settings):
    write, (soft, hard) = exports._write, resource.getrlimit(resource.RLIMIT_FSIZE)

    def on_a_full_disk(row):
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))  # bytes: the disk ends in the middle of the first line
        try:
            return write(row)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    with monkeypatch.context() as full:
        full.setattr(exports, "_write", on_a_full_disk)
        failed = export()
    assert failed.state == Export.State.FAILED
    assert "File too large" in failed.error
    assert not (Path(settings.EXPORTS_DIR) / str(failed.pk)).exists()
    assert export().state == Export.State.DONE


def test_a_page_asked_for_a_queue_that_is_not_there_refuses(project, queue, lead, client_of):
    page = client_of(lead)
    refused = page.post("/exports/", {"format": "reviews/1", "project": "shop", "queue": "No such"})
    assert refused.status_code == 422
    assert not Export.objects.exists()
