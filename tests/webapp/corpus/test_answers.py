"""Answers that come without sources, in a project with a corpus: read against it, kept with what was found."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.webapp.conftest import NOW, line_of, record_of
from tests.webapp.corpus.conftest import DOCUMENTS, RETURNS, newest
from webapp.corpus import indexes, services
from webapp.corpus.building import WAITS, request_build, run_build
from webapp.corpus.models import Document, IndexBuild
from webapp.intake import again
from webapp.intake import services as intake
from webapp.records.models import Answer, AnswerSource, Inspection, RetrievedSource, Source
from webapp.records.retrieved import sources_of
from webapp.records.services import delete_answer

WRONG = "You may return unused articles within 41 days of delivery."


def bare(answer=WRONG, **fields):
    return line_of(answer=answer, sources=(), **fields)


@pytest.fixture
def read_again(workers):
    def run(answer):
        again.proofread_again(answers=[answer], actor=None, now=timezone.now())
        return again.read_again(answer_id=answer.pk)

    return run


@pytest.mark.parametrize("method", ["tfidf", "dense", "hybrid"])
def test_an_uploaded_corpus_answers_for_what_came_without_sources(method, project, upload, api, workers, queue):
    project.corpus_method = method
    project.save()
    upload("".join(f"{text}\n" for text in DOCUMENTS.values()), "handbook.txt")
    with workers():
        sent = api.post("answers", record_of(answer=WRONG, sources=()))
    assert sent.status_code == 202
    report = api.get(f"answers/{sent.json()['id']}/report").json()
    assert report["marks"][0]["text"].startswith("41")
    assert report["marks"][0]["receipt"]["source_id"] == "handbook.txt#1"
    assert "14 days" in report["healing"]["text"]
    corpus = report["checks"]["verification"]["corpus"]
    assert (corpus["method"], corpus["k"], corpus["version"]) == (method, 4, newest(project).version)
    assert 0 < report["checks"]["verification"]["score"] <= 1
    assert report["warnings"][0].startswith("no sources came with this answer")
    link = AnswerSource.objects.get(answer=sent.json()["id"])
    assert (link.source.source_key, link.source.title) == ("handbook.txt#1", "handbook.txt")
    assert link.score == corpus["passages"][0]["score"]


def test_the_engine_is_told_k_alpha_and_threshold(project, put, proofread):
    put()
    project.corpus_k = 1
    project.thresholds = {"verification_alpha": 0.9, "verification_threshold": 1.0}
    project.save()
    found = proofread(bare()).report
    check = found["checks"]["verification"]
    assert (check["alpha"], check["threshold"], check["below"]) == (0.9, 1.0, True)
    assert check["score"] == pytest.approx(0.9 * check["answer_best"] + 0.1 * check["question_best"], abs=1e-6)
    assert len(check["corpus"]["passages"]) == 1
    assert "verification" in found["triggered"]


def test_given_sources_come_first(project, put, proofread):
    put()
    inspection = proofread(line_of(sources=("Goods may be returned within 30 days.",)))
    assert "corpus" not in inspection.report["checks"]["verification"]
    assert [s.source_key for s in sources_of(inspection)] == ["s1"]
    assert not RetrievedSource.objects.exists()


def test_without_a_corpus_all_is_as_it_was(proofread):
    inspection = proofread(bare())
    assert inspection.report["warnings"][0].startswith("no sources were given")
    assert inspection.report["checks"]["verification"]["score"] is None
    assert sources_of(inspection) == []


def test_an_emptied_corpus_is_none(project, put, proofread, workers):
    put()
    with workers():
        services.delete_documents(project=project, actor=None, now=timezone.now())
    assert newest(project).passages == 0
    assert "corpus" not in proofread(bare()).report["checks"]["verification"]


def test_an_answer_that_nothing_in_the_corpus_is_near_to_says_so(project, put, proofread):
    put()
    inspection = proofread(bare("Zebras graze.", question="Zebras?"))
    assert inspection.report["checks"]["verification"]["corpus"]["passages"] == []
    version = newest(project).version[:12]
    assert [said for said in inspection.report["warnings"] if "sources" in said] == [
        f"no sources came with this answer, and nothing in corpus {version} is near it: nothing in it can be supported"
    ]
    assert sources_of(inspection) == []


def test_an_inspection_keeps_the_corpus_it_was_made_on(project, put, proofread, read_again):
    put()
    first = proofread(bare())
    put({"returns.md": RETURNS.replace("14", "41")})
    second = read_again(first.answer)
    assert (first.version, second.version) == (1, 2)
    assert first.marks.first().text.startswith("41")
    assert not second.marks.filter(text__startswith="41").exists()
    assert "14 days" in sources_of(first)[0].text
    assert "41 days" in sources_of(second)[0].text
    assert "41 days" in AnswerSource.objects.filter(answer=first.answer).first().source.text
    versions = [i.report["checks"]["verification"]["corpus"]["version"] for i in (first, second)]
    assert versions[0] != versions[1] == newest(project).version


def test_what_is_read_again_unchanged_adds_nothing(put, proofread, read_again):
    put()
    first = proofread(bare())
    assert read_again(first.answer) == first
    assert Inspection.objects.count() == 1


def test_a_deleted_document_stays_with_the_answers_checked_against_it(project, put, proofread, read_again, workers):
    put()
    first = proofread(bare())
    with workers():
        document = Document.objects.get(key="returns.md")
        services.delete_document(document=document, actor=None, now=timezone.now())
    assert "14 days" in sources_of(first)[0].text
    assert "returns.md#1" not in [s.source_key for s in sources_of(read_again(first.answer))]
    assert "14 days" in sources_of(first)[0].text


def test_a_deleted_answer_takes_its_passages_along(put, proofread, read_again):
    put()
    first = proofread(bare())
    put({"returns.md": RETURNS.replace("14", "41")})
    read_again(first.answer)
    delete_answer(answer=first.answer, actor=None, now=NOW)
    assert not Source.objects.exists()


def test_a_worker_that_is_told_twice_reads_once(put, receive, queue):
    put()
    answer = receive(bare()).answer
    assert intake.proofread_answer(answer_id=answer.pk) is not None
    assert intake.proofread_answer(answer_id=answer.pk) is None
    assert RetrievedSource.objects.filter(inspection__answer=answer).count() == answer.source_links.count() > 0


def test_two_projects_share_nothing(project, other_project, put, proofread):
    put({"secret.md": "Unused articles may be returned within 41 days of delivery, says the bank."}, into=other_project)
    assert "corpus" not in proofread(bare()).report["checks"]["verification"]
    put()
    keys = [s.source_key for s in sources_of(proofread(bare(WRONG + " Really.")))]
    assert keys
    assert not any(key.startswith("secret") for key in keys)


class TestTheFirstIndex:
    @pytest.fixture
    def build(self, project):
        services.put_documents(
            project=project, lines=[services.DocumentLine("returns.md", RETURNS)], actor=None, now=timezone.now()
        )
        return IndexBuild.objects.get()

    def test_answers_wait_for_it_and_are_sent_on(self, build, receive, queue, workers, api):
        answer = receive(bare()).answer
        assert intake.proofread_answer(answer_id=answer.pk) is None
        answer.refresh_from_db()
        assert (answer.state, answer.attempts, answer.error) == ("received", 0, WAITS)
        asked = api.post("proofread", record_of(sources=()))
        assert (asked.status_code, asked["Retry-After"]) == (503, "5")
        with workers():
            run_build(build_id=build.pk)
        answer.refresh_from_db()
        assert (answer.state, answer.error) == ("proofread", "")
        assert answer.source_links.get().source.source_key == "returns.md#1"
        assert api.post("proofread", record_of(sources=())).json()["checks"]["verification"]["corpus"]["passages"]

    def test_one_that_fails_holds_nobody_up(self, build, receive, queue, workers, monkeypatch):
        def full(*args, **options):
            raise OSError(28, "No space left on device", "/srv/secret")

        answer = receive(bare()).answer
        intake.proofread_answer(answer_id=answer.pk)
        monkeypatch.setattr("webapp.corpus.building.write_index", full)
        with workers():
            run_build(build_id=build.pk)
        build.refresh_from_db()
        assert (build.state, build.error) == ("failed", "The disk refuses it: No space left on device.")
        assert Answer.objects.get(pk=answer.pk).state == "proofread"


def test_an_index_that_was_lost_is_made_again(project, put, receive, queue, workers):
    put()
    first = newest(project)
    indexes.path_of(first).unlink()
    answer = receive(bare()).answer
    with workers():
        assert intake.proofread_answer(answer_id=answer.pk) is None
    answer.refresh_from_db()
    assert answer.state == "proofread"
    assert newest(project).version == first.version
    assert newest(project).pk != first.pk


def test_a_method_that_needs_vectors_searches_words_until_they_are_there(project, put, proofread, workers):
    put()
    project.corpus_method = "dense"
    project.save()
    assert proofread(bare()).report["checks"]["verification"]["corpus"]["method"] == "tfidf"
    with workers():
        request_build(project=project, now=timezone.now())
    found = proofread(bare(WRONG + " Really.")).report["checks"]["verification"]["corpus"]
    assert found["method"] == "dense"


def test_without_an_encoder_the_index_says_so_and_words_are_searched(project, put, proofread, settings):
    settings.ENCODER = "/no/such/model"
    project.corpus_method = "hybrid"
    project.save()
    put()
    assert "no sentence encoder" in newest(project).note
    assert proofread(bare()).report["checks"]["verification"]["corpus"]["method"] == "tfidf"
