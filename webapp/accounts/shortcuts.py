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
    "unsure": ("d", _("Don’t know")),
    "accept_healed": ("a", _("Accept the healed answer")),
    "switch_edit": ("x", _("Switch an edit off or on")),
    "edit": ("e", _("Edit")),
    "keep": ("o", _("Keep the original")),
    "reject": ("r", _("Reject")),
    "skip": ("n", _("Skip")),
    "flag": ("f", _("Flag for a lead")),
    "undo": ("z", _("Undo the last decision")),
    "reason": ("c", _("Give a reason for rejecting, skipping or flagging")),
    "nothing_else": ("t", _("Nothing else is unsupported: tick or untick")),
    "add_mark": ("m", _("Mark the selected words")),
    "words": ("w", _("Word cursor: arrows move it, Shift and arrows select")),
    "help": ("?", _("Show the keys")),
}


#: Keys that stand in where a reviewer's own key is the standard one of another action.
SPARE = "yvbghilpq0"


def keys_of(stored: Mapping[str, Any]) -> dict[str, str]:
    """Action → key, with the reviewer's own keys in place of the standard ones; no key does two things.

    An action whose standard key the reviewer gave to another one (it may be newer than that choice) gets a spare key.
    """
    own = {action: str(key) for action, key in (stored.get("keys") or {}).items() if action in ACTIONS and key}
    taken, standards = set(own.values()), {standard for standard, _label in ACTIONS.values()}
    keys: dict[str, str] = {}
    for action, (standard, _label) in ACTIONS.items():
        key = own.get(action, standard)
        if action not in own and key in taken:
            key = next(spare for spare in SPARE if spare not in taken and spare not in standards)
        keys[action] = key
        taken.add(key)
    return keys
