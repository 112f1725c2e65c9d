"""Proofmark's engine: proofread an answer against its sources, with marks, receipts and a healed answer.

    >>> import proofing
    >>> settings = proofing.Settings(tier="fast")
    >>> finding = proofing.proofread("The frame is guaranteed for 5 years.",
    ...                              ["The frame is guaranteed for 2 years."], settings=settings)
    >>> [(mark.text, mark.receipt.text) for mark in finding.marks]
    [('5', '2 years')]

Everything public is named here; docs/contract.md says what stays the same between versions. Names are looked up
when first used, so importing the package is quick and costs no optional dependency.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from proofing.documents import Source
    from proofing.errors import BadInput, ProofingError, Refused
    from proofing.exchange.answers import read_answers
    from proofing.healing import heal
    from proofing.history import History
    from proofing.inspection import (
        AnswerFlagged,
        ainspect,
        inspect,
        log_if_flagged,
        proofread,
        raise_if_flagged,
    )
    from proofing.learning.calibrate import calibrate
    from proofing.learning.model import SupportModel
    from proofing.pipeline import proofread_whole
    from proofing.quality import score
    from proofing.report import Edit, Finding, Healing, Mark, Note, Quality, Receipt, Report
    from proofing.settings import Settings

_HOMES = {
    "Source": "documents",
    "BadInput": "errors", "ProofingError": "errors", "Refused": "errors",
    "read_answers": "exchange.answers",
    "heal": "healing",
    "History": "history",
    "AnswerFlagged": "inspection", "ainspect": "inspection", "inspect": "inspection",
    "log_if_flagged": "inspection", "proofread": "inspection", "raise_if_flagged": "inspection",
    "calibrate": "learning.calibrate",
    "SupportModel": "learning.model",
    "proofread_whole": "pipeline",
    "score": "quality",
    "Edit": "report", "Finding": "report", "Healing": "report", "Mark": "report", "Note": "report",
    "Quality": "report", "Receipt": "report", "Report": "report",
    "Settings": "settings",
}  # fmt: skip

__all__ = [
    "AnswerFlagged", "BadInput", "Edit", "Finding", "Healing", "History", "Mark", "Note", "ProofingError", "Quality",
    "Receipt", "Refused", "Report", "Settings", "Source", "SupportModel", "ainspect", "calibrate", "heal", "inspect",
    "log_if_flagged", "proofread", "proofread_whole", "raise_if_flagged", "read_answers", "score",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'proofing' has no attribute {name!r}")
    found = getattr(import_module(f"proofing.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
