"""Pictures of every page, in both themes and at both widths, from a site that this script starts and stops itself.

    python bench/screens.py                          # all pages into docs/screens/, as WebP
    python bench/screens.py --only item,queues       # some of them
    python bench/screens.py --site ~/screens-site    # keep the made-up site there and use it again next time

The site holds the demo's answers, people who have decided some of them, a frozen set, and a calibration run on made-up
labels. People are named for their roles. Needs Chromium (found on PATH, or named by `CHROMIUM`). A picture is named
PAGE-WIDTH-THEME.webp; the widths are 1366 and 390 pixels.
"""

from __future__ import annotations

import argparse
import base64
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from labelled import labelled_project

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screens"
PASSWORD = "a-long-pass-phrase"
SIZES = {"1366": {"width": 1366, "height": 768}, "390": {"width": 390, "height": 844}}
THEMES = ("light", "dark")
QUALITY = 36
CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
#: The tallest picture, in pixels: the rest of a long page looks like its beginning.
TALLEST = 1300


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of pages, separated by commas")
    parser.add_argument("--site", type=Path, help="folder of a site to keep; left out: a new one, removed afterwards")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--port", type=int, default=8110)
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--themes", default=",".join(THEMES))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proofmark-screens-") as folder:
        site = arguments.site or Path(folder)
        prepare(site, arguments.port)
        places = Places()
        wanted = [name for name in arguments.only.split(",") if name]
        with served(arguments.port) as base:
            shoot(base, places, wanted, arguments.out, arguments.sizes.split(","), arguments.themes.split(","))
    total = sum(path.stat().st_size for path in arguments.out.glob("*.webp"))
    print(f"{len(list(arguments.out.glob('*.webp')))} pictures, {total / 1e6:.1f} MB in {arguments.out}")
    return 0


# The site -------------------------------------------------------------------------------------------------------------


def prepare(folder: Path, port: int, *, work: bool = True) -> None:
    """Django on a database in `folder` with the demo; with `work`, also with what people did there for some hours."""
    sys.path.insert(0, str(ROOT))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "judges.toml").write_text(JUDGES, encoding="utf-8")
    os.environ |= {
        "PROOFMARK_JUDGES": str(folder.resolve() / "judges.toml"),
        "DATA_DIR": str(folder), "DATABASE_URL": "", "PORT": str(port), "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "DEMO_PASSWORD": PASSWORD, "PROOFMARK_LOG_LEVEL": "ERROR", "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
    }  # fmt: skip
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.utils import timezone

    settings.CELERY_TASK_ALWAYS_EAGER = True
    django.setup()
    call_command("migrate", verbosity=0)
    from webapp.accounts.demo import load_demo
    from webapp.calibration.models import LabelledSet

    if not work:
        load_demo(now=timezone.now())
    elif not LabelledSet.objects.exists():
        load_demo(now=timezone.now())
        fill()


def fill() -> None:
    """Some hours of work on the demo."""
    from django.utils import timezone

    from webapp.accounts.models import Membership, User
    from webapp.calibration.services import freeze_set
    from webapp.judges.services import request_run
    from webapp.records.models import Project
    from webapp.review.models import Queue

    project = Project.objects.get(slug="demo")
    for name in ("reviewer-1", "reviewer-2"):
        user = User.objects.create_user(name, password=PASSWORD)
        Membership.objects.create(project=project, user=user, role=Membership.Role.REVIEWER)
    lead = User.objects.get(username="lead")
    Membership.objects.filter(user=lead).update(role=Membership.Role.ADMIN)
    Queue.objects.update(slots=2, guidelines=GUIDELINES, audit_share=0.0)
    _decisions(project)
    request_run(project=project, kind="audit", now=timezone.now(), actor=lead, with_judges=False)
    freeze_set(project=project, name="March", filters={}, user=lead, now=timezone.now())
    labelled_project(lead, User.objects.get(username="reviewer-1"))
    empty = Project.objects.create(name="Library", slug="library")
    Membership.objects.create(project=empty, user=lead, role=Membership.Role.ADMIN)
    fresh = User.objects.create_user("newcomer", password=PASSWORD)
    Membership.objects.create(project=empty, user=fresh, role=Membership.Role.REVIEWER)
    Queue.objects.create(project=empty, name="Reviews")
    _corpus(lead)


