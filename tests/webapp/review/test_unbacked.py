"""A sentence that no source backs is named on the page although nothing in it could be marked."""

from __future__ import annotations

import pytest
from django.urls import reverse

from proofing.pipeline import proofread_whole
from proofing.settings import Settings
from tests.webapp.review.builders import make_item

pytestmark = pytest.mark.django_db
SOURCE = "Parking costs $5 per day."
INVENTED = "Electric cars are charged at no cost by our robot valets."
SAID = "No source backs this sentence."


@pytest.fixture
def item(queue):
    made = make_item(queue, f"{SOURCE} {INVENTED}", sources=[("s1", SOURCE)])
    report = proofread_whole("", [SOURCE], f"{SOURCE} {INVENTED}", settings=Settings(tier="fast")).to_dict()
    made.inspection.report = report
    made.inspection.save()
    return made


def test_it_stands_beside_the_answer_and_on_the_edit_that_takes_it_out(client, item, reviewer):
    assert item.inspection.report["marks"] == []
    client.force_login(reviewer)
    page = client.get(reverse("review:item", args=[item.pk])).content.decode()
    assert SAID in page
    assert "the sources back every value and name" not in page


def test_an_audit_item_does_not_give_it_away(client, item, reviewer):
    item.audit = True
    item.save()
    client.force_login(reviewer)
    assert SAID not in client.get(reverse("review:item", args=[item.pk])).content.decode()
