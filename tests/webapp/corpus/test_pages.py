"""The pages of a corpus, as a lead meets them; who else may is asked in `test_outsiders`."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from tests.webapp.conftest import person
from tests.webapp.corpus.conftest import RETURNS, jsonl, newest
from tests.webapp.corpus.test_answers import WRONG, bare
from webapp.corpus.models import Document, IndexBuild, Upload
from webapp.records.models import Answer
from webapp.review.services import claim_next_item

HOSTILE = "<script>alert(1)</script> & {{ settings }} \u202e"


def page(client, name, project, *more, **query):
    return client.get(reverse(f"corpus:{name}", args=[project.slug, *more]), query)


@pytest.fixture
def browser(client_of, lead):
    return client_of(lead)


def send(browser, project, *files, **fields):
    given = {"documents": [SimpleUploadedFile(name, content) for name, content in files], **fields}
    return browser.post(reverse("corpus:corpus", args=[project.slug]), given)


def test_a_file_goes_up_and_its_documents_are_listed_opened_replaced_and_deleted(browser, project, workers):
    with workers():
        sent = send(browser, project, ("returns.md", f"# Returns\n\n{RETURNS}".encode()))
    assert sent.status_code == 302
    assert 'data-count="added">1<' in browser.get(sent["Location"]).text
    listed = page(browser, "corpus", project).text
    assert "Returns" in listed
    assert 'data-count="passages">1<' in listed
    document = Document.objects.get()
    at = reverse("corpus:document", args=[project.slug, document.pk])
    assert "within 14 days" in browser.get(at).text
    with workers():
        browser.post(f"{at}replace/", {"file": SimpleUploadedFile("x.md", RETURNS.replace("14", "30").encode())})
    document.refresh_from_db()
    assert (document.key, "30 days" in document.text) == ("returns.md", True)
    with workers():
        browser.post(f"{at}delete/")
        assert Document.objects.exists(), "only when the box is ticked"
        browser.post(f"{at}delete/", {"confirmed": "1"})
    assert not Document.objects.exists()
    assert newest(project).passages == 0


def test_of_two_who_replace_a_text_the_second_is_told_and_keeps_hers(browser, project, put, workers):
    put({"returns.md": RETURNS})
    document = Document.objects.get()
    at = reverse("corpus:document", args=[project.slug, document.pk])
    seen = browser.get(at).context["form"]["seen"].value()
    with workers():
        first = browser.post(f"{at}replace/", {"seen": seen, "text": "Theirs: 30 days."})
        second = browser.post(f"{at}replace/", {"seen": seen, "file": SimpleUploadedFile("x.md", b"Mine: 60 days.")})
    assert (first.status_code, second.status_code) == (302, 409)
    assert "The text was changed meanwhile." in second.text
    assert "Theirs: 30 days." in second.text
    form = second.context["form"]
    assert form["text"].value() == "Mine: 60 days."
    document.refresh_from_db()
    assert document.text == "Theirs: 30 days."
    with workers():
        again = browser.post(f"{at}replace/", {"seen": form["seen"].value(), "text": form["text"].value()})
    assert again.status_code == 302
    document.refresh_from_db()
    assert document.text == "Mine: 60 days."


def test_a_file_that_can_never_be_read_offers_no_going_on(browser, project, upload):
    failed = upload("Straße\n".encode("latin-1"), "x.md")
    shown = page(browser, "upload", project, failed.pk).text
    assert "Mend the file and upload it again" in shown
    assert "/resume/" not in shown


def test_replacing_with_nothing_is_explained(browser, project, put):
    put({"returns.md": RETURNS})
    sent = browser.post(reverse("corpus:replace", args=[project.slug, Document.objects.get().pk]), {"text": " "})
    assert sent.status_code == 422
    assert "Choose a file, or type the text." in sent.text


def test_documents_of_one_upload_stand_in_its_order_and_the_pages_are_newer_and_older(browser, project, upload):
    upload(jsonl(*({"id": f"d{n:03}", "text": f"Text {n}."} for n in range(120))))
    first = page(browser, "corpus", project)
    assert [d.key for d in first.context["documents"]] == [f"d{n:03}" for n in range(50)]
    second = browser.get(reverse("corpus:corpus", args=[project.slug]) + first.context["later"])
    assert [d.key for d in second.context["documents"]] == [f"d{n:03}" for n in range(50, 100)]
    assert 'rel="prev">Newer<' in second.text
    assert 'rel="next">Older<' in second.text


def test_several_files_go_up_at_once_and_a_bad_one_is_named(browser, project, workers):
    with workers():
        sent = send(browser, project, ("a.txt", b"One text."), ("b.pdf", b"%PDF-1.7"), ("c.txt", b"Another text."))
    assert sent.status_code == 422
    assert "b.pdf: PDF is not read; save its text as .txt or .md" in sent.text
    assert sorted(Document.objects.values_list("key", flat=True)) == ["a.txt", "c.txt"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.txt", b"", "the file is empty"),
        ("x.txt", b"%PDF-1.7 ...", "this is a file of type PDF, not plain text"),
        ("x.jsonl", b"PK\x03\x04 ...", "this is a file of type zip, not plain text; unpack it first"),
        ("x.csv", "id,text\n1,é\n".encode("utf-16"), "the file is in UTF-16; save it as UTF-8"),
    ],
)
def test_what_is_no_plain_text_is_refused_and_nothing_kept(browser, project, name, content, said):
    sent = send(browser, project, (name, content))
    assert sent.status_code == 422
    assert said in sent.text
    assert not Upload.objects.exists()


def test_hostile_names_and_texts_are_shown_as_they_are(browser, project, put):
    put({HOSTILE.replace("\u202e", ""): HOSTILE + " tulips"})
    document = Document.objects.get()
    for shown in (page(browser, "corpus", project), page(browser, "document", project, document.pk)):
        assert "<script>alert" not in shown.text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown.text


def test_a_link_that_is_a_script_is_no_link(browser, project, upload):
    upload(jsonl({"id": "a", "text": "Text.", "url": "javascript:alert(1)"}))
    shown = page(browser, "document", project, Document.objects.get().pk).text
    assert "javascript:alert(1)" in shown
    assert 'href="javascript' not in shown


def test_documents_are_searched_and_paged_without_reading_their_texts(
    browser, project, put, django_assert_max_num_queries
):
    put({f"d{n:03}": f"Text number {n}." for n in range(120)})
    first = page(browser, "corpus", project)
    assert first.text.count('<th scope="row"') == 50
    second = browser.get(reverse("corpus:corpus", args=[project.slug]) + first.context["later"])
    third = browser.get(reverse("corpus:corpus", args=[project.slug]) + second.context["later"])
    shown = [d.key for answer in (first, second, third) for d in answer.context["documents"]]
    assert sorted(shown) == [f"d{n:03}" for n in range(120)]
    back = browser.get(reverse("corpus:corpus", args=[project.slug]) + third.context["earlier"])
    assert [d.key for d in back.context["documents"]] == [d.key for d in second.context["documents"]]
    assert [d.key for d in page(browser, "corpus", project, q="NUMBER 77").context["documents"]] == ["d077"]
    assert page(browser, "corpus", project, cursor="nonsense").status_code == 200
    with django_assert_max_num_queries(14):
        page(browser, "corpus", project)


def test_the_state_is_asked_for_while_an_index_is_made_and_it_can_be_stopped(browser, project, put):
    put({"a": "Text."})
    now = timezone.now()
    IndexBuild.objects.create(project=project, state="running", phase="meaning", created_at=now, heartbeat_at=now)
    address = reverse("corpus:corpus", args=[project.slug])
    part = browser.get(address, headers={"HX-Request": "true"}).text
    assert 'hx-trigger="every 2s"' in part
    assert "<html" not in part
    browser.post(reverse("corpus:stop", args=[project.slug]))
    assert newest(project, "cancelled") is not None
    assert "Somebody stopped the making" in browser.get(address).text
    assert 'hx-trigger="every 2s"' not in browser.get(address).text


def test_answers_that_came_before_the_corpus_are_read_again(browser, project, put, proofread, workers):
    first = proofread(bare())
    put()
    with workers():
        browser.post(reverse("corpus:again", args=[project.slug]))
    assert first.answer.inspections.count() == 2
    assert Answer.objects.get().source_links.exists()


def test_everything_goes_only_when_the_box_is_ticked(browser, project, put, workers):
    put()
    address = reverse("corpus:clear", args=[project.slug])
    browser.post(address)
    assert Document.objects.count() == 3
    with workers():
        browser.post(address, {"confirmed": "1"})
    assert not Document.objects.exists()


class TestWhereAnswersAreShown:
    def test_the_desk_says_where_the_sources_come_from(self, project, put, proofread, queue, client_of):
        put()
        project.thresholds = {"verification_threshold": 0.99}
        project.save()
        proofread(bare())
        reviewer = person("reader", project)
        claim = claim_next_item(queue=queue, reviewer=reviewer, now=timezone.now())
        shown = client_of(reviewer).get(reverse("review:item", args=[claim.item_id])).text
        assert "These were found in the project’s corpus" in shown
        assert "by words" in shown
        assert newest(project).version[:12] in shown
        assert "returns.md#1" in shown
        assert "answer and its best source" in shown
        assert "below 0.99" in shown

    def test_the_desk_says_that_nothing_was_found(self, project, put, proofread, queue, client_of):
        put()
        proofread(bare("Zebras graze.", question="Zebras?"))
        reviewer = person("reader", project)
        claim = claim_next_item(queue=queue, reviewer=reviewer, now=timezone.now())
        shown = client_of(reviewer).get(reverse("review:item", args=[claim.item_id])).text
        assert "nothing in the project’s corpus is near it" in shown

    def test_the_answers_page_says_it_too_and_the_document_counts_it(self, project, put, proofread, browser):
        put()
        inspection = proofread(bare())
        shown = browser.get(reverse("records:answer", args=[inspection.answer_id])).text
        assert "These were found in the project’s corpus" in shown
        document = Document.objects.get(key="returns.md")
        assert 'data-count="checked">1<' in page(browser, "document", project, document.pk).text


class TestSettings:
    def fields(self, project, **changes):
        known = {"name": project.name, "profile": "general", "tier": "fast", "locale": "und", "slots": "1"}
        return {**known, "audit_share": "5", "corpus_method": "tfidf", "corpus_k": "4", **changes}

    def test_method_k_alpha_and_threshold_are_set_in_the_project(self, browser, project):
        address = reverse("accounts:project", args=[project.slug])
        assert 'name="corpus_k"' in browser.get(address).text
        chosen = {"corpus_method": "hybrid", "corpus_k": "7", "threshold_verification_alpha": "0.3"}
        browser.post(address, self.fields(project, **chosen, threshold_verification_threshold="0.55"))
        project.refresh_from_db()
        assert (project.corpus_method, project.corpus_k) == ("hybrid", 7)
        assert project.thresholds == {"verification_alpha": 0.3, "verification_threshold": 0.55}

    @pytest.mark.parametrize("bad", [{"corpus_k": "0"}, {"corpus_k": "21"}, {"corpus_method": "magic"},
                                     {"threshold_verification_alpha": "1.1"}])  # fmt: skip
    def test_what_is_out_of_range_is_refused(self, browser, project, bad):
        sent = browser.post(reverse("accounts:project", args=[project.slug]), self.fields(project, **bad))
        assert sent.status_code == 422
        project.refresh_from_db()
        assert (project.corpus_method, project.corpus_k, project.thresholds) == ("tfidf", 4, {})

    def test_a_method_by_meaning_has_the_index_made_anew_once(self, browser, project, put, workers):
        put()
        address = reverse("accounts:project", args=[project.slug])
        with workers():
            browser.post(address, self.fields(project, corpus_method="dense"))
        assert newest(project).encoder
        with workers():
            browser.post(address, self.fields(project, corpus_method="hybrid"))
        assert IndexBuild.objects.filter(project=project).count() == 2


def test_a_wrong_answer_is_wrong_here(put, proofread):
    """What the tests above rely on."""
    put()
    assert proofread(bare(WRONG)).marks.exists()
