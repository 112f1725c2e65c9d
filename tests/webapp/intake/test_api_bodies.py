"""What the API says of bodies that it cannot read."""

from __future__ import annotations

import pytest

from webapp.records.models import Answer

PLACES = ["proofread", "answers", "exports", "webhooks", "queue/next"]


def post(api, path, body, content_type="application/json"):
    return api.client.post(f"/api/v1/{path}", body, content_type=content_type)


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "application/octet-stream"]
)
def test_a_body_of_another_type_is_refused(api, queue, path, content_type):
    refused = post(api, path, b'{"answer": "x", "sources": []}', content_type)
    assert refused.status_code == 415
    assert content_type in refused.json()["detail"]
    assert not Answer.objects.exists()


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "application/vnd.x+json"])
def test_json_may_be_called_so_in_several_ways(api, queue, content_type):
    assert post(api, "answers", b'{"answer": "x", "sources": []}', content_type).status_code == 202


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize(
    ("body", "named"),
    [(b"1", "a number"), (b"null", "null"), (b'"x"', "text"), (b"true", "true/false"), (b"1.5", "a number")],
)
def test_a_body_that_is_no_object_is_told_what_it_is(api, queue, path, body, named):
    refused = post(api, path, body)
    assert refused.status_code == 422
    assert refused.json()["detail"].endswith(f"not {named}.")


@pytest.mark.parametrize("path", [path for path in PLACES if path != "answers"])
def test_a_list_where_an_object_is_wanted_is_told_so(api, queue, path):
    assert "not a list" in post(api, path, b"[]").json()["detail"]


def test_no_answers_at_all_are_said_to_be_none(api, queue):
    for body in (b"[]", b'{"answers": []}'):
        refused = post(api, "answers", body)
        assert refused.status_code == 422
        assert "at least one" in refused.json()["detail"]


@pytest.mark.parametrize("body", [b"[1]", b'{"answers": [null]}', b'[{"answer": "x", "sources": []}, "y"]'])
def test_an_answer_that_is_no_object_is_named_by_its_place(api, queue, body):
    refused = post(api, "answers", body)
    assert refused.status_code == 422
    assert "must be an object, not" in refused.json()["errors"][0]["reason"]
    assert "[" in refused.json()["errors"][0]["field"]
    assert not Answer.objects.exists()


@pytest.mark.parametrize("body", [b'{"a": "\x01"}', b'"abc', b"{", b'{"a" 1}', b'{"a": "\\x"}', b"[1", b"", b" "])
def test_what_is_no_json_is_said_where_without_a_sentence_that_breaks_off(api, queue, body):
    refused = post(api, "answers", body)
    assert refused.status_code in (400, 422)
    assert not refused.json()["detail"].rstrip(".").endswith(" at")


@pytest.mark.parametrize("empty", ["", " ", "\n\t"])
@pytest.mark.parametrize("path", ["proofread", "answers"])
def test_an_answer_without_words_is_refused(api, queue, path, empty):
    refused = api.post(path, {"answer": empty, "sources": ["x"]})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "answer"


def test_an_id_of_the_caller_s_own_is_no_external_id(api, queue):
    sent = api.post("answers", {"id": "row-1", "answer": "x", "sources": []})
    assert sent.json()["external_id"] is None


FORM = 'multipart/form-data; boundary="b"'


def form(*parts):
    """A multipart body of (name, file name or None, content)."""
    lines = []
    for name, filename, content in parts:
        named = f'; filename="{filename}"' if filename else ""
        lines += ["--b", f'Content-Disposition: form-data; name="{name}"{named}', "", content]
    return "\r\n".join([*lines, "--b--", ""]).encode()


LINE = '{"answer": "x", "sources": []}'


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (form(("file", "a.jsonl", LINE)), "multipart/form-data"),
        (form(("file", "a.jsonl", LINE)), "multipart/form-data; boundary=" + "é" * 300),
        (form(("file", "a.jsonl", LINE)), "multipart/form-data; boundary="),
        (form(*[(f"f{n}", None, "x") for n in range(2_000)]), FORM),
        (form(*[(f"f{n}", "a.txt", "x") for n in range(200)]), FORM),
        (form(("file", "a.jsonl", LINE), ("queue", None, "a\0b")), FORM),
        (form(("file", "a.jsonl", LINE), ("format", None, "a\0b")), FORM),
        (b"--b\r\nno header at all", FORM),
        (b"", FORM),
    ],
    ids=["no boundary", "odd boundary", "empty boundary", "fields", "files", "NUL queue", "NUL format", "cut", "empty"],
)
def test_a_form_that_cannot_be_read_is_refused_and_never_an_error_of_ours(api, queue, body, content_type):
    refused = post(api, "imports", body, content_type)
    assert refused.status_code in (400, 404, 413, 422)
    assert refused.json()["detail"]


def test_a_file_may_have_a_very_long_name(api, queue):
    body = form(("file", "a" * 3_000 + ".jsonl", LINE))
    assert post(api, "imports", body, FORM).status_code in (202, 400, 422)
