"""What stands for the objects that rooms added to the site's addresses; read by `test_outsiders`."""

from __future__ import annotations

from typing import Any


def more(world: Any) -> dict[str, Any]:
    """`{name in the address: key of an object of world.project}`."""
    return {}