def _corpus(lead: Any) -> None:
    """A project with documents, an upload that left lines out, and answers that came without sources."""
    from django.utils import timezone

    from proofing.exchange.answers import AnswerLine
    from webapp.accounts.models import Membership, User
    from webapp.corpus.uploads import start_upload
    from webapp.intake.services import accept_answer
    from webapp.records.models import Project
    from webapp.review.models import Queue

    project = Project.objects.create(name="Handbook", slug="handbook", thresholds={"verification_threshold": 0.55})
    Membership.objects.create(project=project, user=lead, role=Membership.Role.ADMIN)
    reader = User.objects.create_user("reviewer-3", password=PASSWORD)
    Membership.objects.create(project=project, user=reader, role=Membership.Role.REVIEWER)
    Queue.objects.create(project=project, name="Support", audit_share=0.0)
    for name, text in HANDBOOK.items():
        start_upload(project=project, chunks=[text.encode()], filename=name, user=lead, now=timezone.now())
    for question, answer in WITHOUT_SOURCES:
        accept_answer(project=project, line=AnswerLine(answer, (), question), now=timezone.now())


RETURNS = """# Returns

Unused goods may be returned within 14 days of delivery. The customer pays the parcel back, 4.90 euros in our country.

Goods made to measure cannot be returned.

## Refunds

We refund within 7 days after the goods have come back, to the account the payment came from.
"""
DELIVERY = """# Delivery

Parcels leave our warehouse on Tuesdays and Fridays. Delivery takes 3 working days.

From 50 euros on, delivery is free; below that it costs 4.90 euros.
"""
QUESTIONS = """{"id": "faq-1", "title": "Gift cards", "text": "A gift card is valid for 3 years."}
{"id": "faq-2", "title": "Repairs"}
{"id": "faq-3", "title": "Guarantee", "text": "The frame is guaranteed for 5 years, all other parts for 2 years."}
{"text": "A line without a name."}
"""
HANDBOOK = {"returns.md": RETURNS, "delivery.md": DELIVERY, "questions.jsonl": QUESTIONS}
WITHOUT_SOURCES = [
    (
        "How long may I return goods?",
        "You may return unused goods within 41 days of delivery. Sending them back costs 4.90 euros.",
    ),
    ("How long is a gift card valid?", "A gift card is valid for 3 years."),
    ("Who founded the company?", "Zebedee Quill founded it."),
]


#: Offered on the settings page; nobody switches them on, so nothing is sent anywhere.
JUDGES = """
[[judge]]
name = "small"
base_url = "http://127.0.0.1:8080/v1"
model = "qwen2.5-1.5b-instruct"

[[judge]]
name = "large"
base_url = "https://models.example.org/v1"
model = "large-2"
"""
GUIDELINES = """Mark what the sources do not say, also where it is true.

* A figure in other words ("two weeks" for 14 days) is supported.
* A rounded figure is supported only where the answer says *about*.
* In doubt: don't know."""


def _decisions(project: Any) -> None:
    from datetime import timedelta

    from django.utils import timezone

    from webapp.accounts.models import User
    from webapp.calibration.services import freeze_set
    from webapp.review import services

    queue = project.queues.get()
    kinds = {
        "reviewer-1": ["accept_healed"] * 9
        + ["keep"] * 4
        + ["reject", "accept_healed", "skip", "accept_healed", "flag"],
        "reviewer-2": ["accept_healed"] * 7 + ["keep"] * 3 + ["reject", "accept_healed", "keep", "accept_healed"],
    }
    moment = timezone.now() - timedelta(hours=3)
    for name, chosen in kinds.items():
        person = User.objects.get(username=name)
        for number, kind in enumerate(chosen):
            moment += timedelta(seconds=23 + 7 * (number % 5))
            claim = services.claim_next_item(queue=queue, reviewer=person, now=moment)
            if claim is None:
                return
            for mark in claim.item.inspection.marks.all()[: number % 3]:
                services.set_verdict(claim=claim, mark_index=mark.index, verdict="unsupported", now=moment)
            reason = "The price list is from last year." if kind in ("reject", "flag") else ""
            choice = services.Choice(kind, f"{name}-{number}", confirmed=True, reason=reason)
            moment += timedelta(seconds=9 + 4 * (number % 4))
            services.decide(claim=claim, choice=choice, now=moment)
        if name == "reviewer-1":
            freeze_set(project=project, name="February", filters={}, user=person, now=moment)


