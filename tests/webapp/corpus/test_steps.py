"""A long file of short documents: stored in few statements, with room for other writers between the steps."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.webapp.corpus.conftest import jsonl
from webapp.corpus import uploads
from webapp.corpus.models import Document, Upload
from webapp.review.models import Event


def many(count, text="Text"):
    return jsonl(*({"id": f"d{n:05}", "text": f"{text} number {n}."} for n in range(count)))


@pytest.mark.parametrize("before", ["nothing", "the same", "another text"])
def test_a_step_takes_few_statements_whatever_becomes_of_its_documents(before, upload):
    if before != "nothing":
        upload(many(50, "Text" if before == "the same" else "Older text"))
    kept = upload(many(50) + "\n", "again.jsonl", work=False)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        uploads.run_upload(upload_id=kept.pk)
    kept.refresh_from_db()
    assert kept.added + kept.replaced + kept.unchanged == 50
    assert len(seen) <= 30


def test_faults_and_repeats_of_a_step_take_no_statement_each(upload):
    kept = upload(many(25) + many(24) + '{"id": "x"}\n', work=False)
    with CaptureQueriesContext(connection) as seen:
        uploads.run_upload(upload_id=kept.pk)
    kept.refresh_from_db()
    assert (kept.added, kept.failed) == (25, 25)
    assert kept.faults.get(line=26).reason == "'d00000' stands in line 1 already; only that one was taken"
    assert len(seen) <= 30


@pytest.mark.django_db(transaction=True)
def test_others_write_while_a_file_is_read_and_stop_is_heard(project, upload, monkeypatch):
    monkeypatch.setattr(uploads, "enqueue_upload", lambda upload_id: None)  # read by the thread below
    monkeypatch.setattr("webapp.corpus.building.enqueue_build", lambda build_id: None)
    kept = upload(many(3_000), work=False)
    faults: list[BaseException] = []

    def read():
        try:
            uploads.run_upload(upload_id=kept.pk)
        except BaseException as error:
            faults.append(error)
        finally:
            connection.close()

    reader = threading.Thread(target=read)
    reader.start()
    waits = []
    while reader.is_alive() and len(waits) < 10:
        began = time.monotonic()
        with transaction.atomic():
            Event.record("answer.received", project, project=project, at=timezone.now())
        waits.append(time.monotonic() - began)
        time.sleep(0.01)
    assert uploads.cancel_upload(upload=Upload.objects.get(pk=kept.pk), user=None, now=timezone.now())
    reader.join(10)
    assert not reader.is_alive()
    assert not faults
    assert len(waits) == 10
    assert max(waits) < 2
    assert 0 < Document.objects.count() < 3_000
