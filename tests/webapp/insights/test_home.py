from __future__ import annotations

import pytest

from proofing.documents import Source
from tests.webapp.conftest import NOW, OUTSIDERS, line_of
from webapp.insights import selectors
from webapp.intake import services as intake
from webapp.review import services as review

QUESTION = "What does the Atlas plan cost?"


@pytest.fixture
def drifted(receive, queue):
    """Four equal answers, then another one from a source whose text had changed."""
    for minute in range(4):
        line = line_of("The Atlas plan costs $40 per month.", QUESTION, (Source("prices.md", "Atlas: $40 per month."),))
        receive(line, minutes=minute)
    line = line_of("It is $95 a year, cancel whenever.", QUESTION, (Source("prices.md", "Atlas: $95 per year."),))
    answer = receive(line, minutes=9).answer
    return intake.proofread_answer(answer_id=answer.pk)


def test_routes_and_risks_count_the_newest_inspection_of_each_answer(proofread, project):
    proofread(line_of("You have 14 days to return it."))
    proofread(line_of("You have 30 days to return it."))
    rows = selectors.risks(project)
    assert sum(row.count for row in rows) == 2
    assert sum(row.share for row in rows) == pytest.approx(1)


def test_an_answer_that_was_replaced_does_not_count(proofread, receive, project):
    proofread(line_of(external_id="e-1"))
    receive(line_of("You have 14 days.", external_id="e-1"), supersede=True)
    assert selectors.routes(project) == []


def test_the_rate_of_healed_answers_taken_unchanged(proofread, project, reviewer):
    assert selectors.healed_accept_rate(project) is None
    for answer, kind in (
        ("You have 30 days to return it.", "accept_healed"),
        ("You have 31 days to return it.", "keep"),
    ):
        item = proofread(line_of(answer)).items.get()
        claim = review.claim_item(item=item, reviewer=reviewer, now=NOW)
        review.decide(claim=claim, now=NOW, choice=review.Choice(kind=kind, request_key=answer))
    assert selectors.healed_accept_rate(project) == 0.5
    assert {row.code for row in selectors.decisions(project)} == {"accept_healed", "keep"}


def test_the_page_shows_them_and_says_uncalibrated(drifted, reviewer, client_of):
    page = client_of(reviewer).get("/insights/").text
    assert "Uncalibrated." in page
    assert "1 of the newest 2 comparisons with earlier answers to the same question drifted (50.0" in page


def test_routes_are_counted_by_the_day_the_answer_came(proofread, project):
    proofread(line_of("You have 14 days to return it."))
    proofread(line_of("You have 30 days to return it."), minutes=60 * 24)
    first, second = selectors.routes_by_day(project)
    assert (first.day.isoformat(), first.total, second.total) == ("2026-03-02", 1, 1)
    assert [row.code for row in first.rows] == list(selectors.ROUTES)
    assert sum(row.share for row in second.rows) == pytest.approx(1)


@pytest.mark.parametrize("answers", [1, 6])
def test_the_page_takes_the_same_number_of_queries_however_many_answers_there_are(
    answers, proofread, project, reviewer, client_of, django_assert_num_queries
):
    for number in range(answers):
        proofread(line_of(f"You have {number + 10} days to return it."), minutes=number * 60 * 24)
    client = client_of(reviewer)
    client.get("/insights/")
    with django_assert_num_queries(13):  # and which projects there are to choose from
        client.get("/insights/")


def test_an_empty_project_has_a_page(project, reviewer, client_of):
    assert "Nothing proofread yet." in client_of(reviewer).get("/insights/").text


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_insights_are_closed_to(outsider, outsiders, project, client_of):
    assert client_of(outsiders[outsider]).get("/insights/?project=shop").status_code in {302, 404}
