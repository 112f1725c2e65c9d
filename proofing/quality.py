"""One number for how good an answer is to serve, and the route it takes.

The score weighs what the checks said: 0.40 faithfulness + 0.30 consistency + 0.20 confidence + 0.10 latency,
less 0.20 on drift. It is a serving rule, not a probability: for ranking and calibration a report has
`Report.unsupported_probability`.

>>> latency_part(20), latency_part(50), latency_part(125), latency_part(200)
(1.0, 0.5, 0.25, 0.0)
>>> patched_confidence(0.5), patched_confidence(0.9), scrubbed_confidence(0.7)
(0.65, 0.8, 0.595)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofing.report import Healing, Quality, Report

FAITHFULNESS_WEIGHT = 0.40
CONSISTENCY_WEIGHT = 0.30
CONFIDENCE_WEIGHT = 0.20
LATENCY_WEIGHT = 0.10
#: Part of a score (as in `components_of`) -> its weight; the drift penalty has none.
WEIGHTS = {
    "faithfulness": FAITHFULNESS_WEIGHT, "consistency": CONSISTENCY_WEIGHT, "confidence": CONFIDENCE_WEIGHT,
    "latency": LATENCY_WEIGHT,
}  # fmt: skip
DRIFT_PENALTY = 0.20
#: From this faithfulness on, confident wording counts for an answer; below it, against it.
CONFIDENCE_EARNED_FROM = 0.75
#: From this score on, an answer of low risk is accepted as it is.
ACCEPT_FROM = 0.75

#: Latency in ms at which the part is full, half and gone; linear between.
LATENCY_FULL, LATENCY_HALF, LATENCY_GONE = 20.0, 50.0, 200.0

#: A patched answer may speak a little more surely than before, but never as surely as an untouched one.
PATCH_GAIN, PATCH_CEILING = 0.15, 0.80
SCRUB_FACTOR = 0.85

ROUTES = ("accept", "healed_accept", "fallback", "discard")


def latency_part(latency_ms: float | None) -> float:
    """How much of the latency part an answer earns, 0-1.

    Args:
        latency_ms: milliseconds the *serving pipeline* needed, as the caller measured it; None (not known)
            earns the full part, so that a score never depends on how busy this machine is.
    """
    if latency_ms is None or latency_ms <= LATENCY_FULL:
        return 1.0
    if latency_ms <= LATENCY_HALF:
        return 1.0 - 0.5 * (latency_ms - LATENCY_FULL) / (LATENCY_HALF - LATENCY_FULL)
    if latency_ms < LATENCY_GONE:
        return 0.5 * (LATENCY_GONE - latency_ms) / (LATENCY_GONE - LATENCY_HALF)
    return 0.0


def confidence_part(confidence: float, faithfulness: float) -> float:
    """Confident wording is worth something only where the sources back the answer, 0-1."""
    return confidence if faithfulness >= CONFIDENCE_EARNED_FROM else 1.0 - confidence


def patched_confidence(confidence: float) -> float:
    """Wording confidence after a contradiction patch: a little more, up to 0.80."""
    return round(min(confidence + PATCH_GAIN, PATCH_CEILING), 6)


def scrubbed_confidence(confidence: float) -> float:
    """Wording confidence after something was taken out: 85 % of it."""
    return round(confidence * SCRUB_FACTOR, 6)


def components_of(
    *, faithfulness: float, contradiction: bool, confidence: float, drift: bool, latency_ms: float | None
) -> dict[str, float]:
    """The parts of a score, each 0-1 before its weight; ``drift`` is the penalty itself (0 or -0.20)."""
    return {
        "faithfulness": round(faithfulness, 6),
        "consistency": 0.0 if contradiction else 1.0,
        "confidence": round(confidence_part(confidence, faithfulness), 6),
        "latency": round(latency_part(latency_ms), 6),
        "drift": -DRIFT_PENALTY if drift else 0.0,
    }


def total(components: Mapping[str, float]) -> float:
    """The final score, 0-1: the weighted parts, the drift penalty last, clamped."""
    weighted = sum(weight * components[part] for part, weight in WEIGHTS.items())
    return round(min(1.0, max(0.0, weighted + components["drift"])), 6)


def score(report: Report, latency_ms: float | None = None) -> Quality:
    """Score `report`, and its healing where it has one, and choose the route.

    Args:
        report: an inspection; with `Report.healing` set, the healed text gets a score of its own.
        latency_ms: milliseconds of the serving pipeline (not of this engine), or None.

    Returns:
        The score of the answer as it came, its parts, the route and the healed text's score.
    """
    components = _components(report, latency_ms, None)
    final = total(components)
    healing = report.healing
    healed: float | None = None
    if healing is not None and healing.applied and healing.after is not None:
        healed = total(_components(healing.after, latency_ms, healing.confidence[1]))
    return Quality(final, route_of(report.risk, final, healing), components, healed)


def route_of(risk: str, final_score: float, healing: Healing | None) -> str:
    """The first route that holds: discard, healed_accept, accept, fallback.

    ``discard``: the safe decline is what would be served. ``healed_accept``: the healed text was applied and
    its re-inspection is neither high nor critical. ``accept``: score of at least 0.75 and low risk.
    ``fallback``: everything else, a person or another system should answer.
    """
    if healing is not None and healing.strategy == "safe_decline" and healing.applied:
        return "discard"
    if healing is not None and healing.applied and healing.final_risk in ("low", "medium"):
        return "healed_accept"
    if final_score >= ACCEPT_FROM and risk == "low":
        return "accept"
    return "fallback"


def _components(report: Report, latency_ms: float | None, confidence: float | None) -> dict[str, float]:
    return components_of(
        faithfulness=check_score(report.checks, "faithfulness", 1.0),
        contradiction="contradiction" in report.triggered,
        confidence=check_score(report.checks, "confidence", 0.5) if confidence is None else confidence,
        drift="drift" in report.triggered,
        latency_ms=latency_ms,
    )


def check_score(checks: Mapping[str, Mapping[str, Any]], name: str, otherwise: float) -> float:
    """The ``score`` of one check of a report, or `otherwise` where the check did not run."""
    value = checks.get(name, {}).get("score")
    return otherwise if value is None else float(value)
