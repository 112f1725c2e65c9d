from __future__ import annotations

import pytest
from django.test import Client

from tests.webapp.review.builders import NOW, Fault, make_item, make_queue, make_user

ANSWER = "You have 30 days to return it. Refunds take 9 days."
FAULTS = (Fault("30 days", "14 days", "14 days"), Fault("9 days", "5 days", "5 days"))
SOURCES = (("policy.md#1", "Articles may come back within 14 days."), ("policy.md#2", "Refunds take 5 days."))


@pytest.fixture
def now():
    return NOW


@pytest.fixture
def queue(db):
    return make_queue()


@pytest.fixture
def project(queue):
    return queue.project


@pytest.fixture
def item(queue):
    return make_item(queue, ANSWER, FAULTS, sources=SOURCES)


@pytest.fixture
def reviewer(queue):
    return make_user("reviewer", queue.project)


@pytest.fixture
def colleague(queue):
    return make_user("colleague", queue.project)


@pytest.fixture
def lead(queue):
    return make_user("lead", queue.project, role="lead")


@pytest.fixture
def client_of():
    """A browser of a logged-in person; None: of somebody who did not log in."""

    def make(user):
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return make
