"""The bare wheel, alone in an empty environment, proofreads an answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


def run(*command: str | Path, **options: object) -> str:
    ended = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel and what its metadata asks for, nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("proofmark-*.whl")
    venv.create(folder / "bare", with_pip=True)
    run(folder / "bare/bin/pip", "install", "--quiet", wheel)
    return folder / "bare" / "bin"


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, object]:
    """A working folder and an environment that know nothing of this checkout."""
    (tmp_path / "policy.txt").write_text("Unused goods may be returned within 14 days of delivery.", encoding="utf-8")
    (tmp_path / "answer.txt").write_text("You may return unused goods within 41 days.", encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PYTHON"))}
    return {"cwd": tmp_path, "env": kept}


def test_it_installs_nothing_but_what_it_names(bare):
    installed = {entry["name"].lower() for entry in json.loads(run(bare / "pip", "list", "--format", "json"))}
    assert installed - {"pip", "setuptools"} == {"babel", "click", "proofmark"}


def test_it_reads_an_answer_in_the_fast_tier(bare, nowhere):
    command = [bare / "proofmark", "read", "--tier", "fast", "--answer", "answer.txt", "--source", "policy=policy.txt"]
    report = json.loads(run(*command, "--json", **nowhere))
    assert "41" in report["marks"][0]["text"]
    assert report["marks"][0]["receipt"]["source_id"] == "policy"
    assert "41" in run(*command, **nowhere)
