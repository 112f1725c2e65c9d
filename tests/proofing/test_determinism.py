"""The same input gives the same finding, whatever the process, hash seed, locale, time zone or thread."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import proofing
from proofing.documents import Source
from proofing.support.reading import TextView
from proofing.support.stated import _numbers_after

BENCH = Path(__file__).parents[2] / "bench"


def module(name: str):
    """A script of `bench/`, which is no package."""
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    spec.loader.exec_module(found)
    return found


@pytest.mark.slow
def test_a_thousand_findings_are_the_same_in_four_processes():
    done = subprocess.run(
        [sys.executable, str(BENCH / "identical.py"), "--count", "1000"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1000 inputs, 4 processes: 0 findings differ" in done.stdout


def test_eight_threads_say_what_one_says():
    given = list(module("inputs").inputs(120, seed=3))[::2]
    alone = [said(one) for one in given]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(said, given)) == alone


@pytest.fixture
def hasty():
    """Threads take turns after every few instructions."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_threads_that_share_a_source_see_what_is_remembered_of_it_whole(hasty):
    text = " ".join(f"word{n % 300}x and room {n} of hall {n % 7}" for n in range(600))
    with ThreadPoolExecutor(6) as pool:
        for _ in range(12):
            view = TextView(Source("s", text), text, "", "en")
            sentence = view.sentences[0]
            held = list(pool.map(lambda view: sum(map(len, view.places_in(view.sentences[0]).values())), [view] * 6))
            assert set(held) == {sum(map(bool, view.stems[sentence.first_token : sentence.last_token]))}
            numbers = list(pool.map(lambda view: _numbers_after(view, "room"), [view] * 6))
            assert {len(one) for one in numbers} == {600}


def test_nothing_is_remembered_of_a_view_before_it_is_whole():
    """`known = view.memo[key] = {}`, filled afterwards, shows other threads a part of it."""
    for path in (Path(proofing.__file__).parent / "support").rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            owner = re.search(r"(\w+)\.memo\[.*\] = (?:\{\}|\[\]|set\(\))\s*$", line)
            # An answer and the ledger of its sources belong to the one thread that reads it.
            own = owner is None or owner[1] == "answer" or path.name == "ledger.py"
            assert own, f"{path.name}: {line.strip()}"


def said(one) -> str:
    finding = proofing.proofread(
        one.answer, one.sources, question=one.question, settings=proofing.Settings(tier="fast")
    )
    return json.dumps(finding.to_dict())
