"""Every threshold of the engine, in one frozen value with three named profiles.

>>> Settings.for_profile("strict").faithfulness_threshold
0.7
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

TIERS = ("fast", "standard", "deep")
PROFILES: dict[str, dict[str, float]] = {
    "general": {},
    "strict": {
        "confidence_threshold": 0.60,
        "faithfulness_threshold": 0.70,
        "claim_overlap_threshold": 0.70,
        "drift_threshold": 0.25,
    },
    "conversational": {
        "confidence_threshold": 0.80,
        "faithfulness_threshold": 0.50,
        "claim_overlap_threshold": 0.35,
        "drift_threshold": 0.45,
    },
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What determines a finding besides the texts themselves.

    Every field takes part in the hash of a report, so two reports with the same hash used the same settings.

    Attributes:
        tier: ``fast`` (values, words, rules, support model), ``standard`` (+ named entities by spaCy, the reader on
            the most suspicious sentence) or ``deep`` (+ sentence encoder, the reader on up to 24 sentences).
        profile: name of the profile the thresholds came from; see `Settings.for_profile`.
        locale: BCP 47 tag of the answer's language for number and date forms; ``und`` = not declared, then
            each document's own numerals decide.
        confidence_threshold: wording confidence above which an unfaithful answer triggers
            ``confident_but_unfaithful``; 0-1; set by hand, by profile.
        faithfulness_threshold: share of grounded claims below which an answer counts as unfaithful; 0-1; set by
            hand, by profile.
        claim_overlap_threshold: share of a claim's content words that must stand in the sources; 0-1; set by hand,
            by profile.
        drift_threshold: distance (1 - similarity) above which an answer has drifted from its history; 0-1; set by
            hand, by profile.
        verification_alpha: weight (0-1) of the answer against the question in the verification score; set by hand,
            both alike.
        verification_threshold: verification score (0-1) below which an answer triggers ``verification``; None = the
            score is only reported. Set it by hand or from labels: the score alone tells little (see docs/quality.md).
        drift_window: how many earlier answers of a question are kept; 1 or more; set by hand.
        drift_compared: how many of the newest of them an answer is compared with; 1 or more; set by hand.
        drift_minimum: from how many earlier answers on drift is judged at all; 1 or more; set by hand.
        mark_cut: support-model probability (0-1) from which a word is drawn as a mark; a drawing line, not a verdict;
            set by hand, moved by an operating point of level ``mark``.
        caution: how sure it must be (0-1) that something in an answer has to change before the healer changes it
            alone; what is less sure is only proposed to a person. 0 applies everything, above 1 nothing. Fitted so
            that few right answers are changed: docs/healing.md has the curve.
        caution_beside: certainty (0-1) a further edit needs where the answer is changed anyway and its sources are
            long; fitted like `caution` (`bench.healing`). From `caution` on it changes nothing.
        weakest: how many weakest anchors a report lists; 0 or more; set by hand.
        entity_model: spaCy model for named entities: an import name, ``auto`` (first one installed) or
            ``rules`` (no model).
        encoder: sentence encoder of the deep tier: ``auto`` or a local sentence-transformers folder or name.
        max_answer_words: answers longer than this are refused with a clear error; 1 or more; set by hand.
        max_sources: more sources than this are refused; 1 or more; set by hand.
        max_source_words: longer sources are refused; 1 or more; set by hand.
    """

    tier: str = "standard"
    profile: str = "general"
    locale: str = "und"
    confidence_threshold: float = 0.75
    faithfulness_threshold: float = 0.50
    claim_overlap_threshold: float = 0.40
    drift_threshold: float = 0.35
    verification_alpha: float = 0.5
    verification_threshold: float | None = None
    drift_window: int = 50
    drift_compared: int = 10
    drift_minimum: int = 3
    mark_cut: float = 0.60
    caution: float = 0.78
    caution_beside: float = 0.50
    weakest: int = 4
    entity_model: str = "auto"
    encoder: str = "auto"
    max_answer_words: int = 20_000
    max_sources: int = 200
    max_source_words: int = 5_000

    def __post_init__(self) -> None:
        if self.tier not in TIERS:
            raise ValueError(f"unknown tier {self.tier!r}: use one of {', '.join(TIERS)}")
        if self.profile not in PROFILES:
            raise ValueError(f"unknown profile {self.profile!r}: use one of {', '.join(PROFILES)}")

    @classmethod
    def for_profile(cls, name: str, **changes: Any) -> Settings:
        """The settings of a named profile, with `changes` on top.

        Raises:
            ValueError: unknown profile or field value; the message lists what is known.
        """
        if name not in PROFILES:
            raise ValueError(f"unknown profile {name!r}: use one of {', '.join(PROFILES)}")
        return replace(cls(profile=name, **PROFILES[name]), **changes)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _NAMES}


#: The names of all settings, in order; none of their values holds another object.
_NAMES = tuple(field.name for field in fields(Settings))
