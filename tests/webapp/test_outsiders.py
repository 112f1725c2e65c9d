"""Every address of the site, as nobody, outsiders, a reviewer and a lead meet it.

The addresses are read from the resolver, so a page that is added is walked too. Two things must be said here about a
new one: what stands for its object (`World`), and whether it is for leads alone (`LEADS_ONLY`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.webapp.conftest import Api, person
from tests.webapp.review.builders import NOW, Fault, make_item, make_queue
from webapp.accounts.services import create_token

ANSWER = "A word that no outsider may read: xylograph, 30 days."

#: Addresses that anybody may call, and why.
OPEN = {
    "accounts:login": "it is how one comes in",
    "accounts:logout": "it ends a session, whose ever it is",
    "accounts:invitation": "whoever is invited has no account yet; the secret in it is the key",
    "accounts:oidc": "it is how one comes in, where there is a provider",
    "accounts:oidc_callback": "whoever comes back from the provider is nobody yet",
    "set_language": "the language of the log-in page",
    "healthz": "probes have no account",
    "readyz": "probes have no account",
    "metrics": "closed by a token or to other machines; see test_health",
    "api:openapi-json": "a description of the API holds no data",
    "api:api-root": "says that nothing is there",
    "": "the API's answer to an address it does not know",
}
#: Pages for leads and admins; every other page is a reviewer's too.
LEADS_ONLY = {
    "corpus:corpus",
    "corpus:build",
    "corpus:stop",
    "corpus:again",
    "corpus:clear",
    "corpus:document",
    "corpus:replace",
    "corpus:delete",
    "corpus:upload",
    "corpus:cancel",
    "corpus:resume",
    "corpus:faults",
    "webhooks:list",
    "webhooks:webhook",
    "webhooks:change",
    "webhooks:renew",
    "webhooks:delete",
    "webhooks:redeliver",
    "insights:agreement",
    "insights:reviewers",
    "insights:workers",
    "records:bulk",
    "records:changes",
    "records:undo_change",
    "review:aside",
    "review:clear_gold",
    "review:disagreements",
    "review:edit_queue",
    "review:gold",
    "review:guidelines",
    "review:new_queue",
    "review:pause",
    "review:queue",
    "review:resolve",
    "accounts:project",
    "accounts:archive",
    "accounts:restore",
    "accounts:members",
    "accounts:member_role",
    "accounts:withdraw",
    "accounts:tokens",
    "accounts:revoke",
    "judges:settings",
    "judges:begin",
    "judges:fit",
    "judges:audit",
    "judges:settle",
    "judges:round",
    "judges:cancel",
    "records:retry",
    "calibration:sets",
    "calibration:set",
    "calibration:choose",
    "calibration:compare",
    "calibration:run",
    "calibration:run_items",
    "calibration:activate",
    "calibration:models",
    "calibration:use_shipped",
    "calibration:use_model",
    "calibration:model_file",
    "calibration:refit",
    "calibration:cancel_refit",
    "calibration:exports",
    "calibration:export",
    "calibration:download",
    "calibration:manifest",
}
#: For leads, and for whoever uploaded the file; the one walked here is somebody else's.
LEADS_AND_UPLOADERS = {"intake:columns", "intake:cancel", "intake:resume"}
#: They list what is the person's own and take no project from the address.
OWN_LISTS = {"desk", "review:queues"}
#: Pages about a person, the same for every project.
PERSONAL = {
    "accounts:new_project",
    "accounts:oidc_connect",
    "accounts:oidc_disconnect",
    "accounts:password",
    "accounts:profile",
    "accounts:projects",
    "accounts:theme",
}


def addresses(resolver: URLResolver | None = None, names: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, names + (f"{pattern.namespace}:" if pattern.namespace else ""))
        else:
            yield names + (pattern.name or ""), pattern


EVERY = sorted(dict(addresses()).items(), key=lambda row: row[0])
PAGES = [row for row in EVERY if not row[0].startswith("api:") and row[0] not in OPEN]
PROJECT_PAGES = [row for row in PAGES if row[0] not in PERSONAL]
API = [row for row in EVERY if row[0].startswith("api:") and row[0] not in OPEN]


def named(rows):
    return pytest.mark.parametrize(("name", "pattern"), rows, ids=[name for name, _ in rows])


class World:
    """One object of every kind that an address can name, all of the project `shop`."""

    def __init__(self) -> None:
        from webapp.calibration.models import CalibrationRun, Export, LabelledSet, OperatingPoint
        from webapp.intake.models import ImportBatch
        from webapp.review.models import Decision

        self.queue = make_queue()
        self.project = self.queue.project
        self.item = make_item(self.queue, ANSWER, [Fault("30 days", "14 days", "14 days")])
        self.reviewer = person("reviewer", self.project)
        self.lead = person("lead", self.project, "lead")
        decision = Decision.objects.create(
            item=self.item, inspection=self.item.inspection, reviewer=person("earlier", self.project), kind="keep",
            request_key="k", decided_at=NOW,
        )  # fmt: skip
        labelled = LabelledSet.objects.create(project=self.project, name="xylograph")
        run = CalibrationRun.objects.create(labelled_set=labelled, created_at=NOW)
        point = OperatingPoint.objects.create(
            project=self.project, run=run, threshold=0.5, created_at=NOW, reason="xylograph",
            result={"fpr": {"value": 0.1, "interval": [0.0, 0.2]}, "recall": {"value": 0.95, "interval": [0.9, 1.0]}},
        )  # fmt: skip
        batch = ImportBatch.objects.create(
            project=self.project, file="uploads/none", filename="xylograph.jsonl", file_sha256="0" * 64,
            format="proofmark", created_at=NOW,
        )  # fmt: skip
        export = Export.objects.create(project=self.project, created_at=NOW)
        self.objects = {
            "queue_id": self.queue.pk,
            "item_id": self.item.pk,
            "start": 0,
            "decision_id": decision.pk,
            "answer_id": self.item.answer_id,
            "batch_id": batch.pk,
            "import_id": batch.pk,
            "set_id": labelled.pk,
            "run_id": run.pk,
            "point_id": point.pk,
            "export_id": export.pk,
        }
        from tests.webapp import world

        self.objects.update(world.more(self))

    def address(self, name: str, pattern: URLPattern) -> str:
        from django.urls import reverse

        wanted = {key for key in pattern.pattern.converters if key != "unmatched"}
        lacking = wanted - self.objects.keys()
        assert not lacking, f"say in tests/webapp/world.py what stands for {lacking} in the address {name}"
        return reverse(name, kwargs={key: self.objects[key] for key in wanted})


@pytest.fixture
def world(db):
    return World()


def calls(client: Client, address: str) -> Iterator[tuple[str, object]]:
    """The answers to GET and POST, each undone before the next."""
    for method in ("get", "post"):
        with transaction.atomic():
            yield method, getattr(client, method)(address)
            transaction.set_rollback(True)


@named(PAGES)
def test_nobody_is_sent_to_the_log_in_page(name, pattern, world):
    address = world.address(name, pattern)
    for method, response in calls(Client(), address):
        assert response.status_code in (302, 405), (method, address)
        if response.status_code == 302:
            assert response["Location"].startswith("/accounts/login/"), (method, address)


@pytest.mark.parametrize("who", ["lead of another project", "without a project", "service account"])
@named(PROJECT_PAGES)
def test_outsiders_find_nothing(who, name, pattern, world, other_project, client_of):
    outsider = {
        "lead of another project": lambda: person("banker", other_project, "lead"),
        "without a project": lambda: person("nobody"),
        "service account": lambda: person("robot", world.project, "service"),
    }[who]()
    address = world.address(name, pattern)
    of_one_object = bool(pattern.pattern.converters)
    if name not in OWN_LISTS:
        asked = address if of_one_object else f"{address}?project={world.project.slug}"
        for method, response in calls(client_of(outsider), asked):
            assert response.status_code in (404, 405), (method, asked, response.status_code)
    if not of_one_object:
        for method, response in calls(client_of(outsider), address):
            assert response.status_code != 500, (method, address)
            assert b"xylograph" not in response.content, (method, address)


@named(PROJECT_PAGES)
def test_members_meet_what_their_role_allows(name, pattern, world, client_of):
    address = world.address(name, pattern)
    answered = {
        role: [response.status_code for _, response in calls(client_of(user), address)]
        for role, user in (("reviewer", world.reviewer), ("lead", world.lead))
    }
    assert 500 not in answered["reviewer"] + answered["lead"], answered
    assert 403 not in answered["lead"], answered
    refused = all(status in (403, 405) for status in answered["reviewer"])
    assert refused == (name in LEADS_ONLY | LEADS_AND_UPLOADERS), (
        f"{name} {answered}: say in LEADS_ONLY whether it is for leads alone"
    )


@named(API)
def test_programs_without_a_token_are_refused(name, pattern, world):
    address = world.address(name, pattern)
    for api in (Api(None), Api("pm_" + "x" * 40)):
        for method, response in calls(api.client, address):
            assert response.status_code in (401, 405), (method, address, response.status_code)


@named([row for row in API if row[1].pattern.converters])
def test_a_token_of_another_project_finds_nothing(name, pattern, world, other_project):
    token = create_token(project=other_project, name="t")[1]
    address = world.address(name, pattern)
    client = Api(token).client
    answers = [*calls(client, address)]
    with transaction.atomic():
        answers.append(("delete", client.delete(address)))
        transaction.set_rollback(True)
    for method, response in answers:
        assert response.status_code in (400, 404, 405, 415, 422), (method, address, response.status_code)
        assert b"xylograph" not in response.content


@named([row for row in EVERY if row[1].pattern.converters])
def test_what_does_not_exist_is_not_found(name, pattern, world, client_of):
    """An object that is missing and one of somebody else answer alike."""
    from django.urls import reverse

    unknown = {}
    for key in pattern.pattern.converters:
        value = world.objects[key]
        unknown[key] = uuid.uuid4() if isinstance(value, uuid.UUID) else 999_999
    address = reverse(name, kwargs=unknown)
    for method, response in calls(client_of(world.lead), address):
        assert response.status_code in (401, 404, 405), (method, address, response.status_code)
