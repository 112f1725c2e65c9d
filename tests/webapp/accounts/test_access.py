from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from tests.webapp.conftest import OUTSIDERS, person
from webapp.accounts.access import LEADS, PEOPLE, projects_of, require_role


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_for_outsiders_a_project_does_not_exist(outsider, outsiders, project):
    from django.contrib.auth.models import AnonymousUser

    with pytest.raises(Http404):
        require_role(project, outsiders[outsider] or AnonymousUser(), PEOPLE)


def test_a_member_without_the_role_is_told_so(project, reviewer, lead):
    with pytest.raises(PermissionDenied):
        require_role(project, reviewer, LEADS)
    require_role(project, lead, LEADS)


def test_people_see_the_projects_they_work_in(project, other_project):
    user = person("both", project)
    assert list(projects_of(user)) == [project]


def test_the_project_last_looked_at_is_remembered(project, other_project, client_of):
    user = person("both", project)
    from webapp.accounts.services import set_role

    set_role(project=other_project, user=user, role="reviewer")
    page = client_of(user)
    page.get("/answers/?project=shop")
    assert "Shop" in page.get("/insights/").text
    assert page.get("/answers/?project=nowhere").status_code == 404


def test_a_leads_page_turns_to_a_project_they_lead_unless_one_is_named(project, other_project, client_of):
    user = person("both", project)
    from webapp.accounts.services import set_role

    set_role(project=other_project, user=user, role="lead")
    page = client_of(user)
    page.get("/answers/?project=shop")
    assert page.get("/disagreements/").context["project"] == other_project
    assert page.get("/disagreements/?project=shop").status_code == 403
    set_role(project=other_project, user=user, role="reviewer")
    assert page.get("/disagreements/").status_code == 403
