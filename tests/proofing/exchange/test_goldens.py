"""Files that the real libraries have read, and what they wrote of them (`make interop`, interop/README.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from interop.files import RECORDS, write
from proofing.exchange.formats import imported

GOLDENS = Path(__file__).parent / "goldens"
READ = ["argilla", "datasets", "label-studio", "lettucedetect", "ragas", "ragas-alignment"]
#: What each library wrote of our file, in the format that reads it back.
WRITTEN = [
    ("argilla", "argilla/theirs/records.json"),
    ("datasets", "datasets/theirs"),
    ("label-studio", "label-studio/theirs/tasks.json"),
    ("lettucedetect", "lettucedetect/theirs/samples.json"),
    ("ragas", "ragas/theirs/ragas.jsonl"),
]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("name", READ)
def test_we_still_write_the_files_that_were_read(name, tmp_path):
    """When this fails and the change is meant: `make interop`, and look at the difference."""
    kept = contents(GOLDENS / name.removesuffix("-alignment") / "ours" / name)
    write(name, tmp_path / "now")
    now = contents(tmp_path / "now")
    assert now.keys() == kept.keys()
    for file, content in kept.items():
        if not file.endswith(".parquet"):  # names the version of the library that wrote it
            assert now[file] == content, file


@pytest.mark.parametrize(("name", "path"), WRITTEN)
def test_we_read_what_the_library_wrote(name, path):
    back = list(imported(name, GOLDENS / path))
    answers = [(r["answer"]["text"] if "scan" in r else r["answer"]) for r in RECORDS]
    assert sorted(line["answer"] for line in back) == sorted(answers)
    for line in back:
        for label in line.get("labels") or ():
            assert line["answer"][label["start"] : label["end"]] == label["text"]
    if name != "ragas":
        ours = imported(name, GOLDENS / name / "ours" / name / _file(name))
        assert {_key(line) for line in back} == {_key(line) for line in ours}


def _file(name: str) -> str:
    return {"argilla": "argilla.json", "lettucedetect": "lettucedetect.json"}.get(name, "")


def _key(line: dict) -> tuple:
    labels = tuple(tuple(label.items()) for label in line.get("labels") or ())
    sources = tuple((source["id"], source["text"]) for source in line["sources"])
    return line["id"], line["answer"], line.get("question"), sources, labels, line.get("label")
