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


def test_drift_names_the_source_whose_text_changed(drifted, project):
    (row,) = selectors.drifting(project)
    assert row.inspection == drifted
    assert row.compared == 4
    assert row.rebuilt == ("prices.md",)
    (source,) = selectors.drift_by_source(project)
    assert (source.source_key, source.rebuilt) == ("prices.md", True)
    assert source.rate == 1.0


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
    assert "the text of prices.md changed" in page


def test_an_empty_project_has_a_page(project, reviewer, client_of):
    assert "Nothing proofread yet." in client_of(reviewer).get("/insights/").text


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_insights_are_closed_to(outsider, outsiders, project, client_of):
    assert client_of(outsiders[outsider]).get("/insights/?project=shop").status_code in {302, 404}
