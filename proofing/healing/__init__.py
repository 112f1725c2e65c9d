"""Healing: edits caused by marks, four strategies, re-inspection, and taking single edits back."""

from __future__ import annotations

from proofing.healing.edits import Offer, apply_edits, offered, text_without
from proofing.healing.healer import heal

__all__ = ["Offer", "apply_edits", "heal", "offered", "text_without"]
