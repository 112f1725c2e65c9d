"""A change whose verb says by how much, with both its ends beside it: "tripled from 10 to 20 euros" only doubled."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from proofing.report import Receipt
from proofing.support.base import Judgement
from proofing.support.places import Place
from proofing.support.wordset import word_set
from proofing.values import Value

#: What such a verb multiplies by.
_TIMES: dict[Fraction, tuple[str, ...]] = {
    Fraction(2): ("doubled", "doubling", "verdoppelte", "verdoppelten", "verdoppelt", "doublé",
                  "duplicó", "duplicaron", "raddoppiato", "raddoppiata", "dobrou", "dobraram", "удвоилась", "удвоился"),
    Fraction(3): ("tripled", "tripling", "trebled", "verdreifachte", "verdreifacht", "triplé",
                  "triplicó", "triplicaron", "triplicato", "triplicata", "triplicou", "утроилась", "утроился"),
    Fraction(4): ("quadrupled", "quadrupling", "vervierfachte", "vervierfacht", "quadruplé", "cuadruplicó"),
    Fraction(1, 2): ("halved", "halving", "halbierte", "halbiert", "dimezzato"),
}  # fmt: skip
_BY = {word: times for times, words in _TIMES.items() for word in words}
_FROM = word_set("from von de da desde dal dalla des du с от")
_TO = word_set("to auf à a al para до")
#: Both ends stand so near to the verb (code points), and a ratio may be so far off where ends are rounded.
REACH, OFF = 80, Fraction(1, 8)
#: The "from" follows the verb at once, or after one more word.
NEAR = 2
_NOT_QUITE = word_set("than almost nearly about roughly around fast beinahe quasi presque casi quase")
#: Words between the two values, and forms of the English verbs that stand in one order.
BETWEEN, ALIKE = 3, 2


def judge_told_changes(places: Sequence[Place]) -> list[Judgement]:
    """``derived_wrong`` on verbs of change that the two values behind them do not bear out."""
    found = []
    for one, other in pairwise(places):
        between = [one.view.folds[i] for i in one.view.tokens_between(one.value.end, other.value.start)]
        if one.sentence == other.sentence and between and between[-1] in _TO and len(between) <= BETWEEN:
            alike = one.value.dimension == other.value.dimension or one.value.dimension == "count"
            found.append(_judged(one, one.number, other.number, one.value, other.value) if alike else None)
    for place in places:  # "from 10 to 20 euros" is read as a range
        ends = place.value.ends
        amounts = [end.amount for end in ends if isinstance(end.amount, Fraction)]
        if len(amounts) == 2:
            found.append(_judged(place, amounts[0], amounts[1], ends[0], ends[1]))
    return [judgement for judgement in found if judgement is not None]


def _judged(
    place: Place, one: Fraction | None, other: Fraction | None, first: Value, second: Value
) -> Judgement | None:
    """A mark on the verb before a "from" that multiplies by something else than the two amounts behind it do."""
    view, start = place.view, place.value.start
    tokens = list(view.tokens_between(max(view.sentences[place.sentence].start, start - REACH), start + 1))
    tokens = [i for i in tokens if view.tokens[i].start < start or view.folds[i] in _FROM]
    if not one or other is None or not tokens or view.folds[tokens[-1]] not in _FROM:
        return None
    verb = next((i for i in reversed(tokens) if view.folds[i] in _BY), None)
    if verb is None or tokens[-1] - verb > NEAR or (verb and view.folds[verb - 1] in _NOT_QUITE):
        return None
    said, really = _BY[view.folds[verb]], other / one
    if abs(really - said) <= said * OFF:
        return None
    token = view.tokens[verb]
    form = _TIMES[said].index(view.folds[verb])
    right = _TIMES.get(really)
    text = right[form] if right is not None and view.language == "en" and form < ALIKE else None
    formula = f"{' '.join(second.text.split())} / {' '.join(first.text.split())} = {float(really):.3g}"
    note = f"the two values give {formula}"
    return Judgement(
        token.start, token.end, token.text, "number", 0.0, "derived_wrong", Receipt(None, note=note, formula=formula),
        (text,) if text else (), "arithmetic", note, formula, channel="values",
    )  # fmt: skip
