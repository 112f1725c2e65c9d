"""Files in other formats than our own, with the same manifest beside them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from proofing.exchange.reviews import SPLIT_RULE, canonical_json


def write_projection(
    path: Path,
    records: Iterable[Mapping[str, Any]],
    *,
    schema: str,
    created_at: str,
    created_by: str,
    filters: Mapping[str, Any],
    threshold: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Write one JSON object a line to `path`, and its manifest beside it; returns the manifest."""
    digest, rows = hashlib.sha256(), 0
    with open(path, "wb") as stream:
        for record in records:
            raw = canonical_json(record) + b"\n"
            stream.write(raw)
            digest.update(raw)
            rows += 1
    manifest = {
        "schema": "manifest/1",
        "lines": schema,
        "offset_unit": "codepoint",
        "counts": {"rows": rows},
        "filters": dict(filters),
        "threshold": dict(threshold) if threshold else None,
        "split_rule": SPLIT_RULE,
        "files": {path.name: {"sha256": digest.hexdigest(), "rows": rows}},
        "created_at": created_at,
        "created_by": created_by,
        "reviewer_names_are_pseudonyms": True,
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    path.with_name(path.name + ".manifest.json").write_text(text, encoding="utf-8")
    return manifest
