"""Where a receipt leaves several corrections open, a person chooses; with a script or without."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.webapp.review.builders import Fault, make_item, make_user
from webapp.records.models import Project
from webapp.review import services
from webapp.review.models import Decision, Draft
from webapp.review.problems import UnknownMark

pytestmark = pytest.mark.django_db
FAULTS = [
    Fault("30 days", candidates=("14 days", "21 days"), evidence="14 days"),
    Fault("9 days", "5 days", "5 days"),
]
SOURCES = [("policy.md", "Books: 14 days. Records: 21 days. Refunds take 5 days.")]


@pytest.fixture
def item(queue):
    return make_item(queue, "You have 30 days. Refunds take 9 days.", FAULTS, sources=SOURCES)


@pytest.fixture
def claim(item, reviewer, now):
    return services.claim_item(item=item, reviewer=reviewer, now=now)


def test_a_chosen_correction_stands_in_the_healed_text(claim, now):
    services.choose_alternative(claim=claim, mark_index=0, candidate=1, now=now)
    decision = services.accept_healed(claim=claim, request_key="k", now=now)
    assert decision.kind == Decision.Kind.ACCEPT_EDITED
    assert decision.final_text == "You have 21 days. Refunds take 5 days."
    said = {(v.mark.index, v.verdict, v.source) for v in decision.verdicts.select_related("mark")}
    assert said == {(0, "unsupported", "implied"), (1, "unsupported", "implied")}


def test_a_choice_can_be_changed_and_taken_back(claim, now):
    services.choose_alternative(claim=claim, mark_index=0, candidate=1, now=now)
    assert services.choose_alternative(claim=claim, mark_index=0, candidate=0, now=now).choices == {"0": 0}
    assert services.choose_alternative(claim=claim, mark_index=0, candidate=None, now=now).choices == {}
    decision = services.accept_healed(claim=claim, request_key="k", now=now)
    assert (decision.kind, decision.final_text) == ("accept_healed", "You have 30 days. Refunds take 5 days.")


def test_a_chosen_edit_has_a_switch_like_any_other(claim, now):
    services.choose_alternative(claim=claim, mark_index=0, candidate=0, now=now)
    decision = services.accept_healed(claim=claim, request_key="k", switched_off=[1], now=now)
    assert (decision.kind, decision.final_text) == ("accept_healed", "You have 30 days. Refunds take 5 days.")


@pytest.mark.parametrize(("mark", "candidate"), [(0, 2), (1, 0), (7, 0)])
def test_what_nobody_offered_cannot_be_chosen(mark, candidate, claim, now):
    with pytest.raises(UnknownMark):
        services.choose_alternative(claim=claim, mark_index=mark, candidate=candidate, now=now)
    assert not Draft.objects.filter(choices__has_key=str(mark)).exists()


def test_it_works_as_a_plain_form(item, reviewer, client_of):
    client, url = client_of(reviewer), reverse("review:item", args=[item.pk])
    client.post(f"{url}claim/")
    assert 'aria-pressed="false"><bdi>21 days</bdi>' in client.get(url).text.replace(' title="policy.md"', "")
    assert client.post(f"{url}choose/", {"mark": 0, "candidate": 1}).url == url
    page = client.get(url).text
    assert "<del>30 days</del><ins>21 days</ins>" in page
    assert "You have 21 days. Refunds take 5 days.</textarea>" in page
    client.post(f"{url}choose/", {"mark": 0, "candidate": ""})
    assert "<ins>21 days</ins>" not in client.get(url).text


def test_a_wrong_choice_is_refused(item, claim, reviewer, client_of):
    url = reverse("review:choose", args=[item.pk])
    client = client_of(reviewer)
    assert client.post(url, {"mark": 0, "candidate": 9}).status_code == 422
    assert client.post(url, {"mark": "x"}).status_code == 422


@pytest.mark.parametrize("outsider", ["anonymous", "other project", "colleague"])
def test_choosing_is_closed_to(outsider, item, claim, queue, colleague, client_of):
    user = {"anonymous": None, "colleague": colleague}.get(outsider)
    if outsider == "other project":
        user = make_user("stranger", Project.objects.create(name="Other", slug="other"))
    answer = client_of(user).post(reverse("review:choose", args=[item.pk]), {"mark": 0, "candidate": 0})
    assert answer.status_code == (302 if outsider == "anonymous" else 404)