@contextmanager
def served(port: int) -> Iterator[str]:
    """The site on `port`, by the server that production uses."""
    command = [sys.executable, "-m", "gunicorn", "webapp.wsgi:application", "--bind", f"127.0.0.1:{port}"]
    command += ["--worker-class", "gthread", "--threads", "4", "--no-control-socket", "--log-level", "error"]
    server = subprocess.Popen(command, cwd=ROOT)
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            with suppress(OSError):
                urllib.request.urlopen(f"{base}/healthz", timeout=2).close()
                break
            time.sleep(0.2)
        yield base
    finally:
        server.terminate()
        server.wait(20)


# The pages ------------------------------------------------------------------------------------------------------------


class Places:
    """Addresses that depend on what is in the database."""

    def __init__(self) -> None:
        from webapp.calibration.models import CalibrationRun, LabelledSet, Refit
        from webapp.corpus.models import Document, Upload
        from webapp.records.models import Answer
        from webapp.review.models import Item, Queue

        self.run = CalibrationRun.objects.get(state=CalibrationRun.State.DONE)
        self.refit = Refit.objects.get(state=Refit.State.DONE)
        self.queue = Queue.objects.get(project__slug="demo")
        decided = Item.objects.filter(queue=self.queue, state="decided").order_by("created_at")
        self.decided = decided.first()
        self.answer = Answer.objects.filter(items=self.decided).first()
        self.set = LabelledSet.objects.get(project__slug="demo", name="March")
        self.document = Document.objects.get(project__slug="handbook", key="returns.md")
        self.upload = Upload.objects.get(project__slug="handbook", filename="questions.jsonl")
        self.without_sources = Answer.objects.get(project__slug="handbook", text__startswith="You may return")
        self.disputed = next((item for item in decided if len(set(_kinds(item))) > 1), self.decided)


def _kinds(item: Any) -> list[str]:
    return list(item.decisions.filter(undone_at=None).values_list("kind", flat=True))


Step = Callable[[Any], None]


def pages(places: Places) -> list[tuple[str, str | None, str, Step | None]]:
    """(name, who is logged in, address, what to do before the picture); add a page here and it is taken."""
    queue, answer, item, disputed = places.queue.pk, places.answer.pk, places.decided.pk, places.disputed.pk
    return [
        ("login", None, "/accounts/login/", None),
        ("desk", "reviewer-1", "/", None),
        ("first-run", "newcomer", "/", None),
        ("item", "reviewer", "/", start),
        ("item-mark", "reviewer", "/", keys("j")),
        ("item-editing", "reviewer", "/", edit),
        ("item-checks", "reviewer", "/", open_checks),
        ("item-keys", "reviewer", "/", keys("?")),
        ("item-next", "reviewer", "/", decide),
        ("item-decided", "reviewer-1", f"/items/{item}/", None),
        ("profile", "reviewer", "/accounts/profile/", None),
        ("password", "reviewer", "/accounts/password/", None),
        ("not-found", "reviewer", "/items/none/", None),
        ("answers", "lead", "/answers/?project=demo", None),
        ("answers-empty", "lead", "/answers/?project=demo&q=zebra", None),
        ("history", "lead", f"/answers/{answer}/", None),
        ("queues", "lead", "/queues/?project=demo", None),
        ("queue", "lead", f"/queues/{queue}/", None),
        ("queue-settings", "lead", f"/queues/{queue}/settings/", None),
        ("queue-new", "lead", "/queues/new/?project=demo", None),
        ("queue-guidelines", "lead", f"/queues/{queue}/guidelines/", None),
        ("disagreements", "lead", "/disagreements/?project=demo", None),
        ("settle", "lead", f"/items/{disputed}/settle/", None),
        ("gold", "lead", "/gold/?project=demo", None),
        ("aside", "lead", "/aside/?project=demo", None),
        ("changes", "lead", "/answers/changes/?project=demo", None),
        ("imports", "lead", "/imports/?project=demo", None),
        ("calibration", "lead", "/sets/?project=demo", None),
        ("calibration-set", "lead", f"/sets/{places.set.pk}/", None),
        ("calibration-compare", "lead", f"/sets/{places.set.pk}/compare/", None),
        ("calibration-run", "lead", f"/runs/{places.run.pk}/", None),
        ("calibration-inputs", "lead", "/sets/?project=archive", None),
        ("calibration-models", "lead", "/models/?project=archive", None),
        ("calibration-refit", "lead", f"/refits/{places.refit.pk}/", None),
        ("exports", "lead", "/exports/?project=demo", None),
        ("insights", "lead", "/insights/?project=demo", None),
        ("insights-drift", "lead", "/insights/drift/?project=demo", None),
        ("insights-reviewers", "lead", "/insights/reviewers/?project=demo", None),
        ("insights-agreement", "lead", "/insights/agreement/?project=demo", None),
        ("insights-workers", "lead", "/insights/workers/?project=demo", None),
        ("projects", "lead", "/accounts/projects/", None),
        ("project-new", "lead", "/accounts/projects/new/", None),
        ("project", "lead", "/accounts/projects/demo/", None),
        ("members", "lead", "/accounts/projects/demo/members/", None),
        ("tokens", "lead", "/accounts/projects/demo/tokens/", None),
        ("webhooks", "lead", "/projects/demo/webhooks/", None),
        ("corpus", "lead", "/projects/handbook/corpus/", None),
        ("corpus-empty", "lead", "/projects/library/corpus/", None),
        ("corpus-document", "lead", f"/projects/handbook/corpus/{places.document.pk}/", None),
        ("corpus-upload", "lead", f"/projects/handbook/corpus/uploads/{places.upload.pk}/", None),
        ("corpus-item", "reviewer-3", "/", open_checks),
        ("corpus-history", "lead", f"/answers/{places.without_sources.pk}/", None),
        ("judges", "lead", "/judges/?project=demo", None),
        ("judges-labels", "lead", "/judges/labels/?project=demo", None),
    ]


