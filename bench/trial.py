"""Thirty demo answers at the desk by keys alone, as somebody decided them who had read each: what it takes.

    python bench/trial.py                      # a new demo site, one person, thirty answers
    python bench/trial.py --site ~/trial-site  # keep the site there

Prints, per answer, the key presses that the decision took and the milliseconds from the last of them until the next
answer stood on the screen (the frame after it was put into the page, measured inside the page). Reading is not timed:
the script does not read. `KEYS` holds what was pressed where `a` was not enough.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import screens

ANSWERS = 30
#: How the answer begins: keys pressed before it was decided and the key that decided; all others took `a` alone.
#: Each is written as one presses it; "Control+Shift+ArrowLeft*9" is nine presses, quoted text is typed.
KEYS: dict[str, list[str]] = {
    # "and seats must be reserved by telephone" is in no source and not marked: taken out by hand, from the end back.
    "Adults pay 31 euros": ["e", "Control+Home", "Control+ArrowRight*8", "Control+Shift+ArrowRight*9", "text:. ",
                            "Control+Enter"],
    # "from your first day" is against the source (after six months) and not marked: marked, with the word cursor.
    "Welcome! As a full-time": ["w", "ArrowDown*5", "ArrowRight*6", "Shift+ArrowRight*4", "m", "a"],
    # The healed sentence keeps a condition that makes no sense any more: reworded.
    "Opened hygiene articles": ["e", "Control+Home", "Control+ArrowRight*6", "Control+Shift+ArrowRight*14", "Backspace",
                                "Control+Enter"],
}  # fmt: skip

#: The answer's words without the numbers of its marks.
PLAIN = """() => [...document.querySelectorAll('#proof > p')].map(line => {
  const plain = line.cloneNode(true);
  for (const extra of plain.querySelectorAll('sup, .receipt')) extra.remove();
  return plain.textContent;
}).join(' ')"""

WATCH = """() => {
  window.waits = [];
  let pressed = 0;
  addEventListener('keydown', () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    const item = document.querySelector('main[data-desk]')?.dataset.item;
    if (item && item !== window.shown) {
      const since = pressed;
      window.shown = item;
      requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - since)));
    }
  }).observe(document.body, {childList: true, subtree: true});
  window.shown = document.querySelector('main[data-desk]').dataset.item;
}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path)
    parser.add_argument("--port", type=int, default=8113)
    parser.add_argument("--read", type=float, default=1.5, help="seconds an answer stays before it is decided")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proofmark-trial-") as folder:
        screens.prepare(arguments.site or Path(folder), arguments.port, work=False)
        with screens.served(arguments.port) as base:
            rows = play(base, arguments.read)
    for question, keys, wait in rows:
        print(f"{keys:3} keys {wait:6.0f} ms  {question}")
    presses, waits = [row[1] for row in rows], [row[2] for row in rows]
    print(
        f"{len(rows)} answers: {sum(presses)} key presses, median {statistics.median(presses):.0f}, "
        f"{presses.count(1)} with one; next answer on the screen after {statistics.median(waits):.0f} ms "
        f"(median), {max(waits):.0f} ms (slowest)"
    )
    return 0


def play(base: str, read: float) -> list[tuple[str, int, float]]:
    """(question, key presses, ms until the next answer was there) of each answer."""
    from playwright.sync_api import sync_playwright

    rows: list[tuple[str, int, float]] = []
    with sync_playwright() as play_:
        browser = play_.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=screens.CHROMIUM
        )
        page = screens.log_in(browser, base, "reviewer")
        page.set_viewport_size(screens.SIZES["1366"])
        screens.start(page)
        page.evaluate(WATCH)
        for number in range(ANSWERS):
            page.wait_for_timeout(read * 1000)
            question = page.locator("#q").inner_text()
            presses = decide(page)
            while page.evaluate("window.waits.length") <= number:
                page.wait_for_timeout(50)
            rows.append((question, presses, page.evaluate(f"window.waits[{number}]")))
        browser.close()
    return rows


def decide(page: Any) -> int:
    """Press what this answer takes; returns how many keys that were."""
    answer = page.evaluate(PLAIN)
    keys = next((keys for start, keys in KEYS.items() if answer.startswith(start)), ["a"])
    count = 0
    if page.locator("main.is-hidden").count():  # an audit answer: one key shows the marks, after one's own
        page.keyboard.press("a")
        page.locator("main:not(.is-hidden)").wait_for()
        page.wait_for_timeout(700)
        count = 1
    for key in keys:
        name, _, times = key.partition("*")
        for _ in range(int(times or 1)):
            if name.startswith("text:"):
                page.keyboard.type(name.removeprefix("text:"))
                count += len(name) - len("text:")
            else:
                page.keyboard.press(name)
                count += 1
        if name in ("u", "s", "m"):
            page.wait_for_timeout(500)  # the page comes back before anybody presses on
    return count


if __name__ == "__main__":
    sys.exit(main())
