"""Healing: edits caused by marks, four strategies, re-inspection, and taking single edits back."""

from __future__ import annotations

from proofing.healing.edits import Offer, apply_edits, offered, offered_edits, text_without
from proofing.healing.healer import heal

__all__ = ["Offer", "apply_edits", "heal", "offered", "offered_edits", "text_without"]
