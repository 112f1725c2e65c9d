"""Whatever text or number a program sends, it gets a problem that says what is wrong, never a failure of ours."""

from __future__ import annotations

import base64

import pytest
from django.urls import reverse

from webapp.accounts.models import Membership
from webapp.review.models import Decision, Item

BAD = ["\ud800", "a\udc00b", "a\x00b", "\x00"]


@pytest.fixture
def item(proofread, api):
    proofread()
    api.post("queue/next")
    return Item.objects.get()


def is_a_problem(response, *statuses):
    assert response.status_code in (statuses or (400, 404, 422))
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["detail"]
    return True


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    "body",
    [
        {"kind": "accept_edited", "text": "{}"},
        {"kind": "reject", "reason": "{}"},
        {"kind": "keep", "text": "{}"},
        {"kind": "keep", "verdicts": {"{}": "supported"}},
        {"kind": "{}"},
    ],
    ids=lambda body: "-".join(body),
)
def test_text_no_database_takes_decides_nothing(api, item, body, bad):
    def filled(value):
        if isinstance(value, dict):
            return {filled(name): filled(part) for name, part in value.items()}
        return value.replace("{}", bad)

    assert is_a_problem(api.post(f"items/{item.pk}/decision", filled(body)), 422)
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "accept_edited", "text": ""},
        {"kind": "accept_edited", "text": " \n"},
        {"kind": "accept_edited", "text": "a" * 400_001},
        {"kind": "reject", "reason": "a" * 2001},
        *({"kind": kind, "switched_off": [off]} for kind in ("accept_healed", "keep") for off in (99, -5, 10**30)),
        *({"kind": "keep", "verdicts": {key: "supported"}} for key in ("9" * 5000, "-1", "²", "٣", "", "1.0", "9" * 9)),
    ],
    ids=lambda body: "-".join([*body, body["kind"]]),
)
def test_what_the_form_refuses_the_api_refuses_too(api, item, body):
    assert is_a_problem(api.post(f"items/{item.pk}/decision", body), 422)
    assert not Decision.objects.exists()


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("queue/next", lambda bad: {"queue": bad}),
        ("exports", lambda bad: {"format": bad}),
        ("exports", lambda bad: {"filters": {"task": bad}}),
        ("exports", lambda bad: {"filters": {bad: "x"}}),
        ("exports", lambda bad: {"filters": {"queue": {"a": [bad]}}}),
    ],
)
def test_names_no_database_takes_name_nothing(api, item, path, body, bad):
    assert is_a_problem(api.post(path, body(bad)), 422)


@pytest.mark.parametrize("filters", [{"queue": {"a": [1]}}, {"task": 7}, {"decided_from": ["2026-01-01"]}])
def test_filters_are_text(api, item, filters):
    assert is_a_problem(api.post("exports", {"filters": filters}), 422)


@pytest.mark.parametrize("number", [10**30, -1, 0])
def test_a_set_with_no_such_number_does_not_exist(api, item, number):
    assert is_a_problem(api.post("exports", {"labelled_set": number}))


@pytest.mark.parametrize(
    "path", ["answers?state=%00", "answers?external_id=%00", "answers?cursor=%00", "queue?queue=a%00b", "answers?%00=1"]
)
def test_an_address_with_a_nul_is_a_bad_request(api, queue, path):
    assert is_a_problem(api.get(path), 400)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-01T00:00:00"])
@pytest.mark.parametrize("direction", ["older", "newer", "sideways"])
def test_a_cursor_from_the_ends_of_the_calendar_is_no_failure(api, receive, client_of, reviewer, at, direction):
    receive()
    plain = f"{direction}|{at}|00000000-0000-0000-0000-000000000000"
    cursor = base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")
    assert api.get(f"answers?cursor={cursor}").status_code in (200, 400, 422)
    assert client_of(reviewer).get(reverse("records:answers") + f"?cursor={cursor}").status_code in (200, 400)


