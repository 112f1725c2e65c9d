"""Files in other formats than our own, with the same manifest beside them."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from proofing.exchange.bundles import pack
from proofing.exchange.formats import Format
from proofing.exchange.jsonl import LineFault
from proofing.exchange.reviews import SPLIT_RULE
from proofing.exchange.rows import row_of_record
from proofing.exchange.sinks import Sink, closing

#: How many different reasons for leaving rows out a manifest names.
REASONS_NAMED = 20


def write_projection(
    folder: Path,
    form: Format,
    lines: Iterable[Mapping[str, Any]],
    *,
    created_at: str,
    created_by: str,
    filters: Mapping[str, Any],
    threshold: Mapping[str, Any] | None,
) -> tuple[Path, dict[str, Any]]:
    """Write `reviews/1` lines in another format, and the manifest beside it; a format of several files is packed.

    Rows that the format cannot hold are left out; the manifest says how many and why.
    """
    path = folder / form.file
    left_out: Counter[str] = Counter()
    lines = _Decisions(lines)
    inner: dict[str, Any] = {}
    if form.folder is not None:
        loose = folder / "files"
        with closing(form.folder(loose)) as sink:
            rows = _pour(lines, sink, left_out)
        inner = {str(file.relative_to(loose)): {"sha256": _sha256(file)} for file in sorted(loose.rglob("*.*"))}
        pack(loose, path)
        shutil.rmtree(loose)
    elif form.sink is not None:
        with path.open("wb") as stream, closing(form.sink(stream)) as sink:
            rows = _pour(lines, sink, left_out)
    manifest = {
        "schema": "manifest/1",
        "lines": form.name,
        "offset_unit": "utf-16" if form.name == "label-studio" else "codepoint",
        "counts": {"rows": rows, "left_out": left_out.total(), "decisions": lines.count},
        "left_out": dict(left_out.most_common(REASONS_NAMED)),
        "filters": dict(filters),
        "threshold": dict(threshold) if threshold else None,
        "split_rule": SPLIT_RULE,
        "files": {path.name: {"sha256": _sha256(path), "rows": rows}},
        "packed_files": inner,
        "created_at": created_at,
        "created_by": created_by,
        "reviewer_names_are_pseudonyms": True,
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    path.with_name(path.name + ".manifest.json").write_text(text, encoding="utf-8")
    return path, manifest


def _pour(lines: Iterable[Mapping[str, Any]], sink: Sink, left_out: Counter[str]) -> int:
    rows = 0
    for line in lines:
        try:
            sink.add(row_of_record(line))
            rows += 1
        except LineFault as fault:
            left_out[fault.reason] += 1
    return rows


class _Decisions:
    """Lines on their way, with a count of the decisions in them: several reviews of an answer are one row."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self._lines = lines
        self.count = 0

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for line in self._lines:
            self.count += len(line["reviews"])
            yield line


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
