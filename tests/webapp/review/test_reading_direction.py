"""A text that turns its own reading direction is shown as what it is."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from tests.webapp.review.builders import make_item, make_queue, make_user
from webapp.review import services

pytestmark = pytest.mark.django_db

TURNED, SHOWN = "\u202e12\u202c", "\ufffd12\u202c"


@pytest.fixture
def held(client):
    queue = make_queue()
    item = make_item(
        queue, f"It costs \u202d{TURNED} euros. שלום 12.", sources=[("s", f"The lamp costs {TURNED} euros.")]
    )
    reviewer = make_user("ana", queue.project)
    client.force_login(reviewer)
    services.claim_item(item=item, reviewer=reviewer, now=timezone.now())
    return item


def test_the_desk_and_the_pages_of_an_answer_show_overrides(held, client):
    for url in (f"/items/{held.pk}/", f"/answers/{held.answer_id}/", "/answers/"):
        page = client.get(url).text
        outside = page.split("<textarea")[0]
        assert "\u202e" not in outside
        assert "\u202d" not in outside
        assert "שלום" in page
        assert "\ufffd" in page


def test_what_is_edited_keeps_them(held, client):
    box = re.search(r'<textarea id="text".*?</textarea>', client.get(f"/items/{held.pk}/").text, re.DOTALL)
    assert box is not None
    assert TURNED in box[0]


def test_the_api_gives_texts_as_they_are(held, client):
    held.answer.refresh_from_db()
    assert TURNED in held.answer.text
    assert TURNED in held.answer.sources.get().text
