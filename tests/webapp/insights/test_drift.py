from __future__ import annotations

import pytest

from proofing.checks.drift import question_key
from proofing.documents import Source
from tests.webapp.conftest import OUTSIDERS, line_of
from webapp.insights.charts import rate_line
from webapp.insights.drift import RATE_WINDOW, drift_page
from webapp.intake import services as intake
from webapp.records.models import Observation
from webapp.review.models import Item

QUESTION = "What does the Atlas plan cost?"
OLD, NEW = "The Atlas plan costs $40 per month.", "It is $95 a year, cancel whenever."


def seen(receive, answer, *, minutes, question=QUESTION, source="Atlas: $40 per month."):
    """One more delivery, proofread where it is a fresh one."""
    received = receive(line_of(answer, question, (Source("prices.md", source),)), minutes=minutes)
    if received.fresh:
        intake.proofread_answer(answer_id=received.answer.pk)
    return received.answer


@pytest.fixture
def drifted(receive, queue):
    """Four equal answers, then another one from a source whose text had changed."""
    for minute in range(4):
        seen(receive, OLD, minutes=minute)
    return seen(receive, NEW, minutes=9, source="Atlas: $95 per year.")


def test_a_rebuilt_index_is_named_as_the_likely_cause(drifted, project):
    page = drift_page(project)
    (row,) = page.drifting
    assert (row.answer, row.seen.compared, row.seen.changed) == (drifted, 4, ("prices.md",))
    (source,) = page.sources
    assert (source.key, source.drifted, source.changed) == ("prices.md", 1, True)


def test_sources_that_stayed_as_they_were_are_no_cause(receive, queue, project):
    for minute in range(4):
        seen(receive, OLD, minutes=minute)
    seen(receive, NEW, minutes=9)
    page = drift_page(project)
    assert [row.seen.changed for row in page.drifting] == [()]
    assert page.drifting[0].unchanged == ("prices.md",)


def test_an_answer_that_comes_again_counts_again(drifted, receive, project):
    assert drift_page(project).compared == 2
    seen(receive, OLD, minutes=10)
    seen(receive, OLD, minutes=11)
    page = drift_page(project)
    assert (page.compared, page.drifted) == (4, 1)
    assert [round(step.rate, 2) for step in page.steps] == [0.0, 1 / 2, 0.33, 0.25]


def test_the_rate_is_taken_over_a_window_that_slides_across_questions(receive, queue, project):
    for number in range(RATE_WINDOW):
        seen(receive, OLD, minutes=number)
    for number in range(4):
        seen(receive, "The desk opens at 9:00.", question="When does it open?", minutes=100 + number)
    seen(receive, "Never on Sundays, says the 1998 leaflet.", question="When does it open?", minutes=200)
    page = drift_page(project)
    assert page.steps[-1].rate == 1 / RATE_WINDOW if len(page.steps) >= RATE_WINDOW else 1 / len(page.steps)
    assert [row.label for row in page.questions] == ["When does it open?"]


def test_days_run_from_old_to_new(receive, queue, project):
    for minute in range(4):
        seen(receive, OLD, minutes=minute)
    seen(receive, NEW, minutes=60 * 24)
    assert [(day.label, day.compared, day.drifted) for day in drift_page(project).days] == [
        ("2026-03-02", 1, 0), ("2026-03-03", 1, 1),
    ]  # fmt: skip


def test_one_question_or_one_source_alone(drifted, receive, project):
    assert drift_page(project, question=question_key(QUESTION)).question_text == QUESTION
    assert drift_page(project, question="0" * 32).compared == 0
    assert drift_page(project, source="prices.md").drifted == 1
    assert drift_page(project, source="other.md").compared == 0


def test_another_project_has_drift_of_its_own(drifted, other_project):
    assert drift_page(other_project).compared == 0


def test_what_was_found_is_kept_where_a_restart_finds_it(drifted):
    observation = Observation.objects.get(answer=drifted)
    assert (observation.drifted, observation.drift_compared) == (True, 4)
    assert observation.changed_sources == ["prices.md"]


def test_proofreading_again_changes_no_count(drifted, project):
    before = drift_page(project)
    intake.proofread_answer(answer_id=drifted.pk)
    assert drift_page(project) == before


def test_an_answer_to_be_read_without_help_is_counted_but_not_listed(drifted, project):
    Item.objects.filter(answer=drifted).update(audit=True)
    page = drift_page(project)
    assert (page.drifted, page.drifting, page.held_back) == (1, [], 1)


def test_one_comparison_makes_no_line(receive, queue, project):
    for minute in range(4):
        seen(receive, OLD, minutes=minute)
    assert rate_line(drift_page(project).steps) is None


def test_the_page_links_each_answer_and_draws_the_rate(drifted, reviewer, client_of):
    page = client_of(reviewer).get("/insights/drift/").text
    assert f"/answers/{drifted.pk}/" in page
    assert "rebuilt index: the text of prices.md changed" in page
    assert 'role="img"' in page
    assert "style=" not in page


def test_hostile_addresses_are_harmless(drifted, reviewer, client_of):
    client = client_of(reviewer)
    assert client.get("/insights/drift/?question=%00").status_code == 400
    for query in ("source=%3Cscript%3E", "question=" + "x" * 3000):
        page = client.get(f"/insights/drift/?{query}")
        assert page.status_code == 200
        assert "<script>" not in page.text.replace("<script src", "")


@pytest.mark.parametrize("questions", [1, 5])
def test_the_page_takes_the_same_number_of_queries_however_much_drifts(
    questions, receive, queue, reviewer, client_of, django_assert_num_queries
):
    for number in range(questions):
        for minute in range(4):
            seen(receive, OLD, question=f"{QUESTION} {number}", minutes=minute)
        seen(receive, NEW, question=f"{QUESTION} {number}", minutes=9)
    client = client_of(reviewer)
    client.get("/insights/drift/")
    with django_assert_num_queries(9):
        client.get("/insights/drift/")


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_drift_is_closed_to(outsider, outsiders, drifted, client_of):
    assert client_of(outsiders[outsider]).get("/insights/drift/?project=shop").status_code in {302, 404}
