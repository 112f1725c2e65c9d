"""Running a project: who may, what is validated, what counts from when on."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import NOW, OUTSIDERS, line_of, person
from webapp.accounts.models import Membership
from webapp.intake.engine import settings_of
from webapp.records import projects as services
from webapp.records.models import Answer, Project
from webapp.review.models import Event, Queue

FILLED = {
    "name": "Shop", "profile": "general", "tier": "fast", "locale": "und", "slots": "1", "audit_share": "5",
    "blind": "on",
}  # fmt: skip


@pytest.fixture
def admin(project):
    return person("admin", project, "admin")


@pytest.mark.parametrize("outsider", OUTSIDERS)
@pytest.mark.parametrize("page", ["", "archive/", "restore/", "members/", "tokens/"])
def test_a_projects_pages_are_closed_to(page, outsider, outsiders, client_of):
    browser = client_of(outsiders[outsider])
    address = f"/accounts/projects/shop/{page}"
    assert browser.get(address).status_code in {302, 404, 405}
    assert browser.post(address, FILLED).status_code in {302, 404}
    assert Project.objects.get(slug="shop").archived_at is None


def test_reviewers_do_not_run_a_project_and_leads_do_not_run_one_that_has_an_admin(
    project, reviewer, lead, admin, client_of
):
    assert client_of(reviewer).get("/accounts/projects/shop/").status_code == 403
    assert client_of(lead).get("/accounts/projects/shop/").status_code == 200
    assert client_of(lead).post("/accounts/projects/shop/archive/").status_code == 403
    assert client_of(lead).get("/accounts/projects/shop/tokens/").status_code == 403
    assert client_of(admin).get("/accounts/projects/shop/tokens/").status_code == 200


def test_a_project_without_an_admin_is_run_by_its_leads(project, lead, client_of):
    assert client_of(lead).get("/accounts/projects/shop/tokens/").status_code == 200


def test_who_runs_one_project_may_start_another_and_administers_it(lead, reviewer, client_of):
    assert client_of(reviewer).post("/accounts/projects/new/", FILLED).status_code == 403
    page = client_of(lead).post("/accounts/projects/new/", {**FILLED, "name": "Help desk", "slots": "2"})
    assert page.status_code == 302
    made = Project.objects.get(slug="help-desk")
    assert made.memberships.get(user=lead).role == "admin"
    assert made.queues.get().slots == 2


def test_two_projects_of_one_name_get_two_short_names(lead):
    made = [services.create_project(name=name, actor=lead, now=NOW).slug for name in ("Shop A", "Shop A", "New", "ñ")]
    assert made == ["shop-a", "shop-a-2", "new-2", "n"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "…"), ("name", ""), ("locale", "klingon!"), ("tier", "slow"), ("profile", "odd"), ("slots", "9"),
        ("audit_share", "101"), ("audit_share", "x"), ("retention_days", "0"), ("threshold_mark_cut", "1.5"),
        ("threshold_caution", "nan"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_stored(field, value, project, lead, client_of):
    page = client_of(lead).post("/accounts/projects/shop/", {**FILLED, "name": "Other", field: value})
    assert page.status_code == 422
    assert page.context["form"].errors[field]
    project.refresh_from_db()
    assert project.name == "Shop"


def test_settings_of_reading_count_from_now_on_and_settings_of_review_for_new_queues(project, queue, lead, client_of):
    filled = {**FILLED, "profile": "strict", "threshold_mark_cut": "0.4", "slots": "3", "audit_share": "12.5"}
    page = client_of(lead).post("/accounts/projects/shop/", filled, follow=True).text
    assert "proofread from now on" in page
    assert "the queues there are keep theirs" in page
    project.refresh_from_db()
    found = settings_of(project)
    assert (found.profile, found.mark_cut, found.faithfulness_threshold) == ("strict", 0.4, 0.7)
    assert (project.slots, project.audit_share, project.blind) == (3, 0.125, True)
    queue.refresh_from_db()
    assert queue.slots == 1
    client_of(lead).post("/accounts/projects/shop/", {**filled, "spread": "on"})
    queue.refresh_from_db()
    assert (queue.slots, queue.audit_share) == (3, 0.125)
    changed = Event.objects.get(kind="project.changed").data["changed"]
    assert changed["slots"] == [1, 3]


def test_a_time_to_keep_answers_that_would_delete_some_asks_first(project, receive, lead, client_of, now):
    receive()
    page = client_of(lead).post("/accounts/projects/shop/", {**FILLED, "retention_days": "1"})
    assert page.status_code == 422
    assert "1 answer is older than that" in page.text
    client_of(lead).post("/accounts/projects/shop/", {**FILLED, "retention_days": "1", "confirmed": "on"})
    project.refresh_from_db()
    assert project.retention_days == 1


def test_answers_past_their_time_go_and_others_stay(project, other_project, receive, proofread, now):
    from datetime import timedelta

    proofread(line_of("An old answer."))
    young = receive(line_of("A young answer."), minutes=60 * 24 * 5).answer
    assert services.delete_past_retention(now=now + timedelta(days=6)) == 0
    Project.objects.filter(pk=project.pk).update(retention_days=3)
    assert services.delete_past_retention(now=now + timedelta(days=6)) == 1
    assert list(Answer.objects.all()) == [young]


def test_an_archived_project_is_nowhere_but_with_who_runs_it(project, receive, queue, lead, reviewer, client_of, api):
    answer = receive().answer
    client_of(lead).post("/accounts/projects/shop/archive/")
    for user in (lead, reviewer):
        page = client_of(user)
        assert page.get("/answers/?project=shop").status_code == 404
        assert page.get(f"/answers/{answer.pk}/").status_code == 404
        assert page.post(f"/queues/{queue.pk}/next/").status_code == 404
        assert "Support bot" not in page.get("/queues/").text
    assert api.get("queue").status_code == 401
    assert "Shop" not in client_of(reviewer).get("/accounts/projects/").text
    assert "Bring back" in client_of(lead).get("/accounts/projects/").text
    assert client_of(reviewer).post("/accounts/projects/shop/restore/").status_code == 404
    client_of(lead).post("/accounts/projects/shop/restore/")
    assert client_of(reviewer).get(f"/answers/{answer.pk}/").status_code == 200
    assert api.get("queue").status_code == 200


def test_the_projects_page_costs_the_same_queries_at_any_number(lead, client_of, django_assert_num_queries):
    page = client_of(lead)
    for number in range(3):
        services.create_project(name=f"Shop {number}", actor=lead, now=NOW)
    with django_assert_num_queries(7):  # session, user, roles, projects, archived, who may create, links for leads
        page.get("/accounts/projects/")


def test_queues_of_a_new_project_take_its_settings(lead):
    made = services.create_project(name="Help", actor=lead, now=NOW, slots=2, audit_share=0.0, blind=False)
    queue = Queue.objects.get(project=made)
    assert (queue.slots, queue.audit_share, queue.blind) == (2, 0.0, False)
    assert Membership.objects.get(project=made).role == "admin"
