"""The desk's single-key shortcuts: what each does, its standard key, and a reviewer's own choice (WCAG 2.1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

#: Action → (standard key, what it does). The order is that of the help overlay.
ACTIONS: dict[str, tuple[str, Promise]] = {
    "next_mark": ("j", _("Next mark")),
    "previous_mark": ("k", _("Previous mark")),
    "unsupported": ("u", _("The mark is right: unsupported")),
    "supported": ("s", _("False alarm: supported")),
    "unsure": ("d", _("Don't know")),
    "accept_healed": ("a", _("Accept the healed answer")),
    "edit": ("e", _("Edit")),
    "keep": ("o", _("Keep the original")),
    "reject": ("r", _("Reject")),
    "skip": ("n", _("Skip")),
    "flag": ("f", _("Flag for a lead")),
    "undo": ("z", _("Undo the last decision")),
    "reason": ("c", _("Give a reason for rejecting, skipping or flagging")),
    "add_mark": ("m", _("Mark the selected words")),
    "words": ("w", _("Word cursor: arrows move it, Shift and arrows select")),
    "help": ("?", _("Show the keys")),
}


def keys_of(stored: Mapping[str, Any]) -> dict[str, str]:
    """Action → key, with the reviewer's own keys in place of the standard ones."""
    own = stored.get("keys") or {}
    return {action: str(own.get(action) or standard) for action, (standard, _label) in ACTIONS.items()}