@pytest.mark.parametrize(
    "name", ["desk", "records:answers", "intake:imports", "calibration:exports", "calibration:sets", "insights:home"]
)
@pytest.mark.parametrize("field", ["project", "q", "source", "cursor", "state"])
def test_pages_with_a_nul_in_their_address_are_bad_requests(client_of, lead, queue, name, field):
    assert client_of(lead).get(f"{reverse(name)}?{field}=%00").status_code == 400


def test_a_form_with_a_nul_in_it_is_no_failure(client_of, lead, queue):
    for name in ("intake:imports", "calibration:exports", "calibration:sets"):
        assert client_of(lead).post(reverse(name), {"project": "\x00", "name": "\x00"}).status_code in (404, 405, 422)


def test_one_key_decides_one_thing(api, item):
    url = f"items/{item.pk}/decision"
    assert api.post(url, {"kind": "keep"}, Idempotency_Key="k").status_code == 200
    assert api.post(url, {"kind": "keep"}, Idempotency_Key="k")["Idempotent-Replayed"] == "true"
    assert is_a_problem(api.post(url, {"kind": "reject"}, Idempotency_Key="k"), 422)
    assert Decision.objects.get().kind == "keep"


def test_a_key_does_not_bring_back_what_was_undone(api, item):
    url = f"items/{item.pk}/decision"
    api.post(url, {"kind": "keep"}, Idempotency_Key="k")
    api.post(f"items/{item.pk}/undo")
    late = api.post(url, {"kind": "keep"}, Idempotency_Key="k")
    assert is_a_problem(late, 409)
    assert late.json()["type"].endswith("decision-undone")
    assert api.post(url, {"kind": "reject"}, Idempotency_Key="k2").status_code == 200
    assert Decision.objects.get(undone_at__isnull=True).kind == "reject"


def test_an_undone_decision_is_not_brought_back_after_its_response_was_forgotten(api, item, now):
    from webapp.intake.models import ApiRequest

    url = f"items/{item.pk}/decision"
    api.post(url, {"kind": "keep"}, Idempotency_Key="k")
    api.post(f"items/{item.pk}/undo")
    ApiRequest.objects.all().delete()
    assert is_a_problem(api.post(url, {"kind": "keep"}, Idempotency_Key="k"), 409)


def test_superseding_is_another_request(api, queue):
    from tests.webapp.conftest import record_of

    record = record_of(external_id="x")
    api.post("answers", record, Idempotency_Key="k")
    assert is_a_problem(api.post("answers?supersede=true", record, Idempotency_Key="k"), 422)
    assert api.post("answers", record, Idempotency_Key="k")["Idempotent-Replayed"] == "true"


def test_any_of_several_tags_will_do(api, item):
    tags = f'"0", "{Item.objects.get().version}", W/"7"'
    assert api.post(f"items/{item.pk}/renew", If_Match=tags).status_code == 200
    assert is_a_problem(api.post(f"items/{item.pk}/renew", If_Match='"0", "7000"'), 412)


@pytest.mark.parametrize("edits", ["99", "-5", "9" * 5000, "0 99"])
@pytest.mark.parametrize("step", ["decide", "draft"])
def test_an_edit_that_was_never_offered_is_refused_at_the_desk(client_of, reviewer, proofread, queue, edits, step):
    proofread()
    item = Item.objects.get()
    client = client_of(reviewer)
    client.post(reverse("review:next", args=[queue.pk]))
    body = {"kind": "accept_healed", "request_key": "k", "edits": edits, "on": ["0"]}
    found = client.post(reverse(f"review:{step}", args=[item.pk]), body)
    offered = edits in ("-5", "9" * 5000)  # no index at all: as if the page had not sent it
    assert found.status_code == (302 if offered else 422)
    assert Membership.objects.filter(user=reviewer).exists()
    assert Decision.objects.exists() == (offered and step == "decide")
