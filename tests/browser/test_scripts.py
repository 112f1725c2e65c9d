"""Texts that would run as scripts, in every field that people or programs fill, on every page: nothing runs."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.test import Client

from tests.webapp.review.builders import Fault, make_item
from tests.webapp.test_outsiders import EVERY, OPEN, World
from webapp.accounts.models import User

#: Ways out of a text, an attribute, a script, a comment, a style, a template and Markdown; `ran` tells.
CORPUS = (
    "\"><script>ran=1</script><img src=x onerror=ran=1>'-ran-'",
    "</textarea></title><svg onload=ran=1>{{7*7}}${ran=1}",
    "[x](javascript:ran=1) ![x](javascript:ran=1) <javascript:ran=1>",
    "--></script><body onload=ran=1><style>*{background:url(//x)}</style>",
)
ADDRESS = "javascript:ran=1"
#: Columns whose words the program chose itself, and keys that other rows or files are found by.
OURS = {"password", "slug", "sha256", "file", "format", "kind", "state", "code", "secret_hash", "digest", "key_hash"}


def _hostile_rows() -> None:
    """Write the corpus into every text column of every row there is."""
    for room in ("accounts", "records", "intake", "review", "calibration", "corpus", "judges", "webhooks"):
        for model in apps.get_app_config(room).get_models():
            changes = {}
            for place, field in enumerate(model._meta.concrete_fields):
                free = isinstance(field, models.CharField | models.TextField) and not field.choices and not field.unique
                if not free or field.name in OURS or "hash" in field.name or isinstance(field, models.SlugField):
                    continue
                long = field.max_length is None or field.max_length >= len(CORPUS[place % len(CORPUS)])
                text = ADDRESS if "url" in field.name else CORPUS[place % len(CORPUS)]
                if long and not (model._meta.label == "records.Answer" and field.name in ("text", "route", "risk")):
                    changes[field.name] = text
            for row in model._default_manager.all() if model._meta.label != "review.Event" else ():
                for name, text in changes.items():
                    with suppress(IntegrityError), transaction.atomic():  # a key of its table: left as it was
                        model._base_manager.filter(pk=row.pk).update(**{name: text})


@pytest.fixture
def world(queue):
    queue.delete()
    world = World()
    hostile = CORPUS[0]
    make_item(
        world.queue, f"It takes {hostile} days. {CORPUS[3]}", [Fault(hostile, CORPUS[1], CORPUS[2])],
        sources=[(CORPUS[3], f"In {CORPUS[2]} days.")], question=CORPUS[1],
    )  # fmt: skip
    _hostile_rows()
    return world


def test_no_text_runs_as_a_script_on_any_page(world, browser, live_server):
    User.objects.filter(pk=world.lead.pk).update(username=CORPUS[0])
    visitor = Client()
    visitor.force_login(User.objects.get(pk=world.lead.pk))
    pages = []
    for name, pattern in EVERY:
        if name not in OPEN and not name.startswith("api:"):
            address = world.address(name, pattern)
            answer = visitor.get(address)
            assert answer.status_code < 500, name
            shows = answer.get("Content-Type", "").startswith("text/html") and not answer.streaming
            if shows and any(word in answer.text for word in ("onerror", "onload", "javascript:")):
                pages.append(address)
    assert len(pages) > 20, "hardly any page shows a text"
    context = browser.new_context()
    cookie = {"name": "proofmark_session", "value": visitor.cookies["proofmark_session"].value, "url": live_server.url}
    context.add_cookies([cookie])
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(f"dialog {dialog.message}"))
    try:
        for address in pages:
            page.goto(f"{live_server.url}{address}", wait_until="load")
            assert page.evaluate("typeof ran") == "undefined", address
            assert page.locator('a[href^="javascript:"], img[onerror], svg[onload]').count() == 0, address
            assert not [text for text in said if "Content Security Policy" in text or "dialog" in text], (address, said)
    finally:
        context.close()
