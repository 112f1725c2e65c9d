"""A table whose columns have other names: a person says which is which, and the file is read so."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.webapp.conftest import OUTSIDERS, person
from webapp.intake.models import ImportBatch
from webapp.records.models import Answer

TABLE = """Frage,Bot reply,Evidence
"How long?","You have 30 days.","Return within 14 days."
"=1+1","It is free.","No fee."
"""


@pytest.fixture
def upload(client_of, queue, workers):
    """Sends a table as somebody would; returns the response."""

    def send(user, text=TABLE, name="bot.csv"):
        file = SimpleUploadedFile(name, text.encode())
        with workers():
            return client_of(user).post("/imports/", {"project": "shop", "file": file, "queue": queue.pk})

    return send


def test_a_table_with_other_names_asks_which_column_is_what_and_is_read_so(upload, reviewer, client_of, workers):
    asked = upload(reviewer)
    batch = ImportBatch.objects.get()
    assert asked["Location"] == f"/imports/{batch.pk}/columns/"
    page = client_of(reviewer).get(asked["Location"])
    assert "Bot reply" in page.text
    assert "You have 30 days." in page.text
    chosen = {"question": "Frage", "answer": "Bot reply", "sources": "Evidence"}
    with workers():
        sent = client_of(reviewer).post(asked["Location"], chosen)
    assert sent["Location"] == f"/imports/{batch.pk}/"
    batch.refresh_from_db()
    assert (batch.state, batch.imported, batch.failed, batch.mapping) == ("done", 2, 0, chosen)
    answer = Answer.objects.get(text="You have 30 days.")
    assert (answer.question.text, answer.sources.get().text) == ("How long?", "Return within 14 days.")
    # What has brought answers in stays as it was read.
    assert client_of(reviewer).get(asked["Location"]).status_code == 302


def test_a_table_with_the_usual_names_is_read_at_once(upload, reviewer):
    upload(reviewer, "question,answer,sources\nHow long?,You have 14 days.,Return within 14 days.\n")
    assert ImportBatch.objects.get().imported == 1


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"answer": "Bot reply"}, "sources"),
        ({"answer": "Bot reply", "sources": "Bot reply"}, "sources"),
        ({"answer": "Nowhere", "sources": "Evidence"}, "answer"),
    ],
)
def test_a_choice_that_makes_no_answer_is_refused_at_its_field(chosen, field, upload, reviewer, client_of):
    address = upload(reviewer)["Location"]
    page = client_of(reviewer).post(address, chosen)
    assert page.status_code == 422
    assert page.context["form"].errors[field]
    assert not Answer.objects.exists()


def test_a_colleague_may_not_name_the_columns_but_a_lead_may(upload, reviewer, lead, project, client_of):
    address = upload(reviewer)["Location"]
    assert client_of(person("colleague", project)).get(address).status_code == 403
    assert client_of(lead).get(address).status_code == 200


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_columns_are_closed_to(outsider, outsiders, upload, reviewer, client_of):
    address = upload(reviewer)["Location"]
    assert client_of(outsiders[outsider]).get(address).status_code in {302, 404}
    assert client_of(outsiders[outsider]).post(address, {}).status_code in {302, 404}


def test_a_file_that_is_no_table_goes_on_to_its_import(upload, reviewer, client_of):
    upload(reviewer, '{"answer": "x", "sources": ["y"]}\n', "a.jsonl")
    batch = ImportBatch.objects.get()
    assert client_of(reviewer).get(f"/imports/{batch.pk}/columns/").status_code == 302


def test_markup_in_cells_stays_text(upload, reviewer, client_of):
    address = upload(reviewer, "A,B\n<script>alert(1)</script>,y\n")["Location"]
    assert "<script>alert" not in client_of(reviewer).get(address).text
