"""Who comes in, who changes roles, who leaves; and that a project always keeps somebody to run it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.webapp.conftest import NOW, line_of, person
from webapp.accounts import members
from webapp.accounts.models import ApiToken, Invitation, Membership, User
from webapp.review import services as review
from webapp.review.models import Claim, Event, Item

HERE = "/accounts/projects/shop/members/"
PASSWORD = "four random words here"


@pytest.fixture
def admin(project):
    return person("admin", project, "admin")


def link_of(response):
    """The address that an invitation was shown with."""
    return response.context["link"].partition("testserver")[2]


def test_a_link_makes_one_member_once(project, admin, client_of, client):
    page = client_of(admin).post(HERE, {"invite_role": "reviewer", "note": "Ana"})
    link = link_of(page)
    assert link in page.text
    assert link.rsplit("/", 2)[1] not in str(Invitation.objects.values())
    assert link not in client_of(admin).get(HERE).text
    assert "Ana" in client_of(admin).get(HERE).text
    answer = client.post(link, {"username": "ana", "password": PASSWORD, "again": PASSWORD})
    assert answer.status_code == 302
    assert Membership.objects.get(user__username="ana", project=project).role == "reviewer"
    assert client.get("/answers/").status_code == 200  # logged in
    assert client_of(None).get(link).status_code == 404
    assert "used" in client_of(None).get(link).text


def test_who_has_an_account_joins_with_it_and_keeps_a_higher_role(project, admin, lead, client_of):
    other = person("ben")
    link = link_of(client_of(admin).post(HERE, {"invite_role": "lead"}))
    assert "Join as ben" in client_of(other).get(link).text
    client_of(other).post(link)
    assert Membership.objects.get(user=other).role == "lead"
    link = link_of(client_of(admin).post(HERE, {"invite_role": "reviewer"}))
    client_of(other).post(link)
    assert Membership.objects.get(user=other).role == "lead"


def test_a_link_ends_when_it_is_old_or_withdrawn(project, admin, client_of):
    row, secret = members.invite(project=project, role="reviewer", actor=admin, now=NOW)
    with pytest.raises(members.NoInvitation):
        members.invitation_of(secret, now=NOW + timedelta(days=8))
    client_of(admin).post(f"/accounts/projects/shop/invitations/{row.pk}/withdraw/")
    with pytest.raises(members.NoInvitation):
        members.invitation_of(secret, now=NOW)


def test_one_link_lets_one_person_in_even_at_once(project, admin):
    _row, secret = members.invite(project=project, role="reviewer", actor=admin, now=NOW)
    first, second = (members.invitation_of(secret, now=NOW) for _ in range(2))
    members.join(invitation=first, user=person("one"), now=NOW)
    with pytest.raises(members.NoInvitation):
        members.join(invitation=second, user=person("two"), now=NOW)
    assert not Membership.objects.filter(user__username="two").exists()


@pytest.mark.parametrize(
    ("filled", "field"),
    [
        ({"username": "a b", "password": PASSWORD, "again": PASSWORD}, "username"),
        ({"username": "admin", "password": PASSWORD, "again": PASSWORD}, "username"),
        ({"username": "cleo", "password": "short", "again": "short"}, "password"),
        ({"username": "cleo", "password": PASSWORD, "again": PASSWORD + "x"}, "again"),
        ({}, "username"),
    ],
)
def test_an_account_that_cannot_be_made_uses_no_link_up(filled, field, project, admin, client):
    _row, secret = members.invite(project=project, role="reviewer", actor=admin, now=timezone.now())
    page = client.post(f"/accounts/invitations/{secret}/", filled)
    assert page.status_code == 422
    assert page.context["form"].errors[field]
    assert not User.objects.filter(username="cleo").exists()
    assert members.invitation_of(secret, now=timezone.now())


def test_an_admin_makes_an_account_that_can_log_in(project, admin, client_of):
    filled = {"username": "dora", "password": PASSWORD, "role": "lead"}
    assert client_of(admin).post(HERE, filled).status_code == 302
    assert User.objects.get(username="dora").check_password(PASSWORD)
    assert client_of(admin).post(HERE, filled).status_code == 422
    assert Event.objects.filter(kind="member.created", actor=admin).count() == 1


def test_leads_see_members_and_only_who_runs_the_project_changes_them(project, admin, lead, reviewer, client_of):
    page = client_of(lead).get(HERE)
    assert page.status_code == 200
    assert "End membership" not in page.text
    row = Membership.objects.get(user=reviewer)
    assert client_of(lead).post(HERE, {"invite_role": "admin"}).status_code == 403
    assert client_of(lead).post(f"{HERE}{row.pk}/role/", {"role": "lead"}).status_code == 403
    client_of(admin).post(f"{HERE}{row.pk}/role/", {"role": "lead"})
    row.refresh_from_db()
    assert row.role == "lead"
    assert Event.objects.get(kind="member.role_set").data["before"] == "reviewer"


@pytest.mark.parametrize("role", ["former", "reviewer", "service", "owner", ""])
def test_the_last_one_who_runs_a_project_stays(role, project, admin, reviewer, client_of):
    row = Membership.objects.get(user=admin)
    page = client_of(admin).post(f"{HERE}{row.pk}/role/", {"role": role}, follow=True)
    assert page.status_code == 200
    row.refresh_from_db()
    assert row.role == "admin"


def test_who_leaves_sees_nothing_holds_nothing_and_keeps_their_name_on_decisions(
    project, proofread, reviewer, admin, client_of
):
    item = proofread().items.get()
    done = proofread(line_of("You have 31 days to return it.")).items.get()
    review.keep_original(claim=review.claim_item(item=done, reviewer=reviewer, now=NOW), request_key="k", now=NOW)
    review.claim_item(item=item, reviewer=reviewer, now=NOW)
    row = Membership.objects.get(user=reviewer)
    client_of(admin).post(f"{HERE}{row.pk}/role/", {"role": "former"})
    item.refresh_from_db()
    assert item.state == Item.State.WAITING
    assert not Claim.objects.filter(released_at__isnull=True).exists()
    assert client_of(reviewer).get(f"/answers/{item.answer_id}/").status_code == 404
    assert client_of(reviewer).get(f"/items/{item.pk}/").status_code == 404
    assert "reviewer" in client_of(admin).get(f"/answers/{done.answer_id}/").text
    assert "left" in client_of(admin).get(HERE).text


def test_a_service_account_keeps_its_role(project, admin, token, client_of):
    row = Membership.objects.get(project=project, role="service")
    client_of(admin).post(f"{HERE}{row.pk}/role/", {"role": "admin"})
    row.refresh_from_db()
    assert row.role == "service"


def test_a_member_of_another_project_cannot_be_named_here(project, other_project, admin, client_of):
    stranger = person("stranger", other_project)
    row = Membership.objects.get(user=stranger)
    assert client_of(admin).post(f"{HERE}{row.pk}/role/", {"role": "former"}).status_code == 404


def test_a_token_is_shown_once_and_revoked(project, admin, client_of):
    here = "/accounts/projects/shop/tokens/"
    page = client_of(admin).post(here, {"name": "bot", "scopes": ["read"]})
    secret = page.context["secret"]
    assert secret in page.text
    assert page["Cache-Control"].startswith("max-age=0")
    assert secret not in client_of(admin).get(here).text
    row = ApiToken.objects.get(name="bot")
    assert row.scopes == ["read"]
    client_of(admin).post(f"{here}{row.pk}/revoke/")
    row.refresh_from_db()
    assert row.revoked_at is not None
    assert client_of(admin).post(here, {"name": "bot"}).status_code == 422
    assert client_of(admin).post(here, {"name": "bot", "scopes": ["everything"]}).status_code == 422


@pytest.mark.parametrize(
    ("scopes", "door"),
    [
        (["proofread"], "-X POST http://testserver/api/v1/proofread "),
        (["read", "proofread"], "http://testserver/api/v1/queue "),
        (["write"], "-X POST http://testserver/api/v1/answers "),
        (["review"], "-X POST http://testserver/api/v1/queue/next "),
        (["export"], "http://testserver/api/v1/webhooks "),
    ],
)
def test_a_new_token_is_shown_with_a_request_that_it_may_make(scopes, door, project, admin, client_of):
    page = client_of(admin).post("/accounts/projects/shop/tokens/", {"name": "bot", "scopes": scopes})
    assert f"curl {door}" in page.text
    method = "post" if "POST" in door else "get"
    sent = {"data": page.context["trial"].get("body"), "content_type": "application/json"} if method == "post" else {}
    address = door.split()[-1].removeprefix("http://testserver")
    headers = {"Authorization": f"Bearer {page.context['secret']}"}
    answer = getattr(client_of(None), method)(address, headers=headers, **sent)
    assert answer.status_code in (200, 201, 202, 204, 404)


def test_the_members_page_costs_the_same_queries_at_any_number(project, admin, client_of, django_assert_num_queries):
    for number in range(5):
        person(f"p{number}", project)
    page = client_of(admin)
    with django_assert_num_queries(8):  # session, user, project, roles twice, members, invitations, links
        page.get(HERE)
