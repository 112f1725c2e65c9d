"""The same input gives the same finding, whatever the process, hash seed, locale, time zone or thread."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import proofing

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


def said(one) -> str:
    finding = proofing.proofread(
        one.answer, one.sources, question=one.question, settings=proofing.Settings(tier="fast")
    )
    return json.dumps(finding.to_dict())
