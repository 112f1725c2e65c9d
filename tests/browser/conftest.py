"""A running site, people with browsers of their own, axe, and screenshots where `SCREENSHOTS` says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from tests.webapp.review.builders import Fault, make_item, make_queue, make_user

#: Rules of WCAG 2.0 to 2.2, levels A and AA, and axe's own good practice.
AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SIZES = {"wide": {"width": 1366, "height": 768}, "narrow": {"width": 390, "height": 844}}

expect.set_options(timeout=20_000)  # a busy machine is no failure


@pytest.fixture(autouse=True)
def _real_database(transactional_db: None) -> None:
    """The server's thread sees what a test writes."""


@pytest.fixture
def queue():
    return make_queue()


@pytest.fixture
def three(queue):
    """Three answers, most urgent first."""
    sources = [("policy.md#1", "Articles may come back within 14 days. " + "More is said elsewhere. " * 8)]
    sources.append(("policy.md#2", "Refunds take 5 days after that."))
    return [
        make_item(
            queue,
            f"Answer {number}: you have 30 days to return it. Refunds take 9 days.",
            [Fault("30 days", "14 days", "14 days"), Fault("9 days", "5 days", "5 days", support=0.3)],
            sources=sources,
            question=f"Question {number}: how long may I keep it?",
            probability=1 - number / 10,
        )
        for number in (1, 2, 3)
    ]


class Desk:
    """One person's browser."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.troubles: list[str] = []
        page.on("console", lambda m: self.troubles.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def log_in(self, name: str) -> Desk:
        self.page.goto(f"{self.base}/")
        self.page.fill("#id_username", name)
        self.page.fill("#id_password", "a-long-pass-phrase")
        self.page.press("#id_password", "Enter")
        expect(self.page.get_by_role("button", name="Log out")).to_be_visible()
        return self

    def start(self) -> Desk:
        """From the start page to the first item, with the one key a person needs."""
        expect(self.page.get_by_role("button", name="Start reviewing").first).to_be_focused()
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/items/**")
        self.settle()
        return self

    def intercept(self, url: str, handler: Callable[[Route], object]) -> Desk:
        """Requests to `url` go to `handler`. To be called before `start`: what an open page sends in the moment after
        may still go to the server."""
        self.page.route(url, handler)
        return self

    def settle(self) -> None:
        """As long as a person needs to look up; decision keys sleep a moment after an answer has come."""
        self.page.wait_for_timeout(700)

    def ahead(self) -> None:
        """Until the next answer has been fetched."""
        expect(self.page.locator("main[data-next]")).to_have_count(1)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def sees(self, text: str) -> None:
        expect(self.page.locator("#q")).to_contain_text(text)
        self.settle()

    def check(self) -> None:
        """axe finds nothing, in either theme."""
        for theme in ("light", "dark"):
            self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            found = Axe().run(self.page, options=AXE)
            assert found.violations_count == 0, f"{self.page.url} ({theme})\n{found.generate_report()}"
        self.page.evaluate("delete document.documentElement.dataset.theme")

    def fits(self) -> None:
        """Nothing sticks out sideways."""
        assert self.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, self.page.url

    def shoot(self, name: str) -> None:
        """Pictures in both themes and widths, if the run was asked for them."""
        folder = os.environ.get("SCREENSHOTS")
        if not folder:
            return
        Path(folder).mkdir(parents=True, exist_ok=True)
        for size, viewport in SIZES.items():
            self.page.set_viewport_size(viewport)
            for theme in ("light", "dark"):
                self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
                self.page.wait_for_timeout(250)
                self.page.screenshot(path=Path(folder) / f"{name}-{size}-{theme}.png")
        self.page.set_viewport_size(SIZES["wide"])
        self.page.evaluate("delete document.documentElement.dataset.theme")


@pytest.fixture
def open_desk(browser: Browser, live_server, queue) -> Iterator[Callable[..., Desk]]:
    """Opens a browser of its own for a person, logged in.

    `scripts=False`: one without JavaScript; `touch`: that of a phone, without a keyboard.
    """
    contexts = []
    known: set[str] = set()

    def make(
        name: str = "reviewer",
        *,
        scripts: bool = True,
        role: str = "reviewer",
        size: str = "wide",
        touch: bool = False,
    ) -> Desk:
        if name not in known:
            make_user(name, queue.project, role=role)
            known.add(name)
        context = browser.new_context(
            viewport=SIZES[size], java_script_enabled=scripts, reduced_motion="reduce", locale="en-GB",
            has_touch=touch, is_mobile=touch,
        )  # fmt: skip
        context.set_default_navigation_timeout(90_000)
        contexts.append(context)
        return Desk(context.new_page(), live_server.url).log_in(name)

    yield make
    for context in contexts:
        context.close()
