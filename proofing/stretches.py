"""What is read in each stretch of text without a space, remembered: texts repeat one another's words.

>>> shouted = Stretches(str.upper)
>>> shouted["berth"], len(shouted)
('BERTH', 1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

#: Stretches remembered per table, and how long one may be (code points).
KEPT, LENGTH_KEPT = 16_384, 40


class Stretches(dict[str, Found]):
    """Stretch of text -> what a pure function reads in it; filled on demand.

    Long stretches are read each time, and a full table is emptied and starts again: no text makes it grow for ever.
    Threads may read a stretch twice, with the same result.
    """

    def __init__(self, read: Callable[[str], Found]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, stretch: str) -> Found:
        found = self._read(stretch)
        if len(stretch) <= LENGTH_KEPT:
            if len(self) >= KEPT:
                self.clear()
            self[stretch] = found
        return found
