from __future__ import annotations

import pytest
from django.core.cache import cache
from django.utils import timezone
from redis.exceptions import ConnectionError

from tests.webapp.conftest import Api, line_of, record_of
from webapp.accounts.services import create_token, revoke_token
from webapp.intake import services as intake
from webapp.intake.models import ApiRequest
from webapp.records.models import Answer, Inspection, Observation
from webapp.records.services import receive_answer


def test_one_answer_is_stored_proofread_and_its_report_fetched(api, queue, workers):
    with workers():
        sent = api.post("answers", record_of(external_id="e-1"))
    assert sent.status_code == 202
    assert sent.json()["fresh"] is True
    assert sent.json()["state"] == "received"
    answer = api.get(f"answers/{sent.json()['id']}").json()
    assert answer["state"] == "proofread"
    assert answer["external_id"] == "e-1"
    report = api.get(f"answers/{answer['id']}/report")
    assert report.status_code == 200
    assert report.json()["schema"] == "report/1"
    assert report.json()["id"] == answer["id"]
    assert "30" in report.json()["marks"][0]["text"]
    unchanged = api.get(f"answers/{answer['id']}/report", If_None_Match=report["ETag"])
    assert unchanged.status_code == 304


def test_a_report_that_is_not_there_yet_says_when_to_ask_again(api, receive):
    answer = receive().answer
    response = api.get(f"answers/{answer.pk}/report")
    assert response.status_code == 202
    assert int(response["Retry-After"]) > 0
    assert response.json()["state"] == "received"


def test_a_failed_answer_says_why_instead_of_a_report(api, receive):
    answer = receive().answer
    Answer.objects.update(state=Answer.State.FAILED, error="The answer is too long.")
    response = api.get(f"answers/{answer.pk}/report")
    assert response.status_code == 409
    assert response.json()["detail"] == "The answer is too long."


def test_five_requests_are_five_observations_of_one_answer_and_drift_sees_them(api, queue, workers):
    question = "What does the Atlas plan cost?"
    same = record_of("The Atlas plan costs $40 per month.", question)
    for _ in range(5):
        with workers():
            api.post("answers", same)
    assert (Answer.objects.count(), Observation.objects.count()) == (1, 5)
    with workers():
        other = api.post("answers", record_of("It is $95 a year and billed once, cancel whenever.", question)).json()
    drift = api.get(f"answers/{other['id']}/report").json()["checks"]["drift"]
    assert drift["compared"] == 5
    assert drift["drifted"] is True


def test_the_same_request_sent_twice_is_one_observation(api):
    first = api.post("answers", record_of(), Idempotency_Key="k-1")
    again = api.post("answers", record_of(), Idempotency_Key="k-1")
    assert again.json() == first.json()
    assert again.status_code == first.status_code == 202
    assert again["Idempotent-Replayed"] == "true"
    assert Observation.objects.count() == 1


def test_a_key_that_was_used_for_something_else_is_refused(api):
    api.post("answers", record_of(), Idempotency_Key="k-1")
    other = api.post("answers", record_of("You have 14 days."), Idempotency_Key="k-1")
    assert other.status_code == 422
    assert other.json()["type"].endswith("idempotency-key-reused")
    assert Answer.objects.count() == 1


def test_while_the_first_request_runs_the_second_one_waits(api):
    api.post("answers", record_of(), Idempotency_Key="k-1")
    ApiRequest.objects.update(status=None, response=None, created_at=timezone.now())
    assert api.post("answers", record_of(), Idempotency_Key="k-1").status_code == 409


def test_a_request_that_died_on_the_way_is_done_by_the_next_one(api):
    api.post("answers", record_of(), Idempotency_Key="k-1")
    ApiRequest.objects.update(status=None, response=None, created_at=timezone.now() - timezone.timedelta(minutes=5))
    again = api.post("answers", record_of(), Idempotency_Key="k-1")
    assert again.status_code == 200
    assert again.json()["repeated"] is True
    assert Observation.objects.count() == 1


def test_a_refused_request_can_be_mended_under_its_key(api):
    assert api.post("answers", {"question": "?"}, Idempotency_Key="k-1").status_code == 422
    assert api.post("answers", record_of(), Idempotency_Key="k-1").status_code == 202


def test_several_answers_are_stored_or_refused_each_by_itself(api):
    records = [record_of(), {"question": "No answer?", "sources": []}, record_of("You have 14 days.", external_id="e")]
    sent = api.post("answers", {"answers": records})
    assert sent.status_code == 202
    assert (sent.json()["stored"], sent.json()["refused"]) == (2, 1)
    assert [result["index"] for result in sent.json()["results"]] == [0, 1, 2]
    fault = sent.json()["results"][1]["problem"]
    assert fault["errors"] == [{"field": "answer", "reason": "missing"}]


