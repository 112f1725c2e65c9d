"""A project with answers, and judges of a real endpoint on this machine."""

from __future__ import annotations

import pytest
from django.test import override_settings
from django.utils import timezone

from tests.proofing.judges.loopback import Loopback, verdict
from tests.webapp.review.builders import NOW, Fault, make_item, make_queue, make_user
from webapp.judges import asking, services
from webapp.judges.models import JudgeRun


def right(asked, before):
    """Knows that 30 days are wrong, whatever else."""
    wrong = "30 days" in asked.answer
    return verdict(wrong, "The source says 14 days." if wrong else "", ("30 days", "blue") if wrong else ())


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch):
    """No test depends on how much of a round this machine gets done in a minute."""
    monkeypatch.setattr(asking, "SLICE", 3600.0)


def run(project, kind="answers", **options):
    """A round, carried out at once, over as many slices as this machine needs."""
    found = services.request_run(project=project, kind=kind, now=timezone.now(), **options)
    while found.state == JudgeRun.State.REQUESTED:
        services.run_judges(run_id=found.pk)
        found.refresh_from_db()
    return found


@pytest.fixture
def loopback():
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def judges_file(tmp_path, loopback):
    """Writes the operator's file; by default two judges that know what is right."""

    def write(*names, **fields):
        rows = []
        for name in names or ("one", "two"):
            loopback.models.setdefault(name, right)
            more = "".join(f"{key} = {value!r}\n" for key, value in fields.items())
            rows.append(
                f'[[judge]]\nname = "{name}"\nbase_url = "{loopback.url}"\nmodel = "{name}"\nretries = 0\n{more}'
            )
        path = tmp_path / "judges.toml"
        path.write_text("\n".join(rows), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def site(judges_file):
    """The site's judges, as the environment would name them."""
    with override_settings(JUDGES_FILE=judges_file()):
        yield


@pytest.fixture
def queue(db):
    return make_queue()


@pytest.fixture
def project(queue):
    return queue.project


@pytest.fixture
def lead(project):
    return make_user("lead", project, "lead")


@pytest.fixture
def reviewer(project):
    return make_user("reviewer", project)


@pytest.fixture
def wrong(queue):
    return make_item(queue, "You have 30 days.", [Fault("30 days", "14 days", "14 days")], probability=0.9)


@pytest.fixture
def fine(queue):
    return make_item(queue, "You have 14 days.", probability=0.1)


@pytest.fixture
def switched_on(site, project, lead):
    """Both judges are on for the project."""
    return services.configure(project=project, actor=lead, now=NOW, enabled=True, names=["one", "two"], agreed=True)
