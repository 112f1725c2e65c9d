"""Documents through the API: in, listed, read, replaced, out; by token, scope and project."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import Api
from tests.webapp.corpus.conftest import DOCUMENTS
from webapp.accounts.services import create_token
from webapp.corpus.models import Document, IndexBuild


def body(documents):
    return {"documents": [{"id": key, "text": text, "title": key.upper()} for key, text in documents.items()]}


def test_documents_go_in_and_out(api, workers):
    with workers():
        sent = api.post("documents", body(DOCUMENTS))
    assert sent.status_code == 200
    assert {d["became"] for d in sent.json()["documents"]} == {"added"}
    corpus = api.get("corpus").json()
    assert (corpus["documents"], corpus["passages"], corpus["building"]) == (3, 3, False)
    assert corpus["searched_by"] == ["words"]
    with workers():
        again = api.post("documents", body({**DOCUMENTS, "garden.md": "Roses."})).json()["documents"]
    assert {d["id"]: d["became"] for d in again} == {
        "returns.md": "unchanged", "shipping.md": "unchanged", "garden.md": "replaced",
    }  # fmt: skip
    key = api.get("documents?id=garden.md").json()["documents"][0]["document"]
    assert api.get(f"documents/{key}").json()["text"] == "Roses."
    with workers():
        assert api.delete(f"documents/{key}").status_code == 204
    assert api.get(f"documents/{key}").status_code == 404
    after = api.get("corpus").json()
    assert after["documents"] == 2
    assert after["version"] not in (None, corpus["version"])


def test_nothing_is_stored_when_one_cannot_be(api):
    sent = api.post("documents", {"documents": [
        {"id": "a", "text": "Good."}, {"id": "a", "text": "Twice."}, {"text": "x"}, {"id": "b", "text": 7},
        {"id": "c", "text": "x\0"},
    ]})  # fmt: skip
    assert sent.status_code == 422
    assert [e["field"] for e in sent.json()["errors"]] == [
        "documents[1].id", "documents[2].id", "documents[3].text", "documents[4].text",
    ]  # fmt: skip
    assert not Document.objects.exists()
    assert not IndexBuild.objects.exists()


@pytest.mark.parametrize("wrong", [{}, {"documents": []}, {"documents": "x"}, {"documents": [7]}, [], 7])
def test_another_shape_is_a_problem(api, wrong):
    sent = api.post("documents", wrong)
    assert sent.status_code == 422
    assert sent["Content-Type"] == "application/problem+json"


def test_a_full_corpus_takes_nothing(api, settings):
    settings.CORPUS_LIMIT = 10
    sent = api.post("documents", body({"a": "123456", "b": "123456"}))
    assert (sent.status_code, sent.json()["type"]) == (413, "urn:proofmark:problem:corpus-full")
    assert not Document.objects.exists()


def test_a_request_that_comes_twice_is_one(api, workers):
    headers = {"Idempotency_Key": "k1"}
    first = api.post("documents", body({"a": "One."}), **headers)
    second = api.post("documents", body({"a": "One."}), **headers)
    assert second["Idempotent-Replayed"] == "true"
    assert second.json() == first.json()


def test_pages_follow_one_another(api, put):
    put({f"d{n}": f"Text {n}." for n in range(5)})
    first = api.get("documents?limit=2").json()
    second = api.get(f"documents?limit=2&cursor={first['next']}").json()
    third = api.get(f"documents?limit=2&cursor={second['next']}").json()
    keys = [d["id"] for page in (first, second, third) for d in page["documents"]]
    assert sorted(keys) == [f"d{n}" for n in range(5)]
    assert third["next"] is None
    assert api.get("documents?cursor=nonsense").status_code == 422
    assert [d["id"] for d in api.get("documents?q=TEXT 3").json()["documents"]] == ["d3"]


def test_scopes_and_projects_are_kept_apart(project, other_project, put):
    put({"xylograph": "Secret."})
    document = Document.objects.get()
    reader = Api(create_token(project=project, name="r", scopes=["read"])[1])
    assert reader.get(f"documents/{document.pk}").status_code == 200
    assert reader.post("documents", body({"a": "One."})).status_code == 403
    assert reader.delete(f"documents/{document.pk}").status_code == 403
    writer = Api(create_token(project=project, name="w", scopes=["write"])[1])
    assert writer.get("documents").status_code == 403
    stranger = Api(create_token(project=other_project, name="s")[1])
    assert stranger.get(f"documents/{document.pk}").status_code == 404
    assert stranger.delete(f"documents/{document.pk}").status_code == 404
    assert stranger.get("documents").json()["documents"] == []
    assert stranger.get("corpus").json()["documents"] == 0
