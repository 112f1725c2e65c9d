"""How often a word was unsupported before: the word table of the support model."""

from __future__ import annotations

import math
from collections.abc import Sequence

from proofing.learning.examples import Example

#: A word enters the table from this many uses on; its odds are drawn to 0 with the weight of `PRIOR` uses.
LEAST_USES, PRIOR = 12, 20.0


class WordTable:
    """Log odds of a word in each state of backing to be unsupported, against all words of that state."""

    def __init__(
        self, examples: Sequence[Example], labels: Sequence[Sequence[int | None]], folds: Sequence[int]
    ) -> None:
        self.counts: dict[int, dict[str, list[int]]] = {}
        for example, own, fold in zip(examples, labels, folds, strict=True):
            counts = self.counts.setdefault(fold, {})
            if example.spans is None:
                continue
            for word, label in zip(example.sheet.words, own, strict=True):
                if label is not None:
                    uses = counts.setdefault(word, [0, 0])
                    uses[0] += 1
                    uses[1] += label
        self._without = {fold: self._odds([f for f in self.counts if f != fold]) for fold in self.counts}

    def without(self, fold: int) -> dict[str, float]:
        """The table of all folds but one."""
        return self._without[fold]

    def full(self) -> dict[str, float]:
        """The table of all folds."""
        return self._odds(list(self.counts))

    def _odds(self, folds: Sequence[int]) -> dict[str, float]:
        uses: dict[str, list[int]] = {}
        states: dict[str, list[int]] = {}
        for fold in sorted(folds):
            for word, (count, faulty) in self.counts[fold].items():
                for table, key in ((uses, word), (states, word[0])):
                    held = table.setdefault(key, [0, 0])
                    held[0] += count
                    held[1] += faulty
        odds = {}
        for word, (count, faulty) in sorted(uses.items()):
            if count >= LEAST_USES:
                base = (states[word[0]][1] + 0.5) / (states[word[0]][0] + 1.0)
                share = (faulty + PRIOR * base) / (count + PRIOR)
                odds[word] = round(math.log(share / (1 - share)) - math.log(base / (1 - base)), 3)
        return odds
