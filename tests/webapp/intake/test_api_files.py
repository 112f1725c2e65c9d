from __future__ import annotations

import json
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.webapp.conftest import Api, record_of
from webapp.accounts.services import create_token
from webapp.intake.api import openapi_text
from webapp.records.models import Observation

ROOT = Path(__file__).parents[3]


def upload_of(*lines):
    content = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return SimpleUploadedFile("answers.jsonl", content.encode())


def test_a_file_is_uploaded_watched_and_its_faults_named(api, queue, workers):
    with workers():
        started = api.upload("imports", file=upload_of(record_of(), "{broken"))
    assert started.status_code == 202
    done = api.client.get(started["Location"]).json()
    assert done["state"] == "done"
    assert (done["imported"], done["failed"]) == (1, 1)
    assert done["faults"][0]["line"] == 2


def test_the_same_file_again_is_the_same_import(api, queue, workers):
    with workers():
        first = api.upload("imports", file=upload_of(record_of()))
    with workers():
        again = api.upload("imports", file=upload_of(record_of()))
    assert again.status_code == 200
    assert again.json()["id"] == first.json()["id"]
    assert Observation.objects.count() == 1


def test_an_unknown_format_or_queue_is_a_problem(api, queue):
    assert api.upload("imports", file=upload_of(record_of()), format="docx").status_code == 422
    assert api.upload("imports", file=upload_of(record_of()), queue="Nowhere").status_code == 404
    assert api.upload("imports").status_code == 422


def test_an_export_is_made_and_fetched(api, proofread, workers):
    proofread()
    api.post("queue/next")
    item = api.get("queue").json()
    assert item["claimed"] == 1
    from webapp.review.models import Item

    api.post(f"items/{Item.objects.get().pk}/decision", {"kind": "accept_healed"})
    with workers():
        asked = api.post("exports", {"format": "reviews/1"})
    assert asked.status_code == 202
    done = api.client.get(asked["Location"]).json()
    assert done["state"] == "done"
    assert done["rows"] == 1
    content = b"".join(api.client.get(done["file"]).streaming_content)
    assert json.loads(content)["schema"] == "reviews/1"


def test_an_export_that_makes_no_sense_is_refused(api):
    assert api.post("exports", {"format": "docx"}).status_code == 422
    assert api.post("exports", {"filters": {"colour": "red"}}).status_code == 422
    assert api.post("exports", {"labelled_set": 99}).status_code == 404


def test_an_export_of_a_queue_that_is_not_there_is_refused(api, queue, other_project):
    other_project.queues.create(name="Theirs")
    for name in ("No such", "Theirs"):
        refused = api.post("exports", {"filters": {"queue": name}})
        assert refused.status_code == 422
        assert f"no queue '{name}'" in refused.json()["detail"]
    assert api.post("exports", {"filters": {"queue": queue.name}}).status_code == 202
    backwards = {"decided_from": "2027-01-01", "decided_to": "2020-01-01"}
    assert api.post("exports", {"filters": backwards}).status_code == 422


def test_imports_and_exports_of_another_project_do_not_exist(api, queue, other_project):
    started = api.upload("imports", file=upload_of(record_of()))
    asked = api.post("exports")
    theirs = Api(create_token(project=other_project, name="bank")[1])
    for location in (started["Location"], asked["Location"], asked["Location"] + "/file"):
        assert theirs.client.get(location).status_code == 404


def test_there_is_no_operating_point_before_somebody_chose_one(api):
    assert api.get("operating-points").json() == []


def test_the_committed_description_of_the_api_is_the_one_the_code_gives():
    """When this fails: `python manage.py write_openapi`, and a line in the changelog."""
    assert (ROOT / "docs" / "openapi.json").read_text(encoding="utf-8") == openapi_text()


def test_the_description_is_served_to_everybody(db, client):
    served = client.get("/api/v1/openapi.json")
    assert served.status_code == 200
    assert served.json()["openapi"].startswith("3.1")


def test_every_call_is_named_and_says_what_can_go_wrong():
    paths = json.loads(openapi_text())["paths"]
    names = [call["operationId"] for calls in paths.values() for call in calls.values()]
    assert len(names) == len(set(names))
    for calls in paths.values():
        for call in calls.values():
            assert {"401", "403", "429"} <= set(call["responses"])
