"""Which project a page is about can be seen and changed on the page, and a lead's page offers no project it refuses."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.webapp.review.builders import Fault, make_item, make_user
from webapp.accounts.access import SESSION_KEY
from webapp.accounts.models import Membership
from webapp.records.models import Project
from webapp.review.models import Queue

pytestmark = pytest.mark.django_db
EVERYBODYS = ["intake:imports", "records:answers", "insights:home", "insights:drift"]
LEADS = [
    "calibration:sets", "calibration:models", "calibration:exports",
    "insights:reviewers", "insights:agreement", "insights:workers",
    "review:aside", "review:disagreements", "review:gold", "records:changes", "review:queues",
]  # fmt: skip


def offered(html: str) -> list[str]:
    """The projects that the page's own choice offers, by slug."""
    choice = re.search(r'<select name="project".*?</select>', html, re.DOTALL)
    return re.findall(r'<option value="([^"]*)"', choice.group()) if choice else []


@pytest.fixture
def places(project):
    """Three projects; the person leads two of them and reviews in the third."""
    who = make_user("ana", project, role="lead")
    for slug, role in (("bank", "admin"), ("museum", "reviewer")):
        made = Project.objects.create(name=slug.title(), slug=slug, tier="fast")
        Membership.objects.create(project=made, user=who, role=role)
    return who


@pytest.mark.parametrize("name", EVERYBODYS)
def test_a_page_for_everybody_offers_all_of_ones_projects(name, places, client_of):
    page = client_of(places).get(reverse(name), {"project": "shop"}).content.decode()
    assert offered(page) == ["bank", "museum", "shop"]
    assert '<option value="shop" selected>' in page


@pytest.mark.parametrize("name", LEADS)
def test_a_leads_page_offers_the_projects_one_leads(name, places, client_of):
    client = client_of(places)
    slugs = offered(client.get(reverse(name), {"project": "shop"}).content.decode())
    assert slugs == ["bank", "shop"]
    assert {client.get(reverse(name), {"project": slug}).status_code for slug in slugs} == {200}


@pytest.mark.parametrize("name", [*EVERYBODYS, *LEADS])
def test_with_one_project_there_is_nothing_to_choose(name, project, lead, client_of):
    page = client_of(lead).get(reverse(name)).content.decode()
    assert offered(page) == []
    assert project.name in page or name == "review:queues"


def test_the_new_queue_is_made_in_the_chosen_project(places, client_of):
    client = client_of(places)
    page = client.get(reverse("review:queues")).content.decode()
    assert f'action="{reverse("review:new_queue")}"' in page
    assert "Bank" in client.get(reverse("review:new_queue"), {"project": "bank"}).content.decode()


def test_the_desk_begins_where_one_was_last(places, client_of):
    """Whoever has just uploaded answers into one project presses Enter to review those."""
    for slug in ("bank", "shop"):
        queue = Queue.objects.create(project=Project.objects.get(slug=slug), name=f"The {slug}'s", audit_share=0.0)
        make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")])
    for slug, begins in (("bank", "bank"), ("shop", "shop"), ("museum", "bank"), ("", "bank")):
        client = client_of(places)
        session = client.session
        session[SESSION_KEY] = slug
        session.save()
        page = client.get(reverse("desk"))
        assert page.context["start"].project.slug == begins
        assert page.content.decode().count("autofocus>Start reviewing") == 1
