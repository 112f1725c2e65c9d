"""One answer all the way: inspected, healed, scored. Command line, API and workers all call this."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from proofing.checks.drift import DriftHistory
from proofing.healing import heal
from proofing.inspection import SourceLike, inspect
from proofing.quality import score
from proofing.report import Report
from proofing.retrieval import Retrieval
from proofing.settings import Settings

if TYPE_CHECKING:
    from proofing.learning.model import SupportModel


def proofread_whole(
    question: str,
    sources: Sequence[SourceLike],
    answer: str,
    *,
    settings: Settings | None = None,
    history: DriftHistory | None = None,
    model: SupportModel | None = None,
    latency_ms: float | None = None,
    id: str | None = None,
    point: Mapping[str, Any] | None = None,
    retrieval: Retrieval | None = None,
) -> Report:
    """Inspect, heal and score one answer.

    Args:
        question, sources, answer, settings, history, model, id, retrieval: as `proofing.inspection.inspect`.
        latency_ms: milliseconds of the serving pipeline, for the score; None when not known.
        point: an operating point (its ``to_dict()``): name, level, threshold, and fpr; the report then says on
            which side of it the answer lies.

    Returns:
        The report with `healing`, `quality` and `calibration` filled; ``timings_ms`` gains ``healing`` and
        ``total`` covers it.

    Raises:
        BadInput: as `inspect`.
    """
    report = inspect(question, sources, answer, settings=settings, history=history, model=model, id=id,
                     retrieval=retrieval)  # fmt: skip
    started = time.perf_counter()
    report = report.with_(healing=heal(report))
    report = report.with_(quality=score(report, latency_ms), calibration=_beside(report, point))
    healing_ms = round((time.perf_counter() - started) * 1000, 3)
    total = round(report.timings_ms.get("total", 0.0) + healing_ms, 3)
    return report.with_(timings_ms={**report.timings_ms, "healing": healing_ms, "total": total})


def _beside(report: Report, point: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """On which side of an operating point of level ``answer`` the report lies; None without one."""
    if point is None or point.get("level", "answer") != "answer":
        return None
    threshold = float(point["threshold"])
    return {
        "point": point.get("name", ""),
        "level": "answer",
        "threshold": threshold,
        "fpr": point.get("fpr"),
        "above": report.unsupported_probability >= threshold,
    }
