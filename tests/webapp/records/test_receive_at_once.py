"""The same delivery many times at once: whoever comes second is told that it was known."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from tests.webapp.conftest import NOW, line_of
from webapp.records import services
from webapp.records.models import Answer, Observation, Project
from webapp.records.services import receive_answer

#: SQLite has one writer at a time, so nothing can happen at once there: tests/services runs this file on PostgreSQL.
pytestmark = pytest.mark.postgres

TIMES = 12


def at_once(call: Callable[[], services.Received]) -> list[services.Received]:
    """What `call` gives to each of many threads that start together, each on a connection of its own."""
    ready = Barrier(TIMES)

    def one(_: int) -> services.Received:
        try:
            ready.wait(timeout=20)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(TIMES) as pool:
        return list(pool.map(one, range(TIMES)))


@pytest.fixture
def shop(transactional_db):
    return Project.objects.create(name="Shop", slug="shop", tier="fast")


@pytest.mark.parametrize("known", [False, True])
def test_one_external_id_sent_at_once_is_one_observation(shop, known):
    if known:
        receive_answer(project=shop, line=line_of(), now=NOW)
    results = at_once(lambda: receive_answer(project=shop, line=line_of(external_id="x-1"), now=NOW))
    assert len({received.answer.pk for received in results}) == 1
    assert sum(not received.repeated for received in results) == 1
    assert Observation.objects.filter(external_id="x-1").count() == 1
    assert Observation.objects.count() == 1 + known


def test_one_answer_that_supersedes_sent_at_once_is_one_observation(shop):
    old = receive_answer(project=shop, line=line_of(external_id="x-1"), now=NOW).answer
    new = line_of("You have 14 days to return it.", external_id="x-1")
    results = at_once(lambda: receive_answer(project=shop, line=new, now=NOW, supersede=True))
    assert sum(not received.repeated for received in results) == 1
    assert Observation.objects.count() == 2
    old.refresh_from_db()
    assert (old.superseded_by_id, old.external_id) == (results[0].answer.pk, "x-1")
    assert services.current_answer(project=shop, external_id="x-1").pk == results[0].answer.pk


@pytest.mark.parametrize("keyed", [False, True])
def test_sent_at_once_without_an_external_id_each_is_seen(shop, keyed):
    key = "k" if keyed else None
    at_once(lambda: receive_answer(project=shop, line=line_of(), now=NOW, request_key=key))
    assert Answer.objects.count() == 1
    assert Observation.objects.count() == (1 if keyed else TIMES)


def test_what_another_request_stored_since_we_looked_is_a_retry(project, monkeypatch):
    """The same race on one thread: the look for the external id came before the other request was stored."""
    line = line_of(external_id="x-1")
    receive_answer(project=project, line=line, now=NOW)
    monkeypatch.setattr(services, "current_answer", lambda **_: None)
    assert receive_answer(project=project, line=line, now=NOW).repeated
    assert Observation.objects.count() == 1


def test_what_another_request_stores_while_we_write_is_a_retry(project, monkeypatch):
    """The other window of the race: both have looked for the id in vain, and the other one writes first."""
    line = line_of(external_id="x-1")
    receive_answer(project=project, line=line_of(), now=NOW)
    write, writers = services._observe, [True]

    def after_another(*arguments, **named):
        if writers:
            writers.clear()
            assert not receive_answer(project=project, line=line, now=NOW).repeated
        return write(*arguments, **named)

    monkeypatch.setattr(services, "_observe", after_another)
    assert receive_answer(project=project, line=line, now=NOW).repeated
