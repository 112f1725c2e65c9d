"""Refitting the last stages of a model on a project's own answers, so that the reader stays in it.

A small set fits the forest of judged answers, which learns what is new in its kind of answer, and the sum above it, and
keeps all other forests; a larger one fits the forests of the last stage too; where all levels are fitted anew, the last
stage gets sources that the levels below never saw. There is one stage for each number of sentences the reader may read,
as in the model that ships. Needs the [train] extra.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from proofing.learning.examples import Example, fold_of
from proofing.learning.fit import Fitted, fit, import_training, judged_level, refuse_too_few
from proofing.learning.lastfit import LastShape, fit_last, known_of, refit_last
from proofing.learning.model import SupportModel
from proofing.learning.stacking import Shape
from proofing.learning.trees import Forest

#: From so many labelled answers on the forests of the last stage are fitted too; the one that ships had as many.
ENOUGH_FOR_FORESTS = 4000
#: One source of so many is kept for the last stage where all levels are fitted.
KEPT_FOR_LAST = 3


def refit(
    base: SupportModel,
    examples: Sequence[Example],
    *,
    name: str,
    card: Mapping[str, Any] | None = None,
    most: int = 0,
    say: Callable[[str], None] = lambda line: None,
) -> Fitted:
    """`base` with its judged answers and its last stages fitted on these answers, which it never saw.

    Args:
        examples: answers with their judgements. Where all of them hold what the reader said (`Example.read`), every
            stage of `base` is refitted; else only the one that does without it, and the others are left out.
        most: how many sentences the reader may read where the probabilities handed back are wanted, by the tier.
    """
    import_training()
    refuse_too_few(examples)
    level, _ = judged_level(base, examples, [fold_of(example.group) for example in examples], say=say)
    below = [
        found and replace(found, score=score)  # out of fold: what goes up a level never saw the answer
        for found, score in zip(known_of(base, examples, say), level.held_out, strict=True)
    ]
    base = replace(base, judged_answers=Forest.of(level.data))
    heard = all(example.read is not None for example in examples)
    stages: dict[int, Any] = {}
    for own in sorted(base.last):
        if own and not heard:
            continue
        if len(examples) >= ENOUGH_FOR_FORESTS:
            stages[own] = fit_last(base, examples, own, below=below, say=say)
        else:
            stages[own] = refit_last(base, examples, own, below=below, say=say)
    data = base.to_dict() | {"name": name, "card": dict(card or {})}
    data["last"] = {str(own): stage.data for own, stage in stages.items()}
    served = max(own for own in stages if own <= most)
    return Fitted({**data, "cut": stages[served].data["cut"]}, stages[served].answers)


def fit_all(
    examples: Sequence[Example],
    stages: Sequence[int],
    *,
    name: str,
    card: Mapping[str, Any] | None = None,
    most: int = 0,
    shape: Shape | None = None,
    last_shape: LastShape | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Fitted:
    """All levels fitted anew: those below on two thirds of the sources, the last stages on the others.

    Args:
        stages: how many sentences the reader reads in each; 0 = without it.

    Returns:
        The model and its probabilities out of fold: of the answers kept for the last stage what that says, of the
        others what the levels below say.
    """
    kept = [_for_last(example) for example in examples]
    lower = fit(
        [e for e, held in zip(examples, kept, strict=True) if not held], name=name, card=card, shape=shape, say=say
    )
    base = lower.model()
    own = [e for e, held in zip(examples, kept, strict=True) if held]
    below = known_of(base, own)
    fitted = {n: fit_last(base, own, n, below=below, shape=last_shape, say=say) for n in sorted(stages)}
    served = max(n for n in fitted if n <= most)
    under, over = iter(lower.probabilities), iter(fitted[served].answers)
    data = base.to_dict() | {"last": {str(n): one.data for n, one in fitted.items()}, "cut": fitted[served].data["cut"]}
    return Fitted(data, tuple(next(over if held else under) for held in kept))


def _for_last(example: Example) -> bool:
    return int(hashlib.sha256(f"last {example.group}".encode()).hexdigest()[:8], 16) % KEPT_FOR_LAST == 0