def test_a_bare_list_is_taken_as_well(api):
    assert api.post("answers", [record_of(), record_of("You have 14 days.")]).json()["stored"] == 2


def test_more_than_five_hundred_are_too_many(api):
    response = api.post("answers", [record_of()] * 501)
    assert response.status_code == 413
    assert not Answer.objects.exists()


def test_ragas_names_are_taken(api):
    sent = api.post("answers", {"user_input": "How long?", "response": "30 days.", "retrieved_contexts": ["14 days."]})
    assert sent.status_code == 202


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({"answer": "x"}, "sources"),
        ({"answer": "x", "sources": [{"id": "a", "text": "1"}, {"id": "a", "text": "2"}]}, "sources"),
        ({"answer": "a\x00b", "sources": []}, "answer"),
        ({"answer": "x", "sources": [], "latency_ms": -1}, "latency_ms"),
        ({"answer": "x", "sources": [], "task": "t" * 61}, "task"),
        ({"answer": 5, "sources": []}, "answer"),
        ({"answer": "x", "sources": "text"}, "sources"),
        ({"answer": "x", "sources": [{"id": "a"}]}, "sources[0].text"),
        ({"answer": "x", "sources": [], "label": 2}, "label"),
    ],
)
def test_what_cannot_be_used_names_the_field(api, record, field):
    response = api.post("answers", record)
    assert response.status_code == 422
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["errors"][0]["field"] == field
    assert not Answer.objects.exists()


def test_half_a_surrogate_pair_is_refused(api):
    raw = b'{"answer": "\\ud800", "sources": []}'
    response = api.client.post("/api/v1/answers", raw, content_type="application/json")
    assert response.status_code == 422


@pytest.mark.parametrize("body", [b"{not json", b"\xff\xfe", b"[[[["])
def test_a_body_that_is_no_json_is_a_problem_and_no_traceback(api, body):
    response = api.client.post("/api/v1/answers", body, content_type="application/json")
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"


def test_a_body_over_the_limit_is_refused(api, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert api.post("answers", record_of("x" * 2000)).status_code == 413


def test_another_content_under_an_external_id_is_a_conflict_unless_it_supersedes(api):
    first = api.post("answers", record_of(external_id="e-1")).json()
    other = api.post("answers", record_of("You have 14 days.", external_id="e-1"))
    assert other.status_code == 409
    assert other.json()["answer"] == first["id"]
    replaced = api.post("answers?supersede=true", record_of("You have 14 days.", external_id="e-1"))
    assert replaced.status_code == 202
    assert api.get(f"answers/{first['id']}").json()["superseded_by"] == replaced.json()["id"]


def test_answers_are_listed_newest_first_by_cursor(api, receive):
    for minute in range(5):
        receive(line_of(f"Answer {minute}."), minutes=minute)
    first = api.get("answers?limit=3").json()
    rest = api.get(f"answers?limit=3&cursor={first['next']}").json()
    assert len(first["answers"]) == 3
    assert len(rest["answers"]) == 2
    assert rest["next"] is None


def test_an_answer_can_be_deleted(api, receive):
    answer = receive().answer
    assert api.delete(f"answers/{answer.pk}").status_code == 204
    assert api.get(f"answers/{answer.pk}").status_code == 404


# The guard before delivery -------------------------------------------------------------------------------------


def test_proofread_answers_with_the_report_and_stores_nothing(api, queue):
    response = api.post("proofread", record_of(id="a-17"))
    assert response.status_code == 200
    report = response.json()
    assert report["id"] == "a-17"
    assert report["marks"]
    assert report["healing"]["text"] == "You have 14 days to return it."
    assert report["quality"]["route"]
    assert not Answer.objects.exists()
    assert not Inspection.objects.exists()


def test_proofread_and_the_worker_find_the_same(api, queue, workers):
    """No door has an engine of its own."""
    at_once = api.post("proofread", record_of()).json()
    with workers():
        stored = api.post("answers", record_of()).json()
    later = api.get(f"answers/{stored['id']}/report").json()
    assert later["sha256"] == at_once["sha256"]
    assert later["marks"] == at_once["marks"]


def test_what_the_engine_refuses_is_a_problem(api, monkeypatch):
    response = api.post("proofread", record_of("word " * 20_001))
    assert response.status_code == 422
    assert "20000" in response.json()["detail"].replace(",", "").replace("_", "")


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (record_of("word " * 20_001), "answer"),
        (record_of(sources=[f"Text {n}." for n in range(201)]), "sources"),
        (record_of(sources=["word " * 5_001]), "sources"),
    ],
    ids=["answer", "many sources", "long source"],
)
def test_what_is_too_long_to_be_read_is_refused_at_the_door(api, queue, record, field):
    alone = api.post("answers", record)
    assert alone.status_code == 422
    assert alone.json()["errors"][0]["field"] == field
    together = api.post("answers", {"answers": [record, record_of()]}).json()
    assert (together["stored"], together["refused"]) == (1, 1)
    assert Answer.objects.count() == 1


