"""Rules of the house that no single room can keep by itself."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: Folders of one person's machine. (Written so that this file does not match itself.)
MACHINE_PATHS = re.compile(
    r"(?<![\w.])/(?:wor[k]|roo[t]|hom[e]|User[s])/[a-z]|\.\./share[d]/|(?<![\w/])share[d]/(?:spec|data|cases)"
)

HEAVY = ("spacy", "torch", "sentence_transformers", "onnxruntime", "sklearn", "numpy", "transformers", "lightgbm")


def tracked_texts() -> list[tuple[str, str]]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    texts = []
    for name in filter(None, listed.stdout.decode().split("\0")):
        try:
            texts.append((name, (ROOT / name).read_text(encoding="utf-8")))
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
    return texts


def test_no_file_names_a_folder_of_one_machine():
    found = [f"{name}: {match.group()}" for name, text in tracked_texts() for match in MACHINE_PATHS.finditer(text)]
    assert found == []


def loaded_by(statement: str) -> set[str]:
    """Top-level packages in memory after ``statement`` ran in a fresh interpreter."""
    code = f"import sys; {statement}; print(' '.join({{name.split('.')[0] for name in sys.modules}}))"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return set(ended.stdout.split())


@pytest.mark.parametrize("statement", ["import proofing", "import proofing.cli"])
def test_the_engine_starts_without_the_web_and_without_heavy_packages(statement):
    loaded = loaded_by(statement)
    assert loaded.isdisjoint({"webapp", "django", "celery", "redis"})
    assert loaded.isdisjoint(HEAVY)


def test_the_site_starts_without_heavy_packages():
    setup = (
        "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'; django.setup(); import webapp.urls"
    )
    assert loaded_by(setup).isdisjoint(HEAVY)


def test_no_file_of_the_engine_imports_the_web():
    imports = re.compile(r"^\s*(?:from|import)\s+(?:webapp|django)\b", re.MULTILINE)
    assert [path.name for path in ROOT.glob("proofing/**/*.py") if imports.search(path.read_text("utf-8"))] == []
