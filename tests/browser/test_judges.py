"""The judges' pages and their layer on the desk, with judges of a real endpoint: both themes, both widths."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.proofing.judges.loopback import Loopback, Said, verdict
from tests.webapp.judges.conftest import run
from tests.webapp.review.builders import NOW, make_user
from webapp.judges import services
from webapp.judges.models import JudgeRun
from webapp.review.models import Decision


@pytest.fixture
def loopback():
    server = Loopback()
    knows = {"unsupported": True, "reason": "The policy says 14 days, not 30.", "words": ("30 days", "free of charge")}
    server.models.update(
        small=lambda asked, before: verdict(**knows) if "30 days" in asked.answer else verdict(False),
        large=lambda asked, before: verdict(True, "Neither term stands in the policy.", ("30 days", "9 days")),
        silent=lambda asked, before: Said("I would rather not say."),
    )
    yield server
    server.close()


@pytest.fixture
def judges(loopback, tmp_path, settings):
    """The operator's file; the second judge is far away and without TLS, as far as the page can tell."""
    row = '[[judge]]\nname = "{0}"\nbase_url = "{1}"\nmodel = "{0}-7b-instruct"\n'
    rows = [row.format(name, loopback.url) for name in ("small", "large", "silent")]
    for name in ("small", "large", "silent"):
        loopback.models[f"{name}-7b-instruct"] = loopback.models[name]
    rows.append(
        '[[judge]]\nname = "far"\nbase_url = "http://models.example.org/v1"\nmodel = "m"\nkey_env = "FAR_KEY"\n'
    )
    path = tmp_path / "judges.toml"
    path.write_text("\n".join(rows), encoding="utf-8")
    settings.JUDGES_FILE = str(path)
    return path


@pytest.fixture
def asked(judges, queue, three):
    """Judges are on, were tried, were asked, and looked through labels of which two are wrong."""
    project = queue.project
    boss = make_user("boss", project, "lead")
    services.configure(
        project=project, actor=boss, now=NOW, enabled=True, names=["small", "large", "silent"], agreed=True
    )
    run(project, "sanity")
    run(project, "answers")
    for item in three[:2]:
        Decision.objects.create(
            item=item, inspection=item.inspection, reviewer=boss, kind="keep", request_key=str(item.pk), decided_at=NOW
        )
    run(project, "audit")
    return project


def look(desk, name):
    expect(desk.page.locator("h1")).to_be_visible()
    assert desk.page.title().endswith("· Proofmark")
    desk.check()
    desk.shoot(name)
    for width in (390, 360):
        desk.page.set_viewport_size({"width": width, "height": 844})
        desk.page.wait_for_timeout(100)
        desk.fits()
    assert desk.troubles == []


def test_a_lead_switches_judges_on_by_hand(judges, queue, three, open_desk):
    desk = open_desk("lead", role="lead")
    page = desk.page
    page.goto(f"{desk.base}/judges/")
    expect(page.get_by_text("NOT encrypted")).to_be_visible()
    expect(page.get_by_text("its key is not set")).to_be_visible()
    page.get_by_label("small", exact=False).check()
    page.get_by_label("Judges are on for this project").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Say that you agree to where the texts are sent.")).to_be_visible()
    page.get_by_label("I agree that questions").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Try the judges")).to_be_visible()


def test_the_settings_read_well(asked, open_desk):
    desk = open_desk("lead", role="lead")
    desk.page.goto(f"{desk.base}/judges/")
    look(desk, "judges")


def test_the_settings_read_well_where_there_are_no_judges(queue, three, open_desk):
    desk = open_desk("lead", role="lead")
    desk.page.goto(f"{desk.base}/judges/")
    expect(desk.page.get_by_text("This site has no judges")).to_be_visible()
    look(desk, "judges-none")


def test_a_round_of_trying_reads_well_in_spanish(asked, open_desk):
    desk = open_desk("lead", role="lead")
    desk.page.goto(f"{desk.base}/accounts/profile/")
    desk.page.select_option("#id_language", "es")
    desk.page.get_by_role("button", name="Save").click()
    desk.page.goto(f"{desk.base}/judges/rounds/{JudgeRun.objects.get(kind='sanity').pk}/")
    expect(desk.page.get_by_text("Quita a large")).to_be_visible()
    look(desk, "judges-round")


def test_doubted_labels_read_well_and_are_settled(asked, open_desk):
    desk = open_desk("lead", role="lead")
    desk.page.goto(f"{desk.base}/judges/labels/")
    look(desk, "judges-labels")
    page = desk.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("button", name="It is wrong").first.click()
    expect(page.get_by_text("is gold now")).to_be_visible()
    page.get_by_role("link", name="changed").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("open again")).to_be_visible()


def test_the_layer_stands_apart_from_the_marks(asked, open_desk):
    desk = open_desk().start()
    page = desk.page
    page.locator(".judged summary").click()
    expect(page.get_by_text("They are no marks")).to_be_visible()
    expect(page.locator(".judged mark").first).to_be_visible()
    expect(page.locator("#proof .m")).to_have_count(2)
    expect(page.locator("#proof mark")).to_have_count(0)
    desk.check()
    desk.shoot("judges-layer")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(100)
    desk.fits()
