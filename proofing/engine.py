"""Which channels run at which tier, and what the support model makes of their judgements.

Everything a tier may lack (spaCy, the encoder, a fitted model) is looked for here once, and its absence
becomes a warning in the report, never an error and never silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import proofing
from proofing.support.base import Channel, Judgement
from proofing.support.entities import EntityChannel
from proofing.support.fields import FieldChannel
from proofing.support.invention import InventionChannel
from proofing.support.lexical import LexicalChannel
from proofing.support.polarity import PolarityChannel
from proofing.support.quotes import QuoteChannel
from proofing.support.reading import Proof
from proofing.support.values import ValueChannel

if TYPE_CHECKING:
    from proofing.learning.model import Prediction, SupportModel

NO_SOURCES = "no sources were given: nothing in this answer can be supported"
EMPTY_SOURCES = "the sources hold no words: nothing in this answer can be supported"
NO_WORDS = "the answer holds no words to check"
NO_ENCODER = "no sentence encoder is installed: the deep tier ran without it (install the [deep] extra)"
NO_READER = "the reader is not installed: probabilities come from counts and rules alone (install the [standard] extra)"
NO_SPACES = "parts of the texts are written without spaces between words: words were cut by Unicode rules only"
#: How many sentences of an answer the reader reads at most, the most suspicious first.
READ_AT_MOST = {"fast": 0, "standard": 1, "deep": 24}


@dataclass(frozen=True, slots=True)
class Said:
    """What all channels said about one answer, and what they needed for it."""

    judgements: tuple[Judgement, ...]
    warnings: tuple[str, ...]
    engine: dict[str, Any]
    entity_model: str


def judge_all(proof: Proof) -> Said:
    """Run the channels of the proof's tier in their fixed order.

    Values come first (a piece of a value is never a word), then quotations and names, polarity, single words, the
    encoder, and last what only the whole picture shows: invented sentences and swapped words.
    """
    tier = proof.settings.tier
    warnings = _text_warnings(proof)
    entities = EntityChannel.for_tier(tier, proof.settings.entity_model)
    warnings += entities.warnings_for(proof)
    channels: list[Channel] = [
        ValueChannel(), QuoteChannel(), entities, FieldChannel(), PolarityChannel(), LexicalChannel(),
    ]  # fmt: skip
    encoder = "none"
    if tier == "deep":
        semantic, encoder = _semantic(proof.settings.encoder)
        if semantic is None:
            warnings.append(NO_ENCODER)
        else:
            channels.append(semantic)
    channels.append(InventionChannel())
    said: list[Judgement] = []
    for channel in channels:
        said = merged(said, channel.judge(proof, tuple(said)))
    engine = {"version": proofing.__version__, "encoder": encoder, "entity_model": entities.model_name}
    return Said(tuple(said), tuple(warnings), engine, entities.model_name)


def merged(earlier: Sequence[Judgement], fresh: Sequence[Judgement]) -> list[Judgement]:
    """Both lists in text order; of two scores on one word the better evidence stays.

    Only plain word scores (no reason) replace one another, a candidate mark never vanishes.
    """
    if not fresh:
        return list(earlier)
    words = {(j.start, j.end): j for j in earlier if j.kind == "word" and j.reason is None}
    rest = [j for j in earlier if not (j.kind == "word" and j.reason is None)]
    for judgement in fresh:
        key = (judgement.start, judgement.end)
        if judgement.kind != "word" or judgement.reason is not None:
            rest.append(judgement)
        elif key not in words or words[key].support < judgement.support:
            words[key] = judgement
    return sorted([*rest, *words.values()], key=lambda j: (j.start, j.end, j.kind, j.channel))


def predict(proof: Proof, judgements: Sequence[Judgement], model: SupportModel | None) -> Prediction | RulePrediction:
    """The support model's probabilities; those of `rule_prediction` while no model file ships."""
    try:
        from proofing.learning.model import SupportModel as Model
    except ImportError:
        return rule_prediction(judgements)
    try:
        chosen = model or Model.load(None)
    except FileNotFoundError:
        return rule_prediction(judgements)
    most = READ_AT_MOST[proof.settings.tier]
    if not most or not any(chosen.last):
        return chosen.predict(proof, judgements)
    from proofing.learning.reader import NoReader, Reader

    try:
        reader = Reader.load()
    except NoReader:
        return replace(chosen.predict(proof, judgements), warnings=(NO_READER,))
    prediction = chosen.predict(proof, judgements, lambda spans: reader.read(proof, spans), most)
    return replace(prediction, reader=reader.name)


@dataclass(frozen=True, slots=True)
class RulePrediction:
    """What stands in for the support model's prediction where there is no model: same fields, no fit."""

    answer_probability: float
    token_probabilities: tuple[float, ...] | None
    cut: float
    name: str
    sha256: str
    reader: str = "none"
    warnings: tuple[str, ...] = ()
    sentences: tuple[tuple[int, int, float], ...] = ()


def rule_prediction(judgements: Sequence[Judgement]) -> RulePrediction:
    """An uncalibrated score from the rules alone: one minus the product of ``1 - p`` over all candidate marks.

    `p` is the rule's own certainty (`proofing.marks.RULE_PROBABILITY`); weak words add a little each, so that
    answers without any mark can still be ranked. Nothing here was fitted.
    """
    from proofing.marks import RULE_PROBABILITY

    clean = 1.0
    for judgement in judgements:
        if judgement.reason is not None:
            clean *= 1.0 - RULE_PROBABILITY.get(judgement.reason, 0.5)
    words = [j.support for j in judgements if j.kind == "word"]
    weak = sum(1.0 - support for support in words) / len(words) if words else 0.0
    clean *= 1.0 - 0.5 * weak
    return RulePrediction(1.0 - clean, None, 0.5, "rules", "")


def _text_warnings(proof: Proof) -> list[str]:
    warnings = []
    if not proof.sources:
        warnings.append(NO_SOURCES)
    elif not any(view.text.strip() for view in proof.sources):
        warnings.append(EMPTY_SOURCES)
    if not proof.answer.text.strip():
        warnings.append(NO_WORDS)
    if any(view.is_unspaced for view in (proof.answer, *proof.sources)):
        warnings.append(NO_SPACES)
    return warnings


def _semantic(encoder: str) -> tuple[Channel | None, str]:
    from proofing.encoder import Encoder, NoEncoder

    try:
        found = Encoder.load(encoder)
    except NoEncoder:
        return None, "none"
    from proofing.support.semantic import SemanticChannel

    return SemanticChannel(found), found.name
