"""A project with people in and outside it, and helpers to bring answers in and have them proofread at once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from proofing.documents import Source
from proofing.exchange.answers import AnswerLine
from webapp.accounts.models import Membership, User
from webapp.accounts.services import create_token
from webapp.intake import services as intake
from webapp.records.models import Project
from webapp.records.services import receive_answer
from webapp.review.models import Queue

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
RETURNS = "Unused articles may be returned within 14 days of delivery."


def person(name: str, project: Project | None = None, role: str = "reviewer") -> User:
    user = User.objects.create_user(name, password="a-long-pass-phrase")
    if project is not None:
        Membership.objects.create(project=project, user=user, role=role)
    return user


def line_of(answer="You have 30 days to return it.", question="How long may I keep it?", sources=(RETURNS,), **fields):
    """An answer as it comes in; its sources are named s1, s2, … in order."""
    named = tuple(Source(f"s{i}", text) if isinstance(text, str) else text for i, text in enumerate(sources, start=1))
    return AnswerLine(answer=answer, question=question, sources=named, **fields)


def record_of(answer="You have 30 days to return it.", question="How long may I keep it?", sources=(RETURNS,), **more):
    """The same as a JSON object, for the API and for files."""
    named = [{"id": f"s{i}", "text": text} for i, text in enumerate(sources, start=1)]
    return {"question": question, "answer": answer, "sources": named, **more}


@pytest.fixture
def now():
    return NOW


@pytest.fixture
def project(db):
    """The quick tier: what the engine finds is tested elsewhere."""
    return Project.objects.create(name="Shop", slug="shop", tier="fast")


@pytest.fixture
def queue(project):
    return Queue.objects.create(project=project, name="Support bot", audit_share=0.0)


@pytest.fixture
def other_project(db):
    return Project.objects.create(name="Bank", slug="bank", tier="fast")


@pytest.fixture
def reviewer(project):
    return person("reviewer", project)


@pytest.fixture
def lead(project):
    return person("lead", project, "lead")


@pytest.fixture
def outsiders(project, other_project):
    """People who must not see the project: nobody, a lead of another one, somebody without any, a service account."""
    return {
        "anonymous": None,
        "other_project": person("banker", other_project, "lead"),
        "no_role": person("nobody"),
        "service": person("robot", project, "service"),
    }


OUTSIDERS = ["anonymous", "other_project", "no_role", "service"]


@pytest.fixture
def client_of():
    """A browser of a logged-in person; None: of somebody who did not log in."""

    def make(user):
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return make


@pytest.fixture
def receive(project):
    """Stores an answer; nobody proofreads it yet. `minutes` says how long after NOW it was seen."""

    def store(line=None, *, minutes=0, **options):
        return receive_answer(project=project, line=line or line_of(), now=NOW + timedelta(minutes=minutes), **options)

    return store


@pytest.fixture
def proofread(receive, queue):
    """Stores an answer and proofreads it; returns its inspection."""

    def run(line=None, **options):
        received = receive(line, **options)
        return intake.proofread_answer(answer_id=received.answer.pk)

    return run


@pytest.fixture
def token(project):
    """A token that may do everything in the project."""
    return create_token(project=project, name="test")[1]


class Api:
    """A program that talks to the API with one token."""

    def __init__(self, token: str | None) -> None:
        self.client = Client(headers={"Authorization": f"Bearer {token}"} if token else {})

    def get(self, path, **headers):
        return self.client.get(f"/api/v1/{path}", headers=_names(headers))

    def post(self, path, body=None, **headers):
        content = json.dumps({} if body is None else body)
        return self.client.post(f"/api/v1/{path}", content, content_type="application/json", headers=_names(headers))

    def upload(self, path, **fields):
        return self.client.post(f"/api/v1/{path}", fields)

    def delete(self, path):
        return self.client.delete(f"/api/v1/{path}")


def _names(headers):
    return {name.replace("_", "-"): value for name, value in headers.items()}


@pytest.fixture
def api(token):
    return Api(token)


@pytest.fixture(autouse=True)
def queued(monkeypatch):
    """How many messages the broker holds; a test may change it, and empty it to take the broker away."""
    lengths = {"interactive": 0, "bulk": 0}
    monkeypatch.setattr(intake, "queue_lengths", lambda: lengths)
    return lengths


@pytest.fixture
def workers(django_capture_on_commit_callbacks):
    """Runs what was left for the workers when a block ends."""

    def at_the_end():
        return django_capture_on_commit_callbacks(execute=True)

    return at_the_end