def test_without_its_counter_the_api_goes_on(api, queue, monkeypatch):
    """The rate is counted in the cache, and nothing else here needs it."""

    def gone(*arguments, **options):
        raise ConnectionError("nobody listens there")

    monkeypatch.setattr(cache, "add", gone)
    assert api.post("answers", record_of()).status_code == 202


# Who may -------------------------------------------------------------------------------------------------------

CALLS = [
    ("proofread", "post", "proofread"),
    ("write", "post", "answers"),
    ("read", "get", "answers"),
    ("read", "get", "queue"),
    ("review", "post", "queue/next"),
    ("write", "post", "imports"),
    ("export", "post", "exports"),
    ("read", "get", "operating-points"),
]


@pytest.mark.parametrize(("scope", "method", "path"), CALLS)
def test_every_call_needs_a_token(scope, method, path, project):
    response = getattr(Api(None), method)(path)
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert getattr(Api("pm_not-a-token"), method)(path).status_code == 401


@pytest.mark.parametrize(("scope", "method", "path"), CALLS)
def test_every_call_needs_its_scope(scope, method, path, project):
    others = [name for name in ("proofread", "read", "write", "review", "export") if name != scope]
    _, secret = create_token(project=project, name="half", scopes=others)
    response = getattr(Api(secret), method)(path)
    assert response.status_code == 403
    assert scope in response.json()["detail"]


def test_a_revoked_token_opens_nothing(project, now):
    row, secret = create_token(project=project, name="old")
    assert Api(secret).get("answers").status_code == 200
    revoke_token(token=row, actor=None, now=now)
    assert Api(secret).get("answers").status_code == 401


def test_a_token_sees_its_own_project_only(api, other_project, now):
    theirs = receive_answer(project=other_project, line=line_of(), now=now).answer
    for path in (f"answers/{theirs.pk}", f"answers/{theirs.pk}/report"):
        assert api.get(path).status_code == 404
    assert api.delete(f"answers/{theirs.pk}").status_code == 404
    assert api.get("answers").json()["answers"] == []


def test_too_many_requests_are_told_when_to_come_back(api, settings):
    cache.clear()
    settings.API_RATE_PER_MINUTE = 2
    statuses = [api.get("answers").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert 0 < int(api.get("answers")["Retry-After"]) <= 60


def test_an_unknown_address_is_answered_as_a_problem(api):
    response = api.get("nowhere")
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"


def test_accepted_answers_are_not_proofread_before_they_are_committed(
    project, queue, now, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as messages:
        intake.accept_answer(project=project, line=line_of(), now=now)
    assert len(messages) == 1
    assert Answer.objects.get().state == Answer.State.RECEIVED


@pytest.mark.parametrize("path", ["proofread", "answers"])
@pytest.mark.parametrize("field", ["latency_ms", "label", "id", "external_id", "start"])
@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_a_number_too_large_to_keep_is_a_problem_and_no_failure(api, path, field, number):
    strange = record_of(labels=[{"start": number, "end": 3}]) if field == "start" else record_of(**{field: number})
    found = api.post(path, strange)
    assert found.status_code in (200, 202, 422)
    if field == "latency_ms":
        assert found.json()["errors"][0]["field"] == "latency_ms"


@pytest.mark.parametrize("query", ["cursor=zz", "cursor=b2xkZXJ8eHw", "state=zz", "limit=0", "limit=-1", "limit=x"])
def test_a_question_that_makes_no_sense_is_said_to_make_none(query, api):
    refused = api.get(f"answers?{query}")
    assert refused.status_code == 422
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["errors"][0]["field"] == query.partition("=")[0]


def test_an_answer_is_found_under_every_id_it_was_sent_with(api):
    for name in ("first", "second"):
        api.post("answers", record_of(external_id=name))
    for name in ("first", "second"):
        assert len(api.get(f"answers?external_id={name}").json()["answers"]) == 1
    assert api.get("answers?external_id=third").json()["answers"] == []


@pytest.mark.parametrize(("method", "place"), [("delete", "answers"), ("get", "proofread"), ("put", "queue/next")])
def test_a_wrong_method_is_a_problem_that_names_the_right_ones(method, place, api):
    refused = getattr(api.client, method)(f"/api/v1/{place}")
    assert refused.status_code == 405
    assert refused["Content-Type"] == "application/problem+json"
    assert "POST" in refused["Allow"]
