from __future__ import annotations

import pytest

from tests.webapp.conftest import OUTSIDERS, line_of
from webapp.records import selectors
from webapp.records.models import Answer


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_answers_are_closed_to(outsider, outsiders, receive, client_of):
    answer = receive().answer
    page = client_of(outsiders[outsider])
    assert page.get("/answers/?project=shop").status_code in {302, 404}
    assert page.get(f"/answers/{answer.pk}/").status_code in {302, 404}
    assert page.post(f"/answers/{answer.pk}/retry/").status_code in {302, 404}


def test_a_reviewer_finds_an_answer_by_its_words(receive, reviewer, client_of):
    receive()
    receive(line_of("Delivery takes two days.", "When does it come?"))
    page = client_of(reviewer).get("/answers/?q=delivery takes")
    assert "Delivery takes two days." in page.text
    assert "30 days" not in page.text


def test_the_filter_stays_in_the_address_of_the_next_page(receive, reviewer, client_of):
    for number in range(60):
        receive(line_of(f"Answer number {number}."), minutes=number)
    page = client_of(reviewer).get("/answers/?q=number&state=received")
    assert "state=received" in page.context["later"]
    later = client_of(reviewer).get("/answers/" + page.context["later"])
    shown = [answer.pk for answer in page.context["answers"]] + [answer.pk for answer in later.context["answers"]]
    assert len(shown) == len(set(shown)) == 60


def test_pages_go_back_the_way_they_came(receive, project):
    for number in range(7):
        receive(line_of(f"Answer number {number}."), minutes=number)
    first = selectors.answers_page(project=project, size=3)
    second = selectors.answers_page(project=project, size=3, cursor=first.later)
    third = selectors.answers_page(project=project, size=3, cursor=second.later)
    back = selectors.answers_page(project=project, size=3, cursor=second.earlier)
    assert [a.text for a in first.answers] == ["Answer number 6.", "Answer number 5.", "Answer number 4."]
    assert [a.text for a in third.answers] == ["Answer number 0."]
    assert third.later is None
    assert [a.pk for a in back.answers] == [a.pk for a in first.answers]
    assert back.earlier is None


def test_a_broken_cursor_shows_the_first_page(receive, reviewer, client_of):
    receive()
    assert client_of(reviewer).get("/answers/?cursor=garbage").status_code == 200


def test_an_answer_shows_its_marks_and_its_history(proofread, reviewer, client_of):
    inspection = proofread(minutes=3)
    page = client_of(reviewer).get(f"/answers/{inspection.answer_id}/")
    assert "30 days" in page.text
    assert "put into the queue" in page.text


def test_an_audit_item_hides_what_the_machine_found(queue, proofread, reviewer, client_of):
    queue.audit_share = 1.0
    queue.save()
    inspection = proofread()
    page = client_of(reviewer).get(f"/answers/{inspection.answer_id}/")
    assert "stays hidden" in page.text
    assert "Nearest evidence" not in page.text
    assert "hidden until reviewed" in client_of(reviewer).get("/answers/").text


def test_answer_text_is_never_markup(receive, reviewer, client_of):
    answer = receive(line_of("<script>alert(1)</script> & more", "<b>Why?</b>", sources=("<i>x</i>",))).answer
    page = client_of(reviewer).get(f"/answers/{answer.pk}/").text
    assert "<script>alert" not in page
    assert "<b>Why" not in page
    assert "<i>x" not in page


def test_a_failed_answer_can_be_tried_again_by_a_lead_only(receive, lead, reviewer, client_of, queue, workers):
    answer = receive().answer
    Answer.objects.update(state=Answer.State.FAILED, attempts=3, error="The engine was not there.")
    assert client_of(reviewer).post(f"/answers/{answer.pk}/retry/").status_code == 403
    with workers():
        client_of(lead).post(f"/answers/{answer.pk}/retry/")
    answer.refresh_from_db()
    assert answer.state == Answer.State.PROOFREAD
    assert answer.error == ""


def test_the_list_costs_the_same_queries_at_any_length(receive, reviewer, client_of, django_assert_num_queries):
    page = client_of(reviewer)
    page.get("/answers/")
    for number in range(30):
        receive(line_of(f"Answer number {number}."), minutes=number)
    with django_assert_num_queries(9):  # session, user, last project, queues, answers, audits, role, projects, links
        page.get("/answers/")
