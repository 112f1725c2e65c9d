"""Measures written with "x" or "by" between them: the last one's unit holds for all ("210 x 297 mm", "2560×1440").

>>> from proofing.values import find_values, same
>>> a, b = find_values("A sheet of 210 x 297 mm, or 21 by 29.7 cm.")[::2]
>>> (a.text, b.text, same(a, b))
('210', '21', True)
>>> [v.dimension for v in find_values("It shows 2560×1440, on 3 x 4 tiles.")]
['resolution', 'resolution', 'count', 'count']
>>> [v.dimension for v in find_values("Fix 2 x 75 cm shelves.")]        # two shelves: a small figure counts first
['count', 'length']
"""

from __future__ import annotations

import re

from proofing.values.base import Value
from proofing.values.draft import Draft
from proofing.values.page import Page
from proofing.values.ranges import Reader
from proofing.values.unit_table import UNITS, Unit

#: What stands between two of them.
SIDES = re.compile(r"[ \u00a0]?[x×][ \u00a0]?|[ ](?:by|mal|par|por|per|на)[ ]")
_TIMES = re.compile(rf"(?:{SIDES.pattern})(?=\d)")
#: What lies side by side is measured in these.
SIZED = frozenset({"length", "resolution"})
#: From here on two plain figures with "×" between them are pixels; up to so many may count things of a size.
PIXELS, COUNTED = 320, 12


def sized(page: Page, draft: Draft, read: Reader) -> Value | None:
    """The number at `draft` as the measure that the figures behind it make of it; None where they make none."""
    if not draft.is_bare or not draft.number.amounts or draft.number.is_fraction:
        return None
    unit = page.sized.pop(draft.start, None) or _lent(page, draft, read)
    if unit is None:
        return None
    value = draft.value(page)
    lent = draft._replace(unit=unit).readings()
    if draft.number.amounts[0] <= COUNTED and unit.name in ("mm", "cm"):
        return value._replace(readings=(*value.readings, *lent))
    return value._replace(kind="quantity", noun="", readings=(*lent, *value.readings))


def _lent(page: Page, draft: Draft, read: Reader) -> Unit | None:
    """The unit of the last of up to three figures from `draft` on."""
    last = draft
    for _ in range(2):
        match = _TIMES.match(page.low, last.end)
        following = read(page, match.end(), match.end()) if match else None
        if not isinstance(following, Draft) or not following.number.amounts:
            return None
        if following.unit is not None:
            return following.unit if following.unit.scales[0].dimension in SIZED else None
        if min(draft.number.amounts[0], following.number.amounts[0]) >= PIXELS and draft.number.is_plain:
            page.sized[following.start] = UNITS["px"]
            return UNITS["px"]
        last = following
    return None
