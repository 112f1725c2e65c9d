"""Running counts over reports, for a caller that wants to watch its own stream of answers.

Nothing in the engine counts by itself: a caller adds the reports it delivers, so re-inspections are never counted.

>>> tally = Tally()
>>> tally.snapshot()["seen"]
0
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from proofing.report import RISKS, Report


class Tally:
    """Counts of risks, triggers, strategies and routes; may be shared by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.reset()

    def add(self, report: Report) -> None:
        """Count one finished report."""
        with self._lock:
            self._seen += 1
            self._risks[report.risk] += 1
            self._triggers.update(report.triggered)
            if report.healing is not None:
                self._strategies[report.healing.strategy] += 1
            if report.quality is not None:
                self._routes[report.quality.route] += 1

    def snapshot(self) -> dict[str, Any]:
        """The counts so far, as plain dictionaries in a fixed order, and the share of flagged answers (0-1)."""
        with self._lock:
            flagged = self._risks["high"] + self._risks["critical"]
            return {
                "seen": self._seen,
                "flagged_share": flagged / self._seen if self._seen else 0.0,
                "risks": {risk: self._risks[risk] for risk in RISKS},
                "triggers": dict(sorted(self._triggers.items())),
                "strategies": dict(sorted(self._strategies.items())),
                "routes": dict(sorted(self._routes.items())),
            }

    def reset(self) -> None:
        """Start again at nothing."""
        with self._lock:
            self._seen = 0
            self._risks: Counter[str] = Counter()
            self._triggers: Counter[str] = Counter()
            self._strategies: Counter[str] = Counter()
            self._routes: Counter[str] = Counter()