def start(page: Any) -> None:
    """To the item in hand, or the first one waiting."""
    begin = page.get_by_role("button", name="Start reviewing")
    if begin.count():
        begin.first.click()
    page.locator("main[data-desk]").wait_for()
    page.wait_for_timeout(500)


def keys(*pressed: str) -> Step:
    def press(page: Any) -> None:
        start(page)
        for key in pressed:
            page.keyboard.press(key)
        page.wait_for_timeout(400)

    return press


def edit(page: Any) -> None:
    start(page)
    page.keyboard.press("e")
    page.keyboard.type(" The fee is 12 euros.")
    page.locator("#recheck .diff").wait_for()
    page.wait_for_timeout(600)


def open_checks(page: Any) -> None:
    start(page)
    page.locator("details.checks summary").first.click()


def decide(page: Any) -> None:
    """A decision, its toast, and back again, so that the next picture finds the same answer."""
    start(page)
    page.keyboard.press("o")
    page.locator(".toast").wait_for()
    page.wait_for_timeout(400)


def shoot(base: str, places: Places, wanted: list[str], out: Path, sizes: list[str], themes: list[str]) -> None:
    """Take every page; complains about addresses that do not answer."""
    from playwright.sync_api import sync_playwright

    from webapp.review.models import Draft

    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"),
            args=CHROMIUM,
        )
        sessions: dict[str | None, Any] = {}
        for size in sizes:
            for name, person, address, step in pages(places):
                if wanted and name not in wanted:
                    continue
                if person not in sessions:
                    sessions[person] = log_in(browser, base, person)
                page = sessions[person]
                Draft.objects.all().delete()  # what an earlier picture needed typed
                page.set_viewport_size(SIZES[size])
                answer = page.goto(base + address)
                if answer is None or answer.status not in (200, 404 if name == "not-found" else 200):
                    print(f"{name}: {address} answered {answer.status if answer else 'nothing'}", file=sys.stderr)
                    continue
                if step:
                    step(page)
                for theme in themes:
                    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
                    page.wait_for_timeout(150)
                    picture(page, out / f"{name}-{size}-{theme}.webp", SIZES[size])
                if step is decide:
                    page.keyboard.press("z")
                    page.wait_for_timeout(900)
        browser.close()


def log_in(browser: Any, base: str, person: str | None) -> Any:
    page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    if person is not None:
        page.goto(f"{base}/accounts/login/")
        page.fill("#id_username", person)
        page.fill("#id_password", PASSWORD)
        page.press("#id_password", "Enter")
        page.get_by_role("button", name="Log out").wait_for()
    return page


def picture(page: Any, path: Path, size: dict[str, int]) -> None:
    """A WebP of the page; Chromium writes it itself."""
    height = page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(max(height, size["height"]), TALLEST), "scale": 1}
    session = page.context.new_cdp_session(page)
    taken = session.send(
        "Page.captureScreenshot",
        {"format": "webp", "quality": QUALITY, "clip": clip, "captureBeyondViewport": True},
    )
    path.write_bytes(base64.b64decode(taken["data"]))
    session.detach()


if __name__ == "__main__":
    sys.exit(main())
