"""The page that says what the workers are at. What real workers say: `tests/services/test_operation.py`."""

from __future__ import annotations

import time

import pytest

import proofing
from tests.webapp.conftest import OUTSIDERS, line_of, person
from webapp import workers
from webapp.insights import workers as page_of_workers
from webapp.intake.services import ATTEMPTS, DIED
from webapp.records.models import Answer

ADDRESS = "/insights/workers/?project=shop"


@pytest.fixture
def there(monkeypatch):
    """What the broker says; a test changes it. Empty lists: it answers, and nobody is there."""
    said = {"workers": [], "lengths": {"interactive": 0, "bulk": 0}}
    monkeypatch.setattr(workers, "remembered", lambda: said["workers"])
    monkeypatch.setattr(page_of_workers, "queue_lengths", lambda: said["lengths"])
    return said


def worker(name="w1@host", **more):
    now = time.time()
    about = {"since": now - 7200, "tasks": 12, "failed": 2, "last": "intake.proofread_answer", "memory": 300 * 2**20}
    later = {"seen": now - 2, "queues": ("bulk", "interactive"), "version": proofing.__version__, "processes": 1}
    return workers.Worker(name, **{**about, **later, **more})


@pytest.fixture
def shown(there, lead, client_of):
    client = client_of(lead)
    return lambda **headers: client.get(ADDRESS, headers=headers).text


def test_a_worker_is_shown_with_what_it_did_and_does(there, shown):
    hand = workers.Running("intake.run_import", time.time() - 65)
    there["workers"] = [worker(running=(hand,))]
    text = shown()
    for said in (
        "w1@host",
        "bulk, interactive",
        "an import",
        "a minute ago",
        "2 hours ago",
        "300.0",
        proofing.__version__,
    ):
        assert said in text.replace("\xa0", " "), said
    row = text[text.index("w1@host") :]
    assert '<td class="num" data-label="Done">10</td><td class="num" data-label="Failed">2</td>' in "".join(
        line.strip() for line in row.splitlines()
    )
    assert "No worker is there" not in text


def test_nobody_there_says_what_to_do_and_that_nothing_is_lost(there, shown, settings):
    assert "No worker is there" in shown()
    assert "make run" in shown()
    assert "nothing is lost" in shown()
    settings.PRODUCTION = True
    assert "celery -A webapp worker --queues interactive,bulk" in shown()


def test_a_broker_that_is_down_is_not_taken_for_missing_workers(there, shown):
    there["workers"], there["lengths"] = None, {}
    text = shown()
    assert "The broker cannot be reached" in text
    assert "No worker is there" not in text


def test_the_page_opens_where_there_is_no_broker_at_all(lead, client_of):
    assert "The broker cannot be reached" in client_of(lead).get(ADDRESS).text


def test_a_worker_that_fell_silent_and_one_that_was_stopped_are_told_apart(there, shown):
    now = time.time()
    there["workers"] = [
        worker("silent@host", there=False, seen=now - 600),
        worker("stopped@host", there=False, seen=now - 500, stopped=now - 500),
        worker(),
    ]
    text = shown()
    silent, stopped = text[text.index("silent@host") :], text[text.index("stopped@host") :]
    assert "fell silent" in silent.split("</tr>")[0]
    assert "was stopped" in stopped.split("</tr>")[0]
    assert text.index("stopped@host") < text.index("silent@host")  # last seen first


def test_a_worker_of_another_version_is_named(there, shown):
    there["workers"] = [worker(version="0.0.1"), worker("old@host", version="", queues=(), seen=0.0)]
    assert "the site has " + proofing.__version__ in shown()


def test_a_queue_nobody_takes_from_is_named(there, shown):
    there["workers"], there["lengths"] = [worker(queues=("interactive",))], {"interactive": 0, "bulk": 1234}
    text = shown()
    assert "1,234" in text
    assert text.count("no worker takes from it") == 1


def test_what_waits_is_counted_and_the_oldest_named(there, shown, receive, now):
    there["workers"] = [worker()]
    assert "No answer waits" in shown()
    receive()
    receive(line_of("Another answer."), minutes=5)
    text = shown()
    assert "/answers/?project=shop&amp;state=received" in text
    assert ">2</a></dd>" in text
    assert "The oldest answer that waits, of any project, came" in text


def test_answers_that_ended_their_worker_are_linked_and_others_are_not(there, shown, receive, other_project):
    poison, broken = receive().answer, receive(line_of("Another answer.")).answer
    Answer.objects.filter(pk=poison.pk).update(state="failed", error=DIED, attempts=ATTEMPTS)
    Answer.objects.filter(pk=broken.pk).update(state="failed", error="Proofreading failed 3 times")
    text = shown()
    assert f"/answers/{poison.pk}/" in text
    assert f"/answers/{broken.pk}/" not in text
    Answer.objects.filter(pk=poison.pk).update(project=other_project)
    assert f"/answers/{poison.pk}/" not in shown()


def test_the_page_asks_for_its_state_alone(there, shown):
    part = shown(HX_Request="true")
    assert part.lstrip().startswith("<section")
    assert "<html" not in part
    assert 'hx-trigger="every 5s"' in shown()
    assert 'href="/insights/workers/?project=shop"' in shown()  # without scripts


def test_names_of_workers_are_untrusted(there, shown):
    there["workers"] = [worker("<script>alert(1)</script>")]
    assert "<script>alert" not in shown()


def test_it_takes_the_same_number_of_queries_however_much_is_there(
    there, lead, client_of, receive, django_assert_num_queries
):
    client = client_of(lead)
    client.get(ADDRESS)
    for number in range(5):
        answer = receive(line_of(f"Answer {number}.", question=f"Question {number}?")).answer
        Answer.objects.filter(pk=answer.pk).update(state="failed", error=DIED)
    there["workers"] = [worker(f"w{n}@host") for n in range(20)]
    with django_assert_num_queries(11):  # and which projects there are to choose from
        client.get(ADDRESS)


def test_a_lead_of_another_project_sees_nothing_of_this_one(there, other_project, client_of, receive):
    Answer.objects.filter(pk=receive().answer.pk).update(state="failed", error=DIED)
    text = client_of(person("banker", other_project, "lead")).get("/insights/workers/").text
    assert "How long may I keep it?" not in text


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_it_is_closed_to(outsider, outsiders, client_of):
    assert client_of(outsiders[outsider]).get(ADDRESS).status_code in {302, 404}


def test_reviewers_are_refused(reviewer, client_of):
    assert client_of(reviewer).get(ADDRESS).status_code == 403


def test_metrics_count_only_those_that_are_there(there, client, db):
    there["workers"] = [worker(), worker("gone@host", there=False)]
    assert "proofmark_workers 1" in client.get("/metrics").text.splitlines()


def test_the_bulk_queue_names_all_that_waits_in_it(there, shown):
    there["workers"] = [worker()]
    text = shown()
    for said in ("imports", "documents and indexes of a corpus", "proofreading again", "refits", "judges", "webhooks"):
        assert said in text, said
